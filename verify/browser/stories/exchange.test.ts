// A manager signs what a partner sent, and sends something back.
import { expect, test } from 'vitest';
import { reads } from '../reader.ts';

test('document → sign → docflow', async () => {
  await reads({ as: 'manager' }, async ({ page, open, picture, accessible }) => {
    await open('/documents');
    await page.getByRole('link', { name: 'To be signed' }).click();
    await page.waitForURL(/list=toSign/);
    await page.getByText('Signature required').first().waitFor();
    await picture('documents');
    await accessible('documents');
    await page.locator('tbody a').first().click();
    await page.getByText('Waits for a signature').waitFor();
    const title = await page.locator('h1').textContent();
    await picture('document-to-sign');
    await accessible('document to sign');

    await page.getByRole('button', { name: 'Sign', exact: true }).click();
    await page.getByText(/Confirm on your phone|Waiting for your confirmation/).waitFor();
    await page.getByRole('progressbar').waitFor();
    await picture('document-signing');
    await page.getByText('The document is signed.').waitFor({ timeout: 30_000 });
    await page.locator('.timeline li.done', { hasText: /^Signed/ }).nth(1).waitFor();
    expect(await page.getByRole('button', { name: 'Sign', exact: true }).count()).toBe(0);
    await picture('document-signed');

    await page.getByRole('main').getByRole('link', { name: 'Documents' }).click();
    await page.getByRole('link', { name: 'To be signed' }).click();
    await page.waitForURL(/list=toSign/);
    await page.getByRole('link', { name: title ?? '', exact: true }).waitFor({ state: 'detached' });
  });
});

test('a file is signed and sent, and its flow shown', async () => {
  await reads({ as: 'manager' }, async ({ page, open, picture, accessible }) => {
    await open('/documents');
    await page.getByRole('link', { name: 'Send a document' }).click();
    await page.getByRole('button', { name: 'Sign and send' }).click();
    expect(await page.locator('.field .error').count()).toBe(3);
    await accessible('send form with errors');
    await page.getByLabel('To').selectOption({ label: 'Harbour Logistics' });
    await page.getByLabel('Type').selectOption({ label: 'Contract' });
    await page.getByLabel('Number').fill('42');
    await page.getByLabel('File').setInputFiles({ name: 'contract-42.txt', mimeType: 'text/plain', buffer: Buffer.from('Rent of one excavator.') });
    await picture('send');
    await page.getByRole('button', { name: 'Sign and send' }).click();
    await page.getByText('Confirm on your phone').waitFor();
    await page.getByText('Signed by the author').waitFor({ timeout: 30_000 });
    await page.getByText('Waits for a signature').waitFor();
    await page.getByText('contract-42.txt').first().waitFor();
    await picture('sent');
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download' }).click()]);
    expect(download.suggestedFilename()).toBe('contract-42.txt');
  });
});

test('a file that is too large to go inline goes by the shelf, in parts', async () => {
  await reads({ as: 'manager' }, async ({ page, open }) => {
    await open('/documents/send');
    await page.getByLabel('To').selectOption({ label: 'Harbour Logistics' });
    await page.getByLabel('Type').selectOption({ label: 'Contract' });
    await page.getByLabel('Sign it now').uncheck();
    await page.getByLabel('File').setInputFiles({ name: 'plans.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(7 * 1024 * 1024, 'x') });
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('Waits for the author’s signature').waitFor({ timeout: 30_000 });
    await page.getByText('plans.bin').first().waitFor();
  });
});

test('without a connection one signs in at the provider and comes back', async () => {
  await reads({ as: 'manager', unconnected: true }, async ({ page, open, picture, accessible }) => {
    await open('/documents');
    await page.getByRole('heading', { name: 'Connect to the document provider' }).waitFor();
    await picture('connect');
    await accessible('connect');
    await page.getByRole('button', { name: 'Sign in at the provider' }).click();
    await page.getByText('You are connected to the provider.').waitFor();
    await page.locator('tbody tr').first().waitFor();
    await page.goto('/callback?code=used&state=forged');
    await page.getByText('This sign-in was started elsewhere or took too long.').waitFor();
  });
});
