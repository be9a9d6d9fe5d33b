// A short word after something was done.
import { useEffect, useSyncExternalStore } from 'react';

let text: string | undefined;
const listeners = new Set<() => void>();

export function toast(next: string | undefined): void {
  text = next;
  for (const listener of listeners) listener();
}

export function ToastArea() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => text,
  );
  useEffect(() => {
    if (shown === undefined) return;
    const timer = setTimeout(() => toast(undefined), 5000);
    return () => clearTimeout(timer);
  }, [shown]);
  return <div role="status">{shown !== undefined && <div className="toast">{shown}</div>}</div>;
}
