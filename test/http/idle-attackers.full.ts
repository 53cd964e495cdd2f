import net from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AT_ONCE_MS, FILE_PAUSE_MS } from '../../src/http/limits/slow-clients.js';
import { AnnouncedBodies } from '../fuzz/attacks/announced-bodies.js';
import { times } from '../fuzz/attacks/attacker.js';
import { invalidDocument } from '../fuzz/attacks/invalid-documents.js';
import { serial, UnreadResponses } from '../fuzz/attacks/memory-attacks.js';
import { ServiceProcess } from '../fuzz/support/service-process.js';
import { formOf } from '../onboarding/onboarding.fixture.js';
import { FROM_TEST, seed, type TestDeveloper, testEnvironment } from '../support/app.js';
import { longestScript } from '../support/portal-assets.js';
import { freePort } from '../support/ports.js';
import { ProcessMemory } from '../support/process-memory.js';
import { rechargeBody } from '../support/recharges.js';
import { shippedCommand } from '../support/shipped.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { until } from '../support/until.js';
import { useSharedApp } from '../support/use-app.js';

/*
 * Attackers who send headers with a content length and no body, to a process with the default heap and limits. An honest caller
 * with another address must not notice them.
 */

const PASSWORD = 'a password for tests';
const HONEST_ADDRESS = '192.0.2.1';
const LIMIT_MS = 60_000;
const ATTACKERS = ['198.51.100.1', '198.51.100.2', '198.51.100.3', '198.51.100.4'];

const test = useSharedApp();
let developer: TestDeveloper;
let service: ServiceProcess;
const unread = new UnreadResponses();
let urls: Record<'uat' | 'production' | 'console' | 'ops', string>;
let attackers: AnnouncedBodies | undefined;
let memory: ProcessMemory;

beforeAll(async () => {
  developer = await test.developer({ rateLimitPerMinute: 10_000 });
  const ports = [await freePort(), await freePort(), await freePort(), await freePort()];
  const [uat, production, console, ops] = ports.map((port) => `http://127.0.0.1:${port}`) as [
    string,
    string,
    string,
    string,
  ];
  // The public URL of the console has this name.
  urls = { uat, production, console: console.replace('127.0.0.1', 'localhost'), ops };
  // The default limits of clients.
  const {
    REQUEST_TIMEOUT_MS: _,
    HEALTH_ON_HOSTS: __,
    ...settings
  } = testEnvironment(test.db.url, test.simulator.url, ports);
  service = await ServiceProcess.start(
    { ...settings, OPS_PORT: String(ports[3]), DATA_DIR: temporaryDirectory(), TRUST_PROXY: '1' },
    shippedCommand(),
  );
  memory = new ProcessMemory(service, urls.ops);
});
afterEach(async () => {
  attackers?.stop();
  unread.close();
  await until('no request of the attack is left', async () => (await heldBytes()) === 0, LIMIT_MS);
});
afterAll(async () => {
  await memory?.close();
  await service?.stop();
});

type Host = 'uat' | 'production' | 'console';

/** Opens a connection from an address and sends the header of a request with a body. */
function announce(host: Host, { address, bytes, token }: Announced): void {
  const { port, host: name } = new URL(urls[host]);
  attackers!.announce({ host: name, address, bytes, ...(token === undefined ? {} : { token }) }, () =>
    net.connect(Number(port), '127.0.0.1'),
  );
}

interface Announced {
  address: string;
  bytes: number;
  token?: string;
}

/** Starts an attack; resolves when the service has received every request. */
async function attack(start: () => void, requests: number): Promise<void> {
  attackers = new AnnouncedBodies();
  start();
  await until('every request of the attack is sent', () => attackers!.sent >= requests, LIMIT_MS);
  await until('the service has read the requests', async () => (await heldBytes()) > 0, LIMIT_MS, 200);
}

