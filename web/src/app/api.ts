// The catalog as the pages see it: one client, one cache.
import { ApiError, createCatalogClient, type CatalogClient } from '@equipment-platform/client';
import { QueryClient, type QueryKey } from '@tanstack/react-query';
import { takingEarly } from './early';
import { currentCaller, onSessionChange } from './session';
import { settings } from './settings';

let client: CatalogClient | undefined;

export function catalog(): CatalogClient {
  client ??= createCatalogClient({ baseUrl: settings().catalogUrl, token: () => currentCaller()?.token, fetch: takingEarly });
  return client;
}

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      refetchOnWindowFocus: false,
      // Without a connection a call fails at once and says so; waiting in silence would show old lists as new ones.
      networkMode: 'always',
      refetchOnReconnect: true,
      // An answer of the service is final, but for "later"; only the way to it may fail by chance.
      retry: (failures, error) => failures < 2 && navigator.onLine && (!(error instanceof ApiError) || error.status === 503 || error.status === 429),
      retryDelay: (failures, error) =>
        error instanceof ApiError && error.retryAfter !== undefined ? Math.min(error.retryAfter, 5) * 1000 : 400 * 2 ** failures,
    },
    mutations: { networkMode: 'always' },
  },
});

/** For what a form starts with: always read anew, never under the reader's hands. */
export const FOR_A_FORM = { staleTime: 0, gcTime: 0, refetchOnReconnect: false } as const;

/**
 * What was changed is read again: at once where it is shown, elsewhere when it is next. A read that was on its way is
 * given up before, shown or not: it may hold what was there before the change, and would pass for fresh.
 */
export function readAgain(queryKey: QueryKey): Promise<void> {
  // silent: who waits for that read waits for the one that takes its place
  void queries.cancelQueries({ queryKey }, { silent: true });
  return queries.invalidateQueries({ queryKey });
}

// What was read as one caller is not for the next.
onSessionChange(() => queries.clear());
