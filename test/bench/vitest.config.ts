import { defineConfig } from 'vitest/config';

/** Measurements, one after the other: `npx vitest run --config test/bench/vitest.config.ts waiters`. Their figures go to standard output. */
export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/bench/**/*.bench.ts'],
    globalSetup: ['test/bench/support/on-disk.ts', 'test/support/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 1,
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 60_000,
    disableConsoleIntercept: true,
  },
});
