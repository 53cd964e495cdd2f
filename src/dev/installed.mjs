// First import of `npm run build`. npm writes this file last, so an interrupted `npm ci` does not create it. Also runs on old
// versions of Node, because a newer one is part of the packages.
import { existsSync } from 'node:fs';

if (!existsSync('node_modules/.package-lock.json')) {
  process.stderr.write('The packages are not completely installed. Run "npm ci" first.\n');
  process.exit(1);
}
