// Who uses the app. What belongs here: the caller's token, what it says, and what it allows.
import { useSyncExternalStore } from 'react';
import { kept, TOKEN_KEY } from './storage';

export interface Caller {
  token: string;
  subject: string;
  roles: readonly string[];
  /** Seconds since 1970. */
  expires: number | undefined;
}

/** What the services allow; the words of the published contract. */
const ALLOWED: Record<string, { any: readonly string[]; none?: readonly string[] }> = {
  CATALOG_WRITE: { any: ['ADMIN', 'SUPERADMIN'] },
  VEHICLE_WRITE: { any: ['USER', 'EXECUTOR', 'MANAGER', 'SUPERVISOR', 'ADMIN', 'SUPERADMIN'] },
  VEHICLE_STAFF_READ: { any: ['MANAGER', 'SUPERVISOR', 'OPERATOR', 'INTEGRATION', 'SERVICE', 'ADMIN', 'SUPERADMIN'] },
  RATING_WRITE: { any: ['USER'], none: ['EXECUTOR'] },
  EXCHANGE_READ: { any: ['ADMIN', 'SUPERADMIN', 'MODERATOR', 'SUPERVISOR', 'MANAGER'] },
  EXCHANGE_WRITE: { any: ['ADMIN', 'SUPERADMIN', 'SUPERVISOR', 'MANAGER'] },
};
export type Permission = 'CATALOG_WRITE' | 'VEHICLE_WRITE' | 'VEHICLE_STAFF_READ' | 'RATING_WRITE' | 'EXCHANGE_READ' | 'EXCHANGE_WRITE';

export function may(caller: Caller | undefined, permission: Permission): boolean {
  const rule = ALLOWED[permission];
  if (caller === undefined || rule === undefined) return false;
  const holds = (role: string) => caller.roles.includes(role);
  return rule.any.some(holds) && !(rule.none ?? []).some(holds);
}

/** Reads a token without checking its signature, which is the services' business; undefined when it is none. */
export function readToken(text: string): Caller | undefined {
  const token = text.trim().replace(/^Bearer\s+/i, '');
  const payload = token.split('.')[1];
  if (token.split('.').length !== 3 || payload === undefined) return undefined;
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
    const claims = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
    if (typeof claims['sub'] !== 'string' || claims['sub'] === '') return undefined;
    return { token, subject: claims['sub'], roles: rolesOf(claims), expires: typeof claims['exp'] === 'number' ? claims['exp'] : undefined };
  } catch {
    return undefined;
  }
}

function rolesOf(claims: Record<string, unknown>): string[] {
  const realm = claims['realm_access'] as { roles?: unknown } | undefined;
  const raw = claims['roles'] ?? realm?.roles ?? [];
  const list = Array.isArray(raw) ? raw.map(String) : String(raw).split(/[\s,]+/);
  return list.filter((role) => role !== '').map((role) => role.replace(/^ROLE_/, ''));
}

/** Where the exchange provider's token of the caller is kept: in this tab alone, and as long as the caller's session. */
export const PARTNER_KEY = 'equipment.partnerToken';
const listeners = new Set<() => void>();
let caller: Caller | undefined;

const stored = (): Caller | undefined => {
  const found = readToken(kept.read(TOKEN_KEY) ?? '');
  return found !== undefined && (found.expires ?? Infinity) * 1000 > Date.now() ? found : undefined;
};

/** Takes up the browser's sign-in, unless it is over, and follows what other tabs do with it. */
export function restoreSession(): void {
  become(stored());
  if (caller === undefined) kept.remove(TOKEN_KEY);
  window.addEventListener('storage', followOtherTabs);
}

function followOtherTabs({ key }: StorageEvent): void {
  // null: everything was cleared
  if ((key === TOKEN_KEY || key === null) && stored()?.token !== caller?.token) become(stored());
}

export function signIn(next: Caller): void {
  kept.write(TOKEN_KEY, next.token);
  become(next);
}

export function signOut(): void {
  kept.remove(TOKEN_KEY);
  become(undefined);
}

function become(next: Caller | undefined): void {
  // Nothing of one caller is left to the next. Here, because a page that does it may not have been loaded.
  if (next === undefined || next.subject !== caller?.subject) forgetUnless(next);
  caller = next;
  for (const listener of listeners) listener();
}

/** The owner is kept beside the provider's token, so that a reload does not lose it and another person does not find it. */
function forgetUnless(next: Caller | undefined): void {
  const owner = sessionStorage.getItem(`${PARTNER_KEY}.of`);
  if (next === undefined || owner !== next.subject) {
    sessionStorage.removeItem(PARTNER_KEY);
    sessionStorage.removeItem(`${PARTNER_KEY}.of`);
  }
}

/** Keeps the exchange provider's token of the caller. */
export function keepPartnerToken(token: string | undefined): void {
  if (token === undefined || caller === undefined) return forgetUnless(undefined);
  sessionStorage.setItem(PARTNER_KEY, token);
  sessionStorage.setItem(`${PARTNER_KEY}.of`, caller.subject);
}

export function currentCaller(): Caller | undefined {
  return caller;
}

export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useCaller(): Caller | undefined {
  return useSyncExternalStore(onSessionChange, currentCaller);
}
