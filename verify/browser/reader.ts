// A reader of the app: a browser window of its own, who they are, and what must never go wrong in it.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import type { AxeResults } from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { expect, inject } from 'vitest';
import { ORIGIN, type Stack } from './setup.ts';

const stack = inject('stack');
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
let browser: Browser | undefined;

export interface Options {
  as?: keyof Stack['tokens'];
  phone?: boolean;
  dark?: boolean;
  language?: 'en' | 'ru';
  /** Leaves the provider's token out of the app's settings. */
  unconnected?: boolean;
  /** Leaves the file service out of the app's settings. */
  unfiled?: boolean;
  /** Address template of a user directory. */
  users?: string;
  /** Errors that the browser's log may hold, since they are what the story is about. */
  logged?: RegExp;
  /** Statuses that are part of the story. Elsewhere no service fails, and the app asks for nothing that is not there. */
  allowed?: number[];
}

export interface Reader {
  page: Page;
  open: (path: string) => Promise<void>;
  /** Keeps a picture of what is seen. */
  picture: (name: string) => Promise<void>;
  /** Nothing that is in the way of those who use other means than eyes and a mouse. */
  accessible: (what: string) => Promise<void>;
}

/** Runs a story as a reader; it fails on any script error, refused content, or failed request that is not part of it. */
export async function reads(options: Options, story: (reader: Reader) => Promise<void>): Promise<void> {
  browser ??= await chromium.connect(stack.browser);
  const context = await browser.newContext({
    baseURL: ORIGIN,
    viewport: options.phone ? { width: 390, height: 844 } : { width: 1280, height: 900 },
    colorScheme: options.dark ? 'dark' : 'light',
    locale: options.language === 'ru' ? 'ru-RU' : 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    ...(options.phone && { hasTouch: true, isMobile: true }),
  });
  const faults: string[] = [];
  context.on('page', (page) => watch(page, faults, options));
  const page = await context.newPage();
  if (options.as !== undefined) {
    await context.addInitScript((token) => {
      // not in what a page shows inside itself; once, since signing out stays signed out
      if (self !== top) return;
      if (localStorage.getItem('story.started') !== null) return;
      localStorage.setItem('story.started', 'yes');
      localStorage.setItem('equipment.token', token);
    }, stack.tokens[options.as]);
  }
  if (stack.served || options.unconnected || options.unfiled || options.users !== undefined) {
    const json = { ...stack.settings, usersUrl: options.users, ...(options.unconnected && { partnerToken: undefined }), ...(options.unfiled && { filesUrl: undefined }) };
    await page.route('**/settings.json', (route) => route.fulfill({ json }));
  }
  const shot = async (name: string) => void (await page.screenshot({ path: join(stack.artifacts, `${name}.png`), fullPage: false }));
  try {
    await story({
      page,
      open: async (path) => {
        await page.goto(path);
        await page.waitForSelector('main h1');
        await page.waitForLoadState('networkidle');
      },
      picture: shot,
      accessible: async (what) => {
        await page.evaluate(axeSource);
        const { violations } = await page.evaluate(
          () => (globalThis as unknown as { axe: { run: (options: object) => Promise<AxeResults> } }).axe.run({ resultTypes: ['violations'] }) as Promise<AxeResults>,
        );
        const serious = violations.filter(({ impact }) => impact !== 'minor');
        expect(serious.map(({ id, nodes }) => `${what}: ${id}: ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual([]);
      },
    });
    expect(faults).toEqual([]);
  } catch (error) {
    await shot(`failed-${Date.now()}`);
    throw faults.length > 0 ? new AggregateError([error], `${String(error)}\n${faults.join('\n')}`) : error;
  } finally {
    await context.close();
  }
}

function watch(page: Page, faults: string[], { allowed = [], logged }: Options): void {
  page.setDefaultTimeout(30_000);
  page.on('pageerror', (error) => faults.push(`script: ${error.message}`));
  page.on('console', (message) => {
    // Answers with an error status are logged too; which of them may happen is the stories' business.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource') && logged?.test(message.text()) !== true) faults.push(`console: ${message.text()}`);
  });
  // Asked whether to leave what is typed, the reader leaves.
  page.on('dialog', (dialog) => void dialog.accept());
  page.on('response', (answer) => {
    const status = answer.status();
    if ((status >= 500 || status === 404) && !allowed.includes(status)) faults.push(`${answer.status()} ${answer.url()}`);
  });
}

/** A PNG picture of one colour, such as #c03030. */
export function picture(colour: string): Buffer {
  const [width, height] = [64, 40];
  const row = Buffer.concat([Buffer.of(0), ...Array.from({ length: width }, () => Buffer.from(colour.slice(1), 'hex'))]);
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const rows = Buffer.concat(Array.from({ length: height }, () => row));
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]);
}

/** Calls the catalog directly, to set a story up or to look behind the page. */
export async function call<T>(method: string, path: string, as?: keyof Stack['tokens'], body?: object): Promise<{ status: number; data: T }> {
  const answer = await fetch(`${stack.catalogUrl}/api/v1${path}`, {
    method,
    headers: { ...(as && { Authorization: `Bearer ${stack.tokens[as]}` }), ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, data: (text === '' ? undefined : JSON.parse(text)) as T };
}

const OWN_BOX = '00000000-0000-4000-8000-0000000000b1@exchange.example';
const PARTNER_BOX = '00000000-0000-4000-8000-0000000000b2@exchange.example';

/** What the partner does at the provider. */
async function asPartner<T>(path: string, body: object): Promise<T> {
  const answer = await fetch(`${stack.sandboxUrl}${path}`, {
    method: 'POST',
    headers: { Authorization: 'Bearer sandbox-counteragent-token', 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** The partner sends a signed document that waits for the reader's signature; where its page is. */
export async function partnerSends(number: string): Promise<{ path: string; messageId: string; entityId: string }> {
  const message = await asPartner<{ MessageId: string; Entities: { EntityId: string; EntityType: string }[] }>(`/V3/PostMessage?operationId=${randomUUID()}`, {
    FromBoxId: PARTNER_BOX,
    ToBoxId: OWN_BOX,
    DocumentAttachments: [
      {
        SignedContent: { Content: Buffer.from(`Paper ${number}`).toString('base64'), SignWithTestSignature: true },
        TypeNamedId: 'Contract',
        Function: 'default',
        Version: 'v1',
        NeedRecipientSignature: true,
        Metadata: [
          { Key: 'FileName', Value: `paper-${number}.txt` },
          { Key: 'DocumentNumber', Value: number },
          { Key: 'DocumentDate', Value: '05.03.2026' },
        ],
      },
    ],
  });
  const entityId = message.Entities.find(({ EntityType }) => EntityType === 'Attachment')?.EntityId ?? '';
  return { path: `/documents/${message.MessageId}/${entityId}`, messageId: message.MessageId, entityId };
}

export async function partnerSigns(messageId: string, entityId: string): Promise<void> {
  await asPartner('/V4/PostMessagePatch', { BoxId: PARTNER_BOX, MessageId: messageId, Signatures: [{ ParentEntityId: entityId, SignWithTestSignature: true }] });
}

export async function partnerAsksToRevoke(messageId: string, entityId: string): Promise<void> {
  const SignedContent = { Content: Buffer.from('<RevocationRequest/>').toString('base64'), SignWithTestSignature: true };
  await asPartner('/V4/PostMessagePatch', { BoxId: PARTNER_BOX, MessageId: messageId, RevocationRequests: [{ ParentEntityId: entityId, SignedContent }] });
}

export interface Vehicle {
  id: string;
  brandName: string;
  modelName: string;
  releaseYear: number;
  licensePlate: string | null;
  isActive: boolean;
  ratingAvg: number;
  ratingCount: number;
  version: number;
  equipmentTypeId: string;
  params: { name: string; value: unknown }[];
}

export interface PageOf<T> {
  content: T[];
  totalElements: number;
}

/** A vehicle that customer-01 has rated: the rating is taken back, so that its order entitles to a new one. */
export async function rentedVehicle(): Promise<{ vehicle: Vehicle; orderId: string }> {
  for (let page = 1; page < 10; page++) {
    const { data } = await call<PageOf<Vehicle>>('GET', `/vehicles?minRatingCount=2&size=100&page=${page}`);
    for (const vehicle of data.content) {
      const own = await call<{ orderId: string }>('GET', `/vehicles/${vehicle.id}/ratings/me`, 'customer');
      if (own.status !== 200) continue;
      await call('DELETE', `/vehicles/${vehicle.id}/ratings/me`, 'customer');
      return { vehicle: (await call<Vehicle>('GET', `/vehicles/${vehicle.id}`)).data, orderId: own.data.orderId };
    }
  }
  throw new Error('the demo catalogue has no rating of customer-01');
}
