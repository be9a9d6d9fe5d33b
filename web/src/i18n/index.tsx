// Texts in the reader's language. What belongs here: finding a message, plurals, numbers and dates.
import { createContext, useContext, useMemo, useState, type ReactNode } from 'react';
import { type Language, rememberLanguage } from '../app/chosen';
import { toast } from '../app/toast';
import type { Entry } from './entry';
import { type Loaded, loadTexts, type MessageKey, type Messages, type Names } from './load';

export type { MessageKey, Messages } from './load';
export type Values = Record<string, string | number>;

export interface Translator {
  language: Language;
  (key: MessageKey, values?: Values): string;
  /** A message whose key is made at run time; undefined when there is none. */
  maybe(key: string, values?: Values): string | undefined;
  /** A name of the catalogue, in the reader's language where the app knows it. */
  called(text: string): string;
  /** The sign of a unit, such as m³ for m3. */
  unit(code: string): string;
  number(value: number, options?: Intl.NumberFormatOptions): string;
  date(value: string | Date): string;
  dateTime(value: string | Date): string;
}

export function createTranslator(language: Language, messages: Messages, names: Names = {}): Translator {
  const plurals = new Intl.PluralRules(language);
  // Making a formatter costs more than a page of formatting.
  const numbers = new Map<string, Intl.NumberFormat>();
  const number = (value: number, options?: Intl.NumberFormatOptions) => {
    const key = JSON.stringify(options ?? {});
    const made = numbers.get(key) ?? new Intl.NumberFormat(language, options);
    numbers.set(key, made);
    return made.format(value);
  };
  const maybe = (key: string, values: Values = {}): string | undefined => {
    const entry = messages[key as MessageKey] as Entry | undefined;
    if (entry === undefined) return undefined;
    const text = typeof entry === 'string' ? entry : (entry[plurals.select(Number(values['count'] ?? 0))] ?? entry.other ?? '');
    return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
      const value = values[name];
      return value === undefined ? whole : typeof value === 'number' ? number(value) : value;
    });
  };
  const format = (options: Intl.DateTimeFormatOptions) => {
    let made: Intl.DateTimeFormat | undefined;
    return (value: string | Date) => {
      const date = typeof value === 'string' ? new Date(value) : value;
      return Number.isNaN(date.getTime()) ? String(value) : (made ??= new Intl.DateTimeFormat(language, options)).format(date);
    };
  };
  return Object.assign((key: MessageKey, values?: Values) => maybe(key, values) ?? key, {
    language,
    maybe,
    called: (text: string) => names[text] ?? text,
    unit: (code: string) => (names[code] ?? code).replace(/(?<=m)[23]/g, (digit) => (digit === '2' ? '²' : '³')),
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

export function TextsProvider({ initial, children }: { initial: Loaded; children: ReactNode }) {
  const [{ language, messages, names }, setState] = useState(initial);
  const texts = useMemo(() => {
    document.documentElement.lang = language;
    const t = createTranslator(language, messages, names);
    return {
      t,
      choose(next: Language) {
        loadTexts(next).then(
          (loaded) => {
            rememberLanguage(next);
            setState(loaded);
          },
          () => toast(t('error.language')),
        );
      },
    };
  }, [language, messages, names]);
  return <Context.Provider value={texts}>{children}</Context.Provider>;
}

export function useTexts(): Texts {
  const texts = useContext(Context);
  if (texts === undefined) throw new Error('no texts around this component');
  return texts;
}

export function useT(): Translator {
  return useTexts().t;
}
