import { defineConfig } from 'vitest/config';

/** `npm run test:portal`: every page of the portal as it is looked at. `npm run test:portal -- -t keys` is one of them. */
export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/portal/*.run.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
