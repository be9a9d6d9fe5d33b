// What is read again after a change.
import { QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, test } from 'vitest';
import { queries, readAgain } from './api';

afterEach(() => queries.clear());

test('a read that was on its way when it changed does not pass for fresh', async () => {
  const answers: ((text: string) => void)[] = [];
  const thing = { queryKey: ['things', '1'], queryFn: () => new Promise<string>((answer) => answers.push(answer)), staleTime: 60_000 };
  const early = queries.prefetchQuery(thing);
  await readAgain(['things']);
  answers[0]?.('before the change');
  await early;
  const later = queries.fetchQuery(thing);
  answers[1]?.('after it');
  await expect(later).resolves.toBe('after it');
});

test('who waits for a change waits for the read that took the place of its own', async () => {
  const answers: ((text: string) => void)[] = [];
  const thing = { queryKey: ['things', '1'], queryFn: () => new Promise<string>((answer) => answers.push(answer)) };
  const seen: (string | undefined)[] = [];
  const leave = new QueryObserver(queries, thing).subscribe(({ data }) => seen.push(data));
  answers[0]?.('before both');
  await expect.poll(() => seen.at(-1)).toBe('before both');
  const one = readAgain(['things']).then(() => seen.at(-1));
  const other = readAgain(['things']);
  answers[1]?.('before the other');
  answers[2]?.('after both');
  await other;
  await expect(one).resolves.toBe('after both');
  expect(seen).not.toContain('before the other');
  leave();
});

test('what was read stays until it is read again', async () => {
  const read = (text: string) => queries.fetchQuery({ queryKey: ['things', '1'], queryFn: () => text, staleTime: 60_000 });
  await read('before the change');
  await readAgain(['others']);
  await expect(read('another')).resolves.toBe('before the change');
  await readAgain(['things']);
  expect(queries.getQueryData(['things', '1'])).toBe('before the change');
  await expect(read('after it')).resolves.toBe('after it');
});
