import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { postmanCollection } from '../../src/rest/postman/postman.js';
import type { OpenApi } from '../../src/rest/postman/postman-document.js';
import { setDefaultCustomer } from '../leads/lead.fixture.js';
import type { TestDeveloper } from '../support/app.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { useSharedApp } from '../support/use-app.js';

const test = useSharedApp();
const COLLECTION = 'clients/postman/collection.json';
const ENVIRONMENT = 'clients/postman/uat.environment.json';

/** The folder of the recharges. */
const { name: FOLDER } = (
  JSON.parse(readFileSync(COLLECTION, 'utf8')) as { item: { name: string; item: { name: string }[] }[] }
).item.find(({ item }) => item.some(({ name }) => name === 'POST /recharge'))!;
const namesInFolder = ['POST /recharge', 'GET /recharge/status'];

interface Run {
  run: {
    executions: {
      item: { name: string };
      cursor: { ref: string };
      response?: { code: number };
      assertions?: { assertion: string; error?: { message: string } }[];
    }[];
    failures: { source?: { name: string }; error: { message: string } }[];
  };
  environment: { values: { key: string; value: string }[] };
}

let developer: TestDeveloper;
let openApi: OpenApi;
beforeAll(async () => {
  developer = await test.developer();
  await setDefaultCustomer(test, 'production');
  openApi = (await test.rest('uat', 'GET', '/openapi.json')).body;
});

/** The collection as Postman's own runner runs it, with the credentials in its environment. */
async function newman(
  variables: Record<string, string>,
  { files = [COLLECTION, ENVIRONMENT], keys = developer.keys.uat, more = [] as string[] } = {},
): Promise<Run> {
  const report = path.join(temporaryDirectory(), 'report.json');
  const { clientId: client_id, apiSecret: api_secret } = keys;
  const base_url = files[0] === COLLECTION ? { base_url: test.urls.uat } : {};
  const given = Object.entries({ ...base_url, client_id, api_secret, ...variables });
  const [collection, environment] = files as [string, string];
  const run = promisify(execFile)('node_modules/.bin/newman', [
    'run',
    collection,
    '-e',
    environment,
    '--reporters',
    'json',
    '--reporter-json-export',
    report,
    ...given.flatMap(([key, value]) => ['--env-var', `${key}=${value}`]),
    ...more,
  ]);
  // it ends with 1 when a test of the collection fails, which the report shows
  const { stderr } = await run.catch((error: unknown) => error as Awaited<typeof run>);
  expect(stderr).toBe('');
  return JSON.parse(readFileSync(report, 'utf8')) as Run;
}

const failuresOf = ({ run }: Run): string[] =>
  run.failures.map(({ source, error }) => `${source?.name}: ${error.message}`);
/** Without the exchanges that scripts make on the way, which are told as part of the same item. */
const ranBy = ({ run }: Run): Run['run']['executions'] => [
  ...new Map(run.executions.map((one) => [one.cursor.ref, one])).values(),
];
const namesOf = (result: Run): string[] => ranBy(result).map(({ item }) => item.name);

