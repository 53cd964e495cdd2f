import { suite } from '../support/suite.js';

/** Every cell, every key, every second, every sequence: what the other suites play a selection of. */
export default suite({
  include: ['test/faults/*.{test,full}.ts', 'test/model/*.{test,full}.ts', 'test/clients/guide-table.full.ts'],
  env: { FAULTS: 'full' },
  fileParallelism: false,
});
