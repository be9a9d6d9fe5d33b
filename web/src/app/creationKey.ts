// The Idempotency-Key of a form that creates something.
import { ApiError } from '@equipment-platform/client';
import { useState } from 'react';

/**
 * One key until something is created, so that a repeated click or a lost answer makes no second record. An error
 * answer does not tell that nothing was saved: 409 `request_in_progress`, 502 and 503 may come from a try beside the
 * one that was. Only `idempotency_key_reused` ends a key too: an earlier try was saved, with other contents.
 * `settled` is for the mutation's `onSettled`.
 */
export function useCreationKey(): { key: string; settled: (created: unknown, error: unknown) => void } {
  const [key, setKey] = useState(() => crypto.randomUUID());
  const settled = (_: unknown, error: unknown) => {
    if (error === null || (error instanceof ApiError && error.code === 'idempotency_key_reused')) setKey(crypto.randomUUID());
  };
  return { key, settled };
}
