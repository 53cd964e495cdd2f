import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

it('`npm run mutate` plays the changed code: a planted defect is caught, a harmless change is not', () => {
  const { stdout } = spawnSync(process.execPath, ['test/mutations/mutate.mjs', '--self-test'], { encoding: 'utf8' });
  expect(stdout).toMatch(/^caught +planted: wrong/m);
  expect(stdout).toMatch(/^survived +planted: harmless/m);
});
