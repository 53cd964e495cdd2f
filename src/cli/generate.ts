import { fileURLToPath } from 'node:url';
import { type App, createApp } from '../app.js';
import { offlineConfig } from '../config.js';
import { createLogger } from '../core/log.js';
import { type MetricRow, metricTable } from '../core/metric.table.js';
import { sdlOf } from '../graphql/schema/documented.js';
import { code } from '../http/docs/tables.js';
import { clientSettings } from '../http/pages/schema-documents.js';
import { failToStart, requireNode } from '../process-life.js';
import answers from '../rest/generated/answers.json' with { type: 'json' };
import { postmanCollection, postmanEnvironment } from '../rest/postman/postman.js';
import type { OpenApi } from '../rest/postman/postman-document.js';
import { operationOf } from '../rest/route.js';
import { routes } from '../rest/routes.js';
import { dataTables, FIXED } from '../retention/data-tables.js';
import { withStaffExamples } from './administering-section.js';
import { commands } from './commands.js';
import { exampleFile, wrapped } from './example-file.js';
import { complain, withSection, writeOrCheck } from './generated-file.js';
import { withLimits } from './limits-section.js';
import { withRules } from './runbook-rules.js';
import { withSettings } from './settings-section.js';

/** Runs `work` with the application. No database is needed to generate files. */
async function withApp<T>(work: (app: App) => Promise<T>): Promise<T> {
  const app = await createApp(offlineConfig(), createLogger('silent'));
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}

/** Returns the OpenAPI document in the form that the UAT host serves. */
const servedOpenApi = async (app: App): Promise<OpenApi> =>
  (await app.hosts.get('uat')!.inject('/openapi.json')).json<OpenApi>();

/** The OpenAPI document, for generated clients. */
export const printedOpenApi = (): Promise<OpenApi> => withApp(servedOpenApi);

/** All files that are generated from the code, each as a function of its current content. */
export const printedFiles = (): Promise<Record<string, (existing: string) => string>> =>
  withApp(async (app) => {
    const { api, console } = app.schemas;
    const openApi = await servedOpenApi(app);
    const [{ url }] = openApi.servers as [{ url: string }];
    return {
      'schema.graphql': () => sdlOf(api),
      'schema.console.graphql': () => sdlOf(console),
      // these are the cache settings of /clients.json, which the portal uses
      'portal/src/generated/keys.json': () => jsonFile(clientSettings(console).keys),
      'clients/postman/collection.json': () => jsonFile(postmanCollection(openApi, 'uat')),
      'clients/postman/uat.environment.json': () => jsonFile(postmanEnvironment('UAT', 'uat', url)),
      'docs/reference-operation.md': (page) =>
        [withCommands, withSettings, withMetrics, withData].reduce((text, add) => add(text), page),
      'docs/administering.md': (page) => withStaffExamples(page, console),
      'docs/runbooks.md': withRules,
      'docs/reference-limits.md': (page) => withLimits(page, [api, console]),
      '.env.example': exampleFile,
    };
  });

/** Inserts a list with an item for each row: names and their meaning. */
const withItems =
  (section: string, rows: readonly [names: string, meaning: string][]) =>
  (page: string): string =>
    withSection(page, section, rows.map(([names, meaning]) => wrapped(`- ${names}: ${meaning}`, '  ')).join('\n'));

const withMetrics = withItems(
  'metrics',
  Object.values<MetricRow>(metricTable).map(({ name, labels, help, shared }) => [
    `${code(name)}${shared ? '*' : ''}${labels.length > 0 ? ` (${labels.map(code).join(', ')})` : ''}`,
    help,
  ]),
);
const withCommands = withItems(
  'commands',
  Object.entries(commands).map(([name, { description }]) => [code(`gateway ${name}`), `${description}.`]),
);
const withData = withItems(
  'data',
  Object.entries(dataTables).flatMap(([names, kept]) =>
    kept === FIXED ? [] : [[names.split(', ').map(code).join(', '), `${kept}.`] as const],
  ),
);

const jsonFile = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

const RESPONSES_FILE = 'src/rest/generated/answers.json';

/** Checks that each path has recorded responses. A test compares the responses themselves. */
function checkResponses(): void {
  const paths = new Set(routes.map((route) => operationOf(route).name!.value));
  const recorded = new Set(Object.keys(answers.uat));
  for (const name of new Set([...paths, ...recorded])) {
    if (!recorded.has(name)) complain(RESPONSES_FILE, `It has no response for ${name}.`);
    if (!paths.has(name)) complain(RESPONSES_FILE, `It has a response for ${name}, which is not a path.`);
  }
}

/** Writes the files, as a step of `npm run generate`. With `--check`, it only reports which files are out of date. */
async function main(): Promise<void> {
  requireNode();
  for (const [file, build] of Object.entries(await printedFiles())) writeOrCheck(file, build);
  if (process.argv.includes('--check')) checkResponses();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main().catch(failToStart);
