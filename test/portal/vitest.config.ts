import { defineConfig } from 'vitest/config';

/**
 * `npm run test:portal`: every page of the portal as it is looked at, and what people do there beyond the journeys of `npm test`.
 * `npm run test:portal -- work` is one file of it, `-t keys` one page.
 */
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
