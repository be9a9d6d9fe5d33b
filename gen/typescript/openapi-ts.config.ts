// How src/catalog and src/gateway are generated from the published documents.
import { defineConfig } from '@hey-api/openapi-ts';

const plugins = [
  { name: '@hey-api/client-fetch' as const, throwOnError: true },
  '@hey-api/typescript' as const,
  '@hey-api/sdk' as const,
];

// Node.js resolves only imports with their extension.
const output = (path: string) => ({ path, module: { extension: '.js' } });

export default defineConfig([
  { input: '../../openapi/catalog.yaml', output: output('src/catalog'), plugins, logs: { file: false } },
  { input: '../gatewayapi/openapi.yaml', output: output('src/gateway'), plugins, logs: { file: false } },
]);
