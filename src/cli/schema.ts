import { fileURLToPath } from 'node:url';
import { printSchemaWithDirectives } from '@graphql-tools/utils';
import { lexicographicSortSchema } from 'graphql';
import { createApp } from '../app.js';
import { offlineConfig } from '../config.js';
import { createLogger } from '../core/log.js';
import { failToStart, requireNode } from '../process-life.js';
import { writeOrCheck } from './generated-file.js';

/** The union of all hosts' schemas with its directives, sorted, as schema.graphql holds it. Needs no database. */
export async function printedSchema(): Promise<string> {
  const app = await createApp(offlineConfig(), createLogger('silent'));
  try {
    return `${printSchemaWithDirectives(lexicographicSortSchema(app.schema)).trim()}\n`;
  } finally {
    await app.close();
  }
}

/** `npm run schema` writes schema.graphql; with `--check` it only says whether the file is what the code serves. */
async function main(): Promise<void> {
  requireNode();
  const built = await printedSchema();
  writeOrCheck('schema.graphql', 'npm run schema', () => built);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main().catch(failToStart);
