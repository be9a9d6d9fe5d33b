// Addresses that lead nowhere, names without an end, lists that could not be read, fields that are not right.
import { expect, test } from 'vitest';
import { call, type Options, type PageOf, reads, rentedVehicle, type Vehicle } from '../reader.ts';

test.each(['/equipment/abc', '/manage/nothing', '/nowhere'])('%s is no page', async (path) => {
  await reads({ as: 'admin' }, async ({ page, open, accessible }) => {
    await open(path);
    await page.getByRole('heading', { level: 1, name: 'No such page' }).waitFor();
    await expect.poll(() => page.title()).toBe('No such page · Equipment');
    await accessible(path);
  });
});

test('a machine that is not there has a heading, and nothing to try again', async () => {
  await reads({ allowed: [404] }, async ({ page, open, accessible, picture }) => {
    await open('/equipment/00000000-0000-4000-8000-00000000dead');
    await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
    await expect.poll(() => page.title()).toBe('Not found · Equipment');
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    await picture('not-found');
    await accessible('not found');
  });
});

test('a page past the end says so and leads back', async () => {
  await reads({}, async ({ page, open }) => {
    await open('/equipment?page=9999');
    await page.getByText('There is no page 9,999').waitFor();
    await page.getByRole('button', { name: 'Go to the last page' }).click();
    await page.locator('.card h2').first().waitFor();
  });
  await reads({ as: 'admin' }, async ({ page, open }) => {
    await open('/manage/tags?page=99');
    await page.getByText('There is no page 99').waitFor();
  });
});

test('a description that is too long', async () => {
  await reads({}, async ({ page, open }) => {
    await open(`/?q=${'dig '.repeat(300)}`);
    await page.getByText('A description has at most 1,000 characters').waitFor();
  });
});

test('choices that could not be read are not an empty list', async () => {
  await reads({ as: 'owner' }, async ({ page, open, picture }) => {
    const refuse = (route: { abort: () => Promise<void> }) => route.abort();
    await page.route('**/api/v1/vehicles/facets?**', refuse);
    await open('/equipment');
    // the cards want the titles of types, which are read with the choices
    await page.locator('.card').first().waitFor();
    await page.getByText('The choices could not be read.').first().waitFor();
    await picture('choices-failed');
    await page.unroute('**/api/v1/vehicles/facets?**');
    const failed = page.locator('.notice', { hasText: 'The choices could not be read.' });
    await failed.getByRole('button', { name: 'Try again' }).click();
    await failed.waitFor({ state: 'detached' });
    await expect.poll(() => page.getByLabel('Category').locator('option').count()).toBeGreaterThan(10);

    await open('/mine/new');
    await page.route('**/api/v1/types/*', refuse);
    await page.getByLabel('Type').selectOption({ label: 'Backhoe loader' });
    await page.getByText('The service cannot be reached.').waitFor();
    expect(await page.getByText('This type asks for no parameters.').count()).toBe(0);
    await page.unroute('**/api/v1/types/*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByLabel('Max digging depth').waitFor();
  });
});

test('the beginning of a brand finds it, and choosing it is one step', async () => {
  await reads({}, async ({ page, open }) => {
    await open('/equipment');
    const before = await page.evaluate(() => history.length);
    await page.getByLabel('Find a brand').pressSequentially('kub', { delay: 200 });
    await page.getByLabel('Kubota').check();
    await page.waitForURL(/brand=Kubota/);
    await page.getByRole('button', { name: 'Kubota: remove this filter' }).waitFor();
    expect(await page.evaluate(() => history.length)).toBe(before + 1);
  });
});

const LONG = 'W'.repeat(240);
test.each<[string, Options]>([['desktop', {}], ['phone', { phone: true }]])('%s: names of 240 characters without a space break nothing', async (way, options) => {
  const { data: types } = await call<PageOf<{ id: string }>>('GET', '/types?title=Tracked%20all-terrain%20carrier');
  const { data: vehicle } = await call<Vehicle>('POST', '/vehicles', 'owner', { equipmentTypeId: types.content[0]?.id, brandName: LONG, modelName: LONG, releaseYear: 2020 });
  const { data: tag } = await call<{ id: string }>('POST', '/tags', 'admin', { name: `${way}${LONG}`, isActive: true });
  const fits = async (page: import('playwright-core').Page, what: string) => {
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(over, what).toBeLessThanOrEqual(0);
  };
  await reads({ ...options, as: 'owner' }, async ({ page, open, picture }) => {
    for (const path of [`/equipment/${vehicle.id}`, `/mine/${vehicle.id}`, '/mine?sort=brandName,desc', `/equipment?brand=${LONG}`, `/equipment?q=${LONG}`, '/mine/new']) {
      await open(path);
      await fits(page, path);
      await picture(`long-${way}${path.replace(/[^a-z]+/gi, '-').slice(0, 30)}`);
    }
  });
  await reads({ ...options, as: 'admin' }, async ({ page, open, picture }) => {
    for (const path of ['/manage/tags?sort=updatedAt,desc', `/manage/tags?sort=updatedAt,desc&open=${tag.id}`, '/manage/types/new']) {
      await open(path);
      await fits(page, path);
      await picture(`long-${way}${path.replace(/[^a-z]+/gi, '-').slice(0, 30)}`);
    }
  });
  await call('DELETE', `/vehicles/${vehicle.id}`, 'owner');
  await call('DELETE', `/tags/${tag.id}`, 'admin');
});

test('the keyboard goes to the first field that is wrong, in every form', async () => {
  const invalid = () => document.activeElement?.closest('[aria-invalid="true"], [data-invalid]') !== null;
  await reads({ as: 'admin' }, async ({ page, open }) => {
    await open('/manage/types/new');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.waitForFunction(invalid);
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('.field')?.textContent)).toContain('Title');
    await page.getByLabel('Title').fill('x');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.waitForFunction(() => document.activeElement?.closest('[data-invalid]') !== null);
    await page.getByLabel('Title').fill('');
    await open('/manage/units?open=new');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForFunction(invalid);
  });
  await reads({ as: 'manager' }, async ({ page, open }) => {
    await open('/documents/send');
    await page.getByRole('button', { name: 'Sign and send' }).click();
    await page.waitForFunction(invalid);
  });
  const { vehicle } = await rentedVehicle();
  await reads({ as: 'customer' }, async ({ page, open }) => {
    await open(`/equipment/${vehicle.id}`);
    await page.getByRole('button', { name: 'Rate this machine' }).click();
    await page.getByRole('button', { name: 'Save rating' }).click();
    await page.waitForFunction(invalid);
    await page.getByRole('button', { name: 'Cancel' }).click();
  });
});

