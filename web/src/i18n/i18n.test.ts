// Both languages say the same things.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createTranslator } from '.';
import { en } from './en';
import type { Entry } from './entry';
import { ru } from './ru';

const texts = (entry: Entry): string[] => (typeof entry === 'string' ? [entry] : Object.values(entry));
const names = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '').sort();

describe('messages', () => {
  test('have the same keys in both languages', () => {
    expect(Object.keys(ru).sort()).toEqual(Object.keys(en).sort());
  });

  test('are nowhere empty', () => {
    for (const [key, entry] of [...Object.entries<Entry>(en), ...Object.entries<Entry>(ru)]) {
      for (const text of texts(entry)) expect(text.trim(), key).not.toBe('');
    }
  });

  test('take the same values in both languages', () => {
    // A count may be told in words in one of them.
    const used = (entry: Entry) => [...new Set(texts(entry).flatMap(names))].filter((name) => name !== 'count').sort();
    for (const key of Object.keys(en) as (keyof typeof en)[]) expect(used(ru[key]), key).toEqual(used(en[key]));
  });

  test('have every plural form that the language has', () => {
    for (const [language, messages] of [['en', en], ['ru', ru]] as const) {
      const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
      for (const [key, entry] of Object.entries<Entry>(messages)) {
        if (typeof entry !== 'string') expect(Object.keys(entry).sort(), key).toEqual([...forms].sort());
      }
    }
  });
});

// The codes that the documents list; of a value that does not fit, the detail says more than the code.
const coded = ['catalog', 'gateway', 'files'].flatMap((service) => {
  const document = readFileSync(resolve(import.meta.dirname, `../../../openapi/${service}.yaml`), 'utf8');
  const lists = [...document.matchAll(/(?:enum|x-extensible-enum):\n((?: +- [a-z_]+\n)+)/g)].map((match) => match[1] ?? '');
  return [...(lists.find((list) => list.includes('- validation_failed\n')) ?? '').matchAll(/- (\w+)/g)].map((match) => [service, match[1] ?? ''] as const);
});

describe('errors', () => {
  test('are read from all documents', () => {
    expect(new Set(coded.map(([service]) => service))).toEqual(new Set(['catalog', 'gateway', 'files']));
  });

  test.each(coded.filter(([, code]) => code !== 'param_value_invalid'))('of the %s have a text: %s', (_service, code) => {
    expect(`error.${code}` in en || `field.${code}` in en).toBe(true);
  });
});

describe('translator', () => {
  test('chooses the plural form', () => {
    const t = createTranslator('ru', ru);
    expect([1, 3, 5, 21].map((count) => t('browse.found', { count }))).toEqual(['1 машина', '3 машины', '5 машин', '21 машина']);
  });

  test('writes numbers as the language does', () => {
    expect(createTranslator('ru', ru)('rating.outOf', { score: 4.5 })).toBe('4,5 из 5');
    expect(createTranslator('en', en)('rating.outOf', { score: 4.5 })).toBe('4.5 of 5');
  });

  test('has no text for an unknown key', () => {
    expect(createTranslator('en', en).maybe('error.something_new')).toBeUndefined();
  });
});
