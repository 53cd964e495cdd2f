import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';

/** Where a local PostgreSQL keeps its data in this directory. As root that is a link, which would otherwise lead out of it. */
export function postgresDirectory(parent: string): string {
  const directory = path.join(parent, 'postgres');
  if (process.getuid?.() === 0) {
    mkdirSync(`${directory}-of-root`);
    symlinkSync(`${directory}-of-root`, directory);
  }
  return directory;
}
