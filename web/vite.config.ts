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

/**
 * Puts the styles into the page, so that it is drawn as soon as it is there, and lets the app's script come beside the
 * first one, which would ask for it only after it has been read.
 */
function firstPaint(): Plugin {
  return {
    name: 'first-paint',
    apply: 'build',
    enforce: 'post',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const app = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith('/src/start.tsx')));
        if (app === undefined) throw new Error('the script of src/start.tsx is not in the build');
        const preloads = [app.fileName, ...app.imports].filter((name) => !html.includes(`src="/${name}"`));
        const styled = html.replace(/\s*<link rel="stylesheet"[^>]*href="\/([^"]+)"[^>]*>/g, (_, name: string) => {
          const style = bundle[name];
          if (style?.type !== 'asset') throw new Error(`${name} is not in the build`);
          delete bundle[name];
          return `\n    <style>${String(style.source).trim()}</style>`;
        });
        return styled.replace('</head>', `${preloads.map((name) => `  <link rel="modulepreload" href="/${name}" />\n  `).join('')}</head>`);
      },
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

/**
 * What nearly every page needs comes in one script with the app: a request costs a phone more than a few kilobytes.
 * Forms and dialogs, the exchange and dragging come with the pages that have them.
 */
function common(id: string): string | undefined {
  const app = /\/src\/(start|app\/(?!SignInPage|filesClient|sending|drafts|jobs|creationKey)|ui\/(basics|errors|icons|machines|states|SignInLink|Pager|WhenNear|fields)|catalog\/(data|VehicleCard|ShelfButtons|ParamValue|WordBox|Rows|criteria|SortChoice)\b|i18n\/index)/;
  const first = /\/src\/(main|app\/(chosen|early|files|settings|storage)|i18n\/load)\.ts$|vite\/preload-helper/;
  const libraries = /node_modules\/(preact|@tanstack|use-sync-external-store|isbot|seroval|tiny-|cookie)/;
  if (first.test(id)) return 'first';
  return app.test(id) || libraries.test(id) ? 'start' : undefined;
}

/** The libraries are written for React; Preact, which has the same interface, is a fifth of its size. */
export const alias = [
  { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
  { find: /^react\/jsx-(dev-)?runtime$/, replacement: 'preact/jsx-runtime' },
  { find: /^react(-dom)?$/, replacement: 'preact/compat' },
];

export default defineConfig({
  plugins: [stackSettings(), firstPaint(), packed()],
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
    cssCodeSplit: false, // it stands in the page: no page's script waits for it
    rollupOptions: {
      output: { manualChunks: common },
      // Libraries mark their client components for servers that render; there is none here.
      onwarn: (warning, warn) => {
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
      },
    },
  },
});
