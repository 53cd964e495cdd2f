import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type ClientHttp2Session, connect as connectHttp2, type IncomingHttpHeaders, type Settings } from 'node:http2';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { errorCatalogue } from '../../src/core/error-catalogue.js';
import { freePort } from '../support/ports.js';
import { until } from '../support/until.js';
import { type Ports, Proxy, publicUrls } from './proxy.fixture.js';
import { missingPrograms, PATH } from './tools.fixture.js';

describe.skipIf(missingPrograms('the limit of the proxy', 'haproxy', 'openssl').length > 0)('ops/haproxy.cfg', () => {
  it('is accepted by HAProxy unchanged, and allows one address two hundred requests per second', () => {
    const env = { PATH, CERTIFICATE: '/nonexistent' };
    const { stdout, stderr } = spawnSync('haproxy', ['-c', '-f', 'ops/haproxy.cfg'], { encoding: 'utf8', env });
    // only the certificate is missing
    const alerts = `${stdout}${stderr}`.split('\n').filter((line) => /ALERT|WARNING/.test(line));
    expect(
      alerts.filter((line) => !/nonexistent|Error\(s\) found in configuration file|Fatal errors/.test(line)),
    ).toEqual([]);
  });

  it('rejects a flood from one address with 429 and Retry-After before it reaches a process, but never health checks', async () => {
    let received = 0;
    const server = createServer((request, response) => {
      if (request.url === '/api/v1/auth/me') received++;
      response.end('{}');
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as { port: number };
    const ports = { UAT: port, PRODUCTION: port, CONSOLE: port, OPS: port };
    const proxy = await Proxy.start(await freePort(), [ports, ports], { CLIENT_REQUESTS: '5' });
    try {
      await until('a process is found', async () => (await proxy.call('uat', '/livez')).status === 200);
      const responses = [];
      for (let n = 0; n < 8; n++) responses.push(await proxy.call('production', '/api/v1/auth/me'));
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
      expect(received).toBe(5);
      const { headers, body } = responses.at(-1)!;
      expect([headers.get('retry-after'), body]).toEqual([
        '10',
        expect.objectContaining({ status: 'error', code: 'RATE_LIMITED' }),
      ]);
      expect((await proxy.call('production', '/livez')).status).toBe(200);
    } finally {
      await proxy.stop();
      server.close();
    }
  });

  it('closes connections of a network above its limit, and limits the streams of an HTTP/2 connection', async () => {
    const server = createServer((_request, response) => response.end('{}'));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as { port: number };
    const ports = { UAT: port, PRODUCTION: port, CONSOLE: port, OPS: port };
    const httpsPort = await freePort();
    const proxy = await Proxy.start(httpsPort, [ports, ports], { CLIENT_CONNECTIONS: '5' });
    const sessions: ClientHttp2Session[] = [];
    const connect = (): ClientHttp2Session => {
      const session = connectHttp2(`https://127.0.0.1:${httpsPort}`, { rejectUnauthorized: false });
      sessions.push(session.on('error', () => {}));
      return session;
    };
    try {
      const first = connect();
      const [settings] = (await once(first, 'remoteSettings')) as [Settings];
      expect(settings.maxConcurrentStreams).toBe(32);
      for (let n = 0; n < 9; n++) connect();
      await until('every connection is open or closed', () => sessions.every(isOpenOrClosed));
      expect(sessions.filter(({ closed, destroyed }) => closed || destroyed).length).toBeGreaterThanOrEqual(5);
      expect(first.destroyed).toBe(false);
    } finally {
      for (const session of sessions) session.destroy();
      await proxy.stop();
      server.close();
    }
  });

  it('returns our JSON while no process is ready, also to an HTTP/2 client that is still sending its body', async () => {
    const unusedPorts = async (): Promise<Ports> => ({
      UAT: await freePort(),
      PRODUCTION: await freePort(),
      CONSOLE: await freePort(),
      OPS: await freePort(),
    });
    const httpsPort = await freePort();
    const proxy = await Proxy.start(httpsPort, [await unusedPorts(), await unusedPorts()], {});
    const session = connectHttp2(`https://127.0.0.1:${httpsPort}`, { rejectUnauthorized: false });
    try {
      await until('both processes are marked as unavailable', () => /has no server available/.test(proxy.log));
      for (let n = 0; n < 5; n++) {
        const call = session.request({
          ':method': 'POST',
          ':path': '/api/v1/recharge',
          ':authority': new URL(publicUrls(httpsPort).production).host,
          'content-type': 'application/json',
        });
        const response = once(call, 'response') as Promise<[IncomingHttpHeaders]>;
        call.write('{');
        // the body takes longer to send than the response takes to arrive
        const first = await Promise.race([response, sleep(100)]);
        expect(first).toBeUndefined();
        call.end('}');
        const [headers] = await response;
        expect([headers[':status'], headers['content-type'], headers['retry-after']]).toEqual([
          503,
          'application/json',
          '5',
        ]);
        const { message } = errorCatalogue.DEPENDENCY_DOWN;
        expect(JSON.parse(await text(call))).toEqual({ status: 'error', message, code: 'DEPENDENCY_DOWN' });
        expect(call.rstCode).toBe(0);
      }
    } finally {
      session.destroy();
      await proxy.stop();
    }
  });
});

const isOpenOrClosed = ({ destroyed, remoteSettings }: ClientHttp2Session): boolean =>
  destroyed || remoteSettings?.maxConcurrentStreams === 32;
