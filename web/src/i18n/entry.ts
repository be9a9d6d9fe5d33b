// What a message is: a text, or its plural forms.

export type Entry = string | Partial<Record<Intl.LDMLPluralRule, string>>;
