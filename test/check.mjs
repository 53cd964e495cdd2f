// `npm run check`: everything that is judged without running the tests, side by side. Builds dist on the way, because what
// follows from the code is printed by a compiled program. Says nothing of what is right; prints the complaints of what is not, and
// ends with 1. `npm test` adds `--tests` and vitest's arguments: the tests begin after the build, and the checks use what they leave
// of the cores.
import { exec, spawn } from 'node:child_process';

// test/tools is judged by `npm run test:tools`, which has its packages
const sources = 'src test portal clients ops/pack.mjs ops/advisories.mjs ops/pin-images.mjs codegen.ts';
const BUILD = 'build, generated files';
const checks = {
  // includes the diagnostics of tsc: the type-aware rules infer all types anyway
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

/** Of files that `npm run generate` writes and whose own check does not say so. */
const GENERATED = new Set(['kit for Node', 'types of documents']);

/**
 * The checks share the cores: more threads in one would only do the same inference several times. What V8 compiles for the
 * schema is kept, because the tests start the same modules many times over.
 */
const env = { ...process.env, GOMAXPROCS: '1', NODE_COMPILE_CACHE: 'dist/.compile-cache' };

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
