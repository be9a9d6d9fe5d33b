// A manager signs what a partner sent, and sends something back.
import { expect, test } from 'vitest';
import { partnerAsksToRevoke, partnerSends, partnerSigns, reads } from '../reader.ts';

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
    await expect.poll(() => page.getByRole('button', { name: 'Sign', exact: true }).count()).toBe(0);
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
    await expect.poll(() => page.locator('.field .error').count()).toBe(3);
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

test('a signing goes on when its page is left, and after a reload', async () => {
  const { path } = await partnerSends('501');
  await reads({ as: 'manager' }, async ({ page, open, picture, accessible }) => {
    await open(path);
    await page.getByRole('button', { name: 'Sign', exact: true }).click();
    await page.getByText(/Confirm on your phone|Waiting for your confirmation/).waitFor();
    await page.getByRole('link', { name: 'Browse', exact: true }).click();
    const tray = page.getByRole('complementary', { name: 'Being signed or sent' });
    await tray.getByRole('link', { name: 'Contract No. 501' }).waitFor();
    await picture('signing-elsewhere');
    await accessible('signing elsewhere');
    await page.reload();
    await tray.getByText('The document is signed.').waitFor({ timeout: 30_000 });
    await tray.getByRole('link', { name: 'Contract No. 501' }).click();
    await page.getByRole('heading', { level: 1, name: 'Contract No. 501' }).waitFor();
    await page.locator('.timeline li.done', { hasText: /^Signed/ }).nth(1).waitFor();
    await tray.waitFor({ state: 'detached' });
  });
});

test('a document that is being sent is found again after its page was left', async () => {
  await reads({ as: 'manager', phone: true }, async ({ page, open, picture }) => {
    await open('/documents/send');
    await page.getByLabel('To').selectOption({ label: 'Harbour Logistics' });
    await page.getByLabel('Type').selectOption({ label: 'Contract' });
    await page.getByLabel('Number').fill('77');
    await page.getByLabel('File').setInputFiles({ name: 'contract-77.txt', mimeType: 'text/plain', buffer: Buffer.from('Rent of one crane.') });
    await page.getByRole('button', { name: 'Sign and send' }).click();
    await page.getByText('Confirm on your phone').waitFor();
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Browse', exact: true }).click();
    await page.reload();
    const tray = page.getByRole('complementary', { name: 'Being signed or sent' });
    await picture('sending-elsewhere');
    await tray.getByText('The document is sent.').waitFor({ timeout: 30_000 });
    await tray.getByRole('link', { name: 'Contract No. 77' }).click();
    await page.getByText('Signed by the author').waitFor();
  });
});

test('a signing that failed says why and can be tried again', async () => {
  const { path } = await partnerSends('502');
  await reads({ as: 'manager' }, async ({ page, open, picture }) => {
    await open(path);
    await page.route(/dss.*\/[0-9a-f-]{36}/i, (route) => route.fulfill({ json: { OperationStatus: 'CanceledByUser' } }));
    await page.getByRole('button', { name: 'Sign', exact: true }).click();
    await page.getByText('Signing was cancelled on the phone.').waitFor();
    await picture('signing-failed');
    await page.unroute(/dss.*\/[0-9a-f-]{36}/i);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('The document is signed.').waitFor({ timeout: 30_000 });
  });
});

test('look before signing, then refuse with a reason', async () => {
  const { path } = await partnerSends('503');
  await reads({ as: 'manager' }, async ({ page, open, picture, accessible }) => {
    await open(path);
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.locator('iframe.preview').waitFor({ timeout: 30_000 });
    await expect.poll(() => page.locator('iframe.preview').getAttribute('src')).toMatch(/^blob:/);
    await picture('preview');
    await page.getByRole('button', { name: 'Close' }).click();
    const [archive] = await Promise.all([page.waitForEvent('download', { timeout: 30_000 }), page.getByRole('button', { name: 'Whole flow as ZIP' }).click()]);
    expect(archive.suggestedFilename()).toBe('paper-503.zip');

    await page.getByRole('button', { name: 'Refuse' }).click();
    const dialog = page.getByRole('dialog', { name: 'Refuse to sign?' });
    await dialog.getByRole('button', { name: 'Refuse' }).click();
    await dialog.getByText('This is required.').waitFor();
    await dialog.getByLabel('Reason').fill('The hours differ from the order.');
    await picture('refuse');
    await accessible('refuse');
    await dialog.getByRole('button', { name: 'Refuse' }).click();
    await page.locator('.timeline li.failed', { hasText: 'Refused' }).waitFor({ timeout: 30_000 });
    await page.getByText('Signature refused').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Sign', exact: true }).count()).toBe(0);
  });
});

