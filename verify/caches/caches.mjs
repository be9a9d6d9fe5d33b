// Answers that no cache and no proxy can turn against the data (contract 1.3, 1.16), in a browser with its cache and
// behind the delivered nginx; and what one caller behind it may take (contract 7.5). Fails at the first that does not hold.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { chromium } from 'playwright-core';

const { WEB_URL, CATALOG_URL, CHROMIUM, TOKEN_ADMIN, TOKEN_OWNER } = process.env;
const api = `${WEB_URL}/catalog/api/v1`;

/** Calls through nginx, from an address of 127.0.0.0/8, with every header as given. */
function call(method, path, { token, body, headers = {}, from = '127.0.0.1' } = {}) {
  return new Promise((resolve, reject) => {
    const request = http.request(
      `${api}${path}`,
      { method, localAddress: from, agent: false, headers: { ...(token && { Authorization: `Bearer ${token}` }), ...(body && { 'Content-Type': 'application/json' }), ...headers } },
      (answer) => {
        const parts = [];
        answer.on('data', (part) => parts.push(part));
        answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, raw: Buffer.concat(parts) }));
        answer.on('error', reject);
      },
    );
    request.on('error', reject);
    request.end(body && JSON.stringify(body));
  });
}

async function ask(method, path, options) {
  const { status, raw } = await call(method, path, options);
  assert.ok(status < 300, `${method} ${path}: ${status} ${raw}`);
  return raw.length > 0 ? JSON.parse(raw) : undefined;
}

const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'] });

/** A browser with an empty cache, at the app. */
async function visit(story) {
  const context = await browser.newContext({ baseURL: WEB_URL, locale: 'en-GB' });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const open = async (path) => {
    await page.goto(path);
    await page.waitForSelector('main h1');
    await page.waitForLoadState('networkidle');
  };
  const signIn = (token) => page.evaluate((t) => (t === undefined ? localStorage.removeItem('equipment.token') : localStorage.setItem('equipment.token', t)), token);
  try {
    await story({ page, open, signIn });
  } finally {
    await context.close();
  }
}

/** A vehicle of the owner with two photos and two documents, the first of each hidden. */
async function machine() {
  const type = (await ask('GET', '/types?title=mini%20excavator')).content[0];
  const files = { photoFileIds: [randomUUID(), randomUUID()], docFileIds: [randomUUID(), randomUUID()] };
  const unit = await ask('POST', '/units', { token: TOKEN_ADMIN, body: { code: randomUUID().slice(0, 8), label: 'a unit', unitSystem: 'SI' } });
  const param = await ask('POST', '/params', { token: TOKEN_ADMIN, body: { name: `Parameter before ${randomUUID().slice(0, 8)}`, valueType: 'NUMBER', unitId: unit.id } });
  const tag = await ask('POST', '/tags', { token: TOKEN_ADMIN, body: { name: `tag before ${randomUUID().slice(0, 8)}` } });
  const own = await ask('POST', '/types', { token: TOKEN_ADMIN, body: { title: `Type ${randomUUID().slice(0, 8)}`, categoryIds: type.categoryIds ?? type.categories.map(({ id }) => id), params: [{ paramId: param.id }] } });
  const vehicle = await ask('POST', '/vehicles', {
    token: TOKEN_OWNER,
    body: { equipmentTypeId: own.id, brandName: 'Kubota', modelName: `U${randomUUID().slice(0, 6)}`, ...files, searchTagIds: [tag.id], params: [{ paramId: param.id, value: 5 }] },
  });
  for (const [kind, hidden] of [['photos', files.photoFileIds[0]], ['docs', files.docFileIds[0]]]) {
    const link = (await ask('GET', `/vehicles/${vehicle.id}/${kind}`, { token: TOKEN_OWNER })).find(({ fileId }) => fileId === hidden);
    await ask('PATCH', `/vehicles/${vehicle.id}/${kind}/${link.id}`, { token: TOKEN_OWNER, body: { isActive: false } });
  }
  return { id: vehicle.id, path: `/vehicles/${vehicle.id}`, model: vehicle.modelName, ...files, unit, param, tag, type: own };
}

