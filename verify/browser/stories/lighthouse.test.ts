// What Lighthouse says of the pages that a customer comes to first, on a simulated phone.
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import lighthouse from 'lighthouse';
import { chromium } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { call, type PageOf, type Vehicle } from '../reader.ts';
import { ORIGIN } from '../setup.ts';

const stack = inject('stack');
/** The goal: of the tries the best counts. */
const LEAST = { performance: 0.95, accessibility: 1, 'best-practices': 1, seo: 0.95 };
const TRIES = 5;
/**
 * What the page draws and when (all of the performance but the blocking time) reaches the goal on any machine, since
 * Lighthouse simulates the network. The blocking time is the processor's, times four: with more work on the machine than it
 * has processors it is that of the others, from 160 ms to seconds for one page. So the whole is held where the machine is
 * free, less what the scatter of its tries takes.
 */
const FLOOR = { drawing: 0.95, whole: 0.9 };
const busy = () => (loadavg()[0] ?? 0) > 2 * availableParallelism();

const freePort = () =>
  new Promise<number>((done) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => done(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });

type Scores = Record<keyof typeof LEAST | 'drawing', number>;

async function measure(path: string, name: string): Promise<Scores> {
  const port = await freePort();
  const browser = await chromium.launch({ executablePath: stack.chromium.path, args: [...stack.chromium.arguments, `--remote-debugging-port=${port}`] });
  try {
    const result = await lighthouse(`${ORIGIN}${path}`, { port, output: 'html', logLevel: 'error', onlyCategories: Object.keys(LEAST) });
    if (result === undefined) throw new Error('Lighthouse found nothing');
    writeFileSync(join(stack.artifacts, `lighthouse-${name}.html`), String(result.report));
    const { categories, audits } = result.lhr;
    const wrong = Object.values(audits).filter(({ score, scoreDisplayMode }) => scoreDisplayMode === 'binary' && score === 0);
    console.log(`${name}: processor ${Math.round(result.lhr.environment.benchmarkIndex)}; ${Object.entries(categories).map(([id, { score }]) => `${id} ${score}`).join(', ')}; ${['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift'].map((id) => `${id} ${audits[id]?.displayValue}`).join(', ')}; ${wrong.map(({ id }) => id).join(' ')}`);
    const parts = (categories['performance']?.auditRefs ?? []).filter(({ id, weight }) => weight > 0 && id !== 'total-blocking-time');
    const all = (of: (id: string) => number) => parts.reduce((sum, { id, weight }) => sum + weight * of(id), 0);
    const drawing = all((id) => audits[id]?.score ?? 0) / all(() => 1);
    return { ...Object.fromEntries(Object.keys(LEAST).map((id) => [id, categories[id]?.score ?? 0])), drawing } as Scores;
  } finally {
    await browser.close();
  }
}

test.each(['start', 'list', 'machine'])('%s on a phone', { timeout: 400_000 }, async (name) => {
  const { data } = await call<PageOf<Vehicle>>('GET', '/vehicles?minRatingCount=2&size=1');
  const path = { start: '/', list: '/equipment', machine: `/equipment/${data.content[0]?.id}` }[name] ?? '/';
  const best: Scores = { performance: 0, drawing: 0, accessibility: 0, 'best-practices': 0, seo: 0 };
  let free = false;
  for (let tries = 0; tries < TRIES && Object.entries(LEAST).some(([id, least]) => best[id as keyof Scores] < least); tries++) {
    free ||= !busy();
    const scores = await measure(path, name);
    for (const id of Object.keys(best) as (keyof Scores)[]) best[id] = Math.max(best[id], scores[id]);
  }
  expect(best.accessibility).toBe(LEAST.accessibility);
  expect(best['best-practices']).toBe(LEAST['best-practices']);
  expect(best.seo).toBeGreaterThanOrEqual(LEAST.seo);
  expect(best.drawing).toBeGreaterThanOrEqual(FLOOR.drawing);
  if (free) expect(best.performance).toBeGreaterThanOrEqual(FLOOR.whole);
  else if (best.performance < FLOOR.whole) console.log(`${name}: the machine is busy, the blocking time is not held`);
});