test('phone: filters say how much passes, and lead to it', async () => {
  await reads({ phone: true }, async ({ page, open, picture, accessible }) => {
    await open('/equipment');
    const top = await page.locator('.card').first().boundingBox();
    expect(top?.y ?? Infinity).toBeLessThan(560);
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByLabel('Category').selectOption({ label: 'Mini and midi excavators (14)' });
    const show = page.getByRole('button', { name: /^Show \d+ machines?$/ });
    await page.waitForURL(/category=/);
    await show.waitFor();
    await picture('phone-filters');
    await accessible('phone filters');
    await show.click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(async () => (await page.locator('.card').first().boundingBox())?.y ?? Infinity).toBeLessThan(844);
  });
});

test('phone: every column and action of a table is in reach', async () => {
  await reads({ phone: true, as: 'admin' }, async ({ page, open }) => {
    await open('/manage/types');
    for (const what of [page.getByRole('link', { name: 'Edit Agricultural tractor' }), page.getByRole('button', { name: 'Delete Agricultural tractor' })]) {
      const box = await what.boundingBox();
      expect((box?.x ?? 999) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
    }
  });
});

test('phone: the part that is shown is in sight, and two machines stand beside each other', async () => {
  const { data } = await call<PageOf<Vehicle>>('GET', '/vehicles?size=2&minRatingCount=1');
  await reads({ phone: true, as: 'admin' }, async ({ page, open }) => {
    await open('/manage/tags');
    const tab = await page.getByRole('link', { name: 'Tags' }).boundingBox();
    expect((tab?.x ?? 999) + (tab?.width ?? 0)).toBeLessThanOrEqual(390);
    await open(`/compare?${data.content.map(({ id }) => `id=${id}`).join('&')}`);
    const second = await page.getByRole('columnheader').nth(2).boundingBox();
    expect((second?.x ?? 999) + (second?.width ?? 0)).toBeLessThanOrEqual(390);
  });
});

test.each([800, 1024, 1215, 1280])('the header of an administrator in Russian is one line at %i pixels', async (width) => {
  await reads({ as: 'admin', language: 'ru' }, async ({ page, open }) => {
    await page.setViewportSize({ width, height: 800 });
    await open('/equipment');
    await expect.poll(async () => (await page.locator('header.top').boundingBox())?.height ?? 999).toBeLessThan(70);
  });
});

test('robots, icons and pages that are no pages', async () => {
  await reads({ allowed: [404] }, async ({ page, open }) => {
    await open('/');
    const type = (path: string) => page.evaluate(async (path) => fetch(path).then((answer) => `${answer.status} ${answer.headers.get('content-type')}`), path);
    expect(await type('/robots.txt')).toContain('200 text/plain');
    expect(await type('/favicon.ico')).toContain('200 image/');
    expect(await type('/assets/gone-12345678.js')).toContain('404');
    await expect.poll(() => page.locator('meta[name="description"]').getAttribute('content')).toContain('Specialised equipment');
    await expect.poll(() => page.locator('meta[property="og:title"]').count()).toBe(1);
  });
});
