import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import chromium from '@sparticuz/chromium';

const DIRECTORY = fileURLToPath(new URL('../../node_modules/.cache/chromium', import.meta.url));

/**
 * The program of the Chromium that ships inside an npm package: nothing is installed or downloaded. The package unpacks it into
 * TMPDIR, where that of another user would be found, which this user may not start.
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
