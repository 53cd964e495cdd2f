import { afterAll, beforeAll, expect, it } from 'vitest';
import { environments } from '../../src/core/environment.js';
import { rupees } from '../../src/core/money.js';
import * as attacks from '../fuzz/attacks/memory-attacks.js';
import { Probe, type Target, type Waited } from '../fuzz/attacks/probe.js';
import { ServiceProcess } from '../fuzz/support/service-process.js';
import { uploaders } from '../fuzz/support/uploaders.js';
import { seed, type TestDeveloper, testEnvironment } from '../support/app.js';
import { creditWallet } from '../support/credit.js';
import { freePort } from '../support/ports.js';
import { megabytes, ProcessMemory } from '../support/process-memory.js';
import { containerLimitBytes, shippedCommand, shippedHeapLimitBytes } from '../support/shipped.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { until } from '../support/until.js';
import { useOwnApp } from '../support/use-app.js';
import { print } from './support/books.js';
import { AROUND_MS, DRILL_MINUTES } from './support/minutes.js';

/** Ten times the number of `npm run attacks`, with this maximum concurrency. */
const COUNT = 20_000;
const BATCH_SIZE = 2_000;
const WINDOW_MS = 60_000;
/** Maximum ratio of the heap limit to the heap in use, because concurrent requests must fit too. */
const HEADROOM = 2.5;
const STREAMS = 20;
const PAUSE_MS = 200;
/** A response that is not read is dropped after half a minute. */
const HOLD_MS = 33_000;
const DYING_MS = 5_000;
const SETTLE_LIMIT_MS = 60_000;

// the process under test does the work; this one sets it up and checks the books
const test = useOwnApp({ WORKERS: 'none' });
let developer: TestDeveloper;
let victim: attacks.Victim;
let service: ServiceProcess;
let memory: ProcessMemory;
let opsUrl: string;

beforeAll(async () => {
  developer = await test.developer({ rateLimitPerMinute: 1_000_000 });
  for (const environment of environments)
    await creditWallet(
      test.app,
      { developerId: developer.id, environment, amountPaise: rupees(1_00_00_000), reference: 'a day' },
      seed,
    );
  await test.db.query(`update access_token set expires_at = now() + interval '1 day'`);
  const ports = [await freePort(), await freePort(), await freePort(), await freePort()];
  const [uat, production, console, ops] = ports.map((port) => `http://127.0.0.1:${port}`);
  opsUrl = ops!;
  victim = {
    urls: { uat: uat!, production: production!, console: console! },
    tokens: developer.tokens,
    sessions: await uploaders(test.app, 6, seed),
  };
  const env = {
    ...testEnvironment(test.db.url, test.simulator.url, ports),
    OPS_PORT: String(ports[3]),
    DATA_DIR: temporaryDirectory(),
    TRUST_PROXY: '1',
  };
  service = await ServiceProcess.start(env, shippedCommand());
  memory = new ProcessMemory(service, opsUrl);
});
afterAll(async () => {
  await memory?.close();
  await service?.stop();
});

const isUp = (): boolean => service.isUp;

const INTROSPECTION = '{__schema{types{name kind fields{name type{name kind}}}}}';
const STATEMENT =
  '{wallet{balance statement(first:100){edges{node{id amount kind}}}} orders(first:100){edges{node{id status amount}}}}';
const RECHARGE = 'mutation($input: RechargeInput!) { recharge(input: $input) { order { status apiRequestId } } }';
const NUMBER = '9876543210';

/** A normal day: inline values and variables, both protocols, both environments, lookups, and long responses. */
function callers(): Target[] {
  const as = (host: 'uat' | 'production') => ({
    authorization: `Bearer ${developer.tokens[host]}`,
    'content-type': 'application/json',
    'x-forwarded-for': '198.51.100.4',
  });
  const post = (name: string, host: 'uat' | 'production', path: string, body: object): Target => ({
    name,
    url: victim.urls[host] + path,
    headers: as(host),
    body: JSON.stringify(body),
    pauseMs: PAUSE_MS,
  });
  const get = (name: string, url: string, headers: Record<string, string>): Target => ({
    name,
    url,
    headers,
    pauseMs: PAUSE_MS,
  });
  const rest = {
    account_number: NUMBER,
    amount: 1,
    operator_sp_key: 116,
    operator_type: 'mobile',
    client_request_id: 'rest {{serial}}',
  };
  const input = {
    accountNumber: NUMBER,
    amount: 1,
    operatorSpKey: 116,
    operatorType: 'MOBILE',
    clientRequestId: 'variables {{serial}}',
  };
  const written = `mutation{recharge(input:{accountNumber:"${NUMBER}",amount:1,operatorSpKey:116,operatorType:MOBILE,clientRequestId:"text {{serial}}"}){order{status}}}`;
  return [
    ...(['uat', 'production'] as const).flatMap((host) => [
      post(`${host}: recharge, REST`, host, '/api/v1/recharge', rest),
      post(`${host}: recharge, variables`, host, '/graphql', { query: RECHARGE, variables: { input } }),
      post(`${host}: recharge, in the text`, host, '/graphql', { query: written }),
      post(`${host}: lookup`, host, '/api/v1/plan/operator-fetch', { mobile: NUMBER, orderid: 'l{{serial}}' }),
      post(`${host}: statement and orders`, host, '/graphql', { query: STATEMENT }),
      post(`${host}: a query in the text`, host, '/graphql', {
        query: '{order(kind:RECHARGE,clientRequestId:"none {{serial}}"){status}}',
      }),
      get(`${host}: openapi.json`, `${victim.urls[host]}/openapi.json`, as(host)),
    ]),
    // sixty per minute are allowed
    { ...post('uat: introspection', 'uat', '/graphql', { query: INTROSPECTION }), pauseMs: 10 * PAUSE_MS },
    get('livez', `${victim.urls.production}/livez`, {}),
  ];
}

