import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  judgeCategories,
  judgeChoices,
  judgeLead,
  judgeProducts,
} from '../../src/providers/banksathi/banksathi.mapping.js';
import { judgeCustomers, judgePlans } from '../../src/providers/ekychub/ekychub.mapping.js';
import type { ProviderResponse } from '../../src/providers/http-client.js';
import { summaryOf, withReadableTexts } from '../../src/providers/http-exchange.js';
import type { ExchangeReport } from '../../src/providers/undici-http-client.js';
import { receiptOf } from '../../src/providers/wire.js';
import { startTestApp, type TestApp, type TestDeveloper } from '../support/app.js';
import { clientFor } from './fixtures/clients.js';
import { replyJson, serveHttp } from './fixtures/local-server.js';

const responseWith = (body: unknown): ProviderResponse => ({ kind: 'response', httpStatus: 200, body, elapsedMs: 1 });

const manyPlans = (count: number): object[] => Array.from({ length: count }, () => ({ rs: 1 }));

/** Entries that count how often they are read. */
function counted(count: number, entry: object) {
  const counter = { reads: 0 };
  const entries = Array.from(
    { length: count },
    () =>
      new Proxy(entry, {
        ownKeys(target) {
          counter.reads++;
          return Reflect.ownKeys(target);
        },
      }),
  );
  return { seen: counter, entries };
}

describe('a list that exceeds the maximum length', () => {
  it.each<[string, (count: number, entries: object[]) => ProviderResponse, object, number]>([
    ['plans', (_count, entries) => responseWith({ status: 'Success', data: { STV: entries } }), { rs: 10 }, 2_000],
    [
      'plans in several groups',
      (_count, entries) =>
        responseWith({ status: 'Success', data: { A: entries.slice(0, 1_000), B: entries.slice(1_000) } }),
      { rs: 10 },
      2_000,
    ],
  ])('of %s is rejected before any entry is read', (_name, build, entry, max) => {
    const atLimit = counted(max, entry);
    const plans = judgePlans(build(max, atLimit.entries));
    expect(plans.kind).toBe('accepted');
    expect(atLimit.seen.reads).toBeGreaterThanOrEqual(max);
    const { seen, entries } = counted(max + 1, entry);
    expect(judgePlans(build(max + 1, entries))).toMatchObject({
      kind: 'unknown',
      evidence: { reason: 'unexpected_answer' },
    });
    expect(seen.reads).toBe(0);
  });

  it('of plan groups is rejected', () => {
    const groups = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`G${n}`, []]));
    expect(judgePlans(responseWith({ status: 'Success', data: groups(200) })).kind).toBe('accepted');
    expect(judgePlans(responseWith({ status: 'Success', data: groups(201) })).kind).toBe('unknown');
  });

  it.each<[string, (response: ProviderResponse) => { kind: string }, object, number]>([
    ['DTH customers', judgeCustomers, { vc: '1', balance: '1', minimum_recharge: '1' }, 50],
    ['companies, occupations or pincodes', judgeChoices, { id: 1, name: 'x' }, 2_000],
    ['products', judgeProducts, { product_id: '1', title: 'x' }, 500],
    ['categories', judgeCategories, { id: 1, title: 'x' }, 200],
  ])('of %s is rejected before any entry is read', (_name, parse, entry, max) => {
    expect(parse(responseWith({ status: 'true', data: Array.from({ length: max }, () => entry) })).kind).toBe(
      'accepted',
    );
    const { seen, entries } = counted(max + 1, entry);
    expect(parse(responseWith({ status: 'true', data: entries })).kind).toBe('unknown');
    expect(seen.reads).toBe(0);
  });
});

