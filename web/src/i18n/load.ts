// Texts come by language, each in a script of its own.
import type { Language } from '../app/chosen';
import type { en } from './en';
import type { Entry } from './entry';

export type MessageKey = keyof typeof en;
export type Messages = Record<MessageKey, Entry>;
export type Names = Readonly<Record<string, string>>;

export interface Loaded {
  language: Language;
  messages: Messages;
  /** Names of the demo catalogue. */
  names?: Names;
}

export async function loadTexts(language: Language): Promise<Loaded> {
  if (language === 'en') return { language, messages: (await import('./en')).en };
  const { ru, names } = await import('./ru');
  return { language, messages: ru, names };
}
