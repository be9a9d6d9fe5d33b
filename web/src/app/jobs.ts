// What is being signed or sent: it outlives the page that began it, and a reload. What belongs here: the list and its
// place in the browser's storage. What a job does is in documents/running.ts.
import { useSyncExternalStore } from 'react';
import { currentCaller, onSessionChange } from './session';
import { kept } from './storage';

export type JobStep = 'uploading' | 'starting' | 'confirming' | 'adding' | 'sending';

export interface Job {
  id: string;
  kind: 'sign' | 'refuse' | 'revoke' | 'acceptRevocation' | 'send';
  title: string;
  step: JobStep;
  /** Where its document is; of one that is being sent, once it is sent. */
  document?: { messageId: string; entityId: string };
  /** What the provider is to sign: contents on its shelf, of a document, or these. */
  content?: { NameOnShelf: string } | { Content: string } | { EntityId: { MessageId: string; EntityId: string } };
  /** To whom a document goes, and as what; see documents/sending.ts. */
  outgoing?: { toBoxId: string; type: { name: string; function: string; version: string }; number: string; date: string; needsSignature: boolean };
  /** The entity that is signed, refused or revoked. */
  parent?: string;
  fileName: string;
  thumbprint?: string;
  /** The provider's signing task: with it the signature is found again. */
  taskId?: string;
  signature?: string;
  phone?: string;
  /** Makes the last step one that may be repeated. */
  operationId: string;
  /** Why it stopped; it goes on from its step when it is tried again. */
  failed?: string;
  /** It is there: shown until it is seen. */
  done?: boolean;
}

const key = () => `equipment.jobs/${encodeURIComponent(currentCaller()?.subject ?? '')}`;
const listeners = new Set<() => void>();
const NONE: readonly Job[] = [];
let list: readonly Job[] | undefined;

function load(): readonly Job[] {
  if (currentCaller() === undefined) return NONE;
  try {
    const found = JSON.parse(kept.read(key()) ?? '[]') as Job[];
    return found.length === 0 ? NONE : found;
  } catch {
    return NONE;
  }
}

function tell(): void {
  list = undefined;
  for (const listener of listeners) listener();
}

export function jobs(): readonly Job[] {
  return (list ??= load());
}

function store(next: readonly Job[]): void {
  if (next.length === 0) kept.remove(key());
  else kept.write(key(), JSON.stringify(next));
  tell();
}

export const jobOf = (id: string): Job | undefined => jobs().find((job) => job.id === id);

export function putJob(job: Job): void {
  store([...jobs().filter(({ id }) => id !== job.id), job]);
}

export function changeJob(id: string, next: Partial<Job>): void {
  store(jobs().map((job) => (job.id === id ? { ...job, ...next } : job)));
}

export function dropJob(id: string): void {
  store(jobs().filter((job) => job.id !== id));
}

export function useJobs(): readonly Job[] {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, jobs);
}

onSessionChange(tell);
// Another tab of the same person goes on with a job, or ends it.
if (typeof window !== 'undefined') window.addEventListener('storage', (event) => event.key?.startsWith('equipment.jobs/') !== false && tell());