async function heldBytes(): Promise<number> {
  const text = await (await fetch(`${urls.ops}/metrics`)).text();
  let bytes = 0;
  for (const [, value] of text.matchAll(/^gateway_memory_used_bytes\{[^}]*\} (\d+)$/gm)) bytes += Number(value);
  return bytes;
}

const call = (host: Host, path: string, body?: object, token?: string): Promise<Response> =>
  fetch(urls[host] + path, {
    method: body ? 'POST' : 'GET',
    headers: {
      'x-forwarded-for': HONEST_ADDRESS,
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });

const signIn = (email: string) =>
  call('console', '/graphql', {
    query: 'mutation($input: SignInInput!) { signIn(input: $input) { mustEnroll } }',
    variables: { input: { email, password: PASSWORD } },
  });
const exchange = (host: 'uat' | 'production') =>
  call(host, '/api/v1/auth/client-credentials', {
    client_id: developer.keys[host].clientId,
    api_secret: developer.keys[host].apiSecret,
    environment: host,
  });

/** Many rounds, because an attack that works only sometimes still works. */
const ROUNDS = 12;

describe('idle bodies of accounts that were never approved', () => {
  it.each([
    ['one account of four users', [4]],
    ['four accounts', [1, 1, 1, 1]],
  ])('(%s) do not block a money call of another account', async (name, people) => {
    const tokens: string[] = [];
    for (const number of people) tokens.push(...(await freeAccount(number)).tokens);
    const perPerson = 32;
    await attack(
      () =>
        tokens.forEach((token, n) => {
          for (let i = 0; i < perPerson; i++) announce('console', { address: ATTACKERS[n % 2]!, bytes: 65_536, token });
        }),
      tokens.length * perPerson,
    );
    const statuses: Record<string, number[]> = { recharge: [], wallet: [] };
    for (let n = 0; n < ROUNDS; n++) {
      const recharge = rechargeBody({ amount: 1, client_request_id: `idle-attackers ${name} ${n}` });
      statuses.recharge!.push(
        (await call('production', '/api/v1/recharge', recharge, developer.tokens.production)).status,
      );
      const wallet = { query: '{ wallet { balance } }' };
      statuses.wallet!.push((await call('production', '/graphql', wallet, developer.tokens.production)).status);
    }
    const served = Array.from({ length: ROUNDS }, () => 200);
    expect(statuses).toEqual({ recharge: served, wallet: served });
    expect((await fetch(`${urls.ops}/readyz`)).status).toBe(200);
  });
});

describe('idle bodies of callers without a token, from four IPv6 networks', () => {
  const startAttack = (host: Host, addresses: readonly string[], number: number) =>
    attack(() => {
      for (let n = 0; n < number; n++) announce(host, { address: addresses[n % addresses.length]!, bytes: 8_192 });
    }, number);

  // IPv4 addresses are limited in the same way; `npm run attacks` covers them.
  it('do not prevent users from signing in, exchanging a key or opening the portal', async () => {
    const { emails } = await freeAccount(1);
    await startAttack(
      'uat',
      [1, 2, 3, 4].map((n) => `2001:db8:0:${n}::1`),
      400,
    );
    const statuses: Record<string, Set<number>> = {
      'sign-in': new Set(),
      'exchange in UAT': new Set(),
      'exchange in production': new Set(),
      portal: new Set(),
    };
    for (let n = 0; n < ROUNDS; n++) {
      statuses['sign-in']!.add((await signIn(emails[0]!)).status);
      statuses['exchange in UAT']!.add((await exchange('uat')).status);
      statuses['exchange in production']!.add((await exchange('production')).status);
      statuses.portal!.add((await call('console', '/')).status);
    }
    const ok = new Set([200]);
    expect(statuses).toEqual({
      'sign-in': ok,
      'exchange in UAT': ok,
      'exchange in production': ok,
      portal: ok,
    });
  });
});

describe('memory after a few hundred requests of other networks', () => {
  it('is released: invalid documents from 78 IPv6 networks on three hosts', async () => {
    const beforeBytes = await memory.heapInUseBytes();
    const statuses = new Set<number>();
    const all = Array.from({ length: 78 }, (_, n) => n).flatMap((n) =>
      (['uat', 'production', 'console'] as const).map((host) => ({ host, address: `2001:db8:${n}::1` })),
    );
    await times(all.length, 8, async (n) => {
      const { host, address } = all[n]!;
      const accept = 'application/graphql-response+json';
      const headers = { 'content-type': 'application/json', accept, 'x-forwarded-for': address };
      const response = await fetch(`${urls[host]}/graphql`, { method: 'POST', headers, body: invalidDocument() });
      statuses.add(response.status);
      await response.arrayBuffer();
    });
    expect([...statuses]).toEqual([400]);
    // Each would keep almost 1 MB.
    expect(await memory.waitUntilBelow(beforeBytes * 1.1, LIMIT_MS)).toBeLessThanOrEqual(beforeBytes * 1.1);
  });
});

it('responses that twelve addresses do not read do not block the portal', async () => {
  await unread.open(urls, 'console', 240, { addresses: 12 });
  for (let n = 0; n < ROUNDS; n++)
    for (const path of ['/', longestScript()])
      expect([path, (await call('console', path)).status]).toEqual([path, 200]);
});

it('uploads that occupy all slots and send single bytes are closed for others', async () => {
  const accounts = [await freeAccount(1), await freeAccount(1), await freeAccount(1)];
  const holders = accounts.slice(0, 2).map(({ tokens }, n) => {
    const { port, host } = new URL(urls.console);
    const socket = net.connect(Number(port), '127.0.0.1');
    const type = 'multipart/form-data; boundary=line';
    socket.on('error', () => {});
    socket.write(
      `POST /kyc/documents HTTP/1.1\r\nhost: ${host}\r\nx-forwarded-for: ${ATTACKERS[n]}\r\nauthorization: Bearer ${tokens[0]}\r\ncontent-type: ${type}\r\ncontent-length: 5000\r\n\r\n-`,
    );
    const holder = { socket, sent: 0, trickle: setInterval(() => socket.write('-', () => holder.sent++), 200) };
    return holder;
  });
  const statuses: number[] = [];
  const honest = async () => {
    const headers = { authorization: `Bearer ${accounts[2]!.tokens[0]}`, 'x-forwarded-for': HONEST_ADDRESS };
    const response = await fetch(`${urls.console}/kyc/documents`, { method: 'POST', body: formOf(), headers });
    statuses.push(response.status);
    return response.status;
  };
  try {
    await until('both uploads have sent a second chunk', () => holders.every(({ sent }) => sent > 3));
    // Without another upload that needs a slot, they would keep theirs longer.
    await until('an upload is accepted', async () => (await honest()) === 201, FILE_PAUSE_MS - AT_ONCE_MS, 500);
    expect(statuses.filter((status) => status !== 503)).toEqual([201]);
  } finally {
    for (const { socket, trickle } of holders) {
      clearInterval(trickle);
      socket.destroy();
    }
  }
});

/** Sessions of users of one account that has a confirmed address and is not approved. */
async function freeAccount(people: number): Promise<{ emails: string[]; tokens: string[] }> {
  const { developers, users, sessions } = test.app;
  const name = `free-${serial()}`;
  const developerId = await developers.register({ name, email: `${name}@test.example` }, seed);
  await developers.markEmailVerified(developerId, seed);
  const emails: string[] = [];
  const tokens: string[] = [];
  for (let n = 0; n < people; n++) {
    const email = `${name}-${n}@test.example`;
    await users.create({ email, name, password: PASSWORD, role: 'developer', developerId }, seed);
    emails.push(email);
    tokens.push((await sessions.signIn({ email, password: PASSWORD }, FROM_TEST)).token);
  }
  return { emails, tokens };
}
