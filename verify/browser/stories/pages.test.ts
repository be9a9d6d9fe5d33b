// Every page in both languages, both colour schemes and both widths: nothing overflows, jumps or shuts anybody out.
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { call, type Options, type PageOf, type Reader, reads, type Vehicle } from '../reader.ts';

const DIST = resolve(import.meta.dirname, '../../../web/dist');

const WAYS: [string, Options][] = [
  ['desktop', {}],
  ['desktop-dark', { dark: true }],
  ['phone', { phone: true }],
  ['phone-dark-ru', { phone: true, dark: true, language: 'ru' }],
  ['desktop-ru', { language: 'ru' }],
];

/** How much the page jumped while it was loading, as browsers measure it. */
const shifts = (reader: Reader) =>
  reader.page.evaluate(
    () =>
      new Promise<number>((done) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as unknown as { value: number; hadRecentInput: boolean }[]) if (!entry.hadRecentInput) sum += entry.value;
        }).observe({ type: 'layout-shift', buffered: true });
        setTimeout(() => done(sum), 100);
      }),
  );

async function check(reader: Reader, name: string, path: string): Promise<void> {
  await reader.open(path);
  await reader.picture(name);
  await reader.accessible(name);
  const over = await reader.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(over, `${name} is wider than the window`).toBeLessThanOrEqual(0);
  expect(await shifts(reader), `${name} jumps while loading`).toBeLessThan(0.05);
}

async function addresses() {
  const { data: rated } = await call<PageOf<Vehicle>>('GET', '/vehicles?minRatingCount=4&size=2');
  const { data: own } = await call<PageOf<Vehicle>>('GET', '/vehicles?view=own&size=1', 'owner');
  const { data: types } = await call<PageOf<{ id: string }>>('GET', '/types?size=1');
  return { rated: rated.content[0]?.id, other: rated.content[1]?.id, own: own.content[0]?.id, type: types.content[0]?.id };
}

test.each(WAYS)('%s: pages for everybody', async (way, options) => {
  const { rated, other } = await addresses();
  await reads(options, async (reader) => {
    await check(reader, `${way}-search`, '/');
    await check(reader, `${way}-search-results`, '/equipment?q=lift+roof+trusses');
    await check(reader, `${way}-browse`, '/equipment');
    await check(reader, `${way}-vehicle`, `/equipment/${rated}`);
    await check(reader, `${way}-compare`, `/compare?id=${rated}&id=${other}`);
    await check(reader, `${way}-saved`, '/saved');
    await check(reader, `${way}-sign-in`, '/sign-in');
    await check(reader, `${way}-no-page`, '/nowhere');
    await check(reader, `${way}-guard`, '/mine');
  });
});

test.each(WAYS)('%s: pages for owners and administrators', async (way, options) => {
  const { own, type } = await addresses();
  await reads({ ...options, as: 'owner' }, async (reader) => {
    await check(reader, `${way}-mine`, '/mine');
    await check(reader, `${way}-new-vehicle`, '/mine/new');
    await check(reader, `${way}-edit-vehicle`, `/mine/${own}`);
    await check(reader, `${way}-files`, `/mine/${own}/files`);
  });
  await reads({ ...options, as: 'admin' }, async (reader) => {
    for (const resource of ['groups', 'categories', 'types', 'params', 'units', 'tags']) await check(reader, `${way}-${resource}`, `/manage/${resource}`);
    await check(reader, `${way}-all-vehicles`, '/manage/vehicles');
    await check(reader, `${way}-new-type`, '/manage/types/new');
    await check(reader, `${way}-edit-type`, `/manage/types/${type}`);
  });
});

test.each(WAYS)('%s: pages of the document exchange', async (way, options) => {
  await reads({ ...options, as: 'manager' }, async (reader) => {
    await check(reader, `${way}-documents`, '/documents');
    await check(reader, `${way}-documents-empty`, '/documents?list=awaited');
    await check(reader, `${way}-send`, '/documents/send');
    await check(reader, `${way}-callback`, '/callback?error=access_denied');
    await check(reader, `${way}-document`, '/documents/00000000-0000-4000-8000-000000000101/00000000-0000-4000-8000-000000000201');
  });
  await reads({ ...options, as: 'manager', unconnected: true }, (reader) => check(reader, `${way}-connect`, '/documents'));
});

test('what cannot be reached is said, and tried again', async () => {
  await reads({}, async ({ page, open, picture, accessible }) => {
    await page.route('**/api/v1/vehicles?**', (route) => route.abort());
    await open('/equipment');
    await page.getByText('The service cannot be reached.').waitFor({ timeout: 10_000 });
    await picture('unreachable');
    await accessible('unreachable');
    await page.unroute('**/api/v1/vehicles?**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.card h2').first().waitFor();
  });
});

test('the first load stays small', async () => {
  await reads({}, async ({ page, open }) => {
    const scripts: string[] = [];
    page.on('response', (answer) => {
      if (answer.url().endsWith('.js')) scripts.push(new URL(answer.url()).pathname);
    });
    await open('/equipment');
    // as servers send them: packed by the build
    const total = scripts.map((path) => statSync(join(DIST, `${path}.br`)).size).reduce((sum, size) => sum + size, 0);
    expect(scripts.length).toBeGreaterThan(3);
    expect(total, 'packed scripts of the first page').toBeLessThanOrEqual(90_000);
    console.log(`first page: ${(total / 1000).toFixed(1)} kB of packed scripts in ${scripts.length} files`);
  });
});

test('the first answers are asked for once, before the app is there', async () => {
  const { data } = await call<PageOf<Vehicle>>('GET', '/vehicles?size=1&minRatingCount=4');
  for (const path of ['/', '/equipment', `/equipment/${data.content[0]?.id}`]) {
    await reads({ phone: true }, async ({ page, open }) => {
      const asked: string[] = [];
      page.on('request', (request) => {
        if (request.url().includes('/api/v1/')) asked.push(request.url());
      });
      const early = page.waitForRequest('**/api/v1/**');
      // the app's own script comes last: what is asked for before is not its doing
      await page.route('**/assets/start-*.js', async (route) => {
        await early;
        await route.continue();
      });
      await open(path);
      expect(asked.filter((url, index) => asked.indexOf(url) !== index), path).toEqual([]);
      // what is far below is asked for when one comes near it
      expect(asked.filter((url) => /semantic-search|minRating/.test(url)), path).toEqual([]);
    });
  }
});

test('language and colours are kept', async () => {
  await reads({}, async ({ page, open }) => {
    await open('/equipment');
    await page.getByLabel('Language').selectOption('ru');
    await page.getByRole('heading', { name: 'Техника', exact: true }).waitFor();
    await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe('ru');
    await page.getByRole('button', { name: /^Тема/ }).click();
    await page.getByRole('button', { name: /^Тема/ }).click();
    await expect.poll(() => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('dark');
    await page.reload();
    await page.getByRole('heading', { name: 'Техника', exact: true }).waitFor();
    await expect.poll(() => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('dark');
  });
});
