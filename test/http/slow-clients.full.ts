import http from 'node:http';
import net from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FILE_PAUSE_MS } from '../../src/http/limits/slow-clients.js';
import { formOf } from '../onboarding/onboarding.fixture.js';
import { inReview, publicId } from '../orders/order.fixture.js';
import { FROM_TEST, seed, type TestDeveloper } from '../support/app.js';
import { APOLLO_ACCEPT } from '../support/event-stream.js';
import { logLines } from '../support/log-lines.js';
import { rechargeBody } from '../support/recharges.js';
import { until } from '../support/until.js';
import { useOwnApp } from '../support/use-app.js';

const HOSTS = ['uat', 'production', 'console'] as const;
/** Longer than an immediate response takes. */
const REQUEST_TIMEOUT_MS = 2_800;
const MAX_IN_FLIGHT = 5;
const PER_ADDRESS = 60;
const MAX_CONNECTIONS = 150;
const PASSWORD = 'a password for tests';

const lines = logLines();
const test = useOwnApp(
  {
    MAX_IN_FLIGHT: String(MAX_IN_FLIGHT),
    REQUEST_TIMEOUT_MS: String(REQUEST_TIMEOUT_MS),
    UPLOAD_TIMEOUT_MS: '60000',
    MAX_SLOW_BODIES_PER_ADDRESS: String(PER_ADDRESS),
    MAX_CONNECTIONS: String(MAX_CONNECTIONS),
  },
  lines.log,
);
let developer: TestDeveloper;
const open: net.Socket[] = [];

/** An upload that has its slot and sends too slowly: it takes ten seconds, during which the other tests run. */
let slowUpload: { raw: Raw; body: Buffer; head: string; endedMs?: number; startedMs: number };

beforeAll(async () => {
  developer = await test.developer();
  const form = new Response(formOf());
  const body = Buffer.from(await form.arrayBuffer());
  const head = uploadHead(body.length, form.headers.get('content-type')!, await applicant('too-slow'));
  const raw = send('console', head, '127.0.3.1');
  slowUpload = { raw, body, head, startedMs: performance.now() };
  raw.socket.once('data', () => (slowUpload.endedMs = performance.now()));
  // It must survive the end of its test.
  open.splice(open.indexOf(raw.socket), 1);
  let sent = 0;
  const trickle = setInterval(() => raw.socket.write(body.subarray(sent, ++sent)), 500);
  raw.socket.once('close', () => clearInterval(trickle));
});
afterAll(() => slowUpload?.raw.socket.destroy());

/** A session of a new account that can upload documents. */
async function applicant(name: string): Promise<string> {
  const { developers, users, sessions } = test.app;
  const email = `${name}@test.example`;
  const developerId = await developers.register({ name, email }, seed);
  await developers.markEmailVerified(developerId, seed);
  await users.create({ email, name, password: PASSWORD, role: 'developer', developerId }, seed);
  return (await sessions.signIn({ email, password: PASSWORD }, FROM_TEST)).token;
}
afterEach(() => open.splice(0).forEach((socket) => socket.destroy()));

interface Raw {
  socket: net.Socket;
  received: string;
  closed: boolean;
}

/** A connection that sends the text and then waits. */
function send(host: (typeof HOSTS)[number], text: string, localAddress = '127.0.0.1'): Raw {
  const socket = net.connect({ port: Number(new URL(test.urls[host]).port), host: '127.0.0.1', localAddress });
  const raw: Raw = { socket, received: '', closed: false };
  socket.on('data', (chunk) => (raw.received += chunk));
  socket.on('error', () => {});
  socket.on('close', () => (raw.closed = true));
  socket.write(text);
  open.push(socket);
  return raw;
}

const postHead = (length: number, headers = ''): string =>
  `POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${headers}content-length: ${length}\r\n\r\n`;
const uploadHead = (length: number, contentType: string, token: string): string =>
  postHead(length, `authorization: Bearer ${token}\r\n`)
    .replace('/graphql', '/kyc/documents')
    .replace('application/json', contentType);
