import net from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ServiceProcess } from '../fuzz/support/service-process.js';
import { FROM_TEST, seed, type TestDeveloper, testEnvironment } from '../support/app.js';
import { freePort } from '../support/ports.js';
import { aRecharge } from '../support/recharges.js';
import { shippedCommand } from '../support/shipped.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { until } from '../support/until.js';
import { useSharedApp } from '../support/use-app.js';

/*
 * Attackers who announce bodies and send nothing, against a process with the shipped heap and the default limits. An honest caller
 * with another address must not notice them.
 */

const PASSWORD = 'a password for tests';
const HONEST_ADDRESS = '192.0.2.1';
const LIMIT_MS = 20_000;
const LEAST_BYTES = 64;
const ATTACKERS = ['198.51.100.1', '198.51.100.2', '198.51.100.3', '198.51.100.4'];

const test = useSharedApp();
let developer: TestDeveloper;
let service: ServiceProcess;
let urls: Record<'uat' | 'production' | 'console' | 'ops', string>;
const open = new Set<net.Socket>();
let isUnderWay = false;
let sent = 0;

beforeAll(async () => {
  developer = await test.developer({ rateLimitPerMinute: 10_000 });
  const ports = [await freePort(), await freePort(), await freePort(), await freePort()];
  const [uat, production, console, ops] = ports.map((port) => `http://127.0.0.1:${port}`) as [
    string,
    string,
    string,
    string,
  ];
  // the public URL of the console has this name
  urls = { uat, production, console: console.replace('127.0.0.1', 'localhost'), ops };
  // the limits of clients as they are shipped
  const {
    REQUEST_TIMEOUT_MS: _,
    HEALTH_ON_HOSTS: __,
    ...settings
  } = testEnvironment(test.db.url, test.simulator.url, ports);
  service = await ServiceProcess.start(
    { ...settings, OPS_PORT: String(ports[3]), DATA_DIR: temporaryDirectory(), TRUST_PROXY: '1' },
    shippedCommand(),
  );
});
afterEach(async () => {
  isUnderWay = false;
  for (const socket of open) socket.destroy();
  await until('no request of the attack is left', async () => (await heldBytes()) === 0, LIMIT_MS);
});
afterAll(() => service?.stop());

type Host = 'uat' | 'production' | 'console';

/**
 * A connection whose request announces a body and sends one byte of it. Whenever the service answers, it is opened again with half the length, to use up the room that is left.
 */
function announce(host: Host, { address, bytes, token }: Announced): void {
  const { port, host: name } = new URL(urls[host]);
  let length = bytes;
  const connect = (): void => {
    const socket = net.connect(Number(port), '127.0.0.1');
    open.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => socket.destroy());
    socket.once('close', () => {
      open.delete(socket);
      length = Math.max(LEAST_BYTES, length / 2);
      if (isUnderWay) setTimeout(connect, 200);
    });
    const head = [
      'POST /graphql HTTP/1.1',
      `host: ${name}`,
      `x-forwarded-for: ${address}`,
      'content-type: application/json',
      `content-length: ${length}`,
      ...(token === undefined ? [] : [`authorization: Bearer ${token}`]),
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n{`, () => sent++);
  };
  connect();
}

interface Announced {
  address: string;
  bytes: number;
  token?: string;
}

/** Begins an attack; resolves when every request is with the service. */
async function attack(begin: () => void, requests: number): Promise<void> {
  isUnderWay = true;
  sent = 0;
  begin();
  await until('every request of the attack is sent', () => sent >= requests, LIMIT_MS);
  let before = 0;
  await until(
    'the service has read them',
    async () => {
      const now = await heldBytes();
      const isSteady = now > 0 && now === before;
      before = now;
      return isSteady;
    },
    LIMIT_MS,
    200,
  );
}

async function heldBytes(): Promise<number> {
  const text = await (await fetch(`${urls.ops}/metrics`)).text();
  let bytes = 0;
  for (const [, value] of text.matchAll(/^gateway_memory_held_bytes\{[^}]*\} (\d+)$/gm)) bytes += Number(value);
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
    query: 'mutation($input: SignInInput!) { signIn(input: $input) { mustEnrol } }',
    variables: { input: { email, password: PASSWORD } },
  });
const exchange = (host: 'uat' | 'production') =>
  call(host, '/api/v1/auth/client-credentials', {
    client_id: developer.keys[host].clientId,
    api_secret: developer.keys[host].apiSecret,
    environment: host,
  });

/** So often, because an attack that works part of the time works. */
const ROUNDS = 12;

describe('announced bodies of one account that signed up and was never approved', () => {
  it('keep no money call of another account out', async () => {
    const { tokens } = await freeAccount(4);
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
      const recharge = aRecharge({ amount: 1, client_request_id: `idle-attackers-${n}` });
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

describe('idle bodies of callers without a token, from four addresses', () => {
  const begin = (host: Host, addresses: readonly string[], number: number) =>
    attack(() => {
      for (let n = 0; n < number; n++) announce(host, { address: addresses[n % addresses.length]!, bytes: 8_192 });
    }, number);

  it.each([
    ['IPv4 addresses', ATTACKERS],
    ['IPv6 networks of one line', [1, 2, 3, 4].map((n) => `2001:db8:0:${n}::1`)],
  ])('(%s) keep nobody from signing in, exchanging a key or opening the portal', async (_what, addresses) => {
    const { emails } = await freeAccount(1);
    await begin('uat', addresses, 400);
    const heard: Record<string, Set<number>> = {
      'sign-in': new Set(),
      'exchange in UAT': new Set(),
      'exchange in production': new Set(),
      portal: new Set(),
    };
    for (let n = 0; n < ROUNDS; n++) {
      heard['sign-in']!.add((await signIn(emails[0]!)).status);
      heard['exchange in UAT']!.add((await exchange('uat')).status);
      heard['exchange in production']!.add((await exchange('production')).status);
      heard.portal!.add((await call('console', '/')).status);
    }
    const ok = new Set([200]);
    expect(heard).toEqual({
      'sign-in': ok,
      'exchange in UAT': ok,
      'exchange in production': ok,
      portal: ok,
    });
  });
});

/** Sessions of the people of one account with a confirmed address, which nobody has approved. */
async function freeAccount(people: number): Promise<{ emails: string[]; tokens: string[] }> {
  const { developers, users, sessions } = test.app;
  const name = `free-${Date.now()}`;
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
