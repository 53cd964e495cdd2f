import { defineConfig } from 'vitest/config';
import fuzz from '../vitest.config.js';

/** `npm run attacks`: settings ATTACK_LIMIT_MS, ATTACK_FRAGMENTS, ATTACKS. The attacks through the proxy run first. */
export default defineConfig({
  ...fuzz,
  test: { ...fuzz.test, include: ['test/fuzz/attacks/proxied-attacks.run.ts', 'test/fuzz/attacks/attacks.run.ts'] },
});
