import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FuzzCase } from './case.js';
import type { Finding } from './tally.js';

const DIRECTORY = fileURLToPath(new URL('./cases', import.meta.url));

interface KeptCase {
  /** Problem when the case was found. */
  problem: string;
  seed: number;
  given: FuzzCase;
}

/** Every case that failed once; each run starts with them. */
export const keptCases = (): FuzzCase[] =>
  readdirSync(DIRECTORY)
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .map((name) => (JSON.parse(readFileSync(path.join(DIRECTORY, name), 'utf8')) as KeptCase).given);

/** Writes the case of a finding; equal cases go to the same file. Undefined if the finding has no case or it was already kept. */
export function keep({ problem, seed, given }: Finding): string | undefined {
  if (!given || seed < 0) return undefined;
  const kept: KeptCase = { problem, seed, given };
  const hash = createHash('sha256').update(JSON.stringify(given)).digest('hex').slice(0, 12);
  const file = path.join(DIRECTORY, `${given.kind.toLowerCase().replaceAll(' ', '-')}-${hash}.json`);
  mkdirSync(DIRECTORY, { recursive: true });
  writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`);
  return file;
}
