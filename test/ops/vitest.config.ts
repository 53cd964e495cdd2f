import { defineConfig } from 'vitest/config';

/** `npm run drill`: what operators do, with the programs that they use beside ours. `npm run drill -- proxy` is one of them. */
export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/ops/*.drill.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 600_000,
    // the books are checked in the end: half an hour leaves some hundred thousand transfers
    hookTimeout: 600_000,
  },
});
