import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { isCompressed, libraries } from './libraries.mjs';

const KEPT = path.join(import.meta.dirname, '../../src/http/libraries');

it('the stored libraries match the installed packages (update them with "npm run libraries")', async () => {
  const built = await libraries();
  const kept = readdirSync(KEPT, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(KEPT, path.join(entry.parentPath, entry.name)).replace(/\.br$/, ''));
  expect(kept.toSorted()).toEqual([...built.keys()].toSorted());
  for (const [name, text] of built) {
    const bytes = readFileSync(path.join(KEPT, isCompressed(name) ? `${name}.br` : name));
    const isSame = (isCompressed(name) ? brotliDecompressSync(bytes) : bytes).toString() === text;
    expect([name, isSame]).toEqual([name, true]);
  }
});
