// Runs after `npm ci` with whatever Node the machine has. Older npm versions drop the link to the Node that a platform package
// brings, because packages of other platforms claim the same name; this puts it back, so that every script runs on the right one.
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(import.meta.url);
const link = path.resolve('node_modules/.bin/node');
const names = [`node-${process.platform}-${process.arch}`, `node-bin-${process.platform}-${process.arch}`];

if (!existsSync(link)) {
  for (const name of names) {
    try {
      const binary = path.join(path.dirname(require.resolve(`${name}/package.json`)), 'bin/node');
      mkdirSync(path.dirname(link), { recursive: true });
      symlinkSync(path.relative(path.dirname(link), binary), link);
      break;
    } catch {
      // not this platform's package; without any, the programs say which Node they need
    }
  }
}
