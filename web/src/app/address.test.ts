// Query strings as people may type them.
import { describe, expect, test } from 'vitest';
import { from, parseSearch, stringifySearch } from './address';

const id = '72d4a3c9-f1b5-4075-92f5-90d08073a108';

describe('addresses', () => {
  test('come back as they went', () => {
    const search = { q: 'dig & lift = 50% über', tag: [id, 'b'], page: '2' };
    expect(parseSearch(stringifySearch(search))).toEqual(search);
  });

  test('leave out what is empty', () => {
    expect(stringifySearch({ q: '', page: undefined, tag: [] })).toBe('');
  });
});

describe('values', () => {
  test('are undefined when they are not what they should be', () => {
    expect(from.whole('2', 1, 9)).toBe(2);
    expect([from.whole('0', 1, 9), from.whole('1.5', 1, 9), from.whole('x', 1, 9), from.whole('', 0, 9), from.whole(undefined, 0, 9)]).toEqual(Array(5).fill(undefined));
    expect(from.number('4.5', 0, 5)).toBe(4.5);
    expect(from.number('6', 0, 5)).toBeUndefined();
    expect(from.uuid('x')).toBeUndefined();
    expect(from.uuids([id, 'x'])).toEqual([id]);
    expect(from.uuids(id)).toEqual([id]);
    expect(from.uuids('x')).toBeUndefined();
    expect(from.oneOf('b', ['a', 'b'])).toBe('b');
    expect(from.oneOf(['a'], ['a', 'b'])).toBeUndefined();
    expect(from.text('  ')).toBeUndefined();
  });
});
