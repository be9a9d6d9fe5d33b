// A customer searches, looks, signs in, and rates what they rented.
import { expect, test } from 'vitest';
import { call, type PageOf, reads, rentedVehicle, type Vehicle } from '../reader.ts';

test('search → vehicle → rate', async () => {
  const { vehicle, orderId } = await rentedVehicle();
  const name = `${vehicle.brandName} ${vehicle.modelName}`;
  await reads({}, async ({ page, open, picture, accessible }) => {
    await open('/');
    await picture('search-start');
    await page.getByRole('link', { name: 'dig a trench in a narrow yard' }).click();
    await page.getByText('matches, best first').waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('dig a trench in a narrow yard');
    await expect.poll(() => page.locator('.card').count()).toBeGreaterThan(10);
    await picture('search-results');
    await accessible('search results');

    await page.getByRole('searchbox', { name: 'What are you looking for?' }).fill(name);
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.locator(`.card a[href="/equipment/${vehicle.id}"]`).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await page.getByText(`${vehicle.ratingCount} rating`).first().waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1');

    await page.locator('#ratings').getByRole('link', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: /customer-01/ }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();

    await page.getByRole('button', { name: 'Rate this machine' }).click();
    await page.getByRole('button', { name: 'Save rating' }).click();
    await page.getByText('Choose a score.').waitFor();
    await page.getByRole('form', { name: 'Rate this machine' }).getByText('4.5', { exact: true }).click();
    await page.getByLabel('Review').fill('Clean machine, on time.');
    // the orders that entitle to a rating are there to choose from
    await expect.poll(() => page.getByLabel('Order').inputValue()).toBe(orderId);
    await expect.poll(() => page.getByLabel('Order').locator('option').first().textContent()).toMatch(/ · done · /);
    await page.route('**/ratings', (route) => route.fulfill({ status: 422, json: { status: 422, code: 'order_not_eligible', message: 'x', details: null, path: '/', timestamp: '2026-01-01T00:00:00Z' } }));
    await page.getByRole('button', { name: 'Save rating' }).click();
    await page.locator('.field .error', { hasText: 'This order does not entitle you' }).waitFor();
    await picture('rating-refused');
    await accessible('rating form with errors');
    await page.unroute('**/ratings');
    await page.getByRole('button', { name: 'Save rating' }).click();
    await page.getByText('Your rating:').waitFor();
    await page.getByText(`${vehicle.ratingCount + 1} ratings`).first().waitFor();
    await picture('rating-given');
  });
  const { data } = await call<{ score: number; comment: string }>('GET', `/vehicles/${vehicle.id}/ratings/me`, 'customer');
  expect(data).toMatchObject({ score: 4.5, comment: 'Clean machine, on time.' });
});

test('filters, order and page stand in the address and come back with it', async () => {
  await reads({}, async ({ page, open, picture }) => {
    await open('/equipment');
    await page.getByLabel('Category').selectOption({ label: 'Mini and midi excavators (14)' });
    await page.getByLabel('Order').selectOption({ label: 'Year, latest first' });
    await page.waitForURL(/category=.*sort=releaseYear|sort=releaseYear.*category=/);
    await Promise.all([page.waitForResponse(/minRatingAvg=3/), page.getByLabel('Rating', { exact: true }).selectOption('3')]);
    await page.waitForURL(/rating=3/);
    await page.locator('.cards[aria-busy="false"]').waitFor();
    const found = await page.getByText(/^\d+ machines?$/).textContent();
    await picture('browse-filtered');
    await page.reload();
    await page.getByText(found ?? '', { exact: true }).waitFor();
    await expect.poll(() => page.getByLabel('Rating', { exact: true }).inputValue()).toBe('3');

    await page.getByLabel('Plate contains').fill('no such plate 000');
    await page.getByText('No equipment passes these filters').waitFor();
    await picture('browse-empty');
    await page.locator('.empty').getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText(/^3\d\d machines$/).waitFor();
    expect([...new URL(page.url()).searchParams.keys()], 'the order stays').toEqual(['sort']);

    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await page.waitForURL(/page=2/);
    await page.goBack();
    await page.getByText('Page 1 of').waitFor();
  });
});

test('who has rented nothing is told what a rating takes', async () => {
  const { data } = await call<PageOf<Vehicle & { ownerUserId: string }>>('GET', '/vehicles?size=100');
  let other: Vehicle | undefined;
  for (const vehicle of data.content) {
    const rated = await call('GET', `/vehicles/${vehicle.id}/ratings/me`, 'customer');
    const orders = await call<object[]>('GET', `/vehicles/${vehicle.id}/ratings/me/orders`, 'customer');
    if (rated.status === 404 && orders.data.length === 0) {
      other = vehicle;
      break;
    }
  }
  await reads({ as: 'customer' }, async ({ page, open }) => {
    await open(`/equipment/${other?.id}`);
    await page.getByText('Only who has rented this machine may rate it').waitFor();
    expect(await page.getByRole('button', { name: 'Rate this machine' }).count()).toBe(0);
  });
});

test('people have names where there is a directory of them, else their ids', async () => {
  const { data } = await call<PageOf<Vehicle & { ownerUserId: string }>>('GET', '/vehicles?size=1&minRatingCount=2');
  const vehicle = data.content[0];
  await reads({ users: 'http://127.0.0.1:8087/people/{sub}' }, async ({ page, open }) => {
    await page.route('**/people/*', (route) => {
      const subject = route.request().url().split('/').at(-1) ?? '';
      return subject.startsWith('owner') ? route.fulfill({ json: { displayName: `Rental yard of ${subject}` } }) : route.fulfill({ status: 200, json: {} });
    });
    await open(`/equipment/${vehicle?.id}`);
    await page.getByRole('link', { name: `Rental yard of ${vehicle?.ownerUserId}` }).waitFor();
    await page.getByText(/customer-\d+ ·/).first().waitFor();
  });
});

test('a link with an order leads to its rating, once, and a rating stands there once', async () => {
  const { vehicle, orderId } = await rentedVehicle();
  await reads({ as: 'customer', phone: true }, async ({ page, open, picture }) => {
    await open(`/equipment/${vehicle.id}?order=${orderId}`);
    await page.locator('.far').first().scrollIntoViewIfNeeded();
    const form = page.getByRole('form', { name: 'Rate this machine' });
    await form.getByText('4', { exact: true }).click();
    await expect.poll(() => page.getByLabel('Order').inputValue()).toBe(orderId);
    await page.getByLabel('Review').fill('As described.');
    await page.getByRole('button', { name: 'Save rating' }).click();
    await page.getByText('Your rating:').waitFor();
    await page.waitForURL((url) => url.search === '');
    await page.getByText('As described.').waitFor();
    await expect.poll(() => page.getByText('As described.').count()).toBe(1);
    await picture('rated-once');
  });
});
