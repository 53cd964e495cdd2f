/**
 * `npm run mutate`: checks that a test fails if the code that moves money is wrong. Each mutation in `mutations.mjs` changes one
 * place in a copy of the project and runs the test files that must notice it, which compile the changed copy first. Prints caught
 * or survived for each, and exits with 1 if a mutation survived or no longer matches the code.
 *
 * MUTATIONS=name,name   only mutations whose names contain one of these texts
 * MUTATION_LANES=2      number of concurrent runs
 * --self-test           runs two planted changes instead: a defect, which must be caught, and a harmless one, which must not
 */
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { mutations } from './mutations.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const COPIED = [
  'src',
  'test',
  'dist',
  'portal',
  'clients',
  'package.json',
  'tsconfig.json',
  'schema.graphql',
  'schema.console.graphql',
  'docs',
];
/** Tests of a defective product may wait forever: after this time such a test fails, and its run is stopped. */
const TEST_LIMIT_MS = 3 * 60_000;
const LIMIT_MS = 10 * 60_000;
/** Runs all test files of the chosen mutations together. */
const UNCHANGED_LIMIT_MS = 40 * 60_000;

/** Proves that the mutant is executed: these changes affect only the sources, and a stale build would not contain them. */
const planted = [
  { name: 'planted: wrong', from: `cell.replace(GUARDED, "'")`, to: 'cell' },
  { name: 'planted: harmless', from: 'const text = raw', to: 'const text =  raw' },
].map((change) => ({ ...change, file: 'src/core/csv.ts', tests: ['test/core/csv.test.ts'] }));

const only = process.env.MUTATIONS?.split(',');
const chosen = (process.argv.includes('--self-test') ? planted : mutations).filter(
  ({ name }) => !only || only.some((part) => name.includes(part)),
);
const lanes = Number(process.env.MUTATION_LANES ?? Math.max(1, Math.floor(availableParallelism() / 2)));

const isSource = (file) => path.basename(file) !== 'node_modules';

/** A copy whose sources can be changed; node_modules is shared with the project. */
function copyOfProject() {
  const directory = mkdtempSync(path.join(tmpdir(), 'mutations-'));
  for (const name of COPIED)
    cpSync(path.join(ROOT, name), path.join(directory, name), {
      recursive: true,
      preserveTimestamps: true,
      filter: isSource,
    });
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(directory, 'node_modules'));
  return directory;
}

/** Exit code and output of a program. */
function run(command, args, { cwd, timeout }) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, timeout, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (output += bytes));
    child.on('close', (code) => resolve({ code, output }));
  });
}

/** Name of the first failed test. */
const firstFailure = (output) => /FAIL\s+(.+)/.exec(stripVTControlCharacters(output))?.[1] ?? 'no test is named';

/** Runs test files in a copy, up to the first failure. */
async function test(files, directory, { workers = 1, timeout = LIMIT_MS } = {}) {
  const suites = Map.groupBy(files, (file) =>
    file.endsWith('.full.ts') ? 'test/full.config.ts' : 'test/vitest.config.ts',
  );
  let ended = { code: 0, output: '' };
  for (const [config, own] of suites) {
    ended = await run(
      'node_modules/.bin/vitest',
      [
        'run',
        '--config',
        config,
        '--bail',
        '1',
        '--maxWorkers',
        `${workers}`,
        '--testTimeout',
        `${TEST_LIMIT_MS}`,
        ...own,
      ],
      { cwd: directory, timeout },
    );
    if (ended.code !== 0) break;
  }
  return ended;
}

async function play({ file, from, to, tests }, directory) {
  const place = path.join(directory, file);
  const original = readFileSync(place, 'utf8');
  if (original.split(from).length !== 2)
    return { verdict: 'does not fit', note: `"${from}" is not there exactly once` };
  writeFileSync(
    place,
    original.replace(from, () => to),
  );
  try {
    const { code, output } = await test(tests, directory);
    if (code === 0) return { verdict: 'survived', note: tests.join(', ') };
    return output.includes('No test files found')
      ? { verdict: 'does not fit', note: 'a test file is missing' }
      : { verdict: 'caught', note: firstFailure(output) };
  } finally {
    writeFileSync(place, original);
  }
}

const counts = { caught: 0, survived: 0, 'does not fit': 0 };
const waiting = [...chosen];
async function lane() {
  const directory = copyOfProject();
  try {
    for (let mutation = waiting.shift(); mutation; mutation = waiting.shift()) {
      const { verdict, note } = await play(mutation, directory);
      counts[verdict]++;
      console.log(`${verdict.padEnd(8)}  ${mutation.name}: ${note}`);
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
// a test that fails without a mutation would catch every mutation
const unchanged = copyOfProject();
const { code, output } = await test([...new Set(chosen.flatMap(({ tests }) => tests))], unchanged, {
  workers: lanes,
  timeout: UNCHANGED_LIMIT_MS,
});
rmSync(unchanged, { recursive: true, force: true });
if (code !== 0) {
  console.error(`The tests fail on the code as it is: ${firstFailure(output)}`);
  process.exit(2);
}
await Promise.all(Array.from({ length: lanes }, lane));
console.log(
  `${chosen.length} mutations: ${counts.caught} caught, ${counts.survived} survived, ${counts['does not fit']} do not fit the code`,
);
process.exitCode = counts.caught === chosen.length ? 0 : 1;
