#!/usr/bin/env node
// `npx gateway`, also started by `npm run serve`, `migrate`, `doctor` and other scripts: runs the programs of `npm run build`.
// Without DATABASE_URL, programs that require a database use that of the demo, if the demo is installed.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const dist = path.resolve(import.meta.dirname, '../../dist');
const [gateway, beside] = ['cli/gateway.js', 'dev/alongside-demo.js'].map((file) => path.join(dist, file));
const [command = '-', ...args] = process.argv.slice(2);
const wantsNone =
  command.startsWith('-') || ['serve', 'health', 'settings'].includes(command) || args.includes('--help');
const { DATABASE_URL, DATABASE_URL_FILE } = process.env;
const onDemo = !wantsNone && !DATABASE_URL && !DATABASE_URL_FILE && existsSync(beside);

if (existsSync(gateway)) {
  process.argv.splice(1, 1, ...(onDemo ? [beside, gateway] : [gateway]));
  await import(pathToFileURL(process.argv[1]).href);
} else {
  process.stderr.write('dist/cli/gateway.js is missing. Run "npm run build" first.\n');
  process.exitCode = 1;
}
