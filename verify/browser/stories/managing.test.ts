// An administrator makes a type with a parameter of its own, and owners are asked for it.
import { expect, test } from 'vitest';
import { call, type PageOf, picture as image, reads } from '../reader.ts';

test('admin creates a type with params', async () => {
  await reads({ as: 'admin' }, async ({ page, open, picture, accessible }) => {
    await open('/manage/params');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('dialog .error', { hasText: 'This is required.' }).waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('Blade width');
    await page.getByRole('combobox', { name: 'Unit' }).selectOption({ label: 'm — metre' });
    await page.getByLabel('Every vehicle of a type with it must have a value').check();
    await picture('admin-param');
    await accessible('parameter dialog');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('dialog').waitFor({ state: 'detached' });

    await page.getByRole('link', { name: 'Types' }).click();
    await page.getByRole('link', { name: 'Create', exact: true }).click();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('Choose at least one category.').waitFor();
    await page.getByLabel('Title').fill('Snow groomer');
    await page.getByLabel('Dozers').check();
    await page.getByLabel('Add a parameter').selectOption({ label: 'Engine power, kW' });
    await page.getByLabel('Add a parameter').selectOption({ label: 'Blade width, m' });
    await page.getByRole('button', { name: 'Move up: Blade width, m' }).click();
    await page.getByLabel('earthworks', { exact: true }).check();
    await picture('admin-type');
    await accessible('type form');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Types' }).waitFor();
    await page.getByText('Saved.').waitFor();
  });
  const { data } = await call<{ content: { title: string; params: { name: string }[] }[] }>('GET', '/types?title=Snow%20groomer');
  expect(data.content[0]?.params.map(({ name }) => name)).toEqual(['Blade width', 'Engine power']);

  await reads({ as: 'owner' }, async ({ page, open }) => {
    await open('/mine/new');
    await page.getByLabel('Type').selectOption({ label: 'Snow groomer' });
    await page.getByLabel('Blade width').waitFor();
    await expect.poll(() => page.getByLabel('Blade width').getAttribute('required')).not.toBeNull();
    await page.locator('.field', { has: page.getByLabel('Blade width') }).getByText('m', { exact: true }).waitFor();
  });
});

test('what is taken or in use is said where it belongs', async () => {
  await reads({ as: 'admin' }, async ({ page, open, picture }) => {
    await open('/manage/units');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByLabel('Code').fill('kg');
    await page.getByLabel('Full name').fill('kilogram again');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('dialog .field', { has: page.getByLabel('Code') }).getByText('This is taken already.').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Delete kilowatt' }).click();
    await page.locator('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Parameters still use this unit.').waitFor();
    await picture('admin-in-use');
  });
});

test('a second group of the same name is allowed, but not in silence', async () => {
  const { data } = await call<PageOf<{ name: string }>>('GET', '/groups?size=1');
  await reads({ as: 'admin' }, async ({ page, open }) => {
    await open('/manage/groups?open=new');
    await page.getByRole('textbox', { name: 'Name' }).fill(` ${data.content[0]?.name.toUpperCase()} `);
    await page.getByText('There is one of this name already.').waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('A name of its own');
    await page.getByText('There is one of this name already.').waitFor({ state: 'detached' });
    await page.getByRole('textbox', { name: 'Name' }).fill('');
  });
});

test('tables are sorted by their headings, and the address knows it', async () => {
  await reads({ as: 'admin' }, async ({ page, open }) => {
    await open('/manage/tags');
    await Promise.all([page.waitForResponse(/sort=name%2Cdesc/), page.getByRole('button', { name: 'Name' }).click()]);
    await page.waitForURL(/sort=name%2Cdesc/);
    await page.locator('th[aria-sort="descending"]').waitFor();
    await page.locator('.results[aria-busy="false"]').waitFor();
    const first = await page.locator('tbody td[data-label="Name"]').first().textContent();
    expect(first).toMatch(/^[а-яё]/i);
  });
});

