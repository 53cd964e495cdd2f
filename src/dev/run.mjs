// What `npm run serve`, `migrate`, `doctor` and the others start: a program that `npm run build` made. Without DATABASE_URL the
// programs of the command line work on the demo's database, where the demo is installed.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const program = path.resolve('dist', `${process.argv[2]}.js`);
const beside = path.resolve('dist/dev/beside-demo.js');
const { DATABASE_URL, DATABASE_URL_FILE } = process.env;
const ofDemo = process.argv[2].startsWith('cli/') && !DATABASE_URL && !DATABASE_URL_FILE && existsSync(beside);

if (existsSync(program)) {
  process.argv.splice(1, 2, ...(ofDemo ? [beside, program] : [program]));
  await import(pathToFileURL(process.argv[1]).href);
} else {
  process.stderr.write(`${path.relative('.', program)} is missing: run "npm run build" first.\n`);
  process.exitCode = 1;
}
