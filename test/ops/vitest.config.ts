import { defineConfig } from 'vitest/config';

/** Drills of what operators do: minutes each, and no part of `npm test`. `npm run drills -- rolling-restart` plays one. */
export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/ops/*.drill.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 120_000,
  },
});
