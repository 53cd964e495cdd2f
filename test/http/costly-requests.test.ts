import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { mountJsonBodies } from '../../src/http/requests/bodies.js';
import { countTurns } from '../support/turns.js';
import { useSharedApp } from '../support/use-app.js';

const test = useSharedApp();
const AT_ONCE = 8;

/** Number of event loop turns in which simultaneous requests are completed. */
async function turnsOf(send: () => Promise<unknown>): Promise<number> {
  const turn = countTurns();
  const turns = await Promise.all(Array.from({ length: AT_ONCE }, () => send().then(turn.now)));
  turn.stop();
  return new Set(turns).size;
}

const graphql = async (query: string) => {
  const response = await test.app.hosts.get('uat')!.inject({
    method: 'POST',
    url: '/graphql',
    headers: { accept: 'application/graphql-response+json' },
    body: { query },
  });
  expect([response.statusCode, response.json().errors[0].extensions.code]).toEqual([400, 'INVALID_DOCUMENT']);
};

describe('simultaneous requests', () => {
  it('with large JSON bodies are parsed one per event loop turn, and small ones immediately', async () => {
    const app = Fastify();
    mountJsonBodies(app, 'uat');
    app.post('/', async ({ body }) => Object.keys(body as object).length);
    await app.ready();
    const body = (names: number) => Object.fromEntries(Array.from({ length: names }, (_, n) => [`name-${n}`, n]));
    const send = (names: number) => async () =>
      expect((await app.inject({ method: 'POST', url: '/', body: body(names) })).body).toBe(String(names));
    expect(await turnsOf(send(1_000))).toBe(AT_ONCE);
    expect(await turnsOf(send(10))).toBeLessThan(AT_ONCE);
    await app.close();
  });

  it('with large documents are parsed one per event loop turn', async () => {
    const document = `{${'...on Query{me{id name}}'.repeat(60)}}`;
    expect(await turnsOf(() => graphql(document))).toBe(AT_ONCE);
  });

  it('with small documents do not wait for a turn', async () => {
    const document = `{__typename ${'@skip(if:false)'.repeat(51)}}`;
    expect(await turnsOf(() => graphql(document))).toBeLessThan(AT_ONCE);
  });
});
