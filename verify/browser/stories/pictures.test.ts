// An owner shows a machine: pictures come in, get their order and their words, and go again. A customer looks at them.
import type { Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { call, type PageOf, picture as image, reads, type Vehicle } from '../reader.ts';

interface Pictured extends Vehicle {
  photoFileIds: string[];
  docFileIds: string[];
}

const read = async (id: string) => (await call<Pictured>('GET', `/vehicles/${id}?view=own`, 'owner')).data;

async function newMachine(): Promise<Pictured> {
  const { data } = await call<PageOf<Vehicle>>('GET', '/vehicles?view=own&size=1&sort=brandName', 'owner');
  const model = `Shown ${Date.now()}`;
  const { data: type } = await call<PageOf<{ id: string; title: string }>>('GET', '/types?title=Backhoe', undefined);
  const body = { equipmentTypeId: type.content[0]?.id ?? data.content[0]?.equipmentTypeId, brandName: 'Case', modelName: model };
  return (await call<Pictured>('POST', '/vehicles', 'owner', body)).data;
}

function signal() {
  let give = () => {};
  const given = new Promise<void>((resolve) => (give = resolve));
  return { give, given };
}

/** Holds back the next such request's answer, which is made when it is asked for (of a change: when it is let go). */
async function held(page: Page, method: 'GET' | 'PATCH' | 'POST', url: string) {
  const [taken, release] = [signal(), signal()];
  let over = false;
  await page.route(url, async (route: Route) => {
    if (over || route.request().method() !== method) return route.fallback();
    over = true;
    const response = method === 'GET' ? await route.fetch() : undefined;
    taken.give();
    await release.given;
    await (response === undefined ? route.continue() : route.fulfill({ response }));
  });
  return {
    taken: taken.given,
    give: release.give,
    /** Gives the answer and waits until it is shown. */
    release: async () => {
      const answered = page.waitForResponse((answer) => answer.request().method() === method);
      release.give();
      await answered;
      // what it changes is shown
      await page.evaluate(() => new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown))));
    },
  };
}

test('pictures are uploaded, ordered, described and deleted', async () => {
  const machine = await newMachine();
  await reads({ as: 'owner' }, async ({ page, open, picture, accessible }) => {
    await open(`/mine/${machine.id}/files`);
    await page.getByText('No pictures yet.').waitFor();
    const photos = page.getByRole('region', { name: 'Photos' });
    const tiles = photos.locator('.tile');

    // chosen: two at once, and one that is none
    const left = await held(page, 'POST', '**/files?**fileName=left.png');
    const right = page.waitForResponse((answer) => answer.url().endsWith('fileName=right.png'));
    await photos.locator('input[type=file]').setInputFiles([
      { name: 'left.png', mimeType: 'image/png', buffer: image('#c03030') },
      { name: 'right.png', mimeType: 'image/png', buffer: image('#30c030') },
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') },
    ]);
    await page.getByText('notes.txt is not a JPEG').waitFor();
    // they come in the order in which they were chosen, whichever is sent first
    await right;
    left.give();
    await expect.poll(() => tiles.locator('.one-line').allInnerTexts()).toEqual(['left.png', 'right.png']);
    // what is not what its name says is refused by the service, and can be given up
    await photos.locator('input[type=file]').setInputFiles([{ name: 'fake.png', mimeType: 'image/png', buffer: Buffer.from('<html>') }]);
    await page.getByText('This kind of file or text is not accepted.').waitFor();
    await picture('files-refused');
    await page.getByRole('button', { name: 'Give up' }).click();

    // dropped
    const dropped = await page.evaluateHandle((bytes) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(bytes)], 'top.png', { type: 'image/png' }));
      return transfer;
    }, [...image('#3030c0')]);
    await photos.locator('.drop').dispatchEvent('dragover', { dataTransfer: dropped });
    await photos.locator('.drop').dispatchEvent('drop', { dataTransfer: dropped });
    await tiles.nth(2).waitFor();
    expect((await read(machine.id)).photoFileIds).toHaveLength(3);

    // ordered by the keyboard, then by dragging
    const [first, second, third] = (await read(machine.id)).photoFileIds;
    const order = () => expect.poll(async () => (await read(machine.id)).photoFileIds);
    await tiles.nth(2).getByRole('button', { name: /^Move up/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Now number 2 of 3.').waitFor();
    await order().toEqual([first, third, second]);
    // who moves a picture goes on moving it: the focus goes along
    await page.keyboard.press('Home');
    await page.getByText('Now number 1 of 3.').waitFor();
    await order().toEqual([third, first, second]);
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toMatch(/^Move down/);
    // a list that was read before the last move comes while that is being saved
    const before = await held(page, 'GET', '**/photos');
    await page.keyboard.press('ArrowRight');
    await page.getByText('Now number 2 of 3.').waitFor();
    await order().toEqual([first, third, second]);
    await before.taken;
    const saving = await held(page, 'PATCH', `**/vehicles/${machine.id}`);
    await tiles.nth(2).locator('.photo').dragTo(tiles.nth(0).locator('.photo'));
    await before.release();
    await saving.taken;
    expect(await tiles.locator('.one-line').allInnerTexts()).toEqual(['right.png', 'left.png', 'top.png']);
    const undescribed = await held(page, 'GET', '**/files?**');
    await saving.release();
    await order().toEqual([second, first, third]);
    await page.getByText('Now number 1 of 3.').waitFor();

    // described while what the files were before is on its way: others read it out
    await undescribed.taken;
    await tiles.nth(0).getByLabel('What it shows').fill('From the left');
    await tiles.nth(0).getByLabel('What it shows').blur();
    await page.getByText('the description is saved').waitFor();
    undescribed.give();
    await picture('files');
    await accessible('pictures and documents');

    // a document
    const docs = page.getByRole('region', { name: 'Documents' });
    await docs.locator('input[type=file]').setInputFiles([{ name: 'Load chart.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF') }]);
    await docs.locator('.tile').waitFor();

    await page.getByRole('link', { name: 'Look at the machine' }).click();
    await page.getByRole('button', { name: 'Enlarge Case' }).first().waitFor();
    await page.getByRole('img', { name: `Case ${machine.modelName}: From the left` }).first().waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'Load chart.pdf' }).getAttribute('href')).toContain('/api/v1/files/');

    // deleted: the catalogue hears of it by the event
    await page.goBack();
    await tiles.nth(2).getByRole('button', { name: /^Delete/ }).click();
    await picture('files-delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => tiles.count()).toBe(2);
    expect((await read(machine.id)).photoFileIds).toEqual([second, first]);
  });
  await call('DELETE', `/vehicles/${machine.id}`, 'owner');
});

