import { readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { defineConfig } from 'vite';

/** Console used during development: run `npm start` in another terminal, then `npx vite portal`. */
const CONSOLE = process.env.CONSOLE_URL ?? 'http://localhost:4002';
/** The console accepts a session cookie only with its own origin. */
const proxied = { target: CONSOLE, changeOrigin: true, headers: { origin: new URL(CONSOLE).origin } };

const KEPT = path.resolve(import.meta.dirname, '../src/http/libraries/graphiql');
/** Loads GraphiQL from its compressed files. `npm run libraries` builds them from packages that are not dependencies. */
const kept = {
  name: 'kept',
  resolveId: (id) =>
    ({ graphiql: `${KEPT}/graphiql.js`, 'graphiql/style.css': `${KEPT}/graphiql.css` })[id.replace(/^\//, '')],
  load: (id) => (id.startsWith(KEPT) ? brotliDecompressSync(readFileSync(`${id}.br`)).toString() : undefined),
};

/** Static imports of a module, including transitive imports. */
function neededBy(entry, built) {
  const needed = new Set(built.getModuleInfo(entry).importedIds);
  for (const id of needed) for (const next of built.getModuleInfo(id)?.importedIds ?? []) needed.add(next);
  return needed;
}
let ofAllPages;

export default defineConfig({
  plugins: [kept],
  publicDir: false,
  build: {
    target: 'es2024',
    assetsInlineLimit: 0,
    // All browsers that support the CSS of the portal also support module preloading.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // GraphiQL exceeds the default limit, but is loaded only on demand.
    chunkSizeWarningLimit: 1_200,
    // Lists the files that the page at /graphiql needs.
    manifest: 'manifest.json',
    rolldownOptions: {
      input: ['index.html', 'graphiql.html'].map((name) => path.join(import.meta.dirname, name)),
      output: {
        // Use one file because browsers limit parallel requests. React is separate because /graphiql uses it, too.
        codeSplitting: {
          groups: [
            { name: 'react', test: /\/node_modules\/(react|react-dom|scheduler)\// },
            {
              debugName: 'frame',
              name: (id, built) => {
                ofAllPages ??= neededBy(path.join(import.meta.dirname, 'src/main.tsx'), built);
                return ofAllPages.has(id) ? 'frame' : null;
              },
            },
          ],
        },
      },
      // "use client" is relevant only for server rendering, which the portal does not use.
      onLog: (level, log, report) => (log.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : report(level, log)),
    },
  },
  server: { port: 5173, proxy: { '/graphql': proxied, '/docs': proxied, '/graphiql': proxied } },
});
