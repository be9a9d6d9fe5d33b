// The browser's storage where it may be switched off or full: then what is kept lasts as long as the page.

/** Where the caller's token is kept: all tabs of the browser share one sign-in. */
export const TOKEN_KEY = 'equipment.token';

function attempt<T>(act: (storage: Storage) => T, otherwise: T): T {
  try {
    return act(localStorage);
  } catch {
    return otherwise;
  }
}

export const kept = {
  read: (key: string): string | null => attempt((storage) => storage.getItem(key), null),
  write: (key: string, value: string): void => attempt((storage) => storage.setItem(key, value), undefined),
  remove: (key: string): void => attempt((storage) => storage.removeItem(key), undefined),
  keys: (prefix: string): string[] => attempt((storage) => Object.keys(storage).filter((key) => key.startsWith(prefix)), []),
};
