// The steps that a document's flow shows.
import type { DocumentWithDocflowV5 } from '@equipment-platform/client/gateway';
import { expect, test } from 'vitest';
import { dateOfTicks, settled } from './exchange';
import { stepsOf } from './Timeline';

const flow = (status: string) =>
  ({
    Docflow: {
      DocflowStatus: { PrimaryStatus: {} },
      Titles: [
        {
          TitleIndex: 0,
          Author: { BoxId: 'a' },
          AuthorSigning: { IsFinished: true, Status: 'TitleAuthorStatusSigned' },
          ParticipantDocflows: [
            { Participant: { BoxId: 'b' }, TitleDelivery: { Delivery: { Status: 'DeliveryStatusDelivered', DeliveredAt: { Ticks: 1n } } }, Response: { IsFinished: false, Status: status } },
          ],
        },
      ],
    },
  }) as unknown as DocumentWithDocflowV5;

test('author, delivery and answer, in this order', () => {
  expect(stepsOf(flow('TitleParticipantResponseStatusWaiting')).map(({ who, status }) => [who, status])).toEqual([
    ['a', 'TitleAuthorStatusSigned'],
    ['b', 'DeliveryStatusDelivered'],
    ['b', 'TitleParticipantResponseStatusWaiting'],
  ]);
});

test('an answer that nobody asks for is no step', () => {
  expect(stepsOf(flow('TitleParticipantResponseStatusNotAcceptable'))).toHaveLength(2);
});

test('ticks are tenths of microseconds since the year 1', () => {
  expect(dateOfTicks(621_355_968_000_000_000n).toISOString()).toBe('1970-01-01T00:00:00.000Z');
});

test('a call is repeated while its answer says later', async () => {
  let calls = 0;
  const call = (): Promise<{ data: { done?: boolean }; response: Response }> =>
    Promise.resolve(++calls < 3 ? { data: {}, response: new Response(null, { status: 204, headers: { 'Retry-After': '0.01' } }) } : { data: { done: true }, response: new Response('{}') });
  expect(await settled(call, new AbortController().signal)).toEqual({ done: true });
  expect(calls).toBe(3);
});

test('an empty answer without Retry-After is an answer', async () => {
  const call = () => Promise.resolve({ data: {}, response: new Response(null, { status: 204 }) });
  expect(await settled(call, new AbortController().signal)).toEqual({});
});
