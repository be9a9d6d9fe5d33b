// Serves the built app and starts the browser that all stories share.
// The services accept the app's fixed origin alone, so the browser is told that this origin is at a free port.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize, resolve } from 'node:path';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';

export const ORIGIN = 'http://127.0.0.1:8087';

export interface Stack {
  catalogUrl: string;
  /** The provider, to play the other side of the exchange. */
  sandboxUrl: string;
  tokens: Record<'admin' | 'owner' | 'customer' | 'manager', string>;
  /** What the app reads at its start. */
  settings: { catalogUrl: string; gatewayUrl: string; filesUrl?: string; partnerToken: string; people: object[] };
  browser: string;
  /** Whether another server has the app, so that only its settings are ours. */
  served: boolean;
  /** A browser for measurements, and the arguments that make it find the app. */
  chromium: { path: string; arguments: string[] };
  artifacts: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    stack: Stack;
  }
}

const root = resolve(import.meta.dirname, '../..');
const dist = join(root, 'web', 'dist');

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { CATALOG_URL: catalogUrl, GATEWAY_URL: gatewayUrl, SANDBOX_URL: sandboxUrl, FILES_URL: filesUrl, WEB_URL: webUrl, CHROMIUM: executablePath } = process.env;
  if (catalogUrl === undefined || gatewayUrl === undefined || sandboxUrl === undefined || filesUrl === undefined || executablePath === undefined) {
    throw new Error('run the stories with verify/browser/run, which starts the services');
  }
  const artifacts = join(root, 'verify', 'artifacts', 'browser');
  rmSync(artifacts, { recursive: true, force: true });
  mkdirSync(artifacts, { recursive: true });
  const tokens = { admin: token('admin-01', 'ADMIN'), owner: token('owner-01', 'USER'), customer: token('customer-01', 'USER'), manager: token('manager-01', 'MANAGER') };
  await indexed(catalogUrl);
  const people = Object.entries(tokens).map(([name, token]) => ({ name, subject: `${name}-01`, roles: [name === 'admin' ? 'ADMIN' : name === 'manager' ? 'MANAGER' : 'USER'], token }));
  const served = webUrl !== undefined;
  // the delivered web server has the services behind its own origin, and lets no file service of another in
  const urls = served ? { catalogUrl: '/catalog', gatewayUrl: '/gateway' } : { catalogUrl, gatewayUrl, filesUrl };
  const settings = { ...urls, partnerToken: 'sandbox-token', people };
  const app = served ? undefined : await serve({ ...settings, filesUrl });
  const port = app === undefined ? new URL(webUrl ?? ORIGIN).port : (app.address() as AddressInfo).port;
  const args = [
    '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync', `--host-resolver-rules=MAP 127.0.0.1:8087 127.0.0.1:${port}`,
  ];
  const browser = await chromium.launchServer({ executablePath, args });
  project.provide('stack', { catalogUrl, sandboxUrl, tokens, settings, browser: browser.wsEndpoint(), served, chromium: { path: executablePath, arguments: args }, artifacts });
  return async () => {
    await browser.close();
    app?.close();
  };
}

function token(subject: string, role: string): string {
  return execFileSync(join(root, 'bin', 'catalog'), ['token', '--sub', subject, '--roles', role], { encoding: 'utf8' }).trim();
}

/** Waits until search knows the demo catalogue. */
async function indexed(catalogUrl: string): Promise<void> {
  for (const start = Date.now(); Date.now() - start < 60_000; ) {
    const answer = await fetch(`${catalogUrl}/api/v1/vehicles/semantic-search`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: 'excavator', topK: 50 }),
    });
    const { matches } = (await answer.json()) as { matches?: unknown[] };
    if (matches?.length === 50) return;
    await new Promise((done) => setTimeout(done, 300));
  }
  throw new Error('the demo catalogue is not indexed after a minute');
}

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.ico': 'image/x-icon', '.png': 'image/png', '.txt': 'text/plain' };

/** The app as the stack serves it: files, its page for every other address, and the same content policy. */
function serve(settings: Stack['settings'] & { filesUrl: string }): Promise<Server> {
  const policy =
    `default-src 'self'; connect-src 'self' ${settings.catalogUrl} ${settings.gatewayUrl} ${new URL(settings.filesUrl).origin}; ` +
    `img-src 'self' data: blob: ${new URL(settings.filesUrl).origin}; ` +
    "style-src 'self' 'unsafe-inline'; frame-src blob:; frame-ancestors 'none'";
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', ORIGIN);
    if (pathname === '/settings.json') {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }).end(JSON.stringify(settings));
      return;
    }
    const file = join(dist, normalize(pathname));
    const there = pathname !== '/' && file.startsWith(dist) && existsSync(file);
    const found = there ? file : join(dist, 'index.html');
    // Packed by the build, as the stack sends it.
    const packed = existsSync(`${found}.br`) && /\bbr\b/.test(String(request.headers['accept-encoding']));
    response.writeHead(!there && extname(pathname) !== '' ? 404 : 200, {
      'Content-Type': TYPES[extname(found)] ?? 'application/octet-stream',
      'Content-Security-Policy': policy,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': pathname.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      Vary: 'Accept-Encoding',
      ...(packed && { 'Content-Encoding': 'br' }),
    });
    response.end(readFileSync(packed ? `${found}.br` : found));
  });
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done(server)));
}
