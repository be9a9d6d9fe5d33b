// The package itself: what is not used is left out of a bundle, and the README's examples compile.
import { build } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, inject, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');

async function bundle(source: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: root, loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    logLevel: 'error',
    format: 'esm',
    treeShaking: true,
  });
  return outputFiles[0]?.text ?? '';
}

describe('tree shaking', () => {
  test('one operation brings neither the others nor the gateway', async () => {
    const text = await bundle(`
      import { createCatalogClient } from '@equipment-platform/client';
      import { listGroups } from '@equipment-platform/client/catalog';
      console.log(await listGroups({ client: createCatalogClient({ baseUrl: 'http://localhost' }) }));
    `);
    expect(text).toContain('/api/v1/groups');
    expect(text).not.toContain('semantic-search');
    expect(text).not.toContain('partner-apikey');
    expect(text.length).toBeLessThan(16_000);
  });

  test('importing without using anything leaves nothing', async () => {
    expect((await bundle(`import '@equipment-platform/client';`)).trim()).toBe('');
  });
});

test('the examples of the README compile', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const examples = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');
  expect(examples).toHaveLength(5);
  const directory = mkdtempSync(join(root, 'test', 'readme-'));
  try {
    const files = examples.map((example, index) => {
      const file = join(directory, `example${index + 1}.ts`);
      writeFileSync(file, `${example}\nexport {};\n`);
      return file;
    });
    const program = ts.createProgram(files, {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
      types: ['node'],
    });
    const messages = ts.getPreEmitDiagnostics(program).map(({ messageText, file }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`);
    expect(messages).toEqual([]);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test('packed, it installs into an empty project and works there', () => {
  const directory = mkdtempSync(join(tmpdir(), 'empty-project-'));
  const npm = (...args: string[]) => execFileSync('npm', args, { cwd: directory, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    execFileSync('npm', ['pack', '--silent', '--pack-destination', directory], { cwd: root, encoding: 'utf8' });
    const [archive] = readdirSync(directory);
    writeFileSync(join(directory, 'package.json'), '{"name": "empty", "private": true, "type": "module"}');
    npm('install', '--offline', '--silent', '--no-audit', '--no-fund', `./${archive}`);
    writeFileSync(
      join(directory, 'story.mjs'),
      `import { createCatalogClient } from '@equipment-platform/client';
      import { getVehicle, listVehicles } from '@equipment-platform/client/catalog';
      const client = createCatalogClient({ baseUrl: process.argv[2] });
      const { data } = await listVehicles({ client, query: { size: 1 } });
      const path = { id: data.content[0].id };
      const first = await getVehicle({ client, path });
      const again = await getVehicle({ client, path, headers: { 'If-None-Match': first.response.headers.get('ETag') } });
      console.log(first.data.id === path.id, first.response.status, again.response.status, JSON.stringify(again.data));`,
    );
    expect(execFileSync(process.execPath, ['story.mjs', inject('catalogUrl')], { cwd: directory, encoding: 'utf8' }).trim()).toBe('true 200 304 null');
    expect(readdirSync(join(directory, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['@equipment-platform']);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
