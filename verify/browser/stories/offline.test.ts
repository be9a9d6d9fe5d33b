// Without a connection, and after a new release: it is said, and nothing old is shown as new.
import { expect, test } from 'vitest';
import { reads } from '../reader.ts';

test('an old list is never shown under a new address without a word', async () => {
  await reads({ phone: true }, async ({ page, open, picture, accessible }) => {
    await open('/equipment');
    await page.context().setOffline(true);
    await page.getByText('No connection. What is shown may be old').waitFor();
    await picture('offline');
    await accessible('offline');
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await page.waitForURL(/page=2/);
    await page.getByText('There is no connection. Nothing was sent').waitFor();
    expect(await page.locator('.card h2').count()).toBe(0);
    await picture('offline-list');
    await page.context().setOffline(false);
    await page.getByText('No connection.').waitFor({ state: 'detached' });
    await page.locator('.card h2').first().waitFor();
  });
});

test('what cannot be saved says so at once, and is saved later', async () => {
  await reads({ as: 'owner' }, async ({ page, open }) => {
    await open('/mine/new');
    await page.getByLabel('Type').selectOption({ label: 'Portable inverter generator' });
    await page.getByLabel('Brand').fill('Honda');
    await page.getByLabel('Model').fill('EU22i');
    await page.getByRole('heading', { name: 'Parameters' }).waitFor();
    await page.locator('.form-grid').nth(1).locator('input').first().waitFor();
    for (const input of await page.locator('.form-grid').nth(1).locator('input[required]').all()) await input.fill('2');
    for (const select of await page.locator('.form-grid').nth(1).locator('select[required]').all()) await select.selectOption('true');
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Add', exact: true }).last().click();
    await page.locator('form').getByText('There is no connection. Nothing was sent').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Add', exact: true }).last().click();
    await page.getByRole('heading', { level: 1, name: 'Honda EU22i' }).waitFor();
  });
});

test('a page that was not opened before says that there is no connection, and comes with it', async () => {
  await reads({ logged: /PageNotLoaded/ }, async ({ page, open, picture, accessible }) => {
    await open('/');
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Browse', exact: true }).click();
    await page.getByText('There is no connection, and this page was not opened before.').waitFor();
    await picture('offline-page');
    await accessible('offline page');
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByText('The service cannot be reached.').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.locator('.card h2').first().waitFor();
  });
});

test('after a new release the old page’s chunks are gone: the reader is told to reload', async () => {
  await reads({ allowed: [404], logged: /PageNotLoaded/ }, async ({ page, open, picture }) => {
    await open('/');
    // as a server answers whose release has other names
    await page.route('**/assets/BrowsePage-*', (route) => route.fulfill({ status: 404, body: '' }));
    await page.getByRole('link', { name: 'Browse', exact: true }).click();
    await page.getByText('The app was updated meanwhile.').waitFor();
    await picture('new-release');
    await page.unroute('**/assets/BrowsePage-*');
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.locator('.card h2').first().waitFor();
  });
});
