import { defineConfig } from 'vitest/config';

/** Every cell, every key, every second, every sequence: what `npm test` plays a selection of. */
export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/faults/*.test.ts', 'test/model/database.test.ts', 'test/clients/guide-table.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    env: { FAULTS: 'full' },
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 60_000,
  },
});
