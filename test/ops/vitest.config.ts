import { defineConfig } from 'vitest/config';

/** Drills of operation, each with the figures that docs/operating.md quotes: `npm run drill`, or `npm run drill -- failover` for one. */
export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/ops/**/*.drill.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 120_000,
  },
});
