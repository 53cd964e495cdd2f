// Installs the packages of this directory when they are missing or others than its lock file says.
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';

const timeOf = (file) => statSync(new URL(file, import.meta.url), { throwIfNoEntry: false })?.mtimeMs ?? 0;

// npm writes the first one at the end of an installation
if (timeOf('node_modules/.package-lock.json') < timeOf('package-lock.json'))
  execFileSync('npm', ['ci'], { cwd: import.meta.dirname, stdio: 'inherit' });
