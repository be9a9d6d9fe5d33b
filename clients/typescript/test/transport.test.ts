// What no healthy catalog answers, and what the gateway is sent: against a small server that says so.
import { ApiError, createCatalogClient, createGatewayClient } from '@equipment-platform/client';
import { listGroups } from '@equipment-platform/client/catalog';
import { getTransportUuid, listDocuments, uploadToShelf } from '@equipment-platform/client/gateway';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';

let server: Server | undefined;
afterEach(() => server?.close());

function serve(handler: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  server = createServer(handler);
  return new Promise((done) => server?.listen(0, '127.0.0.1', () => done(`http://127.0.0.1:${(server?.address() as AddressInfo).port}`)));
}

const failure = (call: Promise<unknown>): Promise<unknown> => call.then(() => expect.fail('the call should fail'), (error: unknown) => error);

test('an answer in other words than the services’ is an ApiError too', async () => {
  const baseUrl = await serve((_, response) => response.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>Bad Gateway</h1>'));
  const error = await failure(listGroups({ client: createCatalogClient({ baseUrl }) }));
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 502, code: 'unknown', message: 'HTTP 502', path: '/api/v1/groups', details: {} });
});

test('Retry-After is there in seconds', async () => {
  const body = JSON.stringify({ status: 429, code: 'rate_limited', message: 'Slow down.', details: null, path: '/x', timestamp: '2026-01-01T00:00:00Z' });
  const baseUrl = await serve((_, response) => response.writeHead(429, { 'Content-Type': 'application/json', 'Retry-After': '7' }).end(body));
  expect(await failure(listGroups({ client: createCatalogClient({ baseUrl }) }))).toMatchObject({ code: 'rate_limited', retryAfter: 7 });
});

test('no answer at all stays the error that it is', async () => {
  const baseUrl = await serve((request) => request.socket.destroy());
  const error = await failure(listGroups({ client: createCatalogClient({ baseUrl }) }));
  expect(error).toBeInstanceOf(TypeError);
  expect(error).not.toBeInstanceOf(ApiError);
});

test('an aborted call is an AbortError', async () => {
  const baseUrl = await serve(() => undefined);
  const abort = new AbortController();
  const call = failure(listGroups({ client: createCatalogClient({ baseUrl }), signal: abort.signal }));
  abort.abort();
  expect(await call).toMatchObject({ name: 'AbortError' });
});

test('the gateway gets the caller’s token and the credentials of the partner that is asked', async () => {
  const seen: IncomingMessage[] = [];
  const baseUrl = await serve((request, response) => {
    seen.push(request);
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  });
  const client = createGatewayClient({ baseUrl, token: 'jwt', partnerToken: () => 'partner', partnerApiKey: async () => 'key' });
  const query = new URLSearchParams({ filterCategory: 'Any.Inbound', count: '5' }).toString();
  await listDocuments({ client, query: { Query: query } });
  await getTransportUuid({ client });
  expect(seen[0]?.headers).toMatchObject({ authorization: 'Bearer jwt', 'x-partner-access-token': 'partner' });
  expect(seen[0]?.headers['x-partner-apikey']).toBeUndefined();
  expect(new URL(seen[0]?.url ?? '', baseUrl).searchParams.get('Query')).toBe(query);
  expect(seen[1]?.headers).toMatchObject({ authorization: 'Bearer jwt', 'x-partner-apikey': 'key' });
  expect(seen[1]?.headers['x-partner-access-token']).toBeUndefined();
});

test('a file is sent as it is', async () => {
  let received: Buffer | undefined;
  let type: string | undefined;
  const baseUrl = await serve((request, response) => {
    const chunks: Buffer[] = [];
    type = request.headers['content-type'];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received = Buffer.concat(chunks);
      response.writeHead(200, { 'Content-Type': 'text/plain' }).end('name-on-shelf');
    });
  });
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
  const { data } = await uploadToShelf({ client: createGatewayClient({ baseUrl }), body: new Blob([bytes]) });
  expect(data).toBe('name-on-shelf');
  expect(type).toBe('application/octet-stream');
  expect(received).toEqual(Buffer.from(bytes));
});
