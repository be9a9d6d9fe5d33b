// Carries a job through: contents to the provider, the signature that its owner confirms on a phone, then the
// message. Each step is kept before the next begins, so that a job goes on after a reload, in whatever tab.
import {
  getDssSignResult,
  initShelfUpload,
  sendMessage,
  sendMessagePatch,
  signWithDssV2,
  uploadShelfPart,
  uploadToShelf,
  type ContentV3,
  type MessagePatchToPostV2,
} from '@equipment-platform/client/gateway';
import { ApiError } from '@equipment-platform/client';
import { readAgain } from '../app/api';
import { changeJob, type Job, jobOf, jobs, putJob } from '../app/jobs';
import { currentCaller, onSessionChange } from '../app/session';
import { gateway, pause, settled } from './exchange';

/** A task that ended without a signature; `status` is the provider's word. */
export class SigningFailed extends Error {
  readonly status: string;

  constructor(status: string) {
    super(status);
    this.name = 'SigningFailed';
    this.status = status;
  }
}

const PENDING = ['InProgress', 'Unknown', 'UnknownOperationStatus'];
const INTERVAL = 1500;
const LIMIT = 5 * 60_000;
const PART = 3 * 1024 * 1024;

/** Files are too large to keep: one whose upload was interrupted has to be chosen again. */
const files = new Map<string, File>();
const running = new Map<string, AbortController>();
let runner = currentCaller()?.subject;

// A job is its person's alone: it stops with the session and goes on with the next one.
onSessionChange(() => {
  if (currentCaller()?.subject === runner) return;
  runner = currentCaller()?.subject;
  for (const abort of running.values()) abort.abort(new Error('the session is over'));
  running.clear();
  files.clear();
});

export function begin(job: Omit<Job, 'id' | 'operationId'>, file?: File): string {
  const id = crypto.randomUUID();
  if (file !== undefined) files.set(id, file);
  putJob({ ...job, id, operationId: crypto.randomUUID() });
  void run(id);
  return id;
}

/** Goes on with everything that is neither done nor stopped. */
export function resumeAll(): void {
  for (const job of jobs()) if (job.done !== true && job.failed === undefined) void run(job.id);
}

export function tryAgain(id: string): void {
  const job = jobOf(id);
  if (job === undefined) return;
  // A task that ended without a signature is over: the next try begins another.
  changeJob(id, { failed: undefined, ...(job.signature === undefined && { taskId: undefined }) });
  void run(id);
}

async function run(id: string): Promise<void> {
  if (running.has(id)) return;
  const abort = new AbortController();
  running.set(id, abort);
  try {
    await alone(id, () => steps(id, abort.signal));
  } catch (error) {
    if (!abort.signal.aborted) changeJob(id, { failed: reasonOf(error) });
  } finally {
    running.delete(id);
    files.delete(id);
  }
}

/** One tab at a time carries a job; where the browser has no locks, the provider's operation id keeps it to one effect. */
async function alone(id: string, act: () => Promise<void>): Promise<void> {
  if (navigator.locks === undefined) return act();
  await navigator.locks.request(`equipment.job.${id}`, act);
}

/** In a form that can be kept: `code:` of the API or `status:` of a signing task. */
function reasonOf(error: unknown): string {
  if (error instanceof SigningFailed) return `sign.failed.${error.status}`;
  return error instanceof ApiError ? `error.${error.code}` : 'error.network';
}

async function steps(id: string, signal: AbortSignal): Promise<void> {
  const now = (): Job => {
    const job = jobOf(id);
    // ended elsewhere meanwhile
    if (job === undefined || job.done === true) throw abortedElsewhere(id);
    return job;
  };
  if (jobOf(id) === undefined || jobOf(id)?.done === true) return;
  if (now().content === undefined) changeJob(id, { content: await upload(id, signal) });
  if (now().thumbprint !== undefined && now().signature === undefined) changeJob(id, { signature: await sign(now(), signal) });
  const job = now();
  const document = job.kind === 'send' ? await sendIt(job, signal) : await patchIt(job, signal);
  changeJob(id, { done: true, ...(document !== undefined && { document }) });
  await readAgain(['exchange']);
}

function abortedElsewhere(id: string): Error {
  running.get(id)?.abort();
  return new Error('the job is over');
}

async function upload(id: string, signal: AbortSignal): Promise<NonNullable<Job['content']>> {
  const file = files.get(id);
  if (file === undefined) throw new SigningFailed('UploadInterrupted');
  changeJob(id, { step: 'uploading' });
  const warn = (event: BeforeUnloadEvent) => event.preventDefault();
  window.addEventListener('beforeunload', warn);
  try {
    return { NameOnShelf: await toShelf(file, signal) };
  } finally {
    window.removeEventListener('beforeunload', warn);
  }
}

