import net from 'node:net';
import { Client } from 'pg';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Metrics } from '../../src/core/metrics.js';
import { SLOW_BODIES_PER_ACCOUNT } from '../../src/http/limits/holders.js';
import { MemoryAccount, MemoryRejectionLog } from '../../src/http/limits/memory.js';
import { FROM_TEST, seed, type TestDeveloper } from '../support/app.js';
import { logLines } from '../support/log-lines.js';
import { until } from '../support/until.js';
import { useOwnApp } from '../support/use-app.js';

const PASSWORD = 'a password for tests';
const lines = logLines();
const test = useOwnApp({ REQUEST_TIMEOUT_MS: '15s' }, lines.log);
let approved: TestDeveloper;
const open: net.Socket[] = [];

beforeAll(async () => {
  approved = await test.developer();
});
afterEach(() => open.splice(0).forEach((socket) => socket.destroy()));

/** A session of a user of this account, or of a new one that is not approved. */
async function session(developerId?: TestDeveloper['id']): Promise<string> {
  const { developers, users, sessions } = test.app;
  const email = `slices-${++people}@test.example`;
  let of = developerId;
  if (!of) {
    of = await developers.register({ name: 'New', email }, seed);
    await developers.markEmailVerified(of, seed);
  }
  await users.create({ email, name: 'Somebody', password: PASSWORD, role: 'developer', developerId: of }, seed);
  return (await sessions.signIn({ email, password: PASSWORD }, FROM_TEST)).token;
}
let people = 0;

const post = (token: string, bytes: number): Promise<Response> =>
  fetch(`${test.urls.console}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: `{ __typename } #${'x'.repeat(bytes)}` }),
  });

it('GraphQL of an account that is not approved can have 32 KiB on the console, that of an approved one 64 KiB', async () => {
  const [newcomer, known] = [await session(), await session(approved.id)];
  const statuses = [];
  for (const [token, kib] of [
    [newcomer, 31],
    [newcomer, 33],
    [known, 63],
    [known, 65],
  ] as const)
    statuses.push((await post(token, kib * 1024)).status);
  expect(statuses).toEqual([200, 413, 200, 413]);
});

interface Raw {
  received: string;
  closed: boolean;
}

/** A request whose body never ends. */
function slow(host: 'console' | 'uat', token: string): Raw {
  const url = new URL(test.urls[host]);
  const raw: Raw = { received: '', closed: false };
  const socket = net.connect(Number(url.port), '127.0.0.1');
  open.push(socket);
  socket.on('data', (chunk) => (raw.received += chunk)).on('error', () => {});
  socket.on('close', () => (raw.closed = true));
  socket.write(
    `POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nauthorization: Bearer ${token}\r\ncontent-length: 4000\r\n\r\n{`,
  );
  return raw;
}

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${test.urls.uat}/metrics`)).text();
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(name))
      ?.slice(name.length) ?? 0,
  );
}

describe('slow bodies', () => {
  it('are limited to 8 for all users of an account on all hosts; more get OVERLOADED, counted by cause', async () => {
    const tokens = [await session(approved.id), await session(approved.id)];
    const bodies = Array.from({ length: SLOW_BODIES_PER_ACCOUNT + 4 }, (_, n) =>
      n % 3 === 2 ? slow('uat', approved.tokens.uat) : slow('console', tokens[n % 2]!),
    );
    await until('those beyond the limit are rejected', () => bodies.filter(({ received }) => received).length >= 4);
    const rejected = bodies.filter(({ received }) => received.includes('OVERLOADED'));
    expect(rejected).toHaveLength(4);
    const counted = ['console', 'uat'].map((host) => `gateway_overloaded_total{host="${host}",cause="slow_bodies"}`);
    expect((await metric(counted[0]!)) + (await metric(counted[1]!))).toBe(4);
    // The others arrive below the minimum rate.
    await until('all are closed', () => bodies.every(({ closed }) => closed));
    expect(bodies.filter(({ received }) => received.includes('REQUEST_TIMEOUT'))).toHaveLength(8);
  });

  it('with client tokens are limited to 4 per address', async () => {
    const mutation = 'mutation { createClientToken(input: { scopes: [LOOKUPS] }) { token } }';
    const { body } = await test.graphql('uat', approved.tokens.uat, mutation);
    const bodies = Array.from({ length: 6 }, () => slow('uat', body.data.createClientToken.token));
    await until('those beyond the limit are rejected', () => bodies.filter(({ received }) => received).length >= 2);
    expect(bodies.filter(({ received }) => received.includes('OVERLOADED'))).toHaveLength(2);
  });
});

it('releases the memory of a client that disconnects during the lookup of its token', async () => {
  const token = await session();
  const { server } = test.app.hosts.get('console')!;
  const sockets: net.Socket[] = [];
  const note = (socket: net.Socket) => void sockets.push(socket);
  const blocker = new Client({ connectionString: test.db.url });
  await blocker.connect();
  await blocker.query('begin; lock table session in access exclusive mode');
  server.on('connection', note);
  try {
    const request = slow('console', token);
    await until('the lookup is waiting', async () => {
      const [waiting] = await test.db.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return waiting !== undefined;
    });
    open.splice(0).forEach((socket) => socket.destroy());
    await until('its connection has closed', () => sockets.length === 1 && sockets[0]!.closed);
    expect(request.received).toBe('');
  } finally {
    server.off('connection', note);
    await blocker.query('rollback');
    await blocker.end();
  }
  await until('no request is running', async () => (await metric('gateway_requests_running{host="console"}')) === 0);
  expect(await metric('gateway_memory_used_bytes{slice="anonymous callers on console"}')).toBe(0);
});

it('the log names the largest holders of a full slice, once every ten seconds', async () => {
  const log = new MemoryRejectionLog(new Metrics(), lines.log);
  const account = new MemoryAccount(() => {}, 3_200);
  account.note({ slice: 'money', counts: [{ key: 'account:a', share: 1, slowBodies: 1 }] }, 500);
  account.note({ slice: 'money', counts: [{ key: 'account:b', share: 1, slowBodies: 1 }] }, 300);
  log.record('money', account);
  log.record('money', account);
  const logged = lines.of('request rejected: memory limit reached');
  expect(logged).toEqual([
    expect.objectContaining({
      slice: 'money',
      heldBytes: 800,
      limitBytes: 800,
      largest: [
        { key: 'account:a', bytes: 500 },
        { key: 'account:b', bytes: 300 },
      ],
    }),
  ]);
});
