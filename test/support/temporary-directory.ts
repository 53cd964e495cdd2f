import { chmodSync, mkdtempSync } from 'node:fs';
import path from 'node:path';
import { inject } from 'vitest';

/** A new directory that is deleted, with any PostgreSQL server in it, at the end of the test run. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(path.join(inject('runDirectory'), 'd-'));
  chmodSync(directory, 0o711);
  return directory;
}
