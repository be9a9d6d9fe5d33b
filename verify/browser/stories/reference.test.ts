// A partner reads the contract where a service shows it: finds an operation by its words, takes a sample in their language.
import { expect, inject, test } from 'vitest';
import { reads } from '../reader.ts';

const { catalogUrl, settings } = inject('stack');

for (const [name, url, words, operation] of [
  ['catalog', catalogUrl, 'facets', 'Facets of the vehicles'],
  ['gateway', settings.gatewayUrl, 'foreign taxpayer', 'Organizations by foreign taxpayer code'],
] as const) {
  for (const dark of [false, true]) {
    test(`reference of the ${name}, ${dark ? 'dark' : 'light'}`, async () => {
      await reads({ dark }, async ({ page, picture }) => {
        const outside: string[] = [];
        page.on('request', (request) => {
          const { protocol, origin } = new URL(request.url());
          if (protocol.startsWith('http') && origin !== new URL(url).origin) outside.push(request.url());
        });
        await page.goto(`${url}/docs`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await picture(`reference-${name}-${dark ? 'dark' : 'light'}`);
        await page.getByRole('button', { name: 'Search' }).first().click();
        await page.keyboard.type(words);
        const found = page.getByRole('option', { name: operation }).first();
        await found.waitFor();
        await found.click();
        await page.getByRole('heading', { name: operation }).waitFor();
        await page.getByText('Python', { exact: true }).first().waitFor({ state: 'attached' });
        await picture(`reference-${name}-${dark ? 'dark' : 'light'}-found`);
        expect(outside).toEqual([]);
      });
    });
  }
}