test('the timeline moves by itself, a revocation is asked for and agreed to', async () => {
  const { path, messageId, entityId } = await partnerSends('504');
  await reads({ as: 'manager' }, async ({ page, open, picture }) => {
    await open(path);
    await partnerAsksToRevoke(messageId, entityId);
    await page.getByRole('heading', { name: 'The other side asks to revoke it' }).waitFor();
    await picture('revocation-asked');
    await page.getByRole('button', { name: 'Agree and sign' }).click();
    await page.locator('.timeline li', { hasText: /^Revoked/ }).waitFor({ timeout: 30_000 });
    await expect.poll(() => page.getByRole('button', { name: 'Ask to revoke' }).count()).toBe(0);

    const second = await partnerSends('505');
    await open(second.path);
    await page.getByRole('button', { name: 'Ask to revoke' }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill('Sent by mistake.');
    await page.getByRole('dialog').getByRole('button', { name: 'Ask to revoke' }).click();
    await page.getByText('You asked to revoke it').waitFor({ timeout: 30_000 });
  });
});

test('what was sent moves on while its page is open', async () => {
  await reads({ as: 'manager' }, async ({ page, open }) => {
    await open('/documents/send');
    await page.getByLabel('To').selectOption({ label: 'Harbour Logistics' });
    await page.getByLabel('Type').selectOption({ label: 'Contract' });
    await page.getByLabel('Number').fill('78');
    await page.getByLabel('File').setInputFiles({ name: 'contract-78.txt', mimeType: 'text/plain', buffer: Buffer.from('Rent.') });
    await page.getByRole('button', { name: 'Sign and send' }).click();
    await page.getByText('Waits for a signature').waitFor({ timeout: 30_000 });
    const [messageId = '', entityId = ''] = new URL(page.url()).pathname.split('/').slice(2);
    await partnerSigns(messageId, entityId);
    await page.locator('.timeline li.done', { hasText: /^Signed/ }).nth(1).waitFor();
  });
});

test('documents are counted and found by partner, number and date', async () => {
  const number = String(Date.now());
  await partnerSends(number);
  await reads({ as: 'manager' }, async ({ page, open, picture }) => {
    await open('/documents');
    await page.getByLabel('Partner').selectOption({ label: 'Harbour Logistics' });
    await page.getByLabel('Number').fill(number);
    await page.waitForURL(new RegExp(`number=${number}`));
    await page.getByRole('link', { name: /Inbound 1/ }).waitFor();
    await page.getByRole('cell', { name: `Contract No. ${number}` }).waitFor();
    await page.getByLabel('Date from').fill('2026-03-06');
    await page.getByText('Nothing passes these filters.').waitFor();
    await page.getByLabel('Date from').fill('2026-03-05');
    await page.getByRole('cell', { name: `Contract No. ${number}` }).waitFor();
    await picture('documents-found');
    await page.getByRole('link', { name: /^Outbound/ }).click();
    await page.waitForURL(/list=outbound/);
    expect(new URL(page.url()).searchParams.get('number')).toBe(number);
  });
});

test('Russian says everything in Russian', async () => {
  const { path } = await partnerSends('506');
  await reads({ as: 'manager', language: 'ru' }, async ({ page, open, picture }) => {
    await open(path);
    await page.getByRole('heading', { level: 1, name: 'Договор № 506' }).waitFor();
    await page.getByText('Требуется подпись').waitFor();
    await page.getByText('5 мар. 2026 г.').waitFor();
    await picture('document-ru');
    await open('/equipment');
    await page.locator('.card dt').first().waitFor();
    const names = await page.locator('.card dt, .card .one-line span:first-child').allTextContents();
    expect(names.filter((name) => !/[а-яё]/i.test(name))).toEqual([]);
  });
});
