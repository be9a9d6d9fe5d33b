// What a spreadsheet makes of a list.
import { expect, test } from 'vitest';
import { csv, field } from './csv';

test('texts that look like formulas are texts', () => {
  const kept = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', '|cmd', '%x', '\r=1'].map(field);
  for (const one of kept) expect(one.replace(/^"/, ''), one).toMatch(/^'/);
  expect([field('Case 580-ST'), field(-1.5), field(null), field(true)]).toEqual(['Case 580-ST', '-1.5', '', 'true']);
});

test('separators, quotes and lines stay in their field', () => {
  expect(field('a,b')).toBe('"a,b"');
  expect(field('say "hi"')).toBe('"say ""hi"""');
  expect(csv([['a', 1], ['b\nc', null]])).toBe('\uFEFFa,1\r\n"b\nc",\r\n');
});
