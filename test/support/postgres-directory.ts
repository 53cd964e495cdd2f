import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';

/** Data directory of a local PostgreSQL in this directory. As root it is a symbolic link, which would otherwise point outside. */
export function postgresDirectory(parent: string): string {
  const directory = path.join(parent, 'postgres');
  if (process.getuid?.() === 0) {
    mkdirSync(`${directory}-of-root`);
    symlinkSync(`${directory}-of-root`, directory);
  }
  return directory;
}
