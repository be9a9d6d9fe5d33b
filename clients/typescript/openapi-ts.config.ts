// How gen/typescript is generated from the published documents.
import { defineConfig, definePluginConfig, type ExpressionTransformer } from '@hey-api/openapi-ts';

const plugins = [
  { name: '@hey-api/client-fetch' as const, throwOnError: true },
  '@hey-api/typescript' as const,
  '@hey-api/sdk' as const,
];

const isLong = ({ type, format }: { type?: unknown; format?: unknown }) => type === 'integer' && format === 'int64';

// The transformers trust `required`, and throw where an answer lacks such a field. Behind the types, which keep it, a
// field is looked at only where it is there. A 64-bit number guards itself: its 0 is there too.
const absentIsNoError = definePluginConfig({
  name: 'absent-is-no-error',
  config: {},
  dependencies: ['@hey-api/typescript'],
  handler: ({ plugin }) => relax(plugin.context.ir, new Set()),
});

function relax(node: unknown, seen: Set<unknown>): void {
  if (typeof node !== 'object' || node === null || seen.has(node)) return;
  seen.add(node);
  const schema = node as { properties?: Record<string, object>; required?: unknown };
  if (schema.properties) schema.required = Object.keys(schema.properties).filter((name) => isLong(schema.properties![name]!));
  for (const child of Object.values(node)) relax(child, seen);
}

const longIfThere: ExpressionTransformer = ({ $, dataExpression, schema }) => {
  if (!isLong(schema) || dataExpression === undefined) return undefined;
  const long = $('BigInt').call($(dataExpression).attr('toString').call());
  if (typeof dataExpression === 'string') return [$.return(long)];
  return [$.if($(dataExpression).looseNeq($.literal(null))).do($(dataExpression).assign(long))] as unknown as ReturnType<ExpressionTransformer>;
};

// The provider's 64-bit numbers are above 2^53: a bigint keeps their last digits.
const wholeNumbers = [
  ...plugins.slice(0, 2),
  absentIsNoError(),
  { name: '@hey-api/transformers' as const, dates: false, bigInt: true, transformers: [longIfThere] },
  { name: '@hey-api/sdk' as const, transformer: true },
];

// Node.js resolves only imports with their extension.
const output = (name: string) => ({ path: `../../gen/typescript/${name}`, module: { extension: '.js' } });

export default defineConfig([
  { input: '../../openapi/catalog.yaml', output: output('catalog'), plugins, logs: { file: false } },
  { input: '../../gen/gatewayapi/openapi.yaml', output: output('gateway'), plugins: wholeNumbers, logs: { file: false } },
  { input: '../../openapi/files.yaml', output: output('files'), plugins, logs: { file: false } },
]);
