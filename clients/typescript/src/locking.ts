// Optimistic locking. What belongs here: `If-Match` and what to do when it does not match.

import { VersionConflict } from './error.js';

interface Versioned {
  version: number;
}

/** Headers that make a write fail with `VersionConflict` when the record is not at this version any more. */
export function ifMatch(record: Versioned | number): { 'If-Match': string } {
  return { 'If-Match': `"${typeof record === 'number' ? record : record.version}"` };
}

/**
 * Reads a record and writes a change that depends on what was read; starts again when somebody was faster.
 * After `tries` conflicts the last one is thrown.
 */
export async function updateLatest<T extends Versioned, R>(
  read: () => Promise<{ data: T }>,
  write: (current: T, headers: { 'If-Match': string }) => Promise<{ data: R }>,
  tries = 3,
): Promise<R> {
  for (let left = tries; ; left--) {
    const { data } = await read();
    try {
      return (await write(data, ifMatch(data))).data;
    } catch (error) {
      if (!(error instanceof VersionConflict) || left <= 1) throw error;
    }
  }
}
