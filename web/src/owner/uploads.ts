// Files on their way to a machine: sent to the file service, then linked. They go on whatever page is shown.
import { addVehicleDoc, addVehiclePhoto } from '@equipment-platform/client/catalog';
import { useSyncExternalStore } from 'react';
import { catalog, readAgain } from '../app/api';
import { IMAGE_TYPES, sendFile } from '../app/sending';

export type LinkKind = 'photos' | 'docs';

export interface Upload {
  id: string;
  vehicleId: string;
  kind: LinkKind;
  file: File;
  /** Share of the bytes that are sent, 0..1. */
  sent: number;
  state: 'waiting' | 'sending' | 'failed';
  error?: unknown;
}

export const DOCUMENT_TYPES = ['application/pdf', ...IMAGE_TYPES];
const AT_ONCE = 2;
const ADD = { photos: addVehiclePhoto, docs: addVehicleDoc };

let list: readonly Upload[] = [];
const listeners = new Set<() => void>();

function store(next: readonly Upload[]): void {
  const before = list.length;
  list = next;
  if (before === 0 && next.length > 0) window.addEventListener('beforeunload', warn);
  if (next.length === 0) window.removeEventListener('beforeunload', warn);
  for (const listener of listeners) listener();
}

function warn(event: BeforeUnloadEvent): void {
  if (list.some(({ state }) => state !== 'failed')) event.preventDefault();
}

const change = (id: string, next: Partial<Upload>): void => store(list.map((upload) => (upload.id === id ? { ...upload, ...next } : upload)));

export const dropUpload = (id: string): void => store(list.filter((upload) => upload.id !== id));

export function upload(vehicleId: string, kind: LinkKind, files: readonly File[]): void {
  const added = files.map((file): Upload => ({ id: crypto.randomUUID(), vehicleId, kind, file, sent: 0, state: 'waiting' }));
  store([...list, ...added]);
  pump();
}

export function retryUpload(id: string): void {
  change(id, { state: 'waiting', sent: 0 });
  pump();
}

function pump(): void {
  const running = list.filter(({ state }) => state === 'sending').length;
  for (const next of list.filter(({ state }) => state === 'waiting').slice(0, AT_ONCE - running)) void run(next);
}

/** By machine and kind: until the files that began before are linked, or failed. */
const earlier = new Map<string, Promise<unknown>>();

async function run({ id, vehicleId, kind, file }: Upload): Promise<void> {
  change(id, { state: 'sending' });
  try {
    // Linked in the order in which they were chosen, whichever is sent first: the first picture is the one that lists show.
    const place = `${vehicleId}/${kind}`;
    const turn = earlier.get(place);
    const linked = Promise.all([sendFile(vehicleId, file, (sent) => change(id, { sent })), turn]).then(([stored]) =>
      ADD[kind]({ client: catalog(), path: { vehicleId }, headers: { 'Idempotency-Key': id }, body: { fileId: stored.id } }),
    );
    earlier.set(place, Promise.allSettled([turn, linked]));
    await linked;
    dropUpload(id);
    await readAgain(['vehicles']);
  } catch (error) {
    change(id, { state: 'failed', error });
  }
  pump();
}

export function useUploads(vehicleId: string, kind: LinkKind): readonly Upload[] {
  const all = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => list,
  );
  return all.filter((one) => one.vehicleId === vehicleId && one.kind === kind);
}