/** Runs ten times an attack, in waves. */
const waves = async (play: (number: number) => Promise<attacks.Statuses>): Promise<void> => {
  for (let left = COUNT; left > 0 && isUp(); left -= BATCH_SIZE) await play(BATCH_SIZE);
};

const troubles: readonly { name: string; play: () => Promise<void> }[] = [
  { name: '–', play: async () => {} },
  {
    name: 'bodies of 64 KB',
    play: async () => {
      for (const host of ['uat', 'production', 'console'] as const)
        await waves((number) => attacks.longBodies(victim, host, number, attacks.LARGEST_BODY_BYTES));
    },
  },
  { name: '–', play: async () => {} },
  {
    name: 'files of 5 MB',
    play: async () => {
      const many = { number: COUNT, atOnce: 24, bytes: attacks.LARGEST_FILE_BYTES, limitMs: WINDOW_MS / 2 };
      await attacks.uploads(victim, 'JSON', many);
      if (isUp()) await attacks.uploads(victim, 'multipart', many);
    },
  },
  { name: '–', play: async () => {} },
  {
    name: 'documents',
    play: async () => {
      const many = { number: COUNT, atOnce: 24, limitMs: WINDOW_MS / 3 };
      await attacks.documents(victim, 'uat', attacks.aliasedDocument, { ...many, repeated: 3 });
      await attacks.documents(victim, 'uat', attacks.rechargeInText, { ...many, repeated: 1 });
      await attacks.documents(victim, 'production', attacks.documentOfKeys, { ...many, repeated: 1 });
    },
  },
  { name: '–', play: async () => {} },
  {
    name: 'answers that nobody reads',
    play: async () => {
      for (const host of ['uat', 'console'] as const) {
        const unread = new attacks.UnreadResponses();
        // limited by the ports of the machine and by MAX_CONNECTIONS of each host
        for (let open = 0; open < COUNT / 4 && isUp(); open += BATCH_SIZE)
          await unread.open(victim.urls, host, BATCH_SIZE);
        await unread.hold(HOLD_MS, () => !isUp());
        unread.close();
      }
    },
  },
];

