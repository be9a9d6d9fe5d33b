// Texts in the reader's language. What belongs here: finding a message, plurals, numbers and dates.
import { createContext, useContext, useMemo, useState, type ReactNode } from 'react';
import { type Language, preferredLanguage, rememberLanguage } from '../app/preferences';
import type { en } from './en';
import type { Entry } from './entry';

export type MessageKey = keyof typeof en;
export type Messages = Record<MessageKey, Entry>;
export type Values = Record<string, string | number>;

export interface Translator {
  language: Language;
  (key: MessageKey, values?: Values): string;
  /** A message whose key is made at run time; undefined when there is none. */
  maybe(key: string, values?: Values): string | undefined;
  number(value: number, options?: Intl.NumberFormatOptions): string;
  date(value: string | Date): string;
  dateTime(value: string | Date): string;
}

export async function loadMessages(language: Language): Promise<Messages> {
  return language === 'ru' ? (await import('./ru')).ru : (await import('./en')).en;
}

export function createTranslator(language: Language, messages: Messages): Translator {
  const plurals = new Intl.PluralRules(language);
  const number = (value: number, options?: Intl.NumberFormatOptions) => new Intl.NumberFormat(language, options).format(value);
  const maybe = (key: string, values: Values = {}): string | undefined => {
    const entry = messages[key as MessageKey] as Entry | undefined;
    if (entry === undefined) return undefined;
    const text = typeof entry === 'string' ? entry : (entry[plurals.select(Number(values['count'] ?? 0))] ?? entry.other ?? '');
    return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
      const value = values[name];
      return value === undefined ? whole : typeof value === 'number' ? number(value) : value;
    });
  };
  const format = (options: Intl.DateTimeFormatOptions) => (value: string | Date) => {
    const date = typeof value === 'string' ? new Date(value) : value;
    return Number.isNaN(date.getTime()) ? String(value) : new Intl.DateTimeFormat(language, options).format(date);
  };
  return Object.assign((key: MessageKey, values?: Values) => maybe(key, values) ?? key, {
    language,
    maybe,
    number,
    date: format({ dateStyle: 'medium' }),
    dateTime: format({ dateStyle: 'medium', timeStyle: 'short' }),
  });
}

interface Texts {
  t: Translator;
  choose(language: Language): void;
}

const Context = createContext<Texts | undefined>(undefined);

export function TextsProvider({ initial, children }: { initial: { language: Language; messages: Messages }; children: ReactNode }) {
  const [{ language, messages }, setState] = useState(initial);
  const texts = useMemo(() => {
    document.documentElement.lang = language;
    return {
      t: createTranslator(language, messages),
      choose(next: Language) {
        void loadMessages(next).then((loaded) => {
          rememberLanguage(next);
          setState({ language: next, messages: loaded });
        });
      },
    };
  }, [language, messages]);
  return <Context.Provider value={texts}>{children}</Context.Provider>;
}

export async function initialTexts(): Promise<{ language: Language; messages: Messages }> {
  const language = preferredLanguage();
  return { language, messages: await loadMessages(language) };
}

export function useTexts(): Texts {
  const texts = useContext(Context);
  if (texts === undefined) throw new Error('no texts around this component');
  return texts;
}

export function useT(): Translator {
  return useTexts().t;
}
