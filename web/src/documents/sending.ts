// Sending a document: its contents go inline or by the provider's shelf, signed first when asked for.
import { initShelfUpload, sendMessage, uploadShelfPart, uploadToShelf, type Message } from '@equipment-platform/client/gateway';
import { freeForm, gateway, settled } from './exchange';
import { type Progress, signContent } from './signing';

export interface Outgoing {
  toBoxId: string;
  type: { name: string; function: string; version: string };
  number: string;
  /** YYYY-MM-DD, or empty. */
  date: string;
  file: File;
  needsSignature: boolean;
  /** The certificate to sign with; undefined sends unsigned. */
  thumbprint: string | undefined;
}

export type SendProgress = Progress | { step: 'uploading' | 'sending' };

const INLINE = 500 * 1024;
const PART = 3 * 1024 * 1024;

export async function send(document: Outgoing, report: (progress: SendProgress) => void, signal: AbortSignal): Promise<Message> {
  report({ step: 'uploading' });
  const content = await contentOf(document.file, signal);
  const signature = document.thumbprint === undefined ? undefined : await signContent(content, document.file.name, document.thumbprint, report, signal);
  report({ step: 'sending' });
  const operationId = crypto.randomUUID();
  const metadata = { FileName: document.file.name, DocumentNumber: document.number.trim(), DocumentDate: document.date.split('-').reverse().join('.') };
  return settled(
    () =>
      sendMessage({
        client: gateway(),
        signal,
        query: { Query: freeForm({ operationId }) },
        body: {
          ToBoxId: document.toBoxId,
          DocumentAttachments: [
            {
              SignedContent: { ...content, ...(signature !== undefined && { Signature: signature }) },
              TypeNamedId: document.type.name,
              Function: document.type.function,
              Version: document.type.version,
              NeedRecipientSignature: document.needsSignature,
              Metadata: Object.entries(metadata).filter(([, value]) => value !== '').map(([Key, Value]) => ({ Key, Value })),
            },
          ],
        },
      }),
    signal,
  );
}

async function contentOf(file: File, signal: AbortSignal): Promise<{ Content: string } | { NameOnShelf: string }> {
  if (file.size <= INLINE) return { Content: base64(new Uint8Array(await file.arrayBuffer())) };
  const extension = /\.([a-z0-9]+)$/i.exec(file.name)?.[1];
  if (file.size <= PART) {
    const { data } = await uploadToShelf({ client: gateway(), signal, parseAs: 'text', query: { Query: freeForm({ fileExtension: extension }) }, body: file });
    return { NameOnShelf: shelfName(data) };
  }
  const first = await initShelfUpload({ client: gateway(), signal, parseAs: 'text', query: { Query: freeForm({ fileExtension: extension }) }, body: file.slice(0, PART) });
  const name = shelfName(first.data);
  const parts = Math.ceil(file.size / PART);
  for (let part = 1; part < parts; part++) {
    const query = freeForm({ fileName: name, partIndex: part, isLastPart: part === parts - 1 });
    await uploadShelfPart({ client: gateway(), signal, parseAs: 'text', query: { Query: query }, body: file.slice(part * PART, (part + 1) * PART) });
  }
  return { NameOnShelf: name };
}

/** The name comes as plain text, by some versions in quotes. */
const shelfName = (text: string): string => text.trim().replace(/^"|"$/g, '');

function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}
