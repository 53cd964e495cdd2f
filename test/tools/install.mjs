// Installs the packages of this directory if they are missing or do not match the lock file.
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';

const timeOf = (file) => statSync(new URL(file, import.meta.url), { throwIfNoEntry: false })?.mtimeMs ?? 0;

// npm writes this file last during an installation
if (timeOf('node_modules/.package-lock.json') < timeOf('package-lock.json'))
  execFileSync('npm', ['ci'], { cwd: import.meta.dirname, stdio: 'inherit' });
