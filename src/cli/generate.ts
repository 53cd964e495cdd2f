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
import { dataTables } from '../retention/data-tables.js';
import { withStaffExamples } from './administering-section.js';
import { commands } from './commands.js';
import { exampleFile, wrapped } from './example-file.js';
import { complain, withSection, writeOrCheck } from './generated-file.js';
import { withLimits } from './limits-section.js';
import { withRules } from './runbook-rules.js';
import { withSettings } from './settings-section.js';

/** Work with the application, which needs no database for what follows from the code alone. */
async function withApp<T>(work: (app: App) => Promise<T>): Promise<T> {
  const app = await createApp(offlineConfig(), createLogger('silent'));
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}

/** The document of UAT, as its host serves it. */
const servedOpenApi = async (app: App): Promise<OpenApi> =>
  (await app.hosts.get('uat')!.inject('/openapi.json')).json<OpenApi>();

/** The same, for clients that are generated from it. */
export const printedOpenApi = (): Promise<OpenApi> => withApp(servedOpenApi);

/** Each file that follows from the code alone, from what it was. */
export const printedFiles = (): Promise<Record<string, (before: string) => string>> =>
  withApp(async (app) => {
    const { api, console } = app.schemas;
    const openApi = await servedOpenApi(app);
    const [{ url }] = openApi.servers as [{ url: string }];
    return {
      'schema.graphql': () => sdlOf(api),
      'schema.console.graphql': () => sdlOf(console),
      // what /clients.json tells a cache, of which the portal is one
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

/** An item of a list for each row: names in code marks, with a remark, and their meaning. */
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
  Object.entries(commands).map(([name, { does }]) => [code(`gateway ${name}`), `${does}.`]),
);
const withData = withItems(
  'data',
  Object.entries(dataTables).map(([names, kept]) => [names.split(', ').map(code).join(', '), `${kept}.`]),
);

const jsonFile = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

const ANSWERS = 'src/rest/generated/answers.json';

/** Whether each path has its answers. Whether they are still what a client gets says the test that asks for them. */
function checkAnswers(): void {
  const asked = new Set(routes.map((route) => operationOf(route).name!.value));
  const answered = new Set(Object.keys(answers.uat));
  for (const name of new Set([...asked, ...answered])) {
    if (!answered.has(name)) complain(ANSWERS, `${name} has no answer there.`);
    if (!asked.has(name)) complain(ANSWERS, `There is no path any more for ${name}.`);
  }
}

/** A step of `npm run generate`, which writes the files; with `--check` it only says which of them are old. */
async function main(): Promise<void> {
  requireNode();
  for (const [file, build] of Object.entries(await printedFiles())) writeOrCheck(file, build);
  if (process.argv.includes('--check')) checkAnswers();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main().catch(failToStart);
