// How the web app is built, served while it is developed, and tested.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

const stack = process.env['STACK_URL'] ?? 'http://127.0.0.1:8087';
const upstreams = { '/catalog': 'http://127.0.0.1:8080', '/gateway': 'http://127.0.0.1:8090', '/files': 'http://127.0.0.1:8091/files' };

// The development server stands beside a running stack: it takes the stack's settings and lets the
// browser reach both services through itself, since they accept no other origin than the stack's own.
function stackSettings(): Plugin {
  return {
    name: 'stack-settings',
    configureServer(server) {
      server.middlewares.use('/settings.json', (request, response) => {
        const origin = `http://${request.headers.host}`;
        fetch(`${stack}/settings.json`)
          .then((answer) => answer.json() as Promise<Record<string, unknown>>)
          .then((settings) => {
            response.setHeader('Content-Type', 'application/json');
            response.end(JSON.stringify({ ...settings, catalogUrl: `${origin}/catalog`, gatewayUrl: `${origin}/gateway`, filesUrl: `${origin}/files` }));
          })
          .catch(() => {
            response.statusCode = 503;
            response.end(`The stack does not answer at ${stack}: start it with "make run".`);
          });
      });
    },
  };
}

/** Leaves each text of the build packed beside itself, so that servers have nothing to do for it. */
function packed(): Plugin {
  return {
    name: 'packed',
    apply: 'build',
    writeBundle({ dir = '' }, bundle) {
      const names = [...Object.keys(bundle), ...readdirSync('public')].filter((name) => /\.(js|css|html|svg|txt)$/.test(name));
      for (const name of names) {
        const file = join(dir, name);
        const bytes = readFileSync(file);
        writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
        writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }));
      }
    },
  };
}

/** The libraries are written for React; Preact, which has the same interface, is a fifth of its size. */
export const alias = [
  { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
  { find: /^react\/jsx-(dev-)?runtime$/, replacement: 'preact/jsx-runtime' },
  { find: /^react(-dom)?$/, replacement: 'preact/compat' },
];

export default defineConfig({
  plugins: [stackSettings(), packed()],
  resolve: { alias },
  esbuild: { jsx: 'automatic' },
  server: {
    host: '127.0.0.1',
    port: 5173,
    proxy: Object.fromEntries(
      Object.entries(upstreams).map(([path, target]) => [
        path,
        { target, changeOrigin: true, rewrite: (url: string) => url.slice(path.length) },
      ]),
    ),
  },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: {
      // Libraries mark their client components for servers that render; there is none here.
      onwarn: (warning, warn) => {
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
      },
    },
  },
});
