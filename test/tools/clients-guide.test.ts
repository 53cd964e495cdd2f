import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { TestDeveloper } from '../support/app.js';
import { codeBlocksOf } from '../support/guides.js';
import { freePort } from '../support/ports.js';
import { until } from '../support/until.js';
import { useSharedApp } from '../support/use-app.js';

const test = useSharedApp();
const here = import.meta.dirname;
/** Located below the packages that the files import. */
const project = mkdtempSync(path.join(here, 'clients-guide-'));
const endings: (() => void)[] = [() => rmSync(project, { recursive: true })];
afterAll(() => endings.forEach((end) => end()));

/** The files of the page, each with its path in its first line. */
const files = new Map(
  codeBlocksOf('docs/guide/clients.md').flatMap(({ code }) => {
    const [, name] = /^\/\/ (\S+)\n/.exec(code) ?? [];
    return name ? [[name, code] as const] : [];
  }),
);
const load = (name: string): Promise<any> => import(path.join(project, name));

let developer: TestDeveloper;
let orderId: string;
/** Response of the page's own server; undefined to use the route of the guide. */
let clientToken: { token: string; expiresAt: string } | undefined;
let issued = 0;

beforeAll(async () => {
  developer = await test.developer();
  const { tokens, keys } = developer;
  for (const key of ['1', '2', '3']) {
    const input = `accountNumber: "9876543210", amount: 10, operatorSpKey: 116, operatorType: MOBILE, clientRequestId: "${key}"`;
    const { body } = await test.graphql(
      'uat',
      tokens.uat,
      `mutation { recharge(input: { ${input} }) { order { id } } }`,
    );
    orderId = body.data.recharge.order.id;
  }
  mkdirSync(path.join(project, 'src'));
  for (const [name, code] of files)
    writeFileSync(path.join(project, name), code.replaceAll('{{base_url}}', test.urls.uat));
  writeFileSync(path.join(project, 'src/clients.json'), await (await fetch(`${test.urls.uat}/clients.json`)).text());

  const port = await freePort();
  const userOf = 'const userOf = () => ({ orderId: process.env.ORDER_ID });';
  const code = files.get('server.js')!.replace('8080', String(port));
  const { clientId: CLIENT_ID, apiSecret: API_SECRET } = keys.uat;
  const server = spawn(process.execPath, ['--input-type=module', '-e', `${userOf}\n${code}`], {
    env: { ...process.env, BASE_URL: test.urls.uat, CLIENT_ID, API_SECRET, ORDER_ID: orderId },
    stdio: 'inherit',
  });
  endings.push(() => server.kill());
  await once(server, 'spawn');
  const route = `http://127.0.0.1:${port}/client-token`;
  await until('the server is listening', () =>
    fetch(route).then(
      ({ status }) => status === 404,
      () => false,
    ),
  );
  const { fetch: byAddress } = globalThis;
  vi.stubGlobal('fetch', (input: string, init?: RequestInit) => {
    if (input !== '/client-token') return byAddress(input, init);
    issued++;
    return clientToken ? Promise.resolve(Response.json(clientToken)) : byAddress(route, init);
  });
  endings.push(() => vi.unstubAllGlobals());
});

/** Output of a program if it fails; empty if it succeeds. */
const problemsOf = (program: string, ...args: string[]): Promise<string> =>
  promisify(execFile)(process.execPath, [program, ...args], { cwd: project, timeout: 120_000 }).then(
    () => '',
    ({ stdout, stderr }) => `${stdout}${stderr}`,
  );

it('the files generate types and compile with them', async () => {
  const codegen = path.resolve('node_modules/@graphql-codegen/cli/esm/bin.js');
  expect(await problemsOf(codegen, '--config', 'codegen.ts')).toBe('');
  expect(readFileSync(path.join(project, 'src/gql/graphql.ts'), 'utf8')).toContain('OrderChangedSubscription');
  const compilerOptions = {
    target: 'es2023',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2023', 'dom'],
    types: [],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    noUncheckedIndexedAccess: true,
  };
  writeFileSync(path.join(project, 'package.json'), '{ "type": "module" }');
  writeFileSync(
    path.join(project, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['src', 'codegen.ts'] }),
  );
  expect(await problemsOf(path.join(here, 'node_modules/typescript/bin/tsc'), '-p', project)).toBe('');
}, 240_000);

it('Apollo Client and urql look up an operator and watch an order with the client token of the route', async () => {
  const apollo = await load('src/apollo-page.ts');
  expect(await apollo.operatorOf('9876543210')).toBe('Vi');
  const seen: string[] = [];
  apollo.watchOrder(orderId, (status: string) => seen.push(`Apollo Client ${status}`));
  (await load('src/urql-page.ts')).watchOrder(orderId, (status: string) => seen.push(`urql ${status}`));
  await until('both have received the state', () => new Set(seen).size === 2);
  expect(new Set(seen)).toEqual(new Set(['Apollo Client SUCCESS', 'urql SUCCESS']));
  expect(issued).toBe(1);
});

it('both caches merge the pages of a list', async () => {
  // like a page that calls through a route of its server
  await test.db.query('update client_token set expires_at = now()');
  clientToken = { token: developer.tokens.uat, expiresAt: '2100-01-01T00:00:00Z' };
  const { ORDERS } = await load('src/documents.ts');
  const keysOf = ({ data }: any) => data.orders.edges.map(({ node }: any) => node.clientRequestId);

  const apollo = (await load('src/apollo.ts')).client;
  const list = apollo.watchQuery({ query: ORDERS });
  const subscription = list.subscribe(() => {});
  await until('the first page is shown', () => list.getCurrentResult().data?.orders?.edges.length === 2);
  await list.fetchMore({ variables: { after: list.getCurrentResult().data.orders.pageInfo.endCursor } });
  await until('all entries are shown', () => list.getCurrentResult().data.orders.edges.length > 2);
  expect(keysOf(list.getCurrentResult())).toEqual(['3', '2', '1']);
  subscription.unsubscribe();

  const urql = (await load('src/urql.ts')).client;
  const first = await urql.query(ORDERS, {}).toPromise();
  await urql.query(ORDERS, { after: first.data.orders.pageInfo.endCursor }).toPromise();
  expect(keysOf(urql.readQuery(ORDERS, {}))).toEqual(['3', '2', '1']);
});

it('a rejected token is replaced, both that of the page and that of the server', async () => {
  const ofDeveloper = 'client_id in (select client_id from credential where developer_id = $1)';
  await test.db.query(`update access_token set expires_at = now() where ${ofDeveloper}`, [developer.id]);
  clientToken = undefined;
  const before = issued;
  const { authorizedFetch } = await load('src/authorized-fetch.ts');
  const body = JSON.stringify({ query: `{ order(id: "${orderId}") { status } }` });
  const headers = { 'content-type': 'application/json' };
  const answer = await authorizedFetch(`${test.urls.uat}/graphql`, { method: 'POST', headers, body });
  expect(await answer.json()).toMatchObject({ data: { order: { status: 'SUCCESS' } } });
  expect(issued).toBe(before + 1);
});