describe('JSON', () => {
  const isModest = (text: string): boolean => summaryOf(Buffer.from(text)).isWithinLimits;
  it('is limited to 32 levels of nesting', () => {
    expect(isModest('['.repeat(32) + ']'.repeat(32))).toBe(true);
    expect(isModest('['.repeat(33) + ']'.repeat(33))).toBe(false);
    expect(isModest('{"a":'.repeat(33) + '1' + '}'.repeat(33))).toBe(false);
    expect(isModest(`[${'[],'.repeat(100)}[]]`)).toBe(true);
  });
  it('is limited to 50,000 values', () => {
    expect(isModest(`[${'1,'.repeat(49_999)}1]`)).toBe(true);
    expect(isModest(`[${'1,'.repeat(50_000)}1]`)).toBe(false);
  });
  it('may contain brackets, commas and quotes in strings', () => {
    expect(isModest(JSON.stringify({ desc: `\\"[{,${'[{,'.repeat(20_000)}\\` }))).toBe(true);
  });
});

describe('texts in a provider response', () => {
  const textOf = (text: string) => (withReadableTexts({ text }).body as { text: string }).text;

  it.each([
    ['NUL', 'SUC\u0000CESS', 'SUC\ufffdCESS'],
    ['a control character', 'a\u001bb', 'a\ufffdb'],
    ['a character that changes the text direction', 'a\u202eb', 'a\ufffdb'],
    ['a zero-width character', '\u200b=1', '\ufffd=1'],
    ['an unpaired surrogate', 'a\ud800b', 'a\ufffdb'],
    ['a line break', 'Unlimited\r\n1.5 GB', 'Unlimited  1.5 GB'],
  ])('lose %s', (_name, text, readable) => {
    expect(textOf(text)).toBe(readable);
  });

  it.each(['₹199 – 1.5 GB/दिन', 'क्\u200dष', 'Łódź', '{"a":[1]}', ''])('keep "%s"', (text) => {
    expect(withReadableTexts({ text })).toEqual({ body: { text }, textsCut: 0 });
  });

  it.each([
    ['{"a": ["x", {"b \\\\ \\/ \\"": 1.5}], "c": ""}', true],
    [JSON.stringify({ a: 'x'.repeat(500) }), true],
    [JSON.stringify({ a: 'x'.repeat(501) }), false],
    [JSON.stringify({ ['x'.repeat(501)]: 1 }), false],
    ['{"a": "\\u0041"}', false],
    ['{"a": "\\n"}', false],
    ['{"a": "₹199"}', false],
    ['{"a": "\u007f"}', false],
    ['{"\u0001": 1}', false],
  ])('in %j are readable without further processing: %s', (json, isReadable) => {
    expect(summaryOf(Buffer.from(json)).isReadable).toBe(isReadable);
  });

  it('are truncated to 500 characters and counted, except for links', () => {
    const link = `https://x.example/${'a'.repeat(1_900)}`;
    const { body, textsCut } = withReadableTexts({
      a: 'x'.repeat(501),
      b: ['y'.repeat(9_999)],
      c: 'z'.repeat(500),
      link,
    });
    expect(body).toEqual({ a: `${'x'.repeat(499)}…`, b: [`${'y'.repeat(499)}…`], c: 'z'.repeat(500), link });
    expect(textsCut).toBe(2);
  });

  it('are cleaned in keys too, and no key changes a prototype', () => {
    const { body } = withReadableTexts(JSON.parse('{"a\\u0000b": 1, "__proto__": {"polluted": 1}}'));
    expect(Object.keys(body as object)).toEqual(['a\ufffdb', '__proto__']);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it('are counted in the report of their exchange', async () => {
    const reports: ExchangeReport[] = [];
    const server = await serveHttp((_request, response) => replyJson(response, { text: 'x'.repeat(600) }));
    const client = clientFor(server.baseUrl, { onExchange: (report) => reports.push(report) });
    expect(await client.send({ method: 'GET', path: '/' })).toMatchObject({ body: { text: `${'x'.repeat(499)}…` } });
    expect(reports).toMatchObject([{ result: 'response', textsCut: 1 }]);
  });

  it('in a deeply nested response are reported as unexpected_answer', async () => {
    const server = await serveHttp((_request, response) => response.end('['.repeat(40) + ']'.repeat(40)));
    expect(await clientFor(server.baseUrl).send({ method: 'GET', path: '/' })).toMatchObject({
      kind: 'unknown',
      evidence: { reason: 'unexpected_answer' },
    });
  });
});

describe('references of operators and providers', () => {
  it.each(['HR240701.1234', 'AP/24/07:9912', '123456789012', 'IMPS-REF_1 #2', ''])('keep "%s"', (ref) => {
    expect(receiptOf(ref, ref)).toEqual({ providerTxnId: ref, operatorRef: ref });
  });
  it.each([
    ['=cmd|calc', '?cmd?calc'],
    ['<img onerror=x>', '?img onerror?x?'],
    ['a\u0000b', 'a?b'],
    ['x'.repeat(100), 'x'.repeat(64)],
  ])('show "%s" as "%s"', (ref, shown) => {
    expect(receiptOf(ref, ref)).toEqual({ providerTxnId: shown, operatorRef: shown });
  });
  it('are rejected instead of changed if they are sent back to the provider, and must be visible ASCII', () => {
    const lead = (lead_code: string) =>
      judgeLead(responseWith({ status: 'true', data: { lead_code, campaign_url: 'https://x.example/' } })).kind;
    expect(['BS-1/2', 'a b', 'a\ufffdb', 'x'.repeat(101)].map(lead)).toEqual([
      'accepted',
      'unknown',
      'unknown',
      'unknown',
    ]);
  });
});

describe('an oversized response of a plan provider', () => {
  let test: TestApp;
  let developer: TestDeveloper;
  let body = '';
  const server = createServer((_request, response) => response.end(body));
  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    test = await startTestApp({ PROVIDER_EKYCHUB_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
    developer = await test.developer({ liveRupees: 10, feesPaise: { operator_plan_fetch: 25 } });
  });
  afterAll(async () => {
    await test.close();
    server.close();
  });
  const plansOf = (orderid: string) =>
    test.rest('production', 'POST', '/api/v1/plan/operator-plan-fetch', developer.tokens.production, {
      mobile: '9468455123',
      opcode: 'BT',
      circle: '06',
      orderid,
    });

  it.each([
    ['too many plans', JSON.stringify({ status: 'Success', data: { STV: manyPlans(2_001) } })],
    [
      'too many groups',
      JSON.stringify({
        status: 'Success',
        data: Object.fromEntries(Array.from({ length: 201 }, (_, n) => [n + 'G', []])),
      }),
    ],
    ['a body of 1 MiB', JSON.stringify({ status: 'Success', data: { STV: manyPlans(110_000) } })],
    ['deeply nested JSON', `{"status":"Success","data":${'{"a":'.repeat(40)}1${'}'.repeat(40)}}`],
  ])('with %s fails, and the fee is refunded', async (name, sent) => {
    body = sent;
    const { status, body: received } = await plansOf(name);
    expect([status, received.code]).toEqual([400, 'PROVIDER_FAILED']);
    expect(await test.balance(developer, 'production')).toBe(10);
  });

  it('with long texts is returned with truncated texts, which are counted', async () => {
    body = JSON.stringify({
      status: 'Success',
      data: { [`G${'g'.repeat(600)}`]: [{ rs: 10, desc: '\u202e' + 'd'.repeat(9_000) }] },
    });
    const { status, body: received } = await plansOf('long');
    expect(status).toBe(200);
    const [[group, [plan]]] = Object.entries(received.data.plans) as [[string, [{ desc: string }]]];
    expect([group.length, plan.desc.length, plan.desc[0]]).toEqual([500, 500, '\ufffd']);
    expect(await test.app.metrics.text()).toContain(
      'gateway_provider_texts_truncated_total{provider="EKYCHUB",connection="ekychub"} 2',
    );
  });
});
