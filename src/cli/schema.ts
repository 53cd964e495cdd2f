import { fileURLToPath } from 'node:url';
import { createApp } from '../app.js';
import { offlineConfig } from '../config.js';
import { createLogger } from '../core/log.js';
import { sdlOf } from '../graphql/schema/build.js';
import { failToStart, requireNode } from '../process-life.js';
import { postmanCollection, postmanEnvironment } from '../rest/postman/postman.js';
import type { OpenApi } from '../rest/postman/postman-document.js';
import { writeOrCheck } from './generated-file.js';

/** What each file holds: the API hosts' schema and the console's, and UAT's REST for Postman. Needs no database. */
export async function printedSchemas(): Promise<Record<string, string>> {
  const app = await createApp(offlineConfig(), createLogger('silent'));
  try {
    const { api, console } = app.schemas;
    const openApi = (await app.hosts.get('uat')!.inject('/openapi.json')).json<OpenApi>();
    const [{ url }] = openApi.servers as [{ url: string }];
    return {
      'schema.graphql': sdlOf(api),
      'schema.console.graphql': sdlOf(console),
      'clients/postman/collection.json': jsonFile(postmanCollection(openApi, 'uat')),
      'clients/postman/uat.environment.json': jsonFile(postmanEnvironment('UAT', 'uat', url)),
    };
  } finally {
    await app.close();
  }
}

const jsonFile = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

/** `npm run schema` writes the files; with `--check` it only says whether they are what the code serves. */
async function main(): Promise<void> {
  requireNode();
  for (const [file, text] of Object.entries(await printedSchemas())) writeOrCheck(file, 'npm run schema', () => text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main().catch(failToStart);
