// Signing by a keyless certificate: a task at the provider, which its owner confirms on a phone.
import { getDssSignResult, sendMessagePatch, signWithDssV2, type ContentV3 } from '@equipment-platform/client/gateway';
import { freeForm, gateway, pause, settled } from './exchange';

export interface Progress {
  step: 'starting' | 'confirming' | 'adding';
  /** How the owner confirms, in the provider's words, and the end of the phone number. */
  confirm?: string | undefined;
  phone?: string | undefined;
}

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

/** Signs contents and answers the signature, base64. */
export async function signContent(content: ContentV3, fileName: string, thumbprint: string, report: (progress: Progress) => void, signal: AbortSignal): Promise<string> {
  report({ step: 'starting' });
  const { data: task } = await signWithDssV2({
    client: gateway(),
    signal,
    body: { Files: [{ Content: content, FileName: fileName }], SignDataSource: 'CertificateSign', CertificateData: { Thumbprint: thumbprint } },
  });
  if (task.TaskId === undefined) throw new SigningFailed('NoTask');
  report({ step: 'confirming' });
  for (const start = Date.now(); Date.now() - start < LIMIT; ) {
    const taskId = task.TaskId;
    const data = await settled(() => getDssSignResult({ client: gateway(), signal, path: { taskId } }), signal);
    const status = data.OperationStatus ?? 'Unknown';
    if (status === 'Completed') {
      const file = data.FileSigningResults?.[0];
      if (file?.Signature === undefined) throw new SigningFailed(file?.FileSigningStatus ?? 'SigningError');
      return file.Signature;
    }
    if (!PENDING.includes(status)) throw new SigningFailed(status);
    report({ step: 'confirming', confirm: data.ConfirmType, phone: data.PhoneLastNumbers });
    await pause(INTERVAL, signal);
  }
  throw new SigningFailed('Timeout');
}

/** Signs a document of the exchange and adds the signature to it. */
export async function signDocument(
  id: { messageId: string; entityId: string; fileName: string },
  thumbprint: string,
  report: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<void> {
  const content = { EntityId: { MessageId: id.messageId, EntityId: id.entityId } };
  const signature = await signContent(content, id.fileName, thumbprint, report, signal);
  report({ step: 'adding' });
  // With an operation id the call may be repeated: the provider answers its first result again.
  const operationId = crypto.randomUUID();
  await settled(
    () =>
      sendMessagePatch({
        client: gateway(),
        signal,
        query: { Query: freeForm({ operationId }) },
        body: { MessageId: id.messageId, Signatures: [{ ParentEntityId: id.entityId, Signature: signature }] },
      }),
    signal,
  );
}
