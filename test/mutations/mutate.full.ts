import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

it('`npm run mutate` runs the changed code: it catches a planted defect but not a harmless change', () => {
  const { stdout } = spawnSync(process.execPath, ['test/mutations/mutate.mjs', '--self-test'], { encoding: 'utf8' });
  expect(stdout).toMatch(/^caught +planted: wrong/m);
  expect(stdout).toMatch(/^survived +planted: harmless/m);
});
