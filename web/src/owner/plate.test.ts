// The same cases that the service's rule is tested with.
import { describe, expect, test } from 'vitest';
import { canonicalPlate } from './plate';

const GOOD: [string, string, string][] = [
  ['separators and case', 'a-123_b.c/77', 'A123BC77'],
  ['no transliteration', 'а123вс 77', 'А123ВС77'],
  ['spaces of every kind', '\u00a0a\u2009 1\t2\u30003\n', 'A123'],
  ['next line is a space', 'a\u00851', 'A1'],
  ['full upper-case mapping', 'straße 1', 'STRASSE1'],
  ['composed and decomposed agree', 'A\u030a1', '\u00c51'],
  ['digits of other scripts', '٣٤٥ د', '٣٤٥د'],
  ['armenian ligature', 'և 12', 'ԵՒ12'],
  ['georgian', 'აბ-123', 'ᲐᲑ123'],
  ['mark after a letter', 'e\u0323\u0301 1', 'Ẹ\u03011'],
  ['blank', ' \t-_./ ', ''],
  ['exactly 32', 'ab'.repeat(16), 'AB'.repeat(16)],
  ['32 after separators', 'a-'.repeat(32), 'A'.repeat(32)],
  ['what the demo catalogue holds', 'abu dhabi/c/64157', 'ABUDHABIC64157'],
];

const BAD: [string, string, 'invalid' | 'long'][] = [
  ['33', 'a'.repeat(33), 'long'],
  ['33 only after the full mapping', `${'a'.repeat(31)}ß`, 'long'],
  ['punctuation', 'a*1', 'invalid'],
  ['mark without a letter', '\u03011', 'invalid'],
  ['mark after a digit', '1\u0301', 'invalid'],
  ['other number', 'Ⅷ1', 'invalid'],
  ['fraction', '½', 'invalid'],
  ['emoji', '🚜1', 'invalid'],
  ['zero width joiner', 'a\u200db', 'invalid'],
  ['byte order mark is no space', 'a\ufeffb', 'invalid'],
  ['dash that is no separator', 'a–1', 'invalid'],
  ['null', 'a\u0000', 'invalid'],
];

describe('canonicalPlate', () => {
  test.each(GOOD)('%s', (_, typed, want) => {
    expect(canonicalPlate(typed)).toEqual({ text: want, problem: undefined });
  });

  test.each(BAD)('refuses: %s', (_, typed, problem) => {
    expect(canonicalPlate(typed).problem).toBe(problem);
  });

  test.each(GOOD)('is a fixed point: %s', (_, typed) => {
    const { text } = canonicalPlate(typed);
    expect(canonicalPlate(text).text).toBe(text);
  });
});
