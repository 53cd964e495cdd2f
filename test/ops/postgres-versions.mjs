// `npm run test:postgres -- DIRECTORY [TESTS…]`: migrates and runs the money suites on a PostgreSQL other than that of
// node_modules. DIRECTORY contains its `postgres` and `initdb`, such as /usr/lib/postgresql/15/bin. Exits with the exit code of
// the tests.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

const SUITES = ['db', 'ledger', 'orders', 'recharge', 'card-bills', 'model', 'faults'].map((name) => `test/${name}/`);

const [bin, ...tests] = process.argv.slice(2);
if (!bin || !['initdb', 'postgres'].every((program) => existsSync(path.join(bin, program)))) {
  console.error('npm run test:postgres -- DIRECTORY [TESTS…]: the directory of initdb and postgres.');
  process.exit(1);
}
console.log(execFileSync(path.join(bin, 'postgres'), ['--version'], { encoding: 'utf8' }).trim());
for (const config of ['test/vitest.config.ts', 'test/full.config.ts']) {
  const { status } = spawnSync(
    'vitest',
    ['run', '--config', config, '--passWithNoTests', ...(tests.length ? tests : SUITES)],
    {
      stdio: 'inherit',
      env: { ...process.env, POSTGRES_BIN: path.resolve(bin) },
    },
  );
  if (status !== 0) process.exitCode = 1;
}
