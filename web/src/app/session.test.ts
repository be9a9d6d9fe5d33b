// What a token says, and what it allows.
import { describe, expect, test } from 'vitest';
import { may, readToken } from './session';

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
