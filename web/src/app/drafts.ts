// What was typed into a form and not saved yet, kept in the browser: for each person and form one draft.
import { currentCaller } from './session';
import { kept } from './storage';

export interface Draft<D> {
  /** Milliseconds since 1970. */
  at: number;
  draft: D;
  /** What the form started with, and the record's version then: saving a stale draft is a conflict, never an overwrite. */
  base: D;
  version: number | undefined;
}

const PREFIX = 'equipment.draft/';
/** Drafts that nobody came back to for so long are dropped. */
const LIFETIME = 30 * 24 * 3600_000;

const keyOf = (form: string): string => `${PREFIX}${encodeURIComponent(currentCaller()?.subject ?? '')}/${form}`;

export function readDraft<D>(form: string): Draft<D> | undefined {
  return parse<D>(kept.read(keyOf(form)));
}

function parse<D>(text: string | null): Draft<D> | undefined {
  if (text === null) return undefined;
  try {
    const found = JSON.parse(text) as Draft<D>;
    return typeof found.at === 'number' && typeof found.draft === 'object' ? found : undefined;
  } catch {
    return undefined;
  }
}

export function keepDraft<D>(form: string, draft: Omit<Draft<D>, 'at'>): void {
  kept.write(keyOf(form), JSON.stringify({ ...draft, at: Date.now() }));
}

export function dropDraft(form: string): void {
  kept.remove(keyOf(form));
}

export function dropOldDrafts(): void {
  for (const key of kept.keys(PREFIX)) {
    const found = parse(kept.read(key));
    if (found === undefined || Date.now() - found.at > LIFETIME) kept.remove(key);
  }
}

const isMap = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
export const same = (a: unknown, b: unknown): boolean => {
  if (isMap(a) && isMap(b)) return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) => same(a[key], b[key]));
  return JSON.stringify(a) === JSON.stringify(b);
};

/** `theirs` with what `mine` changed since `base`; maps are merged entry by entry, lists count as one value. */
export function merge<D extends object>(base: D, mine: D, theirs: D): D {
  const merged: Record<string, unknown> = {};
  const [b, m, t] = [base, mine, theirs] as Record<string, unknown>[];
  for (const key of new Set([...Object.keys(theirs), ...Object.keys(mine)])) {
    const [was, is, other] = [b?.[key], m?.[key], t?.[key]];
    merged[key] = isMap(was) && isMap(is) && isMap(other) ? merge(was, is, other) : same(was, is) ? other : is;
  }
  return merged as D;
}
