// A customer finds a machine: by what there is, by figures, in words; puts some aside and compares them.
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, type Options, type PageOf, reads, type Vehicle } from '../reader.ts';

const typeId = async (title: string) => {
  const { data } = await call<PageOf<{ id: string; title: string }>>('GET', `/types?title=${encodeURIComponent(title)}`);
  const found = data.content.find((type) => type.title === title);
  if (found === undefined) throw new Error(`no type ${title}`);
  return found.id;
};

const WAYS: [string, Options][] = [
  ['desktop', {}],
  ['phone-ru', { phone: true, language: 'ru' }],
];

test.each(WAYS)('%s: the start says what there is, and what is well rated', async (way, options) => {
  await reads(options, async ({ page, open, picture, accessible }) => {
    await open('/');
    const ru = options.language === 'ru';
    const cranes = page.getByRole('region', { name: ru ? 'Краны' : 'Lifting', exact: true }).getByRole('link', { name: ru ? 'Автокраны' : 'Mobile cranes' });
    const count = Number(await cranes.locator('xpath=following-sibling::*').textContent());
    const rated = page.getByRole('region', { name: ru ? 'С хорошими оценками' : 'Well rated' });
    await rated.scrollIntoViewIfNeeded();
    await rated.locator('.card').first().waitFor();
    for (const text of await rated.locator('.stars b').allTextContents()) expect(Number(text.replace(',', '.'))).toBeGreaterThanOrEqual(4.5);
    await picture(`start-${way}`);
    await accessible('start');
    await cranes.click();
    await page.getByText(ru ? new RegExp(`^${count} машин`) : `${count} machines`).waitFor();
    await page.getByRole('button', { name: ru ? 'Автокраны: убрать фильтр' : 'Mobile cranes: remove this filter' }).waitFor();
  });
});

