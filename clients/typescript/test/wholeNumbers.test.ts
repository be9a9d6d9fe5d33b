// 64-bit numbers keep every digit on both ways, over a real connection.
import { ApiError, createGatewayClient } from '@equipment-platform/client';
import { getDocflowEventsV5, listDocuments } from '@equipment-platform/client/gateway';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';

const TICKS = '639314665984256935'; // a double would make it …900
let server: Server;
let answer = { status: 200, body: '' };
let asked = '';

beforeAll(async () => {
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      asked = Buffer.concat(parts).toString();
      response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(answer.body);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});
afterAll(() => server.close());

test('a page of events is asked for by the very ticks that an answer had', async () => {
  const { port } = server.address() as AddressInfo;
  const client = createGatewayClient({ baseUrl: `http://127.0.0.1:${port}`, token: 't', partnerToken: 'p' });
  answer = { status: 200, body: `{"TotalCount":1,"Events":[{"EventId":"say \\"${TICKS}\\"","Timestamp":{"Ticks":${TICKS}}}]}` };
  const { data } = await getDocflowEventsV5({ client, body: { Filter: {} } });
  const [event] = data.Events ?? [];
  expect(event?.Timestamp?.Ticks).toBe(BigInt(TICKS));
  expect(event?.EventId).toBe(`say "${TICKS}"`);
  expect(data.TotalCount).toBe(1);
  await getDocflowEventsV5({ client, body: { Filter: { FromTimestamp: { Ticks: event!.Timestamp!.Ticks } } } });
  expect(asked).toBe(`{"Filter":{"FromTimestamp":{"Ticks":${TICKS}}}}`);
});

test('what an answer lacks stays absent, and a 0 is a bigint too', async () => {
  const { port } = server.address() as AddressInfo;
  const client = createGatewayClient({ baseUrl: `http://127.0.0.1:${port}`, token: 't', partnerToken: 'p' });
  // Ticks, CreationTimestampTicks and RecipientReceiptMetadata are required by the document
  answer = { status: 200, body: '{"TotalCount":2,"Events":[{"EventId":"1","Timestamp":{}},{"EventId":"2"},{"EventId":"3","Timestamp":{"Ticks":0}}]}' };
  const { data } = await getDocflowEventsV5({ client, body: { Filter: {} } });
  expect(data.Events).toEqual([{ EventId: '1', Timestamp: {} }, { EventId: '2' }, { EventId: '3', Timestamp: { Ticks: 0n } }]);
  answer = { status: 200, body: `{"TotalCount":2,"Documents":[{"MessageId":"m"},{"SendTimestampTicks":0,"CreationTimestampTicks":${TICKS},"ConfirmationMetadata":null}]}` };
  const list = await listDocuments({ client });
  expect(list.data.Documents).toEqual([{ MessageId: 'm' }, { SendTimestampTicks: 0n, CreationTimestampTicks: BigInt(TICKS), ConfirmationMetadata: null }]);
  answer = { status: 200, body: '{}' };
  expect((await listDocuments({ client })).data).toEqual({});
});

test('an error stays an error', async () => {
  const { port } = server.address() as AddressInfo;
  const client = createGatewayClient({ baseUrl: `http://127.0.0.1:${port}`, token: 't', partnerToken: 'p' });
  answer = { status: 400, body: '{"code":"validation_failed","message":"Not valid.","details":{"Filter":"is missing"}}' };
  const error = await getDocflowEventsV5({ client, body: { Filter: {} } }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ApiError);
  expect((error as ApiError).details).toEqual({ Filter: 'is missing' });
});
