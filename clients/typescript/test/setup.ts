// Starts the catalog that the tests talk to, with keys of its own, and stops it afterwards.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    catalogUrl: string;
    tokens: { admin: string; owner: string; customer: string };
  }
}

const root = resolve(import.meta.dirname, '../../..');
const program = join(root, 'bin', 'catalog');

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const database = process.env['TEST_DATABASE_URL'];
  if (database === undefined) throw new Error('run the tests with clients/typescript/test/run, which starts a database');
  const directory = mkdtempSync(join(tmpdir(), 'client-tests-'));
  const { jwks, token } = keys();
  const jwksFile = join(directory, 'jwks.json');
  writeFileSync(jwksFile, JSON.stringify(jwks));
  const port = await freePort();
  const env = { ...process.env, DATABASE_URL: database, AUTH_JWKS_URL: pathToFileURL(jwksFile).href, HTTP_ADDR: `127.0.0.1:${port}`, LOG_FORMAT: 'json', LOG_LEVEL: 'warn' };
  for (const step of [['migrate', 'up'], ['seed']]) execFileSync(program, step, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const service = spawn(program, ['serve'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const catalogUrl = `http://127.0.0.1:${port}`;
  await ready(catalogUrl, service);
  project.provide('catalogUrl', catalogUrl);
  project.provide('tokens', { admin: token('admin-01', 'ADMIN'), owner: token('owner-01', 'USER'), customer: token('customer-01', 'USER') });
  return async () => {
    const ended = new Promise((done) => service.once('exit', done));
    service.kill('SIGTERM');
    await ended;
    rmSync(directory, { recursive: true });
  };
}

function keys() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const jwks = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'tests', alg: 'EdDSA', use: 'sig' }] };
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const token = (sub: string, role: string) => {
    const now = Math.floor(Date.now() / 1000);
    const text = `${encode({ alg: 'EdDSA', kid: 'tests', typ: 'JWT' })}.${encode({ sub, roles: [role], iat: now, exp: now + 3600 })}`;
    return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`;
  };
  return { jwks, token };
}

function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer().once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => done(port));
    });
  });
}

async function ready(url: string, service: ChildProcess): Promise<void> {
  for (const start = Date.now(); Date.now() - start < 60_000; ) {
    if (service.exitCode !== null) throw new Error(`the catalog ended with ${service.exitCode}`);
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error('the catalog is not ready after a minute');
}