test('those without the role are told so', async () => {
  await reads({}, async ({ page, open, picture }) => {
    await open('/manage/groups');
    await page.getByText('This page is for people who are signed in.').waitFor();
    await picture('guard');
  });
  await reads({ as: 'owner' }, async ({ page, open }) => {
    await open('/manage/groups');
    await page.locator('tbody tr').first().waitFor();
    expect(await page.getByRole('button', { name: 'Create', exact: true }).count()).toBe(0);
    await open('/documents');
    await page.getByText('Not for your role').waitFor();
  });
});

test('an administrator sees all machines, and hides and deletes several at once', async () => {
  const { data: types } = await call<{ content: { id: string }[] }>('GET', '/types?title=Tracked%20all-terrain%20carrier');
  const brand = `Several ${Date.now()}`;
  for (const modelName of ['A', 'B', 'C']) {
    await call('POST', '/vehicles', 'owner', { equipmentTypeId: types.content[0]?.id, brandName: brand, modelName, isActive: modelName !== 'C' });
  }
  const states = async () => {
    const { data } = await call<{ content: { modelName: string; isActive: boolean }[] }>('GET', `/vehicles?brandName=${encodeURIComponent(brand)}&sort=modelName`, 'admin');
    return data.content.map(({ modelName, isActive }) => `${modelName} ${isActive}`);
  };
  await reads({ as: 'admin' }, async ({ page, open, picture, accessible }) => {
    await open('/manage/types');
    await page.getByRole('link', { name: 'All machines' }).click();
    await page.getByLabel('Brand').selectOption({ label: `${brand} (3)` });
    await page.getByText('3 machines', { exact: true }).waitFor();
    await page.getByRole('row', { name: new RegExp(`${brand} C`) }).getByText('Hidden').waitFor();
    await page.getByLabel(`Choose ${brand} A`).check();
    await page.getByLabel(`Choose ${brand} B`).check();
    await picture('admin-vehicles');
    await accessible('all machines');
    await page.getByRole('button', { name: 'Hide' }).click();
    await page.getByText('2 machines are changed.').waitFor();
    await expect.poll(() => states()).toEqual(['A false', 'B false', 'C false']);
    await page.getByLabel('Choose all on this page').check();
    await page.getByRole('button', { name: 'Delete' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Delete 3 machines?' }).getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No machine passes these filters').waitFor();
    await expect.poll(() => states()).toEqual([]);
  });
});

test('several records are taken out of use, into it, and deleted at once', async () => {
  const name = `together ${Date.now()}`;
  for (const one of ['a', 'b', 'c']) await call('POST', '/tags', 'admin', { name: `${name} ${one}`, isActive: true });
  const states = async () => {
    const { data } = await call<PageOf<{ name: string; isActive: boolean }>>('GET', `/tags?name=${encodeURIComponent(name)}&sort=name`, 'admin');
    return data.content.map((tag) => `${tag.name.at(-1)} ${tag.isActive}`);
  };
  await reads({ as: 'admin' }, async ({ page, open, picture, accessible }) => {
    await open(`/manage/tags?find=${encodeURIComponent(name)}`);
    const group = page.getByRole('group', { name: 'With all that are chosen' });
    await page.getByLabel(`Choose ${name} a`).check();
    await page.getByLabel(`Choose ${name} b`).check();
    await picture('admin-several');
    await accessible('several records');
    await group.getByRole('button', { name: 'Take out of use' }).click();
    await page.getByText('2 records are changed.').waitFor();
    await expect.poll(() => states()).toEqual(['a false', 'b false', 'c true']);
    await page.getByLabel('Choose all on this page').check();
    await group.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog', { name: 'Delete 3 records?' }).getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Nothing is called like this').waitFor();
    await expect.poll(() => states()).toEqual([]);
  });
});

