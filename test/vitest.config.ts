import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './support/longest-first.js';

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  // graphql ships CJS and ESM builds; two copies in one process reject each other's types.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/**/*.test.ts'],
    // has packages and a configuration of its own
    exclude: ['test/tools'],
    globalSetup: ['test/support/global-setup.ts', 'test/support/function-calls.ts'],
    pool: 'forks',
    // Files of one worker share its modules, which take longer to load than most files to run. No file may leave a change in
    // them: what a test replaces, it puts back.
    isolate: false,
    // Two more than cores: tests of faults and of time mostly wait.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
    // For what hangs. A machine that is busy otherwise makes everything many times slower.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
