// Which of the provider's tokens the pages use.
import { beforeEach, expect, test } from 'vitest';
import { readToken, signIn, signOut, type Caller } from '../app/session';
import { setSettings } from '../app/settings';
import { partnerToken, setPartnerToken } from './exchange';

const settingsWith = (token?: string) => setSettings({ catalogUrl: '', gatewayUrl: '', ...(token !== undefined && { partnerToken: token }) });
const person = (sub: string) => readToken(`e30.${btoa(JSON.stringify({ sub }))}.x`) as Caller;

beforeEach(() => signOut());

test('that of the settings, until there is one of the caller’s own', () => {
  settingsWith('of-the-stack');
  signIn(person('first'));
  expect(partnerToken()).toBe('of-the-stack');
  setPartnerToken('of-first');
  expect(partnerToken()).toBe('of-first');
});

test('none of somebody else’s', () => {
  settingsWith();
  signIn(person('first'));
  setPartnerToken('of-first');
  signIn(person('second'));
  expect(partnerToken()).toBeUndefined();
});

test('an empty one in the settings is none', () => {
  settingsWith('');
  expect(partnerToken()).toBeUndefined();
});
