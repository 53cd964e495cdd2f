import { fileURLToPath } from 'node:url';
import { createApp } from '../app.js';
import { offlineConfig } from '../config.js';
import { createLogger } from '../core/log.js';
import { sdlOf } from '../graphql/sdl.js';
import { failToStart, requireNode } from '../process-life.js';
import { writeOrCheck } from './generated-file.js';

/** What each file holds: the API hosts' schema and the console's. Needs no database. */
export async function printedSchemas(): Promise<Record<string, string>> {
  const app = await createApp(offlineConfig(), createLogger('silent'));
  try {
    const { api, console } = app.schemas;
    return { 'schema.graphql': sdlOf(api), 'schema.console.graphql': sdlOf(console) };
  } finally {
    await app.close();
  }
}

/** `npm run schema` writes both files; with `--check` it only says whether they are what the code serves. */
async function main(): Promise<void> {
  requireNode();
  for (const [file, text] of Object.entries(await printedSchemas())) writeOrCheck(file, 'npm run schema', () => text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main().catch(failToStart);
