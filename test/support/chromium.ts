import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import chromium from '@sparticuz/chromium';

const DIRECTORY = fileURLToPath(new URL('../../node_modules/.cache/chromium', import.meta.url));

/**
 * Path of the Chromium that an npm package contains, so that nothing is installed or downloaded. The package unpacks it into
 * TMPDIR. A copy of another user could be found there, which this user cannot execute.
 */
export async function chromiumProgram(): Promise<string> {
  const { TMPDIR } = process.env;
  mkdirSync(DIRECTORY, { recursive: true });
  process.env.TMPDIR = DIRECTORY;
  try {
    return await chromium.executablePath();
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
}
