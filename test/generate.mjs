// `npm run generate`: writes all that follows from the code, each step after those that it follows from. Once is enough: a second
// time changes nothing. The code is compiled without judging types, because those of documents come only with a step.
import { exec } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

const ANSWERS = 'src/rest/generated/answers.json';

const build = 'tsc -p src/tsconfig.json --noCheck --checkers 1 && node src/dev/bundle.mjs';
const files = 'node dist/cli/generate.js';
const documents = 'graphql-codegen --config codegen.ts';
const kit = 'tsc -p clients/node';
const answers = `vitest run --config test/vitest.config.ts test/rest/answer-examples.test.ts -u`;

const execute = promisify(exec);

async function run(command) {
  try {
    await execute(command, {
      env: { ...process.env, NODE_COMPILE_CACHE: 'dist/.compile-cache' },
      maxBuffer: 64 * 1024 * 1024,
    });
  } catch ({ stdout, stderr }) {
    console.error(`\nThis failed (${command}):\n${stdout}${stderr}`);
    process.exit(1);
  }
}

await run(build);
const before = readFileSync(ANSWERS, 'utf8');
await Promise.all([run(`${files} && ${documents}`), run(kit), run(answers)]);
// the collection of Postman shows them
if (readFileSync(ANSWERS, 'utf8') !== before) await run(`${build} && ${files}`);
