// How gen/typescript is generated from the published documents.
import { defineConfig } from '@hey-api/openapi-ts';

const plugins = [
  { name: '@hey-api/client-fetch' as const, throwOnError: true },
  '@hey-api/typescript' as const,
  '@hey-api/sdk' as const,
];

// The provider's 64-bit numbers are above 2^53: a bigint keeps their last digits.
const wholeNumbers = [...plugins.slice(0, 2), { name: '@hey-api/transformers' as const, dates: false, bigInt: true }, { name: '@hey-api/sdk' as const, transformer: true }];

// Node.js resolves only imports with their extension.
const output = (name: string) => ({ path: `../../gen/typescript/${name}`, module: { extension: '.js' } });

export default defineConfig([
  { input: '../../openapi/catalog.yaml', output: output('catalog'), plugins, logs: { file: false } },
  { input: '../../gen/gatewayapi/openapi.yaml', output: output('gateway'), plugins: wholeNumbers, logs: { file: false } },
  { input: '../../openapi/files.yaml', output: output('files'), plugins, logs: { file: false } },
]);
