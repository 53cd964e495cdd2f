import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import axios from 'axios';
import axiosRetry from 'axios-retry';
import got from 'got';
import ky from 'ky';
import qs from 'qs';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { seed, type TestDeveloper } from '../support/app.js';
import { place, RECHARGE, rechargeBody } from '../support/recharges.js';
import { useSharedApp } from '../support/use-app.js';
import { type Received, type Receiver, startReceiver } from '../webhooks/receiver.fixture.js';

const test = useSharedApp();

const runs = (program: string, ...words: string[]): boolean => {
  try {
    execFileSync(program, words, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
const hasPhp = runs('php', '--version');
const hasPython = runs('python3', '-c', 'import requests, urllib3');

/** JSON output of a program. Asynchronous because the service runs in this process. */
async function printed<T>(program: string, flag: string, script: string, ...words: string[]): Promise<T> {
  const { stdout, stderr } = await promisify(execFile)(program, [flag, script, ...words]);
  expect(stderr).toBe('');
  return JSON.parse(stdout) as T;
}

type Parameters = Record<string, readonly (string | number)[]>;

const php = (parameters: Parameters) =>
  printed<string>(
    'php',
    '-r',
    'echo json_encode(http_build_query(json_decode($argv[1], true)));',
    '--',
    JSON.stringify(parameters),
  );
const urllib = (parameters: Parameters) =>
  printed<string>(
    'python3',
    '-c',
    'import json, sys, urllib.parse; print(json.dumps(urllib.parse.urlencode(json.loads(sys.argv[1]), doseq=True)))',
    JSON.stringify(parameters),
  );
const requests = (parameters: Parameters) =>
  printed<string>(
    'python3',
    '-c',
    `import json, requests, sys
url = requests.Request('GET', 'http://localhost/', params=json.loads(sys.argv[1])).prepare().url
print(json.dumps(url.split('?')[1]))`,
    JSON.stringify(parameters),
  );
const throughAxios = (indexes?: boolean | null) => async (params: Parameters) =>
  axios.getUri({ url: '/', params, ...(indexes === undefined ? {} : { paramsSerializer: { indexes } }) }).slice(2);
const throughQs = (arrayFormat: 'indices' | 'brackets' | 'repeat' | 'comma') => async (parameters: Parameters) =>
  qs.stringify(parameters, { arrayFormat });

interface Serializer {
  name: string;
  /** Start of the query that the library writes for two statuses. */
  writes: string;
  query: (parameters: Parameters) => Promise<string>;
  isInstalled?: boolean;
}

const serializers: Serializer[] = [
  { name: 'axios', writes: 'status%5B%5D=success&status%5B%5D=failed', query: throughAxios() },
  { name: 'axios with indexes null', writes: 'status=success&status=failed', query: throughAxios(null) },
  { name: 'axios with indexes true', writes: 'status%5B0%5D=success&status%5B1%5D=failed', query: throughAxios(true) },
  { name: 'qs with indices', writes: 'status%5B0%5D=success&status%5B1%5D=failed', query: throughQs('indices') },
  { name: 'qs with brackets', writes: 'status%5B%5D=success&status%5B%5D=failed', query: throughQs('brackets') },
  { name: 'qs with repeat', writes: 'status=success&status=failed', query: throughQs('repeat') },
  { name: 'qs with comma', writes: 'status=success%2Cfailed', query: throughQs('comma') },
  {
    name: 'http_build_query of PHP',
    writes: 'status%5B0%5D=success&status%5B1%5D=failed',
    query: php,
    isInstalled: hasPhp,
  },
  { name: 'urlencode of Python', writes: 'status=success&status=failed', query: urllib, isInstalled: hasPython },
  { name: 'requests of Python', writes: 'status=success&status=failed', query: requests, isInstalled: hasPython },
];

describe('a list in a query', () => {
  let developer: TestDeveloper;
  beforeAll(async () => {
    developer = await test.developer({ rateLimitPerMinute: 1_000 });
    await place(test, developer, { client_request_id: 'success' }, 'uat');
    await place(test, developer, { client_request_id: 'declined', account_number: '9876540001' }, 'uat');
    const pending = { client_request_id: 'never found', account_number: '9876540004' };
    await place(test, developer, pending, 'uat', { prefer: 'wait=0' });
    expect(keys((await list('')).body.data)).toEqual(['never found', 'declined', 'success']);
  });
  const list = (query: string) => test.rest('uat', 'GET', `/api/v1/orders?${query}`, developer.tokens.uat);
  const keys = (orders: { client_request_id: string }[]) => orders.map((order) => order.client_request_id);

  for (const { name, writes, query, isInstalled = true } of serializers)
    it.skipIf(!isInstalled)(
      `by ${name} finds the same orders, and is rejected for a parameter with a single value`,
      async () => {
        const written = await query({ status: ['success', 'failed'] });
        expect(written).toBe(writes);
        const { status, body } = await list(written);
        expect([status, keys(body.data ?? [])]).toEqual([200, ['declined', 'success']]);

        const twice = await list(await query({ limit: [1, 2] }));
        expect([twice.status, Object.keys(twice.body.errors ?? {})]).toEqual([422, ['limit']]);
      },
    );
});

/** A response of the service that passed through the proxy. */
interface Forwarded {
  receivedAtMs: number;
  answeredAtMs: number;
  status: number;
  retryAfter: string | null;
  isReplay: boolean;
}

/** The shortest time that the header can contain. */
const RETRY_AFTER_S = 1;
/** A timer can fire within the millisecond before its time. */
const EARLY_MS = 10;

/**
 * A proxy in front of the service that shortens Retry-After and drops the first successful response.
 *
 * @param afterRateLimited is awaited before a 429 is returned
 */
async function startProxy(afterRateLimited: () => Promise<unknown>): Promise<{
  url: string;
  forwarded: Forwarded[];
  server: Server;
}> {
  const forwarded: Forwarded[] = [];
  const forward = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { authorization = '', 'content-type': contentType = '' } = request.headers;
    const receivedAtMs = Date.now();
    const answer = await fetch(`${test.urls.production}${request.url}`, {
      method: request.method!,
      headers: { authorization, 'content-type': contentType },
      body: await buffer(request),
    });
    const text = await answer.text();
    const { status, headers } = answer;
    const isFirstSuccess = status === 200 && !forwarded.some((earlier) => earlier.status === 200);
    const retryAfter = headers.get('retry-after');
    if (status === 429) await afterRateLimited();
    const isReplay = headers.has('idempotent-replayed');
    forwarded.push({ receivedAtMs, answeredAtMs: Date.now(), status, retryAfter, isReplay });
    if (isFirstSuccess) {
      response.writeHead(502).end();
      return;
    }
    response.writeHead(status, {
      'content-type': headers.get('content-type')!,
      ...(retryAfter === null ? {} : { 'retry-after': retryAfter.replace(/^\d+$/, String(RETRY_AFTER_S)) }),
    });
    response.end(text);
  };
  const server = createServer((request, response) => void forward(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, forwarded, server };
}

interface Call {
  url: string;
  token: string;
  body: object;
}

/** Clients that retry a POST. Their own pauses are minimal, so that only the header explains a longer one. */
const retrying: { name: string; send: (call: Call) => Promise<any>; isInstalled?: boolean }[] = [
  {
    name: 'axios-retry',
    send: async ({ url, token, body }) => {
      const client = axios.create({ headers: { authorization: `Bearer ${token}` } });
      axiosRetry(client, { retries: 2, retryCondition: axiosRetry.isRetryableError });
      return (await client.post(url, body)).data;
    },
  },
  {
    name: 'got',
    send: ({ url, token, body }) =>
      got
        .post(url, {
          headers: { authorization: `Bearer ${token}` },
          json: body,
          retry: { methods: ['POST'], backoffLimit: 0, noise: 0 },
        })
        .json(),
  },
  {
    name: 'ky',
    send: ({ url, token, body }) =>
      ky
        .post(url, {
          headers: { authorization: `Bearer ${token}` },
          json: body,
          retry: { methods: ['post'], backoffLimit: 0 },
        })
        .json(),
  },
  {
    name: 'urllib3 of Python',
    isInstalled: hasPython,
    send: ({ url, token, body }) =>
      printed(
        'python3',
        '-c',
        `import json, sys, urllib3
url, token, body = sys.argv[1:]
retries = urllib3.Retry(total=2, allowed_methods=None, status_forcelist=[429, 502], backoff_factor=0)
headers = {'authorization': 'Bearer ' + token}
print(json.dumps(urllib3.request('POST', url, headers=headers, json=json.loads(body), retries=retries).json()))`,
        url,
        token,
        JSON.stringify(body),
      ),
  },
];

describe('a recharge retried by a client library', () => {
  let proxy: Awaited<ReturnType<typeof startProxy>> | undefined;
  afterEach(async () => {
    proxy?.server.closeAllConnections();
    proxy?.server.close();
  });

  for (const { name, send, isInstalled = true } of retrying)
    it.skipIf(!isInstalled)(`by ${name} waits for Retry-After and creates one order`, async () => {
      const developer = await test.developer({ rateLimitPerMinute: 1, liveRupees: 100 });
      const setRateLimit = { developerId: developer.id, perMinute: 100 };
      proxy = await startProxy(() => test.app.developers.change('setRateLimit', setRateLimit, seed));
      await place(test, developer, { client_request_id: 'uses the limit' });

      const answer = await send({
        url: `${proxy.url}${RECHARGE}`,
        token: developer.tokens.production,
        body: rechargeBody({ client_request_id: 'retried' }),
      });
      const [limited, lost] = proxy.forwarded;
      expect(proxy.forwarded.map(({ status, isReplay }) => [status, isReplay])).toEqual([
        [429, false],
        [200, false],
        [200, true],
      ]);
      const seconds = Number(limited!.retryAfter);
      expect(limited!.retryAfter).toMatch(/^\d+$/);
      expect([seconds > 0, seconds <= 60]).toEqual([true, true]);
      expect(lost!.receivedAtMs - limited!.answeredAtMs).toBeGreaterThanOrEqual(RETRY_AFTER_S * 1_000 - EARLY_MS);

      expect(answer).toMatchObject({ status: 'success', data: { client_request_id: 'retried' } });
      const orders = await test.db.query(`select 1 from orders where developer_id = $1 and client_key = 'retried'`, [
        developer.id,
      ]);
      expect([orders.length, await test.balance(developer, 'production')]).toEqual([1, 80]);
    });
});

const verifiers = { standardwebhooks: StandardWebhook, svix: SvixWebhook };

describe.each(Object.entries(verifiers))('the verifier of %s', (_name, Webhook) => {
  const WEBHOOKS = '/api/v1/webhooks';
  /** Both packages accept messages up to this age. */
  const TOLERANCE_S = 5 * 60;
  let receiver: Receiver;
  let developer: TestDeveloper;
  let secrets: { old: string; current: string };
  const sent = { before: {} as Received, during: {} as Received, after: {} as Received };

  beforeAll(async () => {
    receiver = await startReceiver();
    developer = await test.developer({ rateLimitPerMinute: 1_000 });
    const call = async (path: string, body?: object) =>
      (await test.rest('uat', 'POST', `${WEBHOOKS}${path}`, developer.tokens.uat, body)).body.data;
    const message = async (key: string): Promise<Received> => {
      const count = receiver.received.length;
      await place(test, developer, { client_request_id: key }, 'uat');
      const received = (await receiver.has(count + 1)).at(-1)!;
      expect(received.body).toMatchObject({ type: 'recharge.succeeded', data: { client_request_id: key } });
      return received;
    };
    const created = await call('', { url: receiver.url });
    sent.before = await message('before');
    secrets = { old: created.secret, current: (await call(`/${created.id}/rotate`)).secret };
    sent.during = await message('during');
    await test.db.query(
      `update webhook_endpoint set previous_secret_until = now() - interval '1 s'
        where developer_id = $1 and previous_secret_until is not null`,
      [developer.id],
    );
    sent.after = await message('after');
  });
  afterAll(() => receiver.close());
  afterEach(() => vi.useRealTimers());

  const headersOf = ({ id: messageId, timestampS, signatures }: Received) => ({
    'webhook-id': messageId,
    'webhook-timestamp': String(timestampS),
    'webhook-signature': signatures.join(' '),
  });
  /** Verifies a message like the code of a receiver. */
  const verify = (secret: string, message: Received, raw = message.raw, headers = headersOf(message)): void =>
    void new Webhook(secret).verify(raw, headers);
  const NO_SIGNATURE = /No matching signature found/;

  it('accepts messages before, during and after a rotation with the secrets that are valid then', () => {
    const { old, current } = secrets;
    expect(() => verify(old, sent.before)).not.toThrow();
    expect(() => verify(current, sent.before)).toThrow(NO_SIGNATURE);
    for (const secret of [old, current]) expect(() => verify(secret, sent.during)).not.toThrow();
    expect(() => verify(old, sent.after)).toThrow(NO_SIGNATURE);
    expect(() => verify(current, sent.after)).not.toThrow();
  });

  it('rejects a changed body, ID or timestamp', () => {
    const { current } = secrets;
    const headers = headersOf(sent.after);
    expect(() => verify(current, sent.after, sent.after.raw.replace('"amount":10', '"amount":99'))).toThrow(
      NO_SIGNATURE,
    );
    const changed = [
      { ...headers, 'webhook-id': sent.during.id },
      { ...headers, 'webhook-timestamp': String(sent.after.timestampS + 1) },
    ];
    for (const other of changed) expect(() => verify(current, sent.after, sent.after.raw, other)).toThrow(NO_SIGNATURE);
  });

  it('rejects an old message', () => {
    const { current } = secrets;
    vi.useFakeTimers({ toFake: ['Date'], now: (sent.after.timestampS + TOLERANCE_S) * 1_000 });
    expect(() => verify(current, sent.after)).not.toThrow();
    vi.setSystemTime((sent.after.timestampS + TOLERANCE_S + 1) * 1_000);
    expect(() => verify(current, sent.after)).toThrow(/timestamp too old/);
  });
});
