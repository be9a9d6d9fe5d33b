// What a reader puts aside in this browser: favourites, machines to compare, those seen lately, saved searches.
import { useSyncExternalStore } from 'react';
import { kept } from './storage';

/** So many fit beside each other. */
export const MOST_COMPARED = 4;

export interface SavedSearch {
  name: string;
  /** The address's query, with its question mark. */
  query: string;
}

const SHELVES = { favourites: 200, compared: MOST_COMPARED, seen: 12, searches: 30 } as const;
type Shelf = keyof typeof SHELVES;
interface Shelves {
  favourites: readonly string[];
  compared: readonly string[];
  seen: readonly string[];
  searches: readonly SavedSearch[];
}

const keyOf = (shelf: Shelf) => `equipment.shelf/${shelf}`;
const EMPTY: readonly never[] = [];
const listeners = new Set<() => void>();
let read: Partial<Shelves> = {};

function get<S extends Shelf>(shelf: S): Shelves[S] {
  const found = (read[shelf] as Shelves[S] | undefined) ?? parse(shelf);
  read[shelf] = found as Shelves[S] & undefined;
  return found;
}

function parse<S extends Shelf>(shelf: S): Shelves[S] {
  try {
    const list = JSON.parse(kept.read(keyOf(shelf)) ?? '[]') as unknown;
    return (Array.isArray(list) && list.length > 0 ? list : EMPTY) as unknown as Shelves[S];
  } catch {
    return EMPTY as unknown as Shelves[S];
  }
}

function put<S extends Shelf>(shelf: S, list: Shelves[S]): void {
  kept.write(keyOf(shelf), JSON.stringify(list.slice(0, SHELVES[shelf])));
  tell();
}

function tell(): void {
  read = {};
  for (const listener of listeners) listener();
}

if (typeof window !== 'undefined') window.addEventListener('storage', ({ key }) => (key === null || key.startsWith('equipment.shelf/')) && tell());

export function useShelf<S extends Shelf>(shelf: S): Shelves[S] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => get(shelf),
  );
}

/** Takes a machine in or out; the newest is first, and a full comparison takes no more. */
export function toggle(shelf: 'favourites' | 'compared', id: string): void {
  const list = get(shelf);
  if (list.includes(id)) put(shelf, list.filter((one) => one !== id));
  else if (shelf === 'favourites') put(shelf, [id, ...list]);
  else if (list.length < MOST_COMPARED) put(shelf, [...list, id]);
}

export const clearCompared = (): void => put('compared', []);

export function markSeen(id: string): void {
  if (get('seen')[0] !== id) put('seen', [id, ...get('seen').filter((one) => one !== id)]);
}

export function saveSearch(search: SavedSearch): void {
  put('searches', [search, ...get('searches').filter(({ query }) => query !== search.query)]);
}

export function dropSearch(query: string): void {
  put('searches', get('searches').filter((one) => one.query !== query));
}

/** Forgets a machine that is not offered any more. */
export function forget(id: string): void {
  for (const shelf of ['favourites', 'compared', 'seen'] as const) if (get(shelf).includes(id)) put(shelf, get(shelf).filter((one) => one !== id));
}
