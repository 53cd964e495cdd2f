import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../support/ports.js';
import { until } from '../support/until.js';
import { Proxy, publicUrls } from './proxy.fixture.js';
import { missingPrograms } from './tools.fixture.js';

const HOSTS = ['uat', 'production', 'console'] as const;

describe.skipIf(missingPrograms('ops/nginx.conf', 'nginx', 'openssl').length > 0)('ops/nginx.conf', () => {
  let backend: Server;
  let proxy: Proxy;
  let httpsPort: number;
  let received: IncomingMessage[] = [];
  let isRead = false;

  beforeAll(async () => {
    backend = createServer((request, response) => {
      received.push(request);
      if (request.url !== '/stream') return void request.resume().on('end', () => response.end('{}'));
      response.write('first');
      // continues when its reader has received the first part
      void until('the reader has received it', () => isRead).then(() => response.end('second'));
    });
    await once(backend.listen(0, '127.0.0.1'), 'listening');
    const { port } = backend.address() as { port: number };
    httpsPort = await freePort();
    const secondPorts = { UAT: port, PRODUCTION: port, CONSOLE: port, OPS: port };
    // the first of the two processes does not listen on the production host
    proxy = await Proxy.startNginx(httpsPort, [{ ...secondPorts, PRODUCTION: await freePort() }, secondPorts]);
  });
  afterAll(async () => {
    await proxy.stop();
    backend.close();
  });

  it('passes on the host, replaces the address that a client sets, and logs no query', async () => {
    received = [];
    const headers = { 'x-forwarded-for': '10.1.2.3', forwarded: 'for=10.1.2.4' };
    // the first process of the production host is unavailable, which nginx logs
    for (const host of HOSTS) expect((await proxy.call(host, '/livez?secret=hidden', { headers })).status).toBe(200);
    expect(received.map((request) => request.headers.host)).toEqual(
      Object.values(publicUrls(httpsPort)).map((url) => new URL(url).host),
    );
    for (const { headers: passed } of received)
      expect([passed['x-forwarded-for'], passed.forwarded]).toEqual(['127.0.0.1', undefined]);
    await until('they are logged', () => proxy.requests.length === 3);
    expect(proxy.requests[0]).toMatchObject({ path: '/livez', status: 200 });
    expect(`${proxy.log}${readFileSync(proxy.errorFile, 'utf8')}`).not.toContain('hidden');
  });

  it('passes on a stream while it is written', async () => {
    const parts: string[] = [];
    for await (const part of await proxy.stream('uat', '/stream')) {
      parts.push(new TextDecoder().decode(part));
      isRead = true;
    }
    expect(parts).toEqual(['first', 'second']);
  });

  it('sends a request that reached no process to the other one, once', async () => {
    received = [];
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => proxy.call('production', '/api/v1/recharge', { body: {} })),
    );
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    expect(received).toHaveLength(6);
  });

  it('rejects clear text and unknown hosts', async () => {
    const plain = (method: string): Promise<Response> =>
      fetch(`http://127.0.0.1:${proxy.httpPort}/docs`, { method, redirect: 'manual' });
    expect([(await plain('GET')).status, (await plain('POST')).status]).toEqual([301, 403]);
    expect(await proxy.statusFor('other.test')).toBe(421);
  });

  it('returns JSON and Retry-After while no process listens', async () => {
    backend.close();
    backend.closeAllConnections();
    const { status, headers, body } = await proxy.call('production', '/api/v1/recharge', { body: {} });
    expect([status, headers.get('retry-after'), body]).toEqual([
      503,
      '5',
      { status: 'error', message: expect.not.stringContaining('charged'), code: 'DEPENDENCY_DOWN' },
    ]);
  });
});
