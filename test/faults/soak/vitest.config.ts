import { defineConfig } from 'vitest/config';
import faults from '../vitest.config.js';

/** `npm run soak`: SOAK_SECONDS of faults, 600 by default. */
export default defineConfig({
  ...faults,
  test: { ...faults.test, include: ['test/faults/soak/soak.run.ts'] },
});
