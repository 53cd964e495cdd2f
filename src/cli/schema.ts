import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { printSchemaWithDirectives } from '@graphql-tools/utils';
import { lexicographicSortSchema } from 'graphql';
import { createApp } from '../app.js';
import { createLogger } from '../core/log.js';
import { packageRoot } from '../core/package-root.js';
import { failToStart, requireNode } from '../process-life.js';
import { offlineConfig } from './offline-config.js';

const FILE = new URL('schema.graphql', packageRoot);

/** The union of all hosts' schemas with its directives, sorted, as schema.graphql holds it. Needs no database. */
export async function printedSchema(): Promise<string> {
  const app = await createApp(offlineConfig(), createLogger('silent'));
  try {
    return `${printSchemaWithDirectives(lexicographicSortSchema(app.schema)).trim()}\n`;
  } finally {
    await app.close();
  }
}

/** Where two texts part, in the words of a diff; undefined when they are equal. */
export function firstDifference(committed: string, built: string): string | undefined {
  if (committed === built) return undefined;
  const [before, after] = [committed.split('\n'), built.split('\n')];
  const line = before.findIndex((text, index) => text !== after[index]);
  const at = line === -1 ? before.length : line;
  return `line ${at + 1}:\n- ${before[at] ?? '(end of file)'}\n+ ${after[at] ?? '(end of file)'}`;
}

/** `npm run schema` writes schema.graphql; with `--check` it only says whether the file is what the code serves. */
async function main(): Promise<void> {
  requireNode();
  const built = await printedSchema();
  if (!process.argv.includes('--check')) {
    writeFileSync(FILE, built);
    return;
  }
  const difference = firstDifference(readFileSync(FILE, 'utf8'), built);
  if (difference === undefined) return;
  process.stderr.write(
    `schema.graphql is not what the code serves; run "npm run schema". They part in ${difference}\n`,
  );
  process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main().catch(failToStart);
