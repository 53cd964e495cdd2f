#!/usr/bin/env node
// `npx gateway`, and what `npm run serve`, `migrate`, `doctor` and the others start: the programs that `npm run build` made. Without
// DATABASE_URL those that want a database work on the demo's, where the demo is installed.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const dist = path.resolve(import.meta.dirname, '../../dist');
const [gateway, beside] = ['cli/gateway.js', 'dev/beside-demo.js'].map((file) => path.join(dist, file));
const [command = '-', ...args] = process.argv.slice(2);
const wantsNone =
  command.startsWith('-') || ['serve', 'health', 'settings'].includes(command) || args.includes('--help');
const { DATABASE_URL, DATABASE_URL_FILE } = process.env;
const onDemo = !wantsNone && !DATABASE_URL && !DATABASE_URL_FILE && existsSync(beside);

if (existsSync(gateway)) {
  process.argv.splice(1, 1, ...(onDemo ? [beside, gateway] : [gateway]));
  await import(pathToFileURL(process.argv[1]).href);
} else {
  process.stderr.write('dist/cli/gateway.js is missing: run "npm run build" first.\n');
  process.exitCode = 1;
}
