import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
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

/** Runs the collection in Postman's runner with the credentials in its environment. */
async function newman(
  variables: Record<string, string>,
  { files = [COLLECTION, ENVIRONMENT], keys = developer.keys.uat, more = [] as string[] } = {},
): Promise<Run> {
  const report = path.join(temporaryDirectory(), 'report.json');
  const { clientId: client_id, apiSecret: api_secret } = keys;
  const base_url = files[0] === COLLECTION ? { base_url: test.urls.uat } : {};
  const environmentVariables = Object.entries({ ...base_url, client_id, api_secret, ...variables });
  const [collection, environment] = files as [string, string];
  const run = promisify(execFile)(path.join(import.meta.dirname, 'node_modules/.bin/newman'), [
    'run',
    collection,
    '-e',
    environment,
    '--reporters',
    'json',
    '--reporter-json-export',
    report,
    ...environmentVariables.flatMap(([key, value]) => ['--env-var', `${key}=${value}`]),
    ...more,
  ]);
  // the runner exits with 1 if a test of the collection fails, which the report shows
  const { stderr } = await run.catch((error: unknown) => error as Awaited<typeof run>);
  expect(stderr).toBe('');
  return JSON.parse(readFileSync(report, 'utf8')) as Run;
}

const failuresOf = ({ run }: Run): string[] =>
  run.failures.map(({ source, error }) => `${source?.name}: ${error.message}`);
/** Excludes requests sent by scripts, which are reported in the same item. */
const ranBy = ({ run }: Run): Run['run']['executions'] => [
  ...new Map(run.executions.map((one) => [one.cursor.ref, one])).values(),
];
const namesOf = (result: Run): string[] => ranBy(result).map(({ item }) => item.name);

describe.concurrent('the Postman collection', () => {
  it('contains every operation of the document, and all of them work in their order', async () => {
    const result = await newman({});
    expect(failuresOf(result)).toEqual([]);
    const described = Object.entries(openApi.paths).flatMap(([to, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${to.replace('/api/v1', '')}`),
    );
    expect(namesOf(result).toSorted()).toEqual(described.toSorted());
    for (const { item, assertions = [] } of ranBy(result))
      expect(assertions.length, item.name).toBeGreaterThanOrEqual(2);
    // the fetched bill is paid, and its status is checked
    const paid = await test.db.query(
      `select 1 from orders where developer_id = $1 and environment = 'uat' and operation = 'card_payment' and state = 'success'`,
      [developer.id],
    );
    expect(paid).toHaveLength(1);
  });

  it('of Production contains only Production paths and takes IDs from responses', async () => {
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

  it('requests a token if none is valid', async () => {
    const old = { token: 'at_uat_old', token_expires_at: '2026-01-01T00:00:00+05:30' };
    const result = await newman(old, { more: ['--folder', FOLDER] });
    expect([failuresOf(result), namesOf(result)]).toEqual([[], namesInFolder]);
    const kept = Object.fromEntries(result.environment.values.map(({ key, value }) => [key, value]));
    expect(kept.token).toMatch(/^at_uat_/);
    expect(Date.parse(kept.token_expires_at!)).toBeGreaterThan(Date.now());
  });

  it('discards a rejected token and repeats the order with the same key', async () => {
    const revoked = { token: 'at_uat_revoked', token_expires_at: '2099-01-01T00:00:00+05:30' };
    const result = await newman(revoked, { more: ['--folder', FOLDER, '-n', '2'] });
    expect(ranBy(result).map(({ response }) => response?.code)).toEqual([401, 404, 200, 200]);
    const [first, , second] = ranBy(result).map((one) => JSON.stringify(one));
    const [key] = /postman-[0-9a-f-]{36}/.exec(first!)!;
    expect(second).toContain(key);
  });
});
