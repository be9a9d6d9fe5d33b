// What is typed is never lost: drafts, leaving, a sign-in that is over, several tabs.
import { expect, test } from 'vitest';
import { call, type PageOf, reads, type Vehicle } from '../reader.ts';

test('a form that is left asks, and its draft is there again', async () => {
  await reads({ as: 'owner' }, async ({ page, open, picture, accessible }) => {
    await open('/mine/new');
    await page.getByLabel('Brand').fill('Kubota');
    await page.getByLabel('Model').fill('U27');
    await page.getByRole('link', { name: 'Create one' }).click();
    const asks = page.getByRole('dialog', { name: 'Leave without saving?' });
    await asks.waitFor();
    await picture('leaving');
    await accessible('leaving');
    await asks.getByRole('button', { name: 'Stay' }).click();
    await asks.waitFor({ state: 'detached' });
    await expect.poll(() => page.getByLabel('Brand').inputValue()).toBe('Kubota');
    await page.getByRole('link', { name: 'Create one' }).click();
    await asks.getByRole('button', { name: 'Leave, keep the draft' }).click();
    await page.waitForURL(/types\/new/);

    await open('/mine/new');
    await page.getByText(/Your draft of .* is here again/).waitFor();
    await expect.poll(() => page.getByLabel('Brand').inputValue()).toBe('Kubota');
    await expect.poll(() => page.getByLabel('Model').inputValue()).toBe('U27');
    await picture('draft-restored');
    await page.reload();
    await page.getByText(/is here again/).waitFor();
    await page.getByRole('button', { name: 'Discard the draft' }).click();
    await expect.poll(() => page.getByLabel('Brand').inputValue()).toBe('');
    await page.getByRole('link', { name: 'Create one' }).click();
    await page.waitForURL(/types\/new/);
  });
});

test('after a sign-in that is over one comes back to what was typed, and saves it', async () => {
  const { data } = await call<PageOf<Vehicle>>('GET', '/vehicles?view=own&size=1&sort=brandName,desc', 'owner');
  const vehicle = data.content[0];
  if (vehicle === undefined) throw new Error('owner-01 has no vehicle');
  await reads({ as: 'owner' }, async ({ page, open, picture }) => {
    await open(`/mine/${vehicle.id}`);
    await page.getByLabel('Year').fill('2003');
    await page.route(`**/api/v1/vehicles/${vehicle.id}`, (route) =>
      route.request().method() === 'PATCH' ? route.fulfill({ status: 401, json: { status: 401, code: 'unauthorized', message: 'The token has expired.', details: null, path: '/', timestamp: '2026-01-01T00:00:00Z' } }) : route.fallback(),
    );
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('What you typed is kept and waits for you here.').waitFor();
    await picture('session-over');
    await page.unroute(`**/api/v1/vehicles/${vehicle.id}`);
    await page.locator('form').getByRole('link', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: /owner-01/ }).click();
    await page.getByText(/is here again/).waitFor();
    await expect.poll(() => page.getByLabel('Year').inputValue()).toBe('2003');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Your changes are saved.').waitFor();
    await page.getByText('2003').waitFor();
  });
  await call('PATCH', `/vehicles/${vehicle.id}`, 'owner', { releaseYear: vehicle.releaseYear });
});

test('a dialog and a rating keep their drafts too', async () => {
  await reads({ as: 'admin' }, async ({ page, open }) => {
    await open('/manage/tags');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.waitForURL(/open=new/);
    await page.getByLabel('Name').fill('night shift');
    await page.keyboard.press('Escape');
    await page.getByText('Not saved. What you typed is kept as a draft.').waitFor();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText(/is here again/).waitFor();
    await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('night shift');
    await page.getByRole('button', { name: 'Discard the draft' }).click();
  });
});

test('a conflict in a dialog and on a type', async () => {
  const name = `tag ${Date.now()}`;
  const { data: tag } = await call<{ id: string }>('POST', '/tags', 'admin', { name: `${name} one`, isActive: true });
  await reads({ as: 'admin' }, async ({ page, open, picture }) => {
    await open('/manage/tags?sort=updatedAt,desc');
    await page.getByRole('button', { name: `Edit ${name} one` }).click();
    await page.getByLabel('Name').fill(`${name} mine`);
    await call('PATCH', `/tags/${tag.id}`, 'admin', { name: `${name} theirs` });
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: 'Somebody changed this meanwhile.' });
    await dialog.getByRole('row', { name: /^Name/ }).waitFor();
    await expect.poll(() => dialog.getByRole('row', { name: /^Name/ }).getByRole('cell').allTextContents()).toEqual([`${name} mine`, `${name} theirs`]);
    await picture('dialog-conflict');
    await dialog.getByRole('button', { name: 'Keep mine' }).click();
    await page.getByText('Saved.').waitFor();
    await page.getByRole('cell', { name: `${name} mine`, exact: true }).waitFor();
  });
  await call('DELETE', `/tags/${tag.id}`, 'admin');

  const { data: types } = await call<PageOf<{ id: string; title: string }>>('GET', '/types?title=Light%20tower');
  const type = types.content[0];
  await reads({ as: 'admin' }, async ({ page, open }) => {
    await open(`/manage/types/${type?.id}`);
    await page.getByLabel('snow removal', { exact: true }).check();
    await call('PATCH', `/types/${type?.id}`, 'admin', { title: 'Light tower II' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').getByRole('row', { name: /^Title/ }).waitFor();
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await page.getByText('Saved.').waitFor();
  });
  const { data: saved } = await call<{ title: string; searchTags: { name: string }[] }>('GET', `/types/${type?.id}`);
  expect(saved.title).toBe('Light tower II');
  expect(saved.searchTags.map(({ name }) => name)).toContain('snow removal');
  await call('PATCH', `/types/${type?.id}`, 'admin', { title: type?.title });
});

test('all tabs share one sign-in, and a sign-out reaches them', async () => {
  await reads({}, async ({ page, open }) => {
    await open('/mine');
    const other = await page.context().newPage();
    await other.goto('/mine');
    await other.getByText('This page is for people who are signed in.').waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: /owner-01/ }).click();
    await page.getByRole('heading', { level: 1, name: 'My equipment' }).waitFor();
    await other.getByRole('heading', { level: 1, name: 'My equipment' }).waitFor();
    const third = await page.context().newPage();
    await third.goto('/mine');
    await third.getByRole('button', { name: /Sign out owner-01/ }).click();
    await page.getByText('This page is for people who are signed in.').waitFor();
    await other.getByText('This page is for people who are signed in.').waitFor();
  });
});

test('nothing is removed without being asked for', async () => {
  const file = '72d4a3c9-f1b5-4075-92f5-90d08073a109';
  const { data } = await call<PageOf<Vehicle>>('GET', '/vehicles?view=own&size=5&sort=brandName', 'owner');
  const vehicle = data.content.find(({ isActive }) => isActive);
  await call('PATCH', `/vehicles/${vehicle?.id}`, 'owner', { photoFileIds: [file] });
  await reads({ as: 'owner', allowed: [404] }, async ({ page, open, picture, accessible }) => {
    await open(`/mine/${vehicle?.id}/files`);
    const remove = page.getByRole('button', { name: 'Delete picture 1' });
    await remove.click();
    const dialog = page.getByRole('dialog', { name: 'Delete this picture?' });
    await dialog.waitFor();
    await picture('remove-photo');
    await accessible('remove photo');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    // a file that the file service does not know (any more) is let go of all the same
    await remove.click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await remove.waitFor({ state: 'detached' });
  });
});
