// The document exchange as the pages see it: the gateway's client, the provider's token, and waiting.
import { createGatewayClient, type GatewayClient } from '@equipment-platform/client';
import {
  getDocflowByDocumentV5,
  getDocument,
  listCounteragents,
  listDocuments,
  listDocumentTypes,
  listMyCertificates,
  listMyOrganizations,
  type Document,
} from '@equipment-platform/client/gateway';
import { queryOptions } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { queries } from '../app/api';
import type { DocumentListName, DocumentsSearch } from '../app/places';
import { currentCaller, keepPartnerToken, onSessionChange, PARTNER_KEY } from '../app/session';
import { settings } from '../app/settings';

const listeners = new Set<() => void>();

/** The exchange provider's access token: from a sign-in there, or the development stack's. */
export function partnerToken(): string | undefined {
  // An empty one is none: with it nobody would be offered to connect.
  return sessionStorage.getItem(PARTNER_KEY) || settings().partnerToken || undefined;
}

export function setPartnerToken(token: string | undefined): void {
  keepPartnerToken(token);
  queries.removeQueries({ queryKey: ['exchange'] });
  for (const listener of listeners) listener();
}

// The session drops the token when its caller goes.
onSessionChange(() => {
  for (const listener of listeners) listener();
});

export function usePartnerToken(): string | undefined {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, partnerToken);
}

let client: GatewayClient | undefined;

export function gateway(): GatewayClient {
  client ??= createGatewayClient({ baseUrl: settings().gatewayUrl, token: () => currentCaller()?.token, partnerToken });
  return client;
}

export const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });

/** Repeats a call while its answer is an empty 204 with `Retry-After`. The call must be one that may be repeated. */
export async function settled<T>(call: () => Promise<{ data: T; response: Response }>, signal: AbortSignal): Promise<Exclude<T, void>> {
  for (let tries = 0; tries < 30; tries++) {
    const { data, response } = await call();
    const seconds = response.headers.get('Retry-After');
    if (response.status !== 204 || seconds === null) return data as Exclude<T, void>;
    await pause(Math.min(15, Number(seconds) || 1) * 1000, signal);
  }
  throw new Error('the provider is still not ready');
}

const CATEGORIES: Record<DocumentListName, string> = {
  inbound: 'Any.InboundNotRevoked',
  toSign: 'Any.InboundWaitingForRecipientSignature',
  outbound: 'Any.OutboundNotRevoked',
  awaited: 'Any.OutboundWaitingForRecipientSignature',
};
const PAGE = 30;

/** Which of a list's documents are shown. */
export type DocumentFilter = Omit<DocumentsSearch, 'list'>;

const ofProvider = (date: string | undefined): string | undefined => date?.split('-').reverse().join('.');

/** The names of a query that have a value. */
const given = <T extends Record<string, string | undefined>>(values: T) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== '')) as Partial<Record<keyof T, string>>;

const inList = (list: DocumentListName, filter: DocumentFilter) => ({
  filterCategory: CATEGORIES[list],
  ...given({ counteragentBoxId: filter.partner, documentNumber: filter.number, fromDocumentDate: ofProvider(filter.from), toDocumentDate: ofProvider(filter.to) }),
});

export async function readDocuments(list: DocumentListName, filter: DocumentFilter, after: string | undefined, signal: AbortSignal): Promise<{ documents: Document[]; next: string | undefined }> {
  const { data } = await listDocuments({ client: gateway(), signal, query: { ...inList(list, filter), count: PAGE, ...(after !== undefined && { afterIndexKey: after }) } });
  const documents = data.Documents ?? [];
  return { documents, next: data.HasMoreResults === true ? documents.at(-1)?.IndexKey : undefined };
}

export const countQuery = (list: DocumentListName, filter: DocumentFilter) =>
  queryOptions({
    queryKey: ['exchange', 'count', list, filter],
    queryFn: async ({ signal }) => (await listDocuments({ client: gateway(), signal, query: { ...inList(list, filter), count: 0 } })).data.TotalCount,
  });

export const documentQuery = (messageId: string, entityId: string) =>
  queryOptions({
    queryKey: ['exchange', 'document', messageId, entityId],
    queryFn: async ({ signal }) => (await getDocument({ client: gateway(), signal, query: { messageId, entityId } })).data,
  });

export const docflowQuery = (messageId: string, entityId: string) =>
  queryOptions({
    queryKey: ['exchange', 'docflow', messageId, entityId],
    queryFn: async ({ signal }) => {
      const { data } = await getDocflowByDocumentV5({ client: gateway(), signal, query: { messageId, entityId } });
      return data.Documents?.[0] ?? null;
    },
    // The flow moves at the other side too. An answer that says the same is the same object: the longer nothing
    // changes, the rarer it is asked for; never while the page is not looked at.
    refetchInterval: ({ state: { data } }) => {
      if (!data) return false;
      const seen = firstSeen.get(data) ?? Date.now();
      firstSeen.set(data, seen);
      return Math.min(60_000, Math.max(3000, (Date.now() - seen) / 4));
    },
  });

const firstSeen = new WeakMap<object, number>();

export const typesOfDocumentsQuery = queryOptions({
  queryKey: ['exchange', 'types'],
  queryFn: async ({ signal }) => (await listDocumentTypes({ client: gateway(), signal })).data.DocumentTypes ?? [],
  staleTime: 300_000,
});

export const certificatesQuery = queryOptions({
  queryKey: ['exchange', 'certificates'],
  queryFn: async ({ signal }) => (await listMyCertificates({ client: gateway(), signal })).data.Certificates ?? [],
  staleTime: 300_000,
});

export interface Partner {
  boxId: string;
  title: string;
  own: boolean;
}

/** Whose box is whose: the caller's organizations and their partners. */
export const partnersQuery = queryOptions({
  queryKey: ['exchange', 'partners'],
  queryFn: async ({ signal }): Promise<Partner[]> => {
    const [mine, others] = await Promise.all([
      listMyOrganizations({ client: gateway(), signal }),
      listCounteragents({ client: gateway(), signal, query: { counteragentStatus: 'IsMyCounteragent' } }),
    ]);
    const boxes = (own: boolean) => (organization: { ShortName?: string; FullName: string; Boxes?: { BoxId: string }[] }) =>
      (organization.Boxes ?? []).map(({ BoxId }) => ({ boxId: BoxId, title: organization.ShortName ?? organization.FullName, own }));
    return [
      ...(mine.data.Organizations ?? []).flatMap(boxes(true)),
      ...(others.data.Counteragents ?? []).flatMap(({ Organization }) => boxes(false)(Organization)),
    ];
  },
  staleTime: 300_000,
});

const TICKS_AT_1970 = 62_135_596_800_000;

/** The provider counts tenths of microseconds since the year 1. */
export const dateOfTicks = (ticks: bigint): Date => new Date(Number(ticks / 10_000n) - TICKS_AT_1970);

/** The provider writes dates as DD.MM.YYYY. */
export const dateOfProvider = (date: string): string => (/^\d{2}\.\d{2}\.\d{4}$/.test(date) ? `${date.split('.').reverse().join('-')}T00:00:00` : date);
