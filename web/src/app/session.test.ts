// What a token says, what it allows, and what is left when it goes.
import { beforeEach, describe, expect, test } from 'vitest';
import { type Caller, currentCaller, keepPartnerToken, may, readToken, restoreSession, signIn, signOut } from './session';

const token = (claims: object): string => {
  const bytes = new TextEncoder().encode(JSON.stringify(claims));
  const payload = btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  return `e30.${payload}.x`;
};

describe('readToken', () => {
  test('knows subject, roles and end', () => {
    expect(readToken(` Bearer ${token({ sub: 'владелец-1', roles: ['USER', 'ROLE_ADMIN'], exp: 5 })}\n`)).toMatchObject({ subject: 'владелец-1', roles: ['USER', 'ADMIN'], expires: 5 });
  });

  test.each([
    ['a list in words', { sub: 'a', roles: 'USER, MANAGER' }, ['USER', 'MANAGER']],
    ['those of a realm', { sub: 'a', realm_access: { roles: ['USER'] } }, ['USER']],
    ['none', { sub: 'a' }, []],
  ])('roles: %s', (_, claims, roles) => {
    expect(readToken(token(claims))?.roles).toEqual(roles);
  });

  test.each(['', 'a.b', 'a.%%%.c', token({ roles: [] }), token({ sub: '' })])('is none: %s', (text) => {
    expect(readToken(text)).toBeUndefined();
  });
});

describe('may', () => {
  const caller = (...roles: string[]) => ({ token: '', subject: 'a', roles, expires: undefined });

  test('follows the contract’s role groups', () => {
    expect(may(undefined, 'VEHICLE_WRITE')).toBe(false);
    expect(may(caller('USER'), 'VEHICLE_WRITE')).toBe(true);
    expect(may(caller('USER'), 'CATALOG_WRITE')).toBe(false);
    expect(may(caller('USER'), 'RATING_WRITE')).toBe(true);
    expect(may(caller('USER', 'EXECUTOR'), 'RATING_WRITE')).toBe(false);
    expect(may(caller('OPERATOR'), 'VEHICLE_STAFF_READ')).toBe(true);
    expect(may(caller('MODERATOR'), 'EXCHANGE_WRITE')).toBe(false);
  });
});

describe('the provider’s token belongs to one caller', () => {
  const PROVIDER = 'equipment.partnerToken';
  const person = (sub: string, more: object = {}) => readToken(token({ sub, roles: ['MANAGER'], ...more })) as Caller;
  const held = () => sessionStorage.getItem(PROVIDER);

  // No page of the exchange is loaded here, as after a reload on another page.
  beforeEach(() => {
    signOut();
    signIn(person('first'));
    keepPartnerToken('of-first');
  });

  test('signing out takes it along', () => {
    signOut();
    expect(held()).toBeNull();
  });

  test('the next one to sign in does not get it', () => {
    signIn(person('second'));
    expect(held()).toBeNull();
    expect(currentCaller()?.subject).toBe('second');
  });

  test('a fresh token of the same person leaves it', () => {
    signIn(person('first', { exp: Date.now() / 1000 + 60 }));
    expect(held()).toBe('of-first');
  });

  test('a reload leaves it while the session lasts', () => {
    restoreSession();
    expect(held()).toBe('of-first');
  });

  test('a session that is over takes it along', () => {
    localStorage.setItem('equipment.token', token({ sub: 'first', exp: 1 }));
    restoreSession();
    expect(currentCaller()).toBeUndefined();
    expect(held()).toBeNull();
  });

  test('another tab’s sign-out and sign-in are followed', () => {
    restoreSession();
    const elsewhere = (value: string | null) => {
      if (value === null) localStorage.removeItem('equipment.token');
      else localStorage.setItem('equipment.token', value);
      window.dispatchEvent(new StorageEvent('storage', { key: 'equipment.token', newValue: value }));
    };
    elsewhere(token({ sub: 'second', roles: ['USER'] }));
    expect(currentCaller()?.subject).toBe('second');
    expect(held()).toBeNull();
    elsewhere(null);
    expect(currentCaller()).toBeUndefined();
  });
});
