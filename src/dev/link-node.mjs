// Runs after `npm ci` with the Node of the machine. Older npm versions remove the link to the Node of a platform package, because
// packages of other platforms claim the same name. This script restores the link, so all scripts run on the right version.
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
      // not the package of this platform; without any, the programs report the required Node version
    }
  }
}
