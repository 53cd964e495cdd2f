// `npm run generate`: writes all generated files, each step after the steps that it depends on. One run is enough; a second run
// changes nothing. The build does not check types, because the types of documents are written by a later step.
import { exec } from 'node:child_process';
import { readFileSync } from 'node:fs';

const ANSWERS = 'src/rest/generated/answers.json';

const build = 'node src/dev/build.mjs programs';
const files = 'node dist/cli/generate.js';
const documents = 'graphql-codegen --config codegen.ts';
const kit = 'tsc -p clients/node';
const states = `vitest run --config test/vitest.config.ts test/model/state-machine.test.ts -t order-states -u`;
const responses = `vitest run --config test/full.config.ts test/rest/response-examples.full.ts -u`;

const env = { ...process.env, NODE_COMPILE_CACHE: 'dist/.compile-cache' };

/** Whether the command succeeded. Prints its output if it failed. */
const run = (command) =>
  new Promise((resolve) => {
    exec(command, { env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (error) console.error(`\nThis failed (${command}):\n${stdout}${stderr}`);
      resolve(!error);
    });
  });

async function generate() {
  // a program that cannot start prints the reason in one sentence
  if (!(await run(`${build} && ${files}`))) return false;
  const before = readFileSync(ANSWERS, 'utf8');
  const done = await Promise.all([run(documents), run(kit), run(states), run(responses)]);
  if (done.includes(false)) return false;
  // the Postman collection contains the examples
  return readFileSync(ANSWERS, 'utf8') === before || run(`${build} && ${files}`);
}

process.exitCode = (await generate()) ? 0 : 1;
