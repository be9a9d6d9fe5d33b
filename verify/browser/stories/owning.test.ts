// An owner adds a machine, changes it, hides it, and finds it again.
import { expect, test } from 'vitest';
import { call, type PageOf, reads, type Vehicle } from '../reader.ts';

test('create → edit → hide → find under my equipment', async () => {
  const model = `PDS185-${Date.now() % 100_000}`;
  await reads({ as: 'owner' }, async ({ page, open, picture, accessible }) => {
    await open('/mine');
    await page.getByRole('link', { name: 'Add equipment' }).click();
    await page.getByLabel('Type').selectOption({ label: 'Portable diesel compressor' });
    await page.getByLabel('Brand').fill('Airman');
    await page.getByLabel('Plate').fill('а 123-вс/77');
    await page.getByText('Stored as').waitFor();
    await expect.poll(() => page.locator('.plate').textContent()).toBe('А123ВС77');
    await page.getByRole('button', { name: 'Add', exact: true }).last().click();
    await page.getByText(/fields? needs? attention/).waitFor();
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true');
    await picture('owner-create-errors');
    await accessible('vehicle form with errors');

    await page.getByLabel('Model').fill(model);
    await page.getByLabel('Year').fill('2022');
    await page.getByLabel('Free air delivery').fill('5,2');
    await page.getByLabel('GPS tracking').selectOption({ label: 'yes' });
    await page.getByLabel('Last inspection').fill('2026-03-01');
    await picture('owner-create');
    await page.getByRole('button', { name: 'Add', exact: true }).last().click();
    await page.getByRole('heading', { level: 1, name: `Airman ${model}` }).waitFor();
    await page.getByText('Drop pictures here').waitFor();
    await picture('owner-created-files');
    await page.getByRole('link', { name: 'Look at the machine' }).click();
    await page.getByText('5.2').first().waitFor();
    await expect.poll(() => page.locator('.plate').textContent()).toBe('А123ВС77');
    await picture('owner-created');

    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const { data: stored } = await call<Vehicle>('GET', `/vehicles/${id}?view=own`, 'owner');
    expect(stored.licensePlate).toBe('А123ВС77');
    expect(stored.params.find(({ name }) => name === 'Free air delivery')?.value).toBe(5.2);

    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Model').fill(`${model}S`);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: `Airman ${model}S` }).waitFor();
    const { data: edited } = await call<Vehicle>('GET', `/vehicles/${id}?view=own`, 'owner');
    expect(edited.params.find(({ name }) => name === 'Free air delivery')?.value).toBe(5.2);

    await page.getByRole('link', { name: 'My equipment' }).first().click();
    await page.getByRole('button', { name: `Hide Airman ${model}S` }).click();
    await page.getByRole('button', { name: `Show Airman ${model}S` }).waitFor();
    expect((await call('GET', `/vehicles/${id}`)).status).toBe(404);
    await page.reload();
    const card = page.locator('.card', { hasText: `Airman ${model}S` });
    await card.getByText('Hidden').waitFor();
    await picture('owner-hidden');
    await accessible('my equipment');

    await card.getByRole('link', { name: `Airman ${model}S`, exact: true }).click();
    // the list that is being left says it of other machines too
    await page.getByRole('heading', { level: 1, name: `Airman ${model}S` }).waitFor();
    await page.getByText('Hidden', { exact: true }).waitFor();
  });
});

test('an owner with many machines finds one of them, and loses no way back', async () => {
  const { data } = await call<PageOf<Vehicle>>('GET', '/vehicles?view=own&size=1&sort=brandName', 'owner');
  const brand = data.content[0]?.brandName ?? '';
  const { data: same } = await call<PageOf<Vehicle>>('GET', `/vehicles?view=own&size=1&brandName=${encodeURIComponent(brand)}`, 'owner');
  await reads({ as: 'owner', phone: true }, async ({ page, open, picture, accessible }) => {
    await open('/mine');
    await page.getByLabel('Brand').selectOption({ label: `${brand} (${same.totalElements})` });
    await page.waitForURL(/brand=/);
    await page.getByText(same.totalElements === 1 ? '1 machine' : `${same.totalElements} machines`, { exact: true }).waitFor();
    await expect.poll(async () => (await page.locator('.card h2').allTextContents()).filter((name) => !name.includes(brand))).toEqual([]);
    await picture('owner-narrowed');
    await accessible('own machines, narrowed down');
    await page.getByLabel('Plate contains').fill('no such plate');
    await page.getByText('None of your machines passes these filters').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText(`${data.totalElements} machines`, { exact: true }).waitFor();
  });
});

