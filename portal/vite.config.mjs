import { defineConfig } from 'vite';

/** The console that a portal under work talks to: `npm start` in another terminal, then `npx vite portal`. */
const CONSOLE = process.env.CONSOLE_URL ?? 'http://localhost:4002';
/** A session cookie counts for no other origin than the console's own. */
const proxied = { target: CONSOLE, changeOrigin: true, headers: { origin: new URL(CONSOLE).origin } };

export default defineConfig({
  publicDir: false,
  build: {
    target: 'es2024',
    assetsInlineLimit: 0,
    // browsers that know the portal's style know how to load modules ahead
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // "use client" means something to servers that render, of which there is none here
      onLog: (level, log, report) => (log.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : report(level, log)),
    },
  },
  server: { port: 5173, proxy: { '/graphql': proxied, '/docs': proxied, '/graphiql': proxied } },
});
