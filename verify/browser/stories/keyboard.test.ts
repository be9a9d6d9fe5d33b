// Finding, rating, publishing and signing with the keyboard alone: everything is reached by Tab, in a sensible number of steps.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { call, partnerSends, reads, rentedVehicle } from '../reader.ts';

/** Presses Tab until the focus is on what is called so; says how often. */
async function tabTo(page: Page, name: string | RegExp, most: number): Promise<number> {
  const seen: string[] = [];
  for (let steps = 1; steps <= most; steps++) {
    await page.keyboard.press('Tab');
    const found = await page.evaluate(() => {
      const element = document.activeElement as HTMLInputElement | null;
      return (element?.getAttribute('aria-label') ?? element?.labels?.[0]?.textContent ?? element?.textContent ?? '').trim();
    });
    seen.push(found);
    if (typeof name === 'string' ? found === name : name.test(found)) {
      // what has the focus is seen
      await expect.poll(() => page.evaluate(() => document.activeElement?.matches(':focus-visible'))).toBe(true);
      return steps;
    }
  }
  throw new Error(`not reached in ${most} steps: ${name}; seen ${seen.join(' | ')}`);
}

test('find', async () => {
  await reads({}, async ({ page, open }) => {
    await open('/');
    await tabTo(page, 'What are you looking for?', 12);
    await page.keyboard.type('dig a trench in a narrow yard');
    await page.keyboard.press('Enter');
    await page.getByText('matches, best first').waitFor();
    await tabTo(page, 'Skip to the results', 12);
    await page.keyboard.press('Enter');
    const name = (await page.locator('.card h2').first().textContent()) ?? '';
    await tabTo(page, name, 12);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
  });
});

test('rate', async () => {
  const { vehicle } = await rentedVehicle();
  await reads({ as: 'customer' }, async ({ page, open }) => {
    await open(`/equipment/${vehicle.id}`);
    await tabTo(page, 'Rate this machine', 60);
    await page.keyboard.press('Enter');
    await tabTo(page, /^[\d.]+$/, 4);
    await page.keyboard.press('ArrowLeft');
    await tabTo(page, 'Review', 3);
    await page.keyboard.type('By the keyboard.');
    await tabTo(page, 'Save rating', 4);
    await page.keyboard.press('Enter');
    await page.getByText('Your rating:').waitFor();
    await page.getByText('By the keyboard.').waitFor();
  });
});

test('publish', async () => {
  const model = `Keys ${Date.now()}`;
  await reads({ as: 'owner' }, async ({ page, open }) => {
    await open('/mine');
    await tabTo(page, /Add equipment/, 14);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Add equipment' }).waitFor();
    await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
    await page.getByRole('option', { name: 'Backhoe loader' }).waitFor({ state: 'attached' });
    await tabTo(page, 'Type', 3);
    await page.keyboard.type('Backhoe');
    await tabTo(page, 'Brand', 4);
    await page.keyboard.type('Case');
    await tabTo(page, 'Model', 2);
    await page.keyboard.type(model);
    // Enter in a field sends the form
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: `Case ${model}` }).waitFor();
    await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
    // asked for before the key, which else might overtake what makes the browser tell of choosers
    const chooser = page.waitForEvent('filechooser');
    await tabTo(page, 'Choose pictures', 8);
    await page.keyboard.press('Enter');
    expect((await chooser).isMultiple()).toBe(true);
    await call('DELETE', `/vehicles/${new URL(page.url()).pathname.split('/')[2]}`, 'owner');
  });
});

test('sign', async () => {
  const number = `K-${Date.now()}`;
  await partnerSends(number);
  await reads({ as: 'manager' }, async ({ page, open }) => {
    await open('/documents?list=toSign');
    await page.getByText(number).first().waitFor();
    await tabTo(page, new RegExp(number), 60);
    await page.keyboard.press('Enter');
    await page.getByText('Waits for a signature').waitFor();
    await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
    await tabTo(page, 'Sign', 10);
    await page.keyboard.press('Enter');
    await page.getByText('The document is signed.').waitFor({ timeout: 30_000 });
  });
});
