// Language and colour scheme: chosen, remembered, applied to the page.
import { useSyncExternalStore } from 'react';
import { kept } from './storage';

export const LANGUAGES = ['en', 'ru'] as const;
export type Language = (typeof LANGUAGES)[number];
export type Scheme = 'auto' | 'light' | 'dark';

const listeners = new Set<() => void>();

export function preferredLanguage(): Language {
  const chosen = kept.read('equipment.language') ?? navigator.language.slice(0, 2);
  return LANGUAGES.find((language) => language === chosen) ?? 'en';
}

export function rememberLanguage(language: Language): void {
  kept.write('equipment.language', language);
}

let scheme: Scheme = 'auto';

export function applyScheme(next: Scheme = (kept.read('equipment.scheme') as Scheme | null) ?? 'auto'): void {
  scheme = next;
  if (next === 'auto') delete document.documentElement.dataset['scheme'];
  else document.documentElement.dataset['scheme'] = next;
}

export function setScheme(next: Scheme): void {
  applyScheme(next);
  kept.write('equipment.scheme', next);
  for (const listener of listeners) listener();
}

export function useScheme(): Scheme {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => scheme,
  );
}