const FORM_HALF =
  'POST /api/v1/auth/client-credentials HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: 8000\r\n\r\na=';
const statusOf = ({ received }: Raw): number => Number(received.split(' ', 2)[1]);

/** A request on a new connection. */
const honest = (host: (typeof HOSTS)[number], path: string, body?: object): Promise<number> =>
  new Promise((resolve, reject) => {
    const request = http.request(`${test.urls[host]}${path}`, {
      method: body ? 'POST' : 'GET',
      agent: false,
      headers: {
        ...(host === 'console' ? {} : { authorization: `Bearer ${developer.tokens[host]}` }),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
    });
    request.on('response', (response) => response.resume().on('end', () => resolve(response.statusCode!)));
    request.on('error', reject);
    request.end(body && JSON.stringify(body));
  });

const expectAllServed = async (): Promise<void> => {
  const statuses = await Promise.all(
    HOSTS.flatMap((host) => [honest(host, '/livez'), honest(host, '/graphql', { query: '{ __typename }' })]),
  );
  expect(statuses).toEqual(statuses.map(() => 200));
};

describe('clients that do not finish their requests', () => {
  it('do not block others, and are closed', async () => {
    const tooMany = 10;
    const halves = HOSTS.flatMap((host) =>
      Array.from({ length: PER_ADDRESS + tooMany }, (_, n) =>
        send(host, host !== 'console' && n % 2 === 1 ? FORM_HALF : `${postHead(8_000)}{`),
      ),
    );
    const headless = HOSTS.map((host) => send(host, 'POST /graphql HTTP/1.1\r\nhost: x\r\n'));
    const silent = HOSTS.map((host) => send(host, ''));
    const all = [...halves, ...headless, ...silent];
    const dribble = setInterval(() => halves.forEach(({ socket }) => socket.writable && socket.write(' ')), 500);
    try {
      do await expectAllServed();
      while (!all.every(({ closed }) => closed));
    } finally {
      clearInterval(dribble);
    }
    const busy = halves.filter((raw) => statusOf(raw) === 503);
    expect(busy.length).toBeLessThanOrEqual(HOSTS.length * tooMany);
    for (const { received } of busy) expect(received.toLowerCase()).toContain('\r\nretry-after: 1\r\n');
    expect(halves.filter((raw) => statusOf(raw) === 408)).toHaveLength(halves.length - busy.length);
    expect(halves[0]!.received).toContain('"code":"REQUEST_TIMEOUT"');
    expect([...headless, ...silent].map(statusOf)).toEqual([...headless, ...silent].map(() => 408));
  });

  it('get a documented response, also for methods without a body', async () => {
    const slowRequests = (['uat', 'production'] as const).map((host) => ({
      host,
      raw: send(host, 'GET /api/v1/auth/me HTTP/1.1\r\nhost: x\r\n'),
    }));
    await until('both are rejected', () => slowRequests.every(({ raw }) => raw.closed));
    for (const { host, raw } of slowRequests) {
      const [head = '', body = ''] = raw.received.split('\r\n\r\n');
      const headers = head
        .split('\r\n')
        .slice(1)
        .map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]);
      const response = { status: statusOf(raw), headers: new Headers(headers), body: JSON.parse(body) };
      expect([response.status, response.body.code]).toEqual([408, 'REQUEST_TIMEOUT']);
      test.expectDescribed(host, 'GET', '/api/v1/auth/me', response);
      const line = await lines.ofRequest(response.headers.get('x-request-id'));
      expect(line).toMatchObject({ host, httpStatus: 408, code: 'REQUEST_TIMEOUT' });
    }
  });

  it('do not block others by connections only: the oldest idle one is closed', async () => {
    const idle = Array.from({ length: MAX_CONNECTIONS + 50 }, () => send('uat', ''));
    await until('the first connections are closed', () => idle.filter(({ closed }) => closed).length >= 50);
    await expectAllServed();
    expect(idle.slice(-50).some(({ closed }) => closed)).toBe(false);
  });

  it.each(['text/event-stream', APOLLO_ACCEPT])('keep a quiet stream open: with Accept: %s', async (accept) => {
    const id = await inReview(test, developer);
    const body = JSON.stringify({ query: `subscription { orderChanged(id: "${publicId(id)}") { status } }` });
    const head = postHead(body.length, `authorization: Bearer ${developer.tokens.production}\r\naccept: ${accept}\r\n`);
    const stream = send('production', `${head}${body}`);
    await until('the stream sends the status of the order', () => stream.received.includes('PENDING'));
    const idle = Array.from({ length: MAX_CONNECTIONS + 50 }, () => send('production', ''));
    await until('idle connections are closed', () => idle.filter(({ closed }) => closed).length >= 50);
    expect(stream.closed).toBe(false);
    stream.socket.destroy();
    await until('no connection is waiting', () => test.app.waiters.count === 0);
  });

  it('can take longer for the file of a signed-in user', async () => {
    const token = await applicant('uploads');
    const form = new Response(formOf());
    const body = Buffer.from(await form.arrayBuffer());
    const authorization = `authorization: Bearer ${token}\r\n`;
    const head = uploadHead(body.length, form.headers.get('content-type')!, token);
    const upload = send('console', `${head}-`);
    const operation = send('console', `${postHead(body.length, authorization)}{`);
    await until('the operation is rejected', () => operation.closed);
    expect(statusOf(operation)).toBe(408);
    upload.socket.write(body.subarray(1));
    await until('the upload has a response', () => upload.received.includes('documentId'));
    expect(statusOf(upload)).toBe(201);
  });
});

