// The first import of `npm run build`. npm writes this file last, so an `npm ci` that was interrupted leaves none. Runs on old versions
// of Node too: without packages there is no other.
import { existsSync } from 'node:fs';

if (!existsSync('node_modules/.package-lock.json')) {
  process.stderr.write('The packages are not installed, or not completely: run "npm ci" first.\n');
  process.exit(1);
}