describe.concurrent('the Postman collection', () => {
  it('has every operation of the document, and all of them work in the order in which they stand', async () => {
    const result = await newman({});
    expect(failuresOf(result)).toEqual([]);
    const described = Object.entries(openApi.paths).flatMap(([to, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${to.replace('/api/v1', '')}`),
    );
    expect(namesOf(result).toSorted()).toEqual(described.toSorted());
    for (const { item, assertions = [] } of ranBy(result))
      expect(assertions.length, item.name).toBeGreaterThanOrEqual(2);
    // the bill that was fetched is the one that is paid, and asked about
    const paid = await test.db.query(
      `select 1 from orders where developer_id = $1 and environment = 'uat' and operation = 'card_payment' and state = 'success'`,
      [developer.id],
    );
    expect(paid).toHaveLength(1);
  });

  it('of production has what production serves, and takes ids from answers', async () => {
    const directory = temporaryDirectory();
    const files = await Promise.all(
      ['collection', 'environment'].map(async (name) => {
        const file = path.join(directory, `${name}.json`);
        const response = await fetch(`${test.urls.production}/docs/kits/postman-${name}.json`);
        writeFileSync(file, await response.text());
        return file;
      }),
    );
    const result = await newman({}, { files, keys: developer.keys.production });
    expect(failuresOf(result)).toEqual([]);
    expect(namesOf(result)).toContain('POST /leads');
    expect(namesOf(result).join()).not.toContain('/sandbox/');
  });

  it('gets a token by itself where there is none that lives', async () => {
    const old = { token: 'at_uat_old', token_expires_at: '2026-01-01T00:00:00+05:30' };
    const result = await newman(old, { more: ['--folder', FOLDER] });
    expect([failuresOf(result), namesOf(result)]).toEqual([[], namesInFolder]);
    const kept = Object.fromEntries(result.environment.values.map(({ key, value }) => [key, value]));
    expect(kept.token).toMatch(/^at_uat_/);
    expect(Date.parse(kept.token_expires_at!)).toBeGreaterThan(Date.now());
  });

  it('forgets a token that was refused, and repeats the order under its key', async () => {
    const revoked = { token: 'at_uat_revoked', token_expires_at: '2099-01-01T00:00:00+05:30' };
    const result = await newman(revoked, { more: ['--folder', FOLDER, '-n', '2'] });
    expect(ranBy(result).map(({ response }) => response?.code)).toEqual([401, 404, 200, 200]);
    const [first, , second] = ranBy(result).map((one) => JSON.stringify(one));
    const [key] = /postman-[0-9a-f-]{36}/.exec(first!)!;
    expect(second).toContain(key);
  });

  it('holds no credentials', () => {
    const environment = JSON.parse(readFileSync(ENVIRONMENT, 'utf8')) as Run['environment'];
    const filled = environment.values.filter(({ value }) => value !== '').map(({ key }) => key);
    expect(filled).toEqual(['base_url', 'environment']);
    expect(readFileSync(COLLECTION, 'utf8')).not.toMatch(/sk_(uat|live)_\w{8}|at_(uat|live)_\w{8}/);
  });
});

describe('a collection of another document', () => {
  const ok = (schema: object, type = 'application/json') => ({ content: { [type]: { schema } } });
  const object = (properties: object) => ({ type: 'object', properties, required: Object.keys(properties) });
  const operation = (operationId: string, more: object) => ({ operationId, security: [{ token: [] }], ...more });
  const hook = object({ id: { type: 'string' } });
  const id = { name: 'id', in: 'path', required: true, example: 'whe_1' };
  const document: OpenApi = {
    info: { title: 'Other', version: '2', description: '' },
    servers: [{ url: 'https://uat.example' }],
    paths: {
      '/api/v1/hooks': {
        post: operation('Create', {
          tags: ['Hooks'],
          requestBody: { content: { 'application/json': { examples: { one: { value: { url: 'https://a' } } } } } },
          responses: { 200: { $ref: '#/components/responses/Hook' } },
        }),
        get: operation('List', {
          tags: ['Hooks'],
          parameters: [{ $ref: '#/components/parameters/limit' }, { name: 'cursor', in: 'query' }],
          responses: { 200: ok(object({ data: { type: 'array', items: hook } })) },
        }),
      },
      '/api/v1/hooks/{id}': {
        delete: operation('Delete', { tags: ['Hooks'], parameters: [id], responses: { 200: ok(hook) } }),
      },
      '/api/v1/orders.csv': { get: operation('File', { responses: { 200: ok({ type: 'string' }, 'text/csv') } }) },
      '/api/v1/pay': {
        post: operation('Pay', {
          requestBody: { content: { 'application/json': { example: { orderid: 'a', amount: 1 } } } },
          responses: {
            200: ok({
              oneOf: ['success', 'pending'].map((word) =>
                object({ status: { type: 'string', enum: [word] }, data: object({ [`${word}_ref`]: {}, utr: {} }) }),
              ),
            }),
          },
        }),
      },
    },
    components: {
      parameters: { limit: { name: 'limit', in: 'query', example: 5 } },
      responses: { Hook: ok({ $ref: '#/components/schemas/Made' }) },
      schemas: { Made: object({ status: { type: 'string' }, data: hook }) },
    },
  };
  const items = (postmanCollection(document, 'uat') as any).item as any[];
  const named = (group: string, name: string) =>
    items.find((one) => one.name === group).item.find((one: any) => one.name === name);
  const script = (item: any): string => item.event.at(-1).script.exec.join('\n');

  it('follows references, tags and methods', () => {
    expect(items.map(({ name, item }) => [name, item.length])).toEqual([
      ['Hooks', 3],
      ['orders.csv', 1],
      ['pay', 1],
    ]);
    expect(named('Hooks', 'POST /hooks').request.body.raw).toBe('{\n  "url": "https://a"\n}');
    expect(named('Hooks', 'GET /hooks').request.url).toMatchObject({
      raw: '{{base_url}}/api/v1/hooks?limit=5',
      query: [
        { key: 'limit', value: '5' },
        { key: 'cursor', disabled: true },
      ],
    });
    expect(script(named('orders.csv', 'GET /orders.csv'))).toContain('text/csv');
  });

  it('names in a path what it has created itself, and not what a list begins with', () => {
    expect(named('Hooks', 'DELETE /hooks/{id}').request.url).toMatchObject({
      raw: '{{base_url}}/api/v1/hooks/:id',
      variable: [{ key: 'id', value: '{{hooks_id}}' }],
    });
    expect(script(named('Hooks', 'POST /hooks'))).toContain(`set('hooks_id', found.id)`);
    expect(script(named('Hooks', 'GET /hooks'))).not.toContain('hooks_id');
  });

  it('asks of an answer what all of its forms have', () => {
    const pay = script(named('pay', 'POST /pay'));
    expect(pay).toContain(`keys(['status', 'data'])`);
    expect(pay).toContain(`keys(['utr'])`);
    expect(pay).toContain('Pending is not failed');
  });
});