const checks = {
  // The browser keeps what it saw signed out, and must not take it for what the administrator sees, nor the other way round.
  async 'an edit after a look signed out loses no hidden photo'() {
    const m = await machine();
    const added = randomUUID();
    await visit(async ({ page, open, signIn }) => {
      await open(`/equipment/${m.id}`);
      await signIn(TOKEN_ADMIN);
      await open(`/mine/${m.id}`);
      await page.getByLabel(/photos.*add a file id/i).fill(added);
      await page.getByRole('group', { name: /photos/i }).getByRole('button', { name: 'Add' }).click();
      const [saved] = await Promise.all([
        page.waitForResponse((answer) => answer.request().method() !== 'GET' && answer.url().includes(m.path)),
        page.getByRole('button', { name: 'Save' }).click(),
      ]);
      assert.equal(saved.status(), 200);
    });
    const stored = await ask('GET', `${m.path}?view=own`, { token: TOKEN_OWNER });
    assert.deepEqual(stored.photoFileIds, [...m.photoFileIds, added]);
    assert.deepEqual(stored.docFileIds, m.docFileIds);
  },
  async 'readers of one browser see what is theirs'() {
    const m = await machine();
    await visit(async ({ page, open }) => {
      await open('/');
      const read = (path, token) =>
        page.evaluate(async ([url, t]) => (await fetch(url, { headers: t === undefined ? {} : { Authorization: `Bearer ${t}` } })).json(), [`${api}${path}`, token]);
      for (const token of [undefined, TOKEN_ADMIN, undefined, TOKEN_OWNER, TOKEN_ADMIN, undefined]) {
        const seen = await read(m.path, token);
        const [photos, docs] = token === undefined ? [m.photoFileIds.slice(1), m.docFileIds.slice(1)] : [m.photoFileIds, m.docFileIds];
        assert.deepEqual(seen.photoFileIds, photos, `photos for ${token === undefined ? 'nobody' : 'somebody'}`);
        assert.deepEqual(seen.docFileIds, docs);
        assert.equal((await read(`${m.path}/photos`, token)).length, photos.length);
      }
    });
  },
  async 'a new name is seen after a reload'() {
    const m = await machine();
    await visit(async ({ page, open }) => {
      await open(`/equipment/${m.id}`);
      for (const text of [m.tag.name, m.param.name, m.unit.code, m.type.title]) await page.getByText(text).first().waitFor({ state: 'attached' });
      const read = () => page.evaluate(async (url) => (await fetch(url)).text(), `${api}${m.path}`);
      await read();
      for (const [path, field, old] of [
        [`/tags/${m.tag.id}`, 'name', m.tag.name],
        [`/params/${m.param.id}`, 'name', m.param.name],
        [`/units/${m.unit.id}`, 'code', m.unit.code],
        [`/types/${m.type.id}`, 'title', m.type.title],
      ]) {
        const name = `new ${randomUUID().slice(0, 8)}`;
        await ask('PATCH', path, { token: TOKEN_ADMIN, body: { [field]: name } });
        if (field !== 'title') assert.match(await read(), new RegExp(name), path);
        await page.reload();
        await page.getByText(name).first().waitFor({ state: 'attached' });
        assert.equal(await page.getByText(old, { exact: true }).count(), 0, path);
      }
    });
  },
  async 'tags that went through nginx are understood'() {
    const m = await machine();
    for (const coding of ['gzip', 'zstd', 'identity', 'gzip, br, zstd']) {
      const read = await call('GET', m.path, { token: TOKEN_OWNER, headers: { 'Accept-Encoding': coding } });
      assert.equal(read.status, 200);
      if (coding === 'gzip') assert.equal(read.headers['content-encoding'], 'gzip');
      const tag = read.headers.etag;
      const again = (given) => call('GET', m.path, { token: TOKEN_OWNER, headers: { 'Accept-Encoding': coding, 'If-None-Match': given } });
      assert.equal((await again(tag)).status, 304, `${coding} ${tag}`);
      assert.equal((await call('GET', m.path, { headers: { 'Accept-Encoding': coding, 'If-None-Match': tag } })).status, 200, 'the same tag from another reader');
      for (const given of [tag, `W/${tag.replace(/^W\//, '')}`]) {
        const { etag } = (await call('GET', m.path, { token: TOKEN_OWNER, headers: { 'Accept-Encoding': coding } })).headers;
        const sent = given.startsWith('W/') ? `W/${etag.replace(/^W\//, '')}` : etag;
        const saved = await call('PATCH', m.path, { token: TOKEN_OWNER, body: { modelName: `U${randomUUID().slice(0, 6)}` }, headers: { 'If-Match': sent, 'Accept-Encoding': coding } });
        assert.equal(saved.status, 200, `${coding} ${sent}: ${saved.raw}`);
        const stale = await call('PATCH', m.path, { token: TOKEN_OWNER, body: { modelName: 'lost' }, headers: { 'If-Match': sent } });
        assert.equal(stale.status, 409, `${coding} ${sent}`);
      }
    }
    const list = await call('GET', '/vehicles?size=24', { headers: { 'Accept-Encoding': 'gzip' } });
    assert.equal(list.headers['content-encoding'], 'gzip');
    assert.ok(list.raw.length < 12_000, `a page of 24 takes ${list.raw.length} bytes`);
  },
  async 'an encoded slash stays where it is'() {
    const { status } = await call('GET', '/vehicles/count%2F..%2Fcount');
    assert.ok(status === 400 || status === 404, String(status));
  },
  // Refused before it is read, a body is on its way all the same; the refusal must not be lost with the connection.
  async 'a refusal reaches clients that are still sending'() {
    const body = Buffer.alloc(2 << 20, 'x');
    for (const [base, kind] of [[`${CATALOG_URL}/api/v1`, 'direct'], [api, 'nginx']]) {
      for (const path of ['/groups', '/types', '/params', '/units', '/tags', '/vehicles', '/vehicles/semantic-search']) {
        const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${TOKEN_ADMIN}` };
        for (let n = 0; n < 3; n++) {
          const answer = await fetch(base + path, { method: 'POST', headers, body });
          assert.equal(answer.status, 413, `fetch ${kind} ${path}`);
          assert.equal((await answer.json()).code, 'payload_too_large');
        }
        const curl = execFileSync('curl', ['-sS', '-X', 'POST', ...Object.entries(headers).flatMap(([name, text]) => ['-H', `${name}: ${text}`]), '-H', 'Expect:', '--data-binary', '@-', base + path], { input: body, encoding: 'utf8' });
        assert.equal(JSON.parse(curl).code, 'payload_too_large', `curl ${kind} ${path}`);
      }
    }
  },
  // Behind nginx callers are told apart by the addresses that they connect from, and nothing that they write makes them another.
  async 'one caller behind nginx takes its quarter and no more'() {
    const [attacker, other] = ['127.0.0.66', '127.0.0.2'];
    const count = (from, headers) => call('GET', '/vehicles/count', { from, headers });
    // A quarter of the places, which are 32 for each of 4 connections, and eight more. Nothing else of the attacker is
    // asked until the eight are refused: its answer would take a place for a moment, and so one of the held ones would be
    // refused in its stead.
    const refusals = [];
    const held = Array.from({ length: 40 }, () => {
      const request = http.request(`${api}/vehicles/semantic-search`, { method: 'POST', localAddress: attacker, agent: false, headers: { 'Content-Type': 'application/json', 'Content-Length': 1000 } });
      request.on('error', () => {}); // destroyed at the end
      request.on('response', (answer) => refusals.push(answer.resume().statusCode));
      request.write('{"query":');
      return request;
    });
    for (let tries = 0; refusals.length < 8; tries++) {
      assert.ok(tries < 200, `the attacker is never told that it has its quarter: ${refusals}`);
      await new Promise((done) => setTimeout(done, 50));
    }
    assert.deepEqual(refusals, Array(8).fill(429));
    assert.equal((await count(attacker)).status, 429);
    for (const spoofed of [{ 'X-Forwarded-For': '192.0.2.1' }, { 'X-Forwarded-For': '127.0.0.2, 192.0.2.1' }, { 'X-Real-IP': '192.0.2.1' }, { Forwarded: 'for=192.0.2.1' }]) {
      const refused = await count(attacker, spoofed);
      assert.equal(refused.status, 429, JSON.stringify(spoofed));
      assert.match(refused.headers['retry-after'], /^[1-9]/);
    }
    for (let n = 0; n < 20; n++) assert.equal((await count(other)).status, 200, 'another address is served');
    for (const request of held) request.destroy();
    for (let tries = 0; (await count(attacker)).status !== 200; tries++) {
      assert.ok(tries < 100, 'places are not given back');
      await new Promise((done) => setTimeout(done, 50));
    }
  },
};

try {
  for (const [name, check] of Object.entries(checks)) {
    await check();
    console.log(`  ${name}`);
  }
} finally {
  await browser.close();
}
console.log(`caches: ${Object.keys(checks).length} checks in Chromium and behind nginx passed`);
