import { readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { defineConfig } from 'vite';

/** The console that a portal under work talks to: `npm start` in another terminal, then `npx vite portal`. */
const CONSOLE = process.env.CONSOLE_URL ?? 'http://localhost:4002';
/** A session cookie counts for no other origin than the console's own. */
const proxied = { target: CONSOLE, changeOrigin: true, headers: { origin: new URL(CONSOLE).origin } };

const KEPT = path.resolve(import.meta.dirname, '../src/http/libraries/graphiql');
/** GraphiQL, which is kept compressed: `npm run libraries` makes it of packages that are none of the product's. */
const kept = {
  name: 'kept',
  resolveId: (id) =>
    ({ graphiql: `${KEPT}/graphiql.js`, 'graphiql/style.css': `${KEPT}/graphiql.css` })[id.replace(/^\//, '')],
  load: (id) => (id.startsWith(KEPT) ? brotliDecompressSync(readFileSync(`${id}.br`)).toString() : undefined),
};

/** What a module imports, and what that imports; not what is loaded later. */
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
    // browsers that know the portal's style know how to load modules ahead
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // GraphiQL is one, and nobody loads it who does not ask for it
    chunkSizeWarningLimit: 1_200,
    // says which files the page at /graphiql needs
    manifest: 'manifest.json',
    rolldownOptions: {
      input: ['index.html', 'graphiql.html'].map((name) => path.join(import.meta.dirname, name)),
      output: {
        // one file, for a browser asks for six at a time; React alone has another, for the page at /graphiql needs it too
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
      // "use client" means something to servers that render, of which there is none here
      onLog: (level, log, report) => (log.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : report(level, log)),
    },
  },
  server: { port: 5173, proxy: { '/graphql': proxied, '/docs': proxied, '/graphiql': proxied } },
});
