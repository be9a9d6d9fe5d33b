// Who uses the app. What belongs here: the caller's token, what it says, and what it allows.
import { useSyncExternalStore } from 'react';

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

const KEY = 'equipment.token';
/** Where the exchange provider's token of the caller is kept: it ends with the caller's session, on whatever page that ends. */
export const PARTNER_KEY = 'equipment.partnerToken';
const listeners = new Set<() => void>();
let caller: Caller | undefined;

/** Takes up the token of this tab, unless it is over. */
export function restoreSession(): void {
  const found = readToken(sessionStorage.getItem(KEY) ?? '');
  caller = found !== undefined && (found.expires ?? Infinity) * 1000 > Date.now() ? found : undefined;
  if (caller === undefined) forget();
}

export function signIn(next: Caller): void {
  if (next.subject !== caller?.subject) forget();
  sessionStorage.setItem(KEY, next.token);
  change(next);
}

export function signOut(): void {
  forget();
  change(undefined);
}

/** Nothing of one caller is left to the next. Here, because a page that does it may not have been loaded. */
function forget(): void {
  sessionStorage.removeItem(KEY);
  sessionStorage.removeItem(PARTNER_KEY);
}

function change(next: Caller | undefined): void {
  caller = next;
  for (const listener of listeners) listener();
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
