import { get, type IncomingHttpHeaders, request } from 'node:http';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TestDeveloper } from '../support/app.js';
import { useSharedApp } from '../support/use-app.js';

const test = useSharedApp();
let developer: TestDeveloper;
beforeAll(async () => {
  developer = await test.developer();
});

interface Raw {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

/** Returns the raw response, because `fetch` would decompress it. */
const send = (path: string, body?: object | Buffer, headers: Record<string, string> = {}): Promise<Raw> =>
  new Promise((resolve, reject) => {
    const url = test.urls.uat + path;
    const options = {
      headers: { authorization: `Bearer ${developer.tokens.uat}`, 'content-type': 'application/json', ...headers },
    };
    const outgoing = body ? request(url, { method: 'POST', ...options }) : get(url, options);
    outgoing.on('error', reject).on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, bytes: Buffer.concat(chunks) }),
      );
    });
    if (body) outgoing.end(Buffer.isBuffer(body) ? body : JSON.stringify(body));
  });

const LONG = { query: '{ operators { id name type spKey opcode } circles { code name } banks { opcode name } }' };
const INTROSPECTION = { query: '{ __schema { types { name description fields { name description } } } }' };
const PLANS = { mobile: '9468455123', opcode: 'BT', circle: '06', orderid: 'compressed' };

describe('a long response', () => {
  it.each([
    ['from GraphQL', '/graphql', LONG],
    ['compressed off the event loop', '/graphql', INTROSPECTION],
    ['from REST', '/api/v1/plan/operator-plan-fetch', PLANS],
    ['with a document', '/openapi.json', undefined],
  ])('%s is compressed if the client accepts it, with the same content', async (_name, path, body) => {
    const plain = await send(path, body, { 'accept-encoding': 'identity' });
    expect([plain.status, plain.headers['content-encoding']]).toEqual([200, undefined]);
    for (const [encoding, unpack] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const packed = await send(path, body, { 'accept-encoding': encoding });
      expect([packed.headers['content-encoding'], packed.headers.vary]).toEqual([
        encoding,
        expect.stringContaining('accept-encoding'),
      ]);
      expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 2);
      expect(JSON.parse(unpack(packed.bytes).toString())).toMatchObject(
        path === '/graphql' ? JSON.parse(plain.bytes.toString()) : {},
      );
    }
  });
});

it('a short response, such as a token, is not compressed', async () => {
  const { clientId, apiSecret } = developer.keys.uat;
  const body = { client_id: clientId, api_secret: apiSecret, environment: 'uat' };
  const response = await send('/api/v1/auth/client-credentials', body, { 'accept-encoding': 'br, gzip' });
  expect([response.status, response.headers['content-encoding'], response.headers['cache-control']]).toEqual([
    200,
    undefined,
    'no-store',
  ]);
});

it('an error response is not compressed', async () => {
  const response = await send(
    '/graphql',
    { query: '{ nothing }' },
    {
      'accept-encoding': 'br',
      accept: 'application/graphql-response+json',
    },
  );
  expect([response.status, response.headers['content-encoding']]).toEqual([400, undefined]);
});

it('a compressed request is rejected, because requests are never decompressed', async () => {
  const packed = gzipSync(JSON.stringify(LONG));
  const response = await send('/graphql', packed, { 'content-encoding': 'gzip' });
  expect(response.status).toBeGreaterThanOrEqual(400);
  expect(response.status).toBeLessThan(500);
});
