import net from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { CALLBACK_SECRET, type TestDeveloper } from '../support/app.js';
import { until } from '../support/until.js';
import { useSharedApp } from '../support/use-app.js';

const HOSTS = ['uat', 'production', 'console'] as const;
const LONG = 9 * 1024;

const test = useSharedApp();
let developer: TestDeveloper;
let ended: TestDeveloper;
beforeAll(async () => {
  [developer, ended] = await Promise.all([test.developer(), test.developer()]);
  await test.db.query('update access_token set revoked_at = now() where developer_id = $1', [ended.id]);
});

const documentOf = (length: number): string => JSON.stringify({ query: `{ __typename } #${'x'.repeat(length)}` });

/** @param chunked without a Content-Length */
const post = (url: string, body: string, headers: Record<string, string> = {}, chunked = false): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    ...(chunked ? { body: new Blob([body]).stream(), duplex: 'half' } : { body }),
  } as RequestInit);

/** Memory currently held for anonymous callers and for others. */
async function heldBytes(): Promise<{ anonymous: number; callers: number }> {
  const text = await (await fetch(`${test.urls.uat}/metrics`)).text();
  const sum = (slices: RegExp): number =>
    [...text.matchAll(/^gateway_memory_used_bytes\{slice="([^"]*)"\} (\d+)$/gm)]
      .filter(([, slice]) => slices.test(slice!))
      .reduce((bytes, [, , value]) => bytes + Number(value), 0);
  return { anonymous: sum(/^(anonymous|files)/), callers: sum(/^(money|staff|accounts|clients)/) };
}

describe('a long body', () => {
  describe.each([
    ['with its length', false],
    ['without its length', true],
  ])('%s', (_name, chunked) => {
    it.each(HOSTS)('of an anonymous caller is rejected on %s', async (host) => {
      const response = await post(`${test.urls[host]}/graphql`, documentOf(LONG), {}, chunked);
      expect(response.status).toBe(413);
      expect(await response.text()).toContain('"PAYLOAD_TOO_LARGE"');
      expect((await post(`${test.urls[host]}/graphql`, documentOf(7_000), {}, chunked)).status).toBe(200);
    });

    it.each(['uat', 'production'] as const)(
      'with an expired token is rejected for the token first, on %s',
      async (host) => {
        const response = await post(
          `${test.urls[host]}/graphql`,
          documentOf(LONG),
          { authorization: `Bearer ${ended.tokens[host]}` },
          chunked,
        );
        expect(response.status).toBe(401);
      },
    );

    it('with a valid token is accepted', async () => {
      const token = { authorization: `Bearer ${developer.tokens.uat}` };
      expect((await post(`${test.urls.uat}/graphql`, documentOf(LONG), token, chunked)).status).toBe(200);
      expect((await post(`${test.urls.uat}/graphql`, documentOf(65 * 1024), token, chunked)).status).toBe(413);
    });
  });

  it('of an anonymous caller is rejected on public and unknown paths', async () => {
    const body = JSON.stringify({ client_id: 'x'.repeat(LONG), api_secret: 'y', environment: 'uat' });
    const response = await post(`${test.urls.uat}/api/v1/auth/client-credentials`, body);
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect((await post(`${test.urls.uat}/nowhere`, body)).status).toBe(413);
  });

  it('of a provider callback is accepted', async () => {
    const url = `${test.urls.production}/callbacks/roundpay`;
    const headers = { 'x-callback-secret': CALLBACK_SECRET };
    const fields = { AGENTID: 'unknown', STATUS: '2', note: 'x'.repeat(LONG) };
    expect((await post(url, JSON.stringify(fields), headers)).status).toBe(200);
  });
});

describe('memory for requests', () => {
  it('is released whatever happens to them', async () => {
    const token = { authorization: `Bearer ${developer.tokens.uat}` };
    await Promise.all([
      ...Array.from({ length: 20 }, () => post(`${test.urls.uat}/graphql`, documentOf(LONG), token)),
      ...Array.from({ length: 20 }, () => post(`${test.urls.uat}/graphql`, documentOf(LONG))),
      ...Array.from({ length: 20 }, () => post(`${test.urls.uat}/graphql`, '{ not json', token)),
      ...['/docs/viewer.js', '/openapi.json', '/docs', '/nowhere'].map(async (path) =>
        (await fetch(`${test.urls.uat}${path}`)).text(),
      ),
      // The client disconnects halfway.
      ...Array.from({ length: 20 }, () => cut(`POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-length: 5000\r\n\r\n{`)),
      ...Array.from({ length: 20 }, () => cut('GET /docs/viewer.js HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(4))),
    ]);
    await until('no memory is held', async () => {
      const { anonymous, callers } = await heldBytes();
      return anonymous + callers === 0;
    });
  });

  it('of one connection is limited: a thousand requests all have a response, and an endless stream of them is closed', async () => {
    const { port } = new URL(test.urls.uat);
    const request =
      'POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 24\r\n\r\n{"query":"{__typename}"}';
    const idleSocket = net.connect(Number(port), '127.0.0.1');
    let text = '';
    idleSocket.on('data', (chunk) => (text += chunk));
    idleSocket.write(request.repeat(1_000));
    await until('every request has a response', () => [...text.matchAll(/HTTP\/1\.1 200/g)].length === 1_000);
    idleSocket.destroy();
    const largeSocket = net.connect(Number(port), '127.0.0.1');
    let closed = false;
    largeSocket.on('error', () => {}).on('close', () => (closed = true));
    // A response longer than the buffer of a connection, with requests behind it.
    largeSocket.write('GET /docs/viewer.js HTTP/1.1\r\nhost: x\r\n\r\n');
    largeSocket.pause();
    const more = setInterval(() => largeSocket.writable && largeSocket.write(request.repeat(200)), 5);
    // The client notices when it continues to read.
    await until(
      'the connection is closed',
      async () => (await heldBytes()).anonymous === 0 || (largeSocket.resume(), closed),
    ).finally(() => clearInterval(more));
    largeSocket.destroy();
  });

  it('is not needed for probes', async () => {
    for (const path of ['/livez', '/readyz', '/metrics'])
      expect((await fetch(`${test.urls.uat}${path}`)).status).toBe(200);
  });
});

/** Sends the text, and disconnects after the first data or a short silence. */
async function cut(text: string): Promise<void> {
  const socket = net.connect(Number(new URL(test.urls.uat).port), '127.0.0.1');
  socket.on('error', () => {});
  const arrived = new Promise((resolve) => socket.once('data', resolve));
  socket.write(text);
  await Promise.race([arrived, until('the memory is held', async () => (await heldBytes()).anonymous > 0)]);
  socket.destroy();
}