test('a change by somebody else is shown, and the owner says whose it shall be', async () => {
  const { data } = await call<PageOf<Vehicle>>('GET', '/vehicles?view=own&size=1&sort=brandName', 'owner');
  const vehicle = data.content[0];
  if (vehicle === undefined) throw new Error('owner-01 has no vehicle');
  await reads({ as: 'owner' }, async ({ page, open, picture, accessible }) => {
    await open(`/mine/${vehicle.id}`);
    await page.getByLabel('Year').fill('2001');
    await call('PATCH', `/vehicles/${vehicle.id}`, 'owner', { modelName: `${vehicle.modelName} II` });
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: 'Somebody changed this meanwhile.' });
    const row = (name: string) => dialog.getByRole('row', { name: new RegExp(`^${name}`) }).getByRole('cell');
    await row('Year').first().waitFor();
    await expect.poll(() => row('Year').allTextContents()).toEqual(['2001', 'unchanged']);
    await expect.poll(() => row('Model').allTextContents()).toEqual(['unchanged', `${vehicle.modelName} II`]);
    await picture('owner-conflict');
    await accessible('version conflict');

    // taking theirs leaves the page with their record
    await dialog.getByRole('button', { name: 'Take theirs' }).click();
    await expect.poll(() => page.getByLabel('Model').inputValue()).toBe(`${vehicle.modelName} II`);
    await expect.poll(() => page.getByLabel('Year').inputValue()).toBe(String(vehicle.releaseYear));

    // keeping mine saves what was changed here over what was changed there
    await page.getByLabel('Year').fill('2001');
    await call('PATCH', `/vehicles/${vehicle.id}`, 'owner', { modelName: `${vehicle.modelName} III` });
    await page.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('button', { name: 'Keep mine' }).click();
    await page.getByRole('heading', { level: 1, name: `${vehicle.modelName} III` }).waitFor();
    const { data: saved } = await call<Vehicle>('GET', `/vehicles/${vehicle.id}?view=own`, 'owner');
    expect(saved).toMatchObject({ releaseYear: 2001, modelName: `${vehicle.modelName} III` });
  });
  await call('PATCH', `/vehicles/${vehicle.id}`, 'owner', { modelName: vehicle.modelName, releaseYear: vehicle.releaseYear });
});

test('errors of the service stand at their fields', async () => {
  await reads({ as: 'owner' }, async ({ page, open }) => {
    await open('/mine/new');
    await page.getByLabel('Type').selectOption({ label: 'Backhoe loader' });
    await page.getByLabel('Brand').fill('Case');
    await page.getByLabel('Model').fill('580ST');
    // The page's own checks pass; the service refuses what the page cannot know.
    await page.route('**/api/v1/vehicles', async (route) => {
      const body = { ...(route.request().postDataJSON() as object), releaseYear: 1800, searchTagIds: ['00000000-0000-4000-8000-000000000000'] };
      await route.continue({ postData: JSON.stringify(body) });
    });
    await page.getByRole('button', { name: 'Add', exact: true }).last().click();
    const year = page.getByLabel('Year');
    await page.locator('.field', { has: year }).getByText('At least 1,900.').or(page.locator('.field', { has: year }).getByText('At least 1900.')).waitFor();
    await expect.poll(() => year.getAttribute('aria-invalid')).toBe('true');
  });
});

test('everything can be reached with the keyboard', async () => {
  await reads({}, async ({ page, open }) => {
    await open('/equipment');
    await page.keyboard.press('Tab');
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main');
    await page.locator('.card a').first().focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/equipment\/[0-9a-f-]{36}/);
  });
});

test('over a bad connection a machine is published once', async () => {
  const keys: (string | undefined)[] = [];
  const refusal = (status: number, code: string) => ({ status, json: { status, code, message: `It is ${code}.`, details: null, path: '/', timestamp: '2026-01-01T00:00:00Z' } });
  const model = `Once ${Date.now()}`;
  await reads({ as: 'owner', allowed: [502, 503] }, async ({ page, open }) => {
    await open('/mine/new');
    await page.getByLabel('Type').selectOption({ label: 'Backhoe loader' });
    await page.getByLabel('Brand').fill('Case');
    await page.getByLabel('Model').fill(model);
    const send = async (answer: Parameters<import('playwright-core').Route['fulfill']>[0] | 'lost' | 'arrives', shown: string) => {
      await page.route('**/api/v1/vehicles', async (route) => {
        keys.push(route.request().headers()['idempotency-key']);
        if (answer === 'lost') await route.abort();
        else if (answer === 'arrives') await route.continue();
        else await route.fulfill(answer);
      });
      await page.getByRole('button', { name: 'Add', exact: true }).last().click();
      await page.getByText(shown).first().waitFor();
      await page.unroute('**/api/v1/vehicles');
    };
    // every try has one key, whatever it was answered
    await send('lost', 'The service cannot be reached.');
    await send(refusal(409, 'request_in_progress'), 'The same request is still running.');
    await send({ status: 502, body: '' }, 'HTTP 502');
    await send(refusal(503, 'overloaded'), 'The service is busy.');
    // one that was used for other contents is given up
    await send(refusal(422, 'idempotency_key_reused'), 'An earlier try was saved after all.');
    await send('arrives', `Case ${model}`);
  });
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(new Set(keys.slice(0, 5)).size).toBe(1);
  expect(keys[5]).not.toBe(keys[0]);
});