/** The provider takes small files whole and larger ones in parts. */
async function toShelf(file: File, signal: AbortSignal): Promise<string> {
  const extension = /\.([a-z0-9]+)$/i.exec(file.name)?.[1];
  const common = { client: gateway(), signal, parseAs: 'text' as const };
  const query = { fileExtension: extension };
  if (file.size <= PART) return shelfName((await uploadToShelf({ ...common, query, body: file })).data);
  const name = shelfName((await initShelfUpload({ ...common, query, body: file.slice(0, PART) })).data);
  const parts = Math.ceil(file.size / PART);
  for (let part = 1; part < parts; part++) {
    const at = { fileName: name, partIndex: part, isLastPart: part === parts - 1 };
    await uploadShelfPart({ ...common, query: at, body: file.slice(part * PART, (part + 1) * PART) });
  }
  return name;
}

/** The name comes as plain text, by some versions in quotes. */
const shelfName = (text: string): string => text.trim().replace(/^"|"$/g, '');

/** The signature of the job's contents, base64. */
async function sign(job: Job, signal: AbortSignal): Promise<string> {
  const taskId = job.taskId ?? (await startTask(job, signal));
  changeJob(job.id, { taskId, step: 'confirming' });
  for (const start = Date.now(); Date.now() - start < LIMIT; ) {
    const data = await patiently(() => settled(() => getDssSignResult({ client: gateway(), signal, path: { taskId } }), signal), start, signal);
    const status = data.OperationStatus ?? 'Unknown';
    if (status === 'Completed') {
      const file = data.FileSigningResults?.[0];
      if (file?.Signature === undefined) throw new SigningFailed(file?.FileSigningStatus ?? 'SigningError');
      return file.Signature;
    }
    if (!PENDING.includes(status)) throw new SigningFailed(status);
    if (data.PhoneLastNumbers !== undefined) changeJob(job.id, { phone: data.PhoneLastNumbers });
    await pause(INTERVAL, signal);
  }
  throw new SigningFailed('Timeout');
}

async function startTask(job: Job, signal: AbortSignal): Promise<string> {
  changeJob(job.id, { step: 'starting' });
  const { data } = await signWithDssV2({
    client: gateway(),
    signal,
    body: {
      Files: [{ Content: job.content as ContentV3, FileName: job.fileName }],
      SignDataSource: 'CertificateSign',
      CertificateData: { Thumbprint: job.thumbprint ?? '' },
    },
  });
  if (data.TaskId === undefined) throw new SigningFailed('NoTask');
  return data.TaskId;
}

/** While the owner confirms, a lost connection is waited out: the signature is at the provider. */
async function patiently<T>(call: () => Promise<T>, start: number, signal: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (signal.aborted || error instanceof ApiError || Date.now() - start > LIMIT) throw error;
      await pause(INTERVAL, signal);
    }
  }
}

async function patchIt(job: Job, signal: AbortSignal): Promise<undefined> {
  changeJob(job.id, { step: 'adding' });
  const parent = job.parent ?? '';
  const signed = { ParentEntityId: parent, SignedContent: { ...job.content, Signature: job.signature } };
  const added: Partial<MessagePatchToPostV2> =
    job.kind === 'refuse' ? { XmlSignatureRejections: [signed] }
    : job.kind === 'revoke' ? { RevocationRequests: [signed] }
    : { Signatures: [{ ParentEntityId: parent, Signature: job.signature }] };
  await settled(
    () =>
      sendMessagePatch({
        client: gateway(),
        signal,
        query: { operationId: job.operationId },
        body: { MessageId: job.document?.messageId ?? '', ...added },
      }),
    signal,
  );
}

async function sendIt(job: Job, signal: AbortSignal): Promise<Job['document']> {
  changeJob(job.id, { step: 'sending' });
  const { outgoing } = job;
  if (outgoing === undefined) throw new SigningFailed('NothingToSend');
  const metadata = { FileName: job.fileName, DocumentNumber: outgoing.number.trim(), DocumentDate: outgoing.date.split('-').reverse().join('.') };
  const message = await settled(
    () =>
      sendMessage({
        client: gateway(),
        signal,
        query: { operationId: job.operationId },
        body: {
          ToBoxId: outgoing.toBoxId,
          DocumentAttachments: [
            {
              SignedContent: { ...job.content, ...(job.signature !== undefined && { Signature: job.signature }) },
              TypeNamedId: outgoing.type.name,
              Function: outgoing.type.function,
              Version: outgoing.type.version,
              NeedRecipientSignature: outgoing.needsSignature,
              Metadata: Object.entries(metadata).filter(([, value]) => value !== '').map(([Key, Value]) => ({ Key, Value })),
            },
          ],
        },
      }),
    signal,
  );
  const entity = message.Entities?.find(({ EntityType, ParentEntityId }) => EntityType === 'Attachment' && ParentEntityId === undefined);
  return entity && { messageId: message.MessageId, entityId: entity.EntityId };
}
