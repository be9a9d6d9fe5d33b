// What is kept of a form, for whom, and how two changes of one record come together.
import { beforeEach, describe, expect, test } from 'vitest';
import { dropDraft, dropOldDrafts, keepDraft, merge, readDraft } from './drafts';
import { type Caller, readToken, signIn, signOut } from './session';

const person = (sub: string) => readToken(`e30.${btoa(JSON.stringify({ sub }))}.x`) as Caller;

describe('drafts', () => {
  beforeEach(() => {
    localStorage.clear();
    signOut();
    signIn(person('first'));
  });

  test('are there for the one who typed, also after signing out and in', () => {
    keepDraft('form', { draft: { name: 'x' }, base: { name: '' }, version: 3 });
    signOut();
    expect(readDraft('form')).toBeUndefined();
    signIn(person('second'));
    expect(readDraft('form')).toBeUndefined();
    signIn(person('first'));
    expect(readDraft('form')).toMatchObject({ draft: { name: 'x' }, base: { name: '' }, version: 3 });
    dropDraft('form');
    expect(readDraft('form')).toBeUndefined();
  });

  test('that are broken or old are dropped', () => {
    keepDraft('new', { draft: {}, base: {}, version: undefined });
    localStorage.setItem('equipment.draft/first/broken', '{');
    localStorage.setItem('equipment.draft/first/old', JSON.stringify({ at: 1, draft: {}, base: {} }));
    expect(readDraft('broken')).toBeUndefined();
    dropOldDrafts();
    expect(Object.keys(localStorage).filter((key) => key.startsWith('equipment.draft/'))).toEqual(['equipment.draft/first/new']);
  });
});

test('merge keeps what one changed over what another saved', () => {
  const base = { brand: 'A', year: '1', tags: ['x'], values: { a: '1', b: '2' } };
  const mine = { ...base, brand: 'B', values: { a: '9', b: '2' } };
  const theirs = { brand: 'C', year: '2', tags: ['x', 'y'], values: { a: '1', b: '3' } };
  expect(merge(base, mine, theirs)).toEqual({ brand: 'B', year: '2', tags: ['x', 'y'], values: { a: '9', b: '3' } });
});