test('on a phone the camera is offered', async () => {
  const machine = await newMachine();
  await reads({ as: 'owner', phone: true, language: 'ru' }, async ({ page, open, picture, accessible }) => {
    await open(`/mine/${machine.id}/files`);
    await page.getByRole('button', { name: 'Сфотографировать' }).waitFor();
    await page.locator('input[capture=environment]').setInputFiles([{ name: 'IMG_1.png', mimeType: 'image/png', buffer: image('#808000') }]);
    await page.locator('.tile').waitFor();
    await picture('files-phone-ru');
    await accessible('pictures on a phone');
  });
  await call('DELETE', `/vehicles/${machine.id}`, 'owner');
});

test.each([{ phone: false }, { phone: true, language: 'ru' as const }])('a customer turns the pictures of a machine: %j', async (options) => {
  const { data } = await call<PageOf<Pictured>>('GET', '/vehicles?size=1&brandName=Liebherr');
  const vehicle = data.content[0];
  if (vehicle === undefined) throw new Error('no Liebherr in the demo catalogue');
  await reads(options, async ({ page, open, picture, accessible }) => {
    await open(`/equipment/${vehicle.id}`);
    const position = page.locator('.stage .position');
    await expect.poll(async () => (await position.textContent())?.[0]).toBe('1');
    const seen = () => page.locator('.slides li:not([inert]) img').evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth > 0);
    await expect.poll(seen).toBe(true);
    await page.locator('.stage .next').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowRight');
    await expect.poll(async () => (await position.textContent())?.[0]).toBe('3');
    await expect.poll(seen).toBe(true);
    await picture(options.phone ? 'gallery-phone-ru' : 'gallery');
    await accessible('gallery');
    await page.locator('.slides li:not([inert]) button').click();
    await page.locator('dialog .position').waitFor();
    await expect.poll(async () => (await page.locator('dialog .position').textContent())?.[0]).toBe('3');
    await expect.poll(() => page.locator('dialog .slides').evaluate((list) => Math.round(list.scrollLeft / list.clientWidth))).toBe(2);
    await expect.poll(() => page.locator('dialog .slides li:not([inert]) img').evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth > 0)).toBe(true);
    await picture(options.phone ? 'viewer-phone-ru' : 'viewer');
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
  });
});

test('without the file service drawings stand for pictures, and ids are typed', async () => {
  await reads({ as: 'owner', unfiled: true }, async ({ page, open, picture }) => {
    await open('/equipment');
    await page.locator('.card .photo svg').first().waitFor();
    expect(await page.locator('.card .photo img').count()).toBe(0);
    await picture('drawings');
    await open('/mine/new');
    await page.getByLabel('Photos: add a file id').fill('72d4a3c9-f1b5-4075-92f5-90d08073a108');
  });
});
