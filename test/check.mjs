// `npm run check`: all checks that do not run the tests, in parallel. Builds dist first, because a compiled program prints the
// generated files. Prints only complaints, and exits with code 1 if there are any. `npm test` adds `--tests` and the arguments of
// vitest. The tests start after the build, and the checks use the remaining cores.
import { exec, spawn } from 'node:child_process';

// `npm run test:tools` checks test/tools, because it installs the packages of that folder
const sources = 'src test portal clients ops/pack.mjs ops/advisories.mjs ops/pin-images.mjs codegen.ts';
const BUILD = 'build, generated files';
const checks = {
  // includes the diagnostics of tsc, because the type-aware rules infer all types anyway
  'types, lint': `oxlint --config .oxlintrc.json --type-aware --type-check --ignore-pattern test/tools ${sources}`,
  'build, generated files': 'node --run build && node dist/cli/generate.js --check',
  'kit for Node':
    'tsc -p clients/node --outDir dist/.clients && diff -u clients/node/recharge-gateway.mjs dist/.clients/recharge-gateway.mjs && diff -u clients/node/recharge-gateway.d.mts dist/.clients/recharge-gateway.d.mts',
  'types of documents': 'graphql-codegen --config codegen.ts --check',
  'released schemas': 'node test/contract/released.mjs',
  words: 'node test/words/product.mjs',
  SQL: 'squawk --reporter gcc src/db/sql/*/*.sql',
  format: `biome check --config-path=.biome.json ${sources}`,
};

/** Checks of generated files that do not print how to update these files. */
const GENERATED = new Set(['kit for Node', 'types of documents']);

/**
 * The checks share the cores: more threads in one check would only repeat the same inference. GOGC: the Go programs collect
 * garbage less often, for a quarter more memory and a fifth less time. The compile cache of V8 is kept, because the tests start
 * the same modules many times.
 */
const env = { ...process.env, GOMAXPROCS: '1', GOGC: '400', NODE_COMPILE_CACHE: 'dist/.compile-cache' };

const [option, ...words] = process.argv.slice(2);
const complaints = [];

const judge = ([name, command]) =>
  new Promise((resolve) => {
    exec(command, { env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (error) {
        complaints.push(`\nThe check of ${name} failed (${command}):\n${stdout}${stderr}`);
        if (GENERATED.has(name)) complaints.push('Files that follow from the code are written by "npm run generate".');
      }
      resolve(!error);
    });
  });

/** Resolves to the exit code. */
const test = () =>
  new Promise((resolve) => {
    const vitest = spawn('vitest', ['run', '--config', 'test/vitest.config.ts', ...words], { stdio: 'inherit' });
    vitest.on('close', (code) => resolve(code ?? 1));
  });

const { [BUILD]: build, ...others } = checks;
const judged = Object.entries(others).map(judge);
const isBuilt = await judge([BUILD, build]);
const code = option === '--tests' && isBuilt ? await test() : 0;
await Promise.all(judged);
complaints.forEach((complaint) => console.error(complaint));
process.exitCode = complaints.length > 0 ? 1 : code;