test('figures of a type narrow the list down, by the keyboard alone', async () => {
  const type = await typeId('Crawler excavator');
  await reads({}, async ({ page, open, picture, accessible }) => {
    await open('/equipment');
    await page.getByLabel('Type').focus();
    await page.keyboard.type('Crawler exc');
    await page.waitForURL(new RegExp(`type=${type}`));
    const least = page.getByRole('group', { name: 'Operating weight, t' }).getByLabel('From');
    await least.waitFor();
    const all = Number((await page.getByText(/^\d+ machines$/).textContent())?.match(/\d+/)?.[0]);
    await least.focus();
    await page.keyboard.type('30');
    await page.waitForURL(/param=/);
    await page.getByRole('button', { name: 'Operating weight: from 30 t: remove this filter' }).waitFor();
    await page.locator('.cards[aria-busy="false"]').waitFor();
    await expect.poll(async () => Math.min(...(await page.locator('.card dl dd:first-of-type').allTextContents()).map((value) => Number(value.match(/[\d.]+/)?.[0])))).toBeGreaterThanOrEqual(30);
    const fewer = Number((await page.getByText(/^\d+ machines?$/).textContent())?.match(/\d+/)?.[0]);
    expect(fewer).toBeLessThan(all);
    await picture('find-figures');
    await accessible('filters by figures');
    const { data } = await call<PageOf<Vehicle>>('GET', `/vehicles${new URL(page.url()).search.replace('type=', 'equipmentTypeId=')}`);
    expect(data.totalElements).toBe(fewer);
    // one filter goes alone, a reload changes nothing
    await page.reload();
    await page.getByText(`${fewer} machine`).first().waitFor();
    await page.getByRole('button', { name: 'Operating weight: from 30 t: remove this filter' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText(`${all} machines`).waitFor();
  });
});

test('words and filters go together, as far as the search takes them', async () => {
  await reads({}, async ({ page, open, picture, accessible }) => {
    await open('/equipment?rating=4');
    await page.getByRole('searchbox', { name: 'What are you looking for?' }).fill('lift a heavy load to a roof');
    await page.keyboard.press('Enter');
    await page.getByText('matches, best first').waitFor();
    await page.getByText('The other filters wait.').waitFor();
    await page.getByRole('checkbox', { name: 'Liebherr' }).check();
    await page.waitForURL(/brand=Liebherr/);
    await page.locator('.cards[aria-busy="false"]').waitFor();
    await expect.poll(async () => (await page.locator('.card h2').allTextContents()).filter((name) => !name.includes('Liebherr'))).toEqual([]);
    await picture('find-words');
    await accessible('words and filters');
    await page.getByRole('button', { name: 'Drop them' }).click();
    await page.getByText('The other filters wait.').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Without words: all filters' }).click();
    await page.getByText(/^\d+ machines$/).waitFor();
  });
});

test.each(WAYS)('%s: two machines are compared side by side', async (way, options) => {
  const type = await typeId('Wheel loader');
  const ru = options.language === 'ru';
  await reads(options, async ({ page, open, picture, accessible }) => {
    await open(`/equipment?type=${type}`);
    for (const index of [0, 2]) {
      await page.locator('.card').nth(index).getByRole('button', { name: ru ? /^Сравнить/ : /^Compare/ }).focus();
      await page.keyboard.press('Enter');
    }
    await picture(`compare-bar-${way}`);
    await accessible('comparison bar');
    await page.getByRole('link', { name: ru ? 'Сравнить 2' : 'Compare 2' }).click();
    await page.getByRole('rowheader', { name: ru ? 'Мощность двигателя' : 'Engine power' }).waitFor();
    await expect.poll(() => page.getByRole('columnheader').count()).toBe(3);
    const rows = await page.getByRole('row').count();
    await picture(`compare-${way}`);
    await accessible('comparison');
    await page.getByLabel(ru ? 'Только различия' : 'Only what differs').check();
    await expect.poll(() => page.getByRole('row').count()).toBeLessThan(rows);
    // the address says it all: it can be sent to somebody
    await page.reload();
    await expect.poll(() => page.getByRole('columnheader').count()).toBe(3);
  });
});

test('favourites, searches and what was seen are found again', async () => {
  await reads({}, async ({ page, open, picture, accessible }) => {
    await open('/equipment?brand=JCB');
    const name = (await page.locator('.card h2').first().textContent()) ?? '';
    await page.getByRole('button', { name: `Favourite: ${name}` }).first().click();
    await page.getByText(`${name} is saved.`).waitFor();
    await page.getByRole('button', { name: 'Save this search' }).click();
    await page.locator('.card h2 a').nth(1).click();
    await page.getByRole('heading', { name: 'Parameters' }).waitFor();
    const seen = (await page.getByRole('heading', { level: 1 }).textContent()) ?? '';
    await page.getByRole('link', { name: 'Saved', exact: true }).click();
    await page.getByRole('region', { name: 'Saved machines' }).getByRole('link', { name }).waitFor();
    await page.getByRole('region', { name: 'Seen lately' }).getByRole('link', { name: seen }).waitFor();
    await picture('saved');
    await accessible('saved');
    await page.getByRole('link', { name: 'JCB', exact: true }).click();
    await page.waitForURL(/brand=JCB/);
    await page.getByRole('button', { name: 'Saved', exact: true }).waitFor();
  });
});

test('what the search calls far off is not shown as found', async () => {
  await reads({}, async ({ page, open, picture }) => {
    let farOff = (_: number) => true;
    await page.route('**/semantic-search', async (route) => {
      const response = await route.fetch();
      const answer = (await response.json()) as { matches: object[] };
      await route.fulfill({ response, json: { ...answer, matches: answer.matches.map((match, index) => ({ ...match, relevance: farOff(index) ? 'low' : 'high' })) } });
    });
    await open('/equipment?q=asdfghjkl+qwerty');
    await page.getByText('Nothing fits').waitFor();
    expect(await page.locator('.card').count()).toBe(0);
    expect(await page.getByText(/\d ?%/).count()).toBe(0);
    await picture('find-nothing');
    farOff = (index) => index > 4;
    await page.getByRole('searchbox', { name: 'What are you looking for?' }).fill('dig a trench');
    await page.keyboard.press('Enter');
    await page.getByText('5 matches, best first').waitFor();
    await page.locator('.card', { hasText: 'Very close' }).first().waitFor();
  });
});

test('who is signed in finds as much as everybody', async () => {
  const { data } = await call<PageOf<Vehicle>>('GET', '/vehicles?size=1&view=public');
  const type = await typeId('Crawler excavator');
  const { data: excavators } = await call<PageOf<Vehicle>>('GET', `/vehicles?equipmentTypeId=${type}&size=1`);
  await reads({ as: 'customer' }, async ({ page, open }) => {
    await open('/');
    await page.getByText(`Browse all ${data.totalElements} machines`).waitFor();
    await open('/equipment');
    await page.getByText(`${data.totalElements} machines`, { exact: true }).waitFor();
    await page.getByRole('checkbox', { name: /^Liebherr/ }).waitFor();
    await open(`/equipment/${excavators.content[0]?.id}`);
    await page.getByText(/^of its type: .*\st – .*\st$/).first().waitFor();
  });
});

test('a machine is shown against others, with more like it and of its owner', async () => {
  const type = await typeId('Crawler excavator');
  const { data } = await call<PageOf<Vehicle>>('GET', `/vehicles?equipmentTypeId=${type}&size=1`);
  const vehicle = data.content[0];
  await reads({}, async ({ page, open, picture, accessible }) => {
    await open(`/equipment/${vehicle?.id}`);
    await page.getByText(/^of its type: .*\st – .*\st$/).first().waitFor();
    const like = page.getByRole('region', { name: 'More like this' });
    await page.locator('.rows').scrollIntoViewIfNeeded();
    await like.locator('.card').first().waitFor();
    await expect.poll(() => like.getByRole('heading', { level: 3 }).count()).toBeGreaterThan(1);
    await expect.poll(async () => (await like.locator('.card .one-line').allTextContents()).filter((text) => !text.includes('Crawler excavator'))).toEqual([]);
    await page.getByRole('region', { name: /^More of owner/ }).locator('.card').first().waitFor();
    await picture('vehicle-related');
    await accessible('machine with related ones');

    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByText('The link is copied.').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());

    await page.emulateMedia({ media: 'print' });
    await expect.poll(() => page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false);
    await expect.poll(() => like.isVisible()).toBe(false);
    await picture('vehicle-print');
  });
});

test('a list is taken along as a table that runs nothing', async () => {
  const { data: types } = await call<PageOf<{ id: string }>>('GET', '/types?title=Tracked%20all-terrain%20carrier');
  const brand = '=HYPERLINK("http://x")';
  const { data: odd } = await call<Vehicle>('POST', '/vehicles', 'owner', { equipmentTypeId: types.content[0]?.id, brandName: brand, modelName: 'x, "y"' });
  await reads({}, async ({ page, open }) => {
    await open(`/equipment?type=${types.content[0]?.id}`);
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV file' }).click()]);
    expect(file.suggestedFilename()).toBe('equipment.csv');
    const path = join(tmpdir(), `list-${process.pid}.csv`);
    await file.saveAs(path);
    const lines = readFileSync(path, 'utf8').trimEnd().split('\r\n');
    expect(lines[0]).toMatch(/^\uFEFFBrand,Model,Type,Year,/);
    expect(lines.length).toBe(1 + Number((await page.getByText(/^\d+ machines?$/).textContent())?.match(/\d+/)?.[0]));
    expect(lines.some((line) => line.startsWith(`"'=HYPERLINK(""http://x"")","x, ""y""",`))).toBe(true);
  });
  await call('DELETE', `/vehicles/${odd.id}`, 'owner');
});
