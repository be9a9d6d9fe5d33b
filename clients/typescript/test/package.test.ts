// The package itself: what is not used is left out of a bundle, and the README's examples compile.
import { build } from 'esbuild';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

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