it('a full host rejects requests immediately, and other hosts have their own capacity', async () => {
  await test.simulator.latency('roundpay', 1_800);
  const recharges = Array.from({ length: MAX_IN_FLIGHT }, (_, n) =>
    honest('production', '/api/v1/recharge', rechargeBody({ client_request_id: `busy ${n}` })),
  );
  const typename = (host: (typeof HOSTS)[number]) => honest(host, '/graphql', { query: '{ __typename }' });
  await until('the host is full', async () => (await typename('production')) === 503);
  expect(await Promise.all([typename('uat'), typename('console'), honest('production', '/livez')])).toEqual([
    200, 200, 200,
  ]);
  await test.simulator.latency('roundpay', 0);
  for (const status of await Promise.all(recharges)) expect(status).toBe(200);
  expect(await typename('production')).toBe(200);
});

it('a body that times out moves no money', async () => {
  const body = JSON.stringify(rechargeBody({ client_request_id: 'too late' }));
  const head = `POST /api/v1/recharge HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${developer.tokens.uat}\r\ncontent-type: application/json\r\n`;
  const slowRequest = send('uat', `${head}content-length: ${body.length}\r\n\r\n${body.slice(0, -1)}`);
  await until('the request is rejected', () => statusOf(slowRequest) === 408);
  slowRequest.socket.write(body.slice(-1));
  await until('the connection is closed', () => slowRequest.closed);
  expect(slowRequest.received).toContain('"status":"error"');
  expect(await test.db.query("select 1 from orders where client_key = 'too late'")).toEqual([]);
});

it('an upload below its minimum rate gets 408, and its account and address must wait a minute', async () => {
  const { raw, head, body } = slowUpload;
  await until('the upload is rejected', () => raw.closed, 15_000);
  expect(slowUpload.endedMs! - slowUpload.startedMs).toBeGreaterThan(FILE_PAUSE_MS - 1_000);
  expect([statusOf(raw), raw.received]).toEqual([408, expect.stringContaining('"code":"REQUEST_TIMEOUT"')]);
  expect(raw.received).toContain('The upload is slower than 16 KB/s.');
  const second = send('console', head, '127.0.3.2');
  second.socket.write(body);
  await until('the account must wait', () => second.received.includes('RATE_LIMITED'));
  expect([statusOf(second), second.received]).toEqual([429, expect.stringContaining('was not completed')]);
});
