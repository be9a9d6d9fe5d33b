// Language and colour scheme as the reader has chosen them; needed before anything is drawn, so this knows no React.
import { kept } from './storage';

export const LANGUAGES = ['en', 'ru'] as const;
export type Language = (typeof LANGUAGES)[number];
export type Scheme = 'auto' | 'light' | 'dark';

export function preferredLanguage(): Language {
  const chosen = kept.read('equipment.language') ?? navigator.language.slice(0, 2);
  return LANGUAGES.find((language) => language === chosen) ?? 'en';
}

export function rememberLanguage(language: Language): void {
  kept.write('equipment.language', language);
}

export const preferredScheme = (): Scheme => (kept.read('equipment.scheme') as Scheme | null) ?? 'auto';

export function rememberScheme(scheme: Scheme): void {
  kept.write('equipment.scheme', scheme);
}

export function applyScheme(scheme: Scheme): void {
  if (scheme === 'auto') delete document.documentElement.dataset['scheme'];
  else document.documentElement.dataset['scheme'] = scheme;
}
