import { suite } from '../support/suite.js';

/** Complete runs with every cell, key, second and sequence, of which the other suites run a selection. */
export default suite({
  include: ['test/faults/*.{test,full}.ts', 'test/model/*.{test,full}.ts', 'test/clients/guide-table.full.ts'],
  env: { FAULTS: 'full' },
  fileParallelism: false,
});