/** Streams of an order that stays pending: opened, kept for a window, closed. */
async function withStreams<T>(work: () => Promise<T>): Promise<T> {
  const disconnect = new AbortController();
  const query = '{orders(first:1){edges{node{id}}}}';
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${developer.tokens.uat}` };
  const post = (body: object, more: RequestInit = {}) =>
    fetch(`${victim.urls.uat}/graphql`, { method: 'POST', headers, body: JSON.stringify(body), ...more });
  const watch = async (): Promise<void> => {
    const { data } = (await (await post({ query })).json()) as {
      data: { orders: { edges: { node: { id: string } }[] } };
    };
    const stream = await post(
      { query: `subscription{orderChanged(id:"${data.orders.edges[0]!.node.id}"){status}}` },
      { headers: { ...headers, accept: 'text/event-stream' }, signal: disconnect.signal },
    );
    await stream.text();
  };
  // some are rejected by a service under attack; only their memory is measured
  const streams = Array.from({ length: STREAMS }, () => watch().catch(() => {}));
  const result = await work();
  disconnect.abort();
  await Promise.all(streams);
  return result;
}

interface Window {
  attack: string;
  rows: Record<string, Waited>;
  residentBytes: number;
  heapBytes: number;
  cpuMsPerCall: number;
}

async function window(probe: Probe, trouble: (typeof troubles)[number]): Promise<Window> {
  memory.takePeakBytes();
  const figuresBefore = await memory.figures();
  await probe.start(callers());
  const end = performance.now() + WINDOW_MS;
  await withStreams(async () => {
    await trouble.play();
    await until('the window has ended', () => performance.now() >= end || !isUp(), 2 * WINDOW_MS, 100);
  });
  const { rows } = await probe.end();
  const calls = Object.values(rows).reduce((sum, { asked }) => sum + asked, 0);
  // the exit of a process is reported a moment after its connections have closed
  const served = Object.values(rows).every(({ statuses }) => statuses.none === undefined);
  if (!served) await until('the process has exited', () => !isUp(), DYING_MS).catch(() => {});
  const after = isUp() ? await memory.figures() : undefined;
  return {
    attack: trouble.name,
    rows,
    residentBytes: memory.takePeakBytes(),
    heapBytes: after?.heapBytes ?? Number.NaN,
    cpuMsPerCall: after ? (1_000 * (after.cpuSeconds - figuresBefore.cpuSeconds)) / calls : Number.NaN,
  };
}

const ofStatus = (rows: Window['rows'], is: (status: string) => boolean): number =>
  Object.values(rows)
    .flatMap(({ statuses }) => Object.entries(statuses))
    .reduce((sum, [status, count]) => sum + (is(status) ? count : 0), 0);

/** From the fastest kind of call to the slowest: the median of the p50 of all kinds, and the highest p99. */
function lineOf({ attack, rows, residentBytes, heapBytes, cpuMsPerCall }: Window, n: number): string {
  const { livez, ...kinds } = rows;
  const p50s = Object.values(kinds)
    .map(({ p50Ms }) => p50Ms)
    .toSorted((a, b) => a - b);
  const p99 = Math.max(...Object.values(kinds).map(({ p99Ms }) => p99Ms));
  const cells = [
    n + 1,
    attack,
    megabytes(residentBytes),
    megabytes(heapBytes),
    cpuMsPerCall.toFixed(1),
    ofStatus(rows, (status) => status === '200'),
    ofStatus(rows, (status) => status === '503'),
    ofStatus(rows, (status) => status !== '200' && status !== '503'),
    p50s[p50s.length >> 1]!.toFixed(0),
    p99.toFixed(0),
    livez!.longestMs.toFixed(0),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Unexpected responses by kind of call. */
const unexpectedResponses = ({ rows }: Window): string[] =>
  Object.entries(rows).flatMap(([name, { statuses, errorText }]) => {
    const unexpected = Object.entries(statuses).filter(([status]) => status !== '200' && status !== '503');
    return unexpected.map(([status, count]) => `${name}: ${count} × ${status} ${errorText ?? ''}`);
  });

/** Differences between Production recharges that succeeded at the provider and those that succeeded in the books. */
async function differences(): Promise<string[]> {
  const open = async () => (await test.db.query(`select from orders where state = 'open' limit 1`)).length;
  await until('no order is open', async () => (await open()) === 0, SETTLE_LIMIT_MS, 100);
  const orders = await test.db.query<{ reference: string }>(
    `select reference from orders where environment = 'production' and operation = 'recharge' and state = 'success'`,
  );
  const book = await test.simulator.book();
  const processed = book.filter(({ outcome }) => outcome === 'succeeded').map(({ reference }) => reference!);
  const booked = new Set(orders.map(({ reference }) => reference));
  const processedOnce = new Set(processed);
  return [
    ...(processedOnce.size === processed.length ? [] : ['something was performed twice']),
    ...[...booked]
      .filter((reference) => !processedOnce.has(reference))
      .map((reference) => `${reference} is a success, and was not performed`),
    ...[...processedOnce]
      .filter((reference) => !booked.has(reference))
      .map((reference) => `${reference} was performed, and is no success`),
  ];
}

it(
  `a process as shipped serves for ${DRILL_MINUTES} minutes despite attacks on its memory`,
  async () => {
    const [heapLimit, containerLimit] = [shippedHeapLimitBytes(), containerLimitBytes()];
    print(
      `node ${shippedCommand().execArgv.join(' ')}: heap ${megabytes(heapLimit)}, container ${megabytes(containerLimit)}`,
    );
    print('| # | attack | RSS, most | heap | CPU ms/call | 200 | 503 | other | p50 ms | p99 ms | livez, longest |');
    print('|---|---|---|---|---|---|---|---|---|---|---|');
    const probe = new Probe();
    let peakBytes = 0;
    let unexpectedCount = 0;
    for (let n = 0; n * WINDOW_MS < DRILL_MINUTES * 60_000 && isUp(); n++) {
      const measured = await window(probe, troubles[n % troubles.length]!);
      peakBytes = Math.max(peakBytes, measured.residentBytes);
      unexpectedCount += ofStatus(measured.rows, (status) => status !== '200' && status !== '503');
      print(lineOf(measured, n));
      for (const line of unexpectedResponses(measured)) print(line);
    }
    probe.close();
    if (!isUp()) expect.fail(`The process died: ${memory.ended ?? service.exitReason()}`);
    const inUseBytes = await memory.waitUntilBelow(heapLimit / HEADROOM);
    print(
      `heap in use after it: ${megabytes(inUseBytes)}, a ${(heapLimit / inUseBytes).toFixed(1)}th of its limit; RSS at most ${megabytes(peakBytes)}`,
    );
    expect(await differences()).toEqual([]);
    expect(heapLimit / inUseBytes).toBeGreaterThanOrEqual(HEADROOM);
    expect(peakBytes).toBeLessThanOrEqual(containerLimit);
    expect(unexpectedCount).toBe(0);
  },
  DRILL_MINUTES * 120_000 + AROUND_MS,
);
