import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { ProviderRequest } from '../../src/providers/http-client.js';
import type { ExchangeReport } from '../../src/providers/undici-http-client.js';
import { clientFor } from './fixtures/clients.js';
import { closedPort, replyJson, serveHttp, serveTcp } from './fixtures/local-server.js';

const get: ProviderRequest = { method: 'GET', path: '/call', query: { Token: 'tok-secret' } };
const post: ProviderRequest = { method: 'POST', path: '/call', body: { json: { token: 'tok-secret' } } };

const head = (headers = ''): string => `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n${headers}\r\n`;

describe('requests', () => {
  it('keeps the base path, encodes the query and leaves undefined parameters out', async () => {
    const server = await serveHttp((_request, response) => replyJson(response, {}));
    await clientFor(`${server.baseUrl}/roundpay/`).send({
      method: 'GET',
      path: '/API/StatusCheck',
      query: { day: '12 JUL 2023', plus: 'a+b&c=é', empty: '', absent: undefined },
    });
    const [request] = server.received;
    expect(request?.url.pathname).toBe('/roundpay/API/StatusCheck');
    expect(request?.url.search).toBe('?day=12%20JUL%202023&plus=a%2Bb%26c%3D%C3%A9&empty=');
    expect(request?.headers.accept).toBe('application/json');
  });

  it('writes JSON, form and multipart bodies with their length', async () => {
    const server = await serveHttp((_request, response) => replyJson(response, {}));
    const client = clientFor(server.baseUrl);
    await client.send({ method: 'POST', path: '/json', body: { json: { number: '9876543210' } } });
    await client.send({ method: 'POST', path: '/form', body: { form: { a: '1 2', b: '' } } });
    const multipart = { operator: 'Dish TV', pin: '', note: 'é "x"' };
    await client.send({ method: 'POST', path: '/multipart', headers: { origin: 'https://me' }, body: { multipart } });

    const [json, form, parts] = server.received;
    expect(json?.headers['content-type']).toBe('application/json');
    expect(JSON.parse(String(json?.body))).toEqual({ number: '9876543210' });
    expect(form?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(String(form?.body)).toBe('a=1+2&b=');
    expect(parts?.headers.origin).toBe('https://me');
    expect(parts?.headers['content-length']).toBe(String(parts?.body.length));
    const contentType = parts?.headers['content-type'] ?? '';
    const parsed = await new Response(new Uint8Array(parts!.body), {
      headers: { 'content-type': contentType },
    }).formData();
    expect(Object.fromEntries(parsed)).toEqual(multipart);
  });
});

describe('responses', () => {
  it.each([200, 201, 302, 400, 403, 500, 503])(
    'passes JSON on with HTTP %i for the adapter to interpret',
    async (httpStatus) => {
      const server = await serveHttp((_request, response) => replyJson(response, { status: 'odd' }, httpStatus));
      expect(await clientFor(server.baseUrl).send(get)).toEqual({
        kind: 'response',
        httpStatus,
        body: { status: 'odd' },
        elapsedMs: expect.any(Number),
      });
      expect(server.received).toHaveLength(1);
    },
  );

  it('reads JSON after a byte order mark, without a content type, and with an invalid character', async () => {
    const body = Buffer.concat([Buffer.from('\uFEFF{"STATUS":"2","MSG":"'), Buffer.from([0xe9]), Buffer.from('"}')]);
    const server = await serveHttp((_request, response) => response.end(body));
    expect(await clientFor(server.baseUrl).send(get)).toMatchObject({
      kind: 'response',
      body: { STATUS: '2', MSG: '\uFFFD' },
    });
  });

  it.each([
    ['an HTML page', 200, '<html><body>Success</body></html>', 'not_json'],
    ['an empty body', 200, '', 'not_json'],
    ['no content', 204, '', 'not_json'],
    ['truncated JSON', 200, '{"STATUS":"2","MSG":"SUC', 'not_json'],
    ['JSON followed by other text', 200, '{"STATUS":"2"}<br>', 'not_json'],
    ['an HTML 404', 404, '<html>Not Found</html>', 'not_json'],
    ['an HTML 500', 500, '<html>Internal Server Error</html>', 'http_error'],
    ['an empty 502', 502, '', 'http_error'],
  ])('%s is unknown', async (_name, httpStatus, body, reason) => {
    const server = await serveHttp((_request, response) => response.writeHead(httpStatus).end(body));
    expect(await clientFor(server.baseUrl).send(get)).toEqual({
      kind: 'unknown',
      evidence: { reason, httpStatus, elapsedMs: expect.any(Number) },
    });
    expect(server.received).toHaveLength(1);
  });

  it.each([
    ['ends before its content length', `${head('Content-Length: 100\r\n')}{"STATUS":"2"}`, 'not_json'],
    ['ends inside a chunk', `${head('Transfer-Encoding: chunked\r\n')}40\r\n{"STATUS":"2"}`, 'not_json'],
    ['breaks off in the headers', 'HTTP/1.1 200 OK\r\nContent-Ty', 'connection_lost'],
    ['is not HTTP', 'SSH-2.0-OpenSSH_9.6\r\n', 'not_json'],
  ])('a response that %s is unknown, and the request is not repeated', async (_name, bytes, reason) => {
    let requests = 0;
    const server = await serveTcp((socket) => {
      socket.on('data', () => {
        requests += 1;
        socket.end(bytes);
      });
    });
    expect(await clientFor(server.baseUrl).send(get)).toMatchObject({ kind: 'unknown', evidence: { reason } });
    expect(requests).toBe(1);
  });

  it('does not read more than 256 KiB', async () => {
    const server = await serveHttp((_request, response) => replyJson(response, 'x'.repeat(256 * 1024)));
    expect(await clientFor(server.baseUrl).send(get)).toMatchObject({
      kind: 'unknown',
      evidence: { reason: 'not_json' },
    });
  });

  it('does not follow a redirect because the query contains a token', async () => {
    const server = await serveHttp((_request, response) => response.writeHead(302, { location: '/elsewhere' }).end());
    expect(await clientFor(server.baseUrl).send(get)).toMatchObject({ kind: 'unknown', evidence: { httpStatus: 302 } });
    expect(server.received).toHaveLength(1);
  });
});

describe('the deadline', () => {
  it('ends a call without a response as unknown', async () => {
    const server = await serveHttp(() => {});
    const startedAtMs = performance.now();
    expect(await clientFor(server.baseUrl, { timeoutMs: 150 }).send(post)).toEqual({
      kind: 'unknown',
      evidence: { reason: 'timeout', elapsedMs: expect.any(Number) },
    });
    expect(performance.now() - startedAtMs).toBeLessThan(5_000);
  });

  it('covers a slow body and frees the socket', async () => {
    let wasClosed = false;
    const server = await serveTcp((socket) => {
      socket.on('close', () => {
        wasClosed = true;
      });
      socket.once('data', () => {
        socket.write(head('Content-Length: 1000\r\n'));
        const timer = setInterval(() => socket.write(' '), 20);
        socket.on('close', () => clearInterval(timer));
      });
    });
    const response = await clientFor(server.baseUrl, { timeoutMs: 150 }).send(get);
    expect(response).toMatchObject({ kind: 'unknown', evidence: { reason: 'timeout', httpStatus: 200 } });
    await expect.poll(() => wasClosed).toBe(true);
  });
});

describe('requests that were never sent', () => {
  it('a refused connection', async () => {
    const client = clientFor(`http://127.0.0.1:${await closedPort()}`);
    expect(await client.send(post)).toEqual({
      kind: 'never_sent',
      evidence: { reason: 'never_sent', elapsedMs: expect.any(Number) },
    });
  });

  it('a host that does not resolve', async () => {
    expect(await clientFor('http://provider.invalid').send(post)).toMatchObject({ kind: 'never_sent' });
  });

  it.each([
    ['does not support TLS', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
    ['closes the connection during the handshake', ''],
  ])('a TLS handshake with a server that %s', async (_name, bytes) => {
    const server = await serveTcp((socket) => socket.once('data', () => socket.end(bytes)));
    expect(await clientFor(`https://127.0.0.1:${server.port}`).send(post)).toMatchObject({
      kind: 'never_sent',
      evidence: { reason: 'never_sent' },
    });
  });
});

describe('a connection that is not established', () => {
  it('counts as never sent when the deadline passes in the TLS handshake', async () => {
    const server = await serveTcp(() => {});
    const client = clientFor(`https://127.0.0.1:${server.port}`, { timeoutMs: 150 });
    expect(await client.send(post)).toMatchObject({ kind: 'never_sent', evidence: { reason: 'never_sent' } });
  });
});

describe('a lost connection', () => {
  it.each([
    ['GET', get],
    ['POST', post],
  ])('is unknown when it is reset after a %s was read', async (_method, request) => {
    let requests = 0;
    const server = await serveTcp((socket) =>
      socket.on('data', () => {
        requests += 1;
        socket.resetAndDestroy();
      }),
    );
    expect(await clientFor(server.baseUrl).send(request)).toMatchObject({
      kind: 'unknown',
      evidence: { reason: 'connection_lost' },
    });
    await sleep(50);
    expect(requests).toBe(1);
  });

  it.each([
    ['GET', 'closed', get],
    ['GET', 'reset', get],
    ['POST', 'closed', post],
    ['POST', 'reset', post],
  ])('never repeats a %s when a reused socket is %s', async (_method, how, request) => {
    let connections = 0;
    let requests = 0;
    const server = await serveTcp((socket) => {
      connections += 1;
      socket.on('data', () => {
        requests += 1;
        if (requests === 1) socket.write(`${head('Content-Length: 2\r\nConnection: keep-alive\r\n')}{}`);
        else if (how === 'reset') socket.resetAndDestroy();
        else socket.destroy();
      });
    });
    const client = clientFor(server.baseUrl);
    expect(await client.send(request)).toMatchObject({ kind: 'response' });
    // undici offers a socket for reuse one turn of the event loop after its response
    await sleep(20);
    expect(await client.send(request)).toMatchObject({ kind: 'unknown', evidence: { reason: 'connection_lost' } });
    await sleep(50);
    expect({ connections, requests }).toEqual({ connections: 1, requests: 2 });
  });

  it('sends once over a new connection when the idle socket has been closed', async () => {
    let requests = 0;
    let closed = 0;
    const server = await serveTcp((socket) => {
      socket.on('close', () => closed++);
      socket.on('data', () => {
        requests += 1;
        socket.end(`${head('Content-Length: 2\r\nConnection: keep-alive\r\n')}{}`);
      });
    });
    const client = clientFor(server.baseUrl);
    expect(await client.send(post)).toMatchObject({ kind: 'response' });
    await expect.poll(() => closed).toBe(1);
    expect(await client.send(post)).toMatchObject({ kind: 'response' });
    expect(requests).toBe(2);
  });
});

describe('reporting and closing', () => {
  it('reports each call by provider, duration and result, and keeps secrets out of evidence', async () => {
    const reports: ExchangeReport[] = [];
    const server = await serveHttp((request, response) => {
      if (request.method === 'GET') replyJson(response, {});
      else response.writeHead(500).end('<html>');
    });
    const client = clientFor(server.baseUrl, { onExchange: (report) => reports.push(report) });
    await client.send(get);
    const failed = await client.send(post);
    expect(reports).toEqual([
      { provider: 'TEST', durationMs: expect.any(Number), result: 'response', textsCut: 0 },
      { provider: 'TEST', durationMs: expect.any(Number), result: 'http_error', textsCut: 0 },
    ]);
    expect(JSON.stringify([failed, reports])).not.toMatch(/tok-secret|127\.0\.0\.1/);
  });

  it('returns the response even if reporting fails', async () => {
    const server = await serveHttp((_request, response) => replyJson(response, {}));
    const client = clientFor(server.baseUrl, {
      onExchange: () => {
        throw new Error('metrics are down');
      },
    });
    expect(await client.send(get)).toMatchObject({ kind: 'response' });
  });

  it('finishes a running call on close and sends nothing afterwards', async () => {
    const server = await serveHttp((_request, response) => {
      setTimeout(() => replyJson(response, { late: true }), 100);
    });
    const client = clientFor(server.baseUrl);
    const call = client.send(get);
    await expect.poll(() => server.received.length).toBe(1);
    await Promise.all([client.close(), client.close()]);
    expect(await call).toMatchObject({ kind: 'response', body: { late: true } });
    expect(await client.send(post)).toMatchObject({ kind: 'never_sent' });
    expect(server.received).toHaveLength(1);
  });
});
