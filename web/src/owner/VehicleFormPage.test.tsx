// Publishing a machine over a bad connection: the page, its router and its client; only the services are made up.
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queries } from '../app/api';
import { router } from '../app/router';
import { type Caller, readToken, signIn, signOut } from '../app/session';
import { setSettings } from '../app/settings';
import { TextsProvider } from '../i18n';
import { en } from '../i18n/en';

const TYPE = { id: '00000000-0000-4000-8000-000000000001', title: 'Excavator', isActive: true, categoryIds: [], params: [], searchTags: [], searchTagIds: [], version: 1 };
const MADE = { id: '00000000-0000-4000-8000-000000000002' };

let keys: (string | null)[];
let answers: (() => Response | Promise<Response>)[];

const json = (status: number, body: object) => new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });
const refusal = (status: number, code: string) => () => json(status, { code, message: `It is ${code}.`, path: '/', timestamp: '' });
const lost = () => Promise.reject(new TypeError('Failed to fetch'));

beforeEach(async () => {
  keys = [];
  answers = [];
  vi.stubGlobal('scrollTo', () => undefined);
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname } = new URL(request.url);
    if (request.method === 'POST') {
      keys.push(request.headers.get('Idempotency-Key'));
      return (answers.shift() ?? refusal(500, 'internal'))();
    }
    if (pathname.endsWith(`/types/${TYPE.id}`)) return json(200, TYPE);
    if (pathname.endsWith('/types')) return json(200, { content: [TYPE], currentPage: 1, pageSize: 100, totalElements: 1 });
    if (/\/(categories|tags)$/.test(pathname)) return json(200, { content: [], currentPage: 1, pageSize: 100, totalElements: 0 });
    return refusal(404, 'not_found')();
  });
  setSettings({ catalogUrl: 'http://catalog.test', gatewayUrl: 'http://gateway.test' });
  signIn(readToken(`e30.${btoa(JSON.stringify({ sub: 'owner', roles: ['USER'] }))}.x`) as Caller);
  render(
    <TextsProvider initial={{ language: 'en', messages: en }}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </TextsProvider>,
  );
  await router.navigate({ to: '/mine/new' });
});

afterEach(async () => {
  await router.navigate({ to: '/sign-in' }); // the router outlives the test: the form must not
  cleanup();
  signOut();
  vi.unstubAllGlobals();
});

async function fill(): Promise<void> {
  await screen.findByRole('option', { name: 'Excavator' });
  fireEvent.change(screen.getByLabelText('Type'), { target: { value: TYPE.id } });
  fireEvent.change(screen.getByLabelText('Brand'), { target: { value: 'Kubota' } });
  fireEvent.change(screen.getByLabelText('Model'), { target: { value: 'U27' } });
  await screen.findByText(en['form.noParams'] as string);
}

const button = () => screen.getByRole<HTMLButtonElement>('button', { name: (name, element) => name === 'Add' && element.getAttribute('type') === 'submit' });

/** Presses the button and waits until the page shows what came of it. */
async function send(answer: () => Response | Promise<Response>, shown: string): Promise<void> {
  answers.push(answer);
  const sent = keys.length;
  fireEvent.click(button());
  await waitFor(() => expect(keys.length).toBe(sent + 1));
  await screen.findByText(shown);
  await waitFor(() => expect(button().disabled).toBe(false));
}

test('every try has one key, whatever it was answered', async () => {
  await fill();
  await send(lost, en['error.network'] as string);
  await send(refusal(409, 'request_in_progress'), en['error.request_in_progress'] as string);
  await send(() => new Response('', { status: 502 }), 'HTTP 502');
  await send(refusal(503, 'overloaded'), en['error.overloaded'] as string);
  answers.push(() => json(201, MADE));
  fireEvent.click(button());
  await screen.findByText(en['vehicle.created'] as string);
  expect(keys.length).toBe(5);
  expect(new Set(keys).size).toBe(1);
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);

  // the next machine is another one
  await waitFor(() => expect(screen.queryByLabelText('Brand')).toBeNull());
  await router.navigate({ to: '/mine/new' });
  await fill();
  await send(refusal(503, 'overloaded'), en['error.overloaded'] as string);
  expect(keys[5]).not.toBe(keys[0]);
});

test('a key that was used for other contents is given up', async () => {
  await fill();
  await send(refusal(422, 'idempotency_key_reused'), en['error.idempotency_key_reused'] as string);
  await send(refusal(503, 'overloaded'), en['error.overloaded'] as string);
  expect(keys[1]).not.toBe(keys[0]);
});
