// Language and colour scheme: chosen, remembered, applied to the page.
import { useSyncExternalStore } from 'react';

export const LANGUAGES = ['en', 'ru'] as const;
export type Language = (typeof LANGUAGES)[number];
export type Scheme = 'auto' | 'light' | 'dark';

const listeners = new Set<() => void>();

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // storage is switched off: the choice lasts as long as the page
  }
  for (const listener of listeners) listener();
}

export function preferredLanguage(): Language {
  const chosen = read('equipment.language') ?? navigator.language.slice(0, 2);
  return LANGUAGES.find((language) => language === chosen) ?? 'en';
}

export function rememberLanguage(language: Language): void {
  write('equipment.language', language);
}

let scheme: Scheme = 'auto';

export function applyScheme(next: Scheme = (read('equipment.scheme') as Scheme | null) ?? 'auto'): void {
  scheme = next;
  if (next === 'auto') delete document.documentElement.dataset['scheme'];
  else document.documentElement.dataset['scheme'] = next;
}

export function setScheme(next: Scheme): void {
  applyScheme(next);
  write('equipment.scheme', next);
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
