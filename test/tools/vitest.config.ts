import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** What is tested with tools that nothing else needs: `npm run test:tools -- relay` runs some of it. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  // the copy that the service has: the tools bring one of their own, and two in one process reject each other's types
  resolve: {
    alias: [
      {
        find: /^graphql$/,
        replacement: fileURLToPath(new URL('../../node_modules/graphql/index.js', import.meta.url)),
      },
    ],
  },
  test: {
    include: ['test/tools/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    isolate: false,
    // For what hangs, as in the main run.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
