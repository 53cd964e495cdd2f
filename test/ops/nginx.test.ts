import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import path from 'node:path';
import { Agent, fetch } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort, isRefused } from '../support/ports.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { until } from '../support/until.js';
import { makeCertificate, publicUrls } from './proxy.fixture.js';
import { lacking, PATH } from './tools.fixture.js';

describe.skipIf(lacking('ops/nginx.conf', 'nginx', 'openssl').length > 0)('ops/nginx.conf', () => {
  const ends: (() => unknown)[] = [];
  let backend: Server;
  let heard: IncomingMessage[] = [];
  let urls: ReturnType<typeof publicUrls>;
  let httpPort: number;
  let directory: string;
  const { file, certificate } = makeCertificate();
  const dispatcher = new Agent({
    allowH2: true,
    connect: { ca: certificate, lookup: (_name, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]) },
  });

  beforeAll(async () => {
    backend = createServer((request, response) => {
      heard.push(request);
      if (request.url !== '/stream') return void request.resume().on('end', () => response.end('{}'));
      response.write('first');
      // goes on when its reader has the first part
      void until('the reader has it', () => isRead).then(() => response.end('second'));
    });
    await once(backend.listen(0, '127.0.0.1'), 'listening');
    const { port } = backend.address() as { port: number };
    ends.push(() => backend.close());
    directory = temporaryDirectory();
    const [httpsPort, dead] = [await freePort(), await freePort()];
    httpPort = await freePort();
    urls = publicUrls(httpsPort);
    const replaced: readonly (readonly [string | RegExp, string])[] = [
      [/127\.0\.0\.1:400[02]/g, `127.0.0.1:${port}`],
      // the first of the two processes of the production host does not listen
      [/127\.0\.0\.1:4001/g, `127.0.0.1:${dead}`],
      [/127\.0\.0\.2:400[012]/g, `127.0.0.1:${port}`],
      ['listen 80 ', `listen 127.0.0.1:${httpPort} `],
      ['listen 443 ', `listen 127.0.0.1:${httpsPort} `],
      [/\/run\/secrets\/certificate\.pem/g, file],
      ['/var/log/nginx/gateway.log', path.join(directory, 'access.log')],
      ['uat.example', 'uat.test'],
      ['api.example', 'api.test'],
      ['console.example', 'console.test'],
    ];
    let site = readFileSync('ops/nginx.conf', 'utf8');
    for (const [from, to] of replaced) site = site.replaceAll(from, to);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${directory}/${name};`,
    );
    writeFileSync(
      path.join(directory, 'nginx.conf'),
      `daemon off; master_process off; pid ${directory}/pid; error_log ${directory}/error.log;\nevents {}\nhttp {\n${temporary.join('\n')}\n${site}\n}\n`,
    );
    const nginx = spawn('nginx', ['-p', directory, '-c', path.join(directory, 'nginx.conf')], {
      env: { PATH },
      stdio: 'inherit',
    });
    ends.push(async () => {
      nginx.kill('SIGTERM');
      if (nginx.exitCode === null) await once(nginx, 'exit');
    });
    await until('nginx listens', async () => {
      if (nginx.exitCode !== null) throw new Error(readFileSync(path.join(directory, 'error.log'), 'utf8'));
      return !(await isRefused(httpsPort));
    });
  });
  afterAll(async () => {
    await dispatcher.close();
    for (const end of ends.toReversed()) await end();
  });
  let isRead = false;

  it('passes the host on and replaces the address that a client writes', async () => {
    heard = [];
    const headers = { 'x-forwarded-for': '10.1.2.3', forwarded: 'for=10.1.2.4' };
    for (const url of Object.values(urls))
      expect((await fetch(`${url}/livez?secret=hidden`, { dispatcher, headers })).status).toBe(200);
    expect(heard.map((request) => request.headers.host)).toEqual(Object.values(urls).map((url) => new URL(url).host));
    for (const { headers: passed } of heard)
      expect([passed['x-forwarded-for'], passed.forwarded]).toEqual(['127.0.0.1', undefined]);
    const log = path.join(directory, 'access.log');
    await until('they are logged', () => readFileSync(log, 'utf8').split('\n').length > 3);
    expect(readFileSync(log, 'utf8')).not.toContain('hidden');
    expect(JSON.parse(readFileSync(log, 'utf8').split('\n', 1)[0]!)).toMatchObject({ path: '/livez', status: 200 });
  });

  it('passes a stream on while it is written', async () => {
    const response = await fetch(`${urls.uat}/stream`, { dispatcher });
    const reader = response.body!.getReader();
    const read = async (): Promise<string> => new TextDecoder().decode((await reader.read()).value);
    expect(await read()).toBe('first');
    isRead = true;
    expect(await read()).toBe('second');
  });

  it('sends what never reached a process to the other one, once', async () => {
    heard = [];
    const call = () => fetch(`${urls.production}/api/v1/recharge`, { dispatcher, method: 'POST', body: '{}' });
    const answers = await Promise.all(Array.from({ length: 6 }, call));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(heard).toHaveLength(6);
  });

  it('takes no token in clear text and no other host', async () => {
    const plain = (method: string) =>
      fetch(`http://127.0.0.1:${httpPort}/docs`, { method, redirect: 'manual', headers: { host: 'uat.test' } });
    expect([(await plain('GET')).status, (await plain('POST')).status]).toEqual([301, 403]);
    const other = urls.uat.replace('uat.test', 'other.test');
    const stranger = new Agent({
      connect: {
        rejectUnauthorized: false,
        lookup: (_name, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
      },
    });
    expect((await fetch(`${other}/docs`, { dispatcher: stranger })).status).toBe(421);
    await stranger.close();
  });

  it('answers with JSON and Retry-After while no process listens', async () => {
    backend.close();
    backend.closeAllConnections();
    const answer = await fetch(`${urls.production}/api/v1/recharge`, { dispatcher, method: 'POST', body: '{}' });
    expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([
      503,
      '5',
      { status: 'error', message: expect.not.stringContaining('charged'), code: 'DEPENDENCY_DOWN' },
    ]);
  });
});
