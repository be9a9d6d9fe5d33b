// The colour scheme while the app runs; what is chosen is kept by chosen.ts.
import { useSyncExternalStore } from 'react';
import { applyScheme, preferredScheme, rememberScheme, type Scheme } from './chosen';

const listeners = new Set<() => void>();
let scheme: Scheme | undefined;

export function setScheme(next: Scheme): void {
  scheme = next;
  applyScheme(next);
  rememberScheme(next);
  for (const listener of listeners) listener();
}

export function useScheme(): Scheme {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => (scheme ??= preferredScheme()),
  );
}