test('an owner changes the types that are the owner’s own, not everybody’s', async () => {
  const { data: categories } = await call<PageOf<{ id: string }>>('GET', '/categories?size=1');
  const title = `Own type ${Date.now()}`;
  const { data: type } = await call<{ id: string }>('POST', '/types', 'owner', { title, categoryIds: [categories.content[0]?.id] });
  await reads({ as: 'owner' }, async ({ page, open }) => {
    await open('/manage/types');
    await page.locator('tbody tr').first().waitFor();
    expect(await page.getByRole('link', { name: /^Edit / }).count()).toBe(0);
    expect(await page.getByRole('button', { name: /^Delete / }).count()).toBe(0);
    await open(`/manage/types?find=${encodeURIComponent(title)}`);
    await page.getByRole('link', { name: `Edit ${title}` }).waitFor();
  });
  await call('DELETE', `/types/${type.id}`, 'admin');
});

test('Russian administrators see what is stored, and what readers of Russian see', async () => {
  await reads({ as: 'admin', language: 'ru' }, async ({ page, open, picture, accessible }) => {
    await open('/manage/params?find=Engine+power');
    const row = page.locator('tbody tr', { hasText: 'Engine power' }).first();
    await row.getByText('Мощность двигателя', { exact: true }).waitFor();
    await picture('admin-params-ru');
    await accessible('parameters in Russian');
    await open('/manage/types/new');
    await page.getByLabel('Бульдозеры').waitFor();
    await page.getByLabel('снегоуборка').waitFor();
    await expect.poll(() => page.locator('option').allTextContents()).toContain('Мощность двигателя, кВт');
  });
});

test('the picture of a type is chosen, not typed as an id', async () => {
  const { data: types } = await call<PageOf<{ id: string; title: string }>>('GET', '/types?title=Light%20tower');
  const id = types.content[0]?.id;
  await reads({ as: 'admin' }, async ({ page, open, picture, accessible }) => {
    await open(`/manage/types/${id}`);
    await page.locator('input[type=file]').setInputFiles([{ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') }]);
    await page.getByText('notes.txt is not a JPEG').waitFor();
    await page.locator('input[type=file]').setInputFiles([{ name: 'tower.png', mimeType: 'image/png', buffer: image('#2f7d6d') }]);
    await page.locator('.icon-picture').waitFor();
    await picture('admin-icon');
    await accessible('type with a picture');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await open('/manage/types?find=light+tower');
    await page.getByRole('row', { name: /Light tower/ }).locator('.icon-picture').waitFor();
    await open(`/manage/types/${id}`);
    await page.getByRole('button', { name: 'No picture' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
  });
  expect((await call<{ iconFileId: string | null }>('GET', `/types/${id}`)).data.iconFileId).toBeNull();
});

test('a table is searched, and says how much is used and who changed what', async () => {
  await reads({ as: 'admin' }, async ({ page, open, picture, accessible }) => {
    await open('/manage/types');
    await page.getByLabel('Find', { exact: true }).fill('wheel loader');
    await page.waitForURL(/find=wheel/);
    await page.getByText('2 records').waitFor();
    const row = page.locator('tbody tr', { has: page.getByRole('cell', { name: 'Wheel loader', exact: true }) });
    await row.getByRole('link', { name: /^\d+$/ }).waitFor();
    await row.getByText('demo-admin').first().waitFor();
    await picture('admin-search');
    await accessible('searched table');
    const count = Number(await row.getByRole('link', { name: /^\d+$/ }).textContent());
    expect(count).toBeGreaterThan(3);
  });
});

test('a machine is duplicated without what is its alone', async () => {
  await reads({ as: 'owner', phone: true, language: 'ru' }, async ({ page, open, picture }) => {
    await open('/mine?sort=brandName,asc');
    const name = (await page.locator('.card h2').first().textContent()) ?? '';
    await page.getByRole('link', { name: `Копировать: ${name}` }).first().click();
    await page.getByLabel('Марка').waitFor();
    await expect.poll(async () => `${await page.getByLabel('Марка').inputValue()} ${await page.getByLabel('Модель').inputValue()}`).toBe(name);
    await expect.poll(() => page.getByLabel('Номер', { exact: true }).inputValue()).toBe('');
    await picture('owner-duplicate-ru');
  });
});
