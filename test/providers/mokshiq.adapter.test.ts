import { describe, expect, it } from 'vitest';
import { circleOfCode } from '../../src/core/circles.js';
import { operators } from '../../src/core/operators.js';
import { Secret } from '../../src/core/secret.js';
import { createMokshiqAdapter } from '../../src/providers/mokshiq/mokshiq.adapter.js';
import { clientFor } from './fixtures/clients.js';
import { closedPort, type LocalServer, type ReceivedRequest, replyJson, serveHttp } from './fixtures/local-server.js';
import { booleanSuccess, failure, rechargeResponses, success } from './fixtures/mokshiq.responses.js';
import { dthOrder, mobileOrder, statusCheckOf } from './fixtures/recharge-orders.js';

const credentials = { token: new Secret('tok-secret'), origin: 'https://partner.example' };

async function adapterReturning(body: unknown, httpStatus = 200, pin?: string) {
  const server = await serveHttp((_request, response) => {
    if (typeof body === 'string') response.writeHead(httpStatus).end(body);
    else replyJson(response, body, httpStatus);
  });
  return { server, adapter: adapterOn(server, pin) };
}

const adapterOn = (server: Pick<LocalServer, 'baseUrl'>, pin?: string) =>
  createMokshiqAdapter({
    client: clientFor(`${server.baseUrl}/mokshiq`),
    credentials: { ...credentials, ...(pin === undefined ? {} : { pin: new Secret(pin) }) },
  });

async function fieldsOf(request: ReceivedRequest | undefined): Promise<[string, string][]> {
  const headers = { 'content-type': request?.headers['content-type'] ?? '' };
  const form = await new Response(new Uint8Array(request!.body), { headers }).formData();
  return [...form].map(([name, value]) => [name, String(value)]);
}

describe('a Mokshiq recharge', () => {
  it('of a mobile number contains the operator and the circle', async () => {
    const { server, adapter } = await adapterReturning(success, 200, '4321');
    await adapter.recharge({ ...mobileOrder, operatorSpKey: 37, circle: circleOfCode('55')! });
    const [request] = server.received;
    expect(request?.method).toBe('POST');
    expect(request?.url.pathname).toBe('/mokshiq/create_mobile_recharge');
    expect(request?.url.search).toBe('');
    expect(request?.headers).toMatchObject({
      authorization: 'Bearer tok-secret',
      origin: 'https://partner.example',
      'content-type': expect.stringMatching(/^multipart\/form-data; boundary=/),
    });
    expect(await fieldsOf(request)).toEqual([
      ['operator', 'Vodafone'],
      ['number', '9876543210'],
      ['amount', '100'],
      ['pin', '4321'],
      ['circle', 'Jammu Kashmir'],
    ]);
  });

  it('of a DTH subscriber has no circle, and an empty pincode if none is configured', async () => {
    const { server, adapter } = await adapterReturning(success);
    await adapter.recharge({ ...dthOrder, circle: circleOfCode('10')! });
    expect(server.received[0]?.url.pathname).toBe('/mokshiq/create_dth_recharge');
    expect(await fieldsOf(server.received[0])).toEqual([
      ['operator', 'Tata Sky'],
      ['number', '0721029875'],
      ['amount', '199.50'],
      ['pin', ''],
    ]);
  });

  it.each(rechargeResponses)('$name → $kind, $reason', async ({ httpStatus = 200, body, kind, reason }) => {
    const { server, adapter } = await adapterReturning(body, httpStatus);
    const outcome = await adapter.recharge(mobileOrder);
    expect({ kind: outcome.kind, reason: outcome.evidence.reason }).toEqual({ kind, reason });
    expect(outcome.evidence).toMatchObject({ httpStatus, elapsedMs: expect.any(Number) });
    expect(server.received).toHaveLength(1);
  });

  it.each([
    [success, { providerTxnId: 'MQ991', operatorRef: 'OP1' }],
    [booleanSuccess, { providerTxnId: '2731645905', operatorRef: '' }],
    [{ status: true }, { providerTxnId: '', operatorRef: '' }],
  ])('%o returns its IDs', async (body, value) => {
    const { adapter } = await adapterReturning(body);
    expect(await adapter.recharge(mobileOrder)).toMatchObject({ kind: 'accepted', value });
  });

  it('keeps numbers and texts out of its evidence', async () => {
    const { adapter } = await adapterReturning({
      status: true,
      reference_num: '9876543210',
      message: 'Done for Ramesh',
    });
    const { evidence } = await adapter.recharge(mobileOrder);
    expect(evidence).toEqual({
      reason: 'provider_success',
      httpStatus: 200,
      elapsedMs: expect.any(Number),
      providerStatus: 'true',
    });
  });

  it.each([
    ['without a circle', { ...mobileOrder, circle: undefined }],
    ['with an operator without a Mokshiq name', { ...mobileOrder, operatorSpKey: 9_999 }],
    ['with an operator of a different type', { ...mobileOrder, operatorSpKey: 55 }],
  ])('%s is not sent', async (_name, order) => {
    const { server, adapter } = await adapterReturning(success);
    expect(await adapter.recharge(order)).toEqual({ kind: 'declined', evidence: { reason: 'never_sent' } });
    expect(server.received).toHaveLength(0);
  });

  it('is declined if it was never sent', async () => {
    const adapter = adapterOn({ baseUrl: `http://127.0.0.1:${await closedPort()}` });
    expect(await adapter.recharge(mobileOrder)).toMatchObject({ kind: 'declined', evidence: { reason: 'never_sent' } });
  });

  it('has no status check: nothing is sent and the outcome stays unknown', async () => {
    const { server, adapter } = await adapterReturning(failure);
    expect((await adapter.checkStatus(statusCheckOf(mobileOrder))).kind).toBe('unknown');
    expect(server.received).toHaveLength(0);
  });
});

describe('the Mokshiq port', () => {
  it('needs a circle and has no status check', async () => {
    const { adapter } = await adapterReturning({});
    expect(adapter).toMatchObject({
      provider: 'MOKSHIQ',
      available: true,
      needsCircle: true,
      canCheckStatus: false,
      notFoundIsFinal: false,
    });
  });

  it.each([
    [9_999, 'mobile', 'is not an operator that this provider serves'],
    [9_999, 'dth', 'is not an operator that this provider serves'],
    [54, 'mobile', 'belongs to Sun Direct, a dth operator, not to a mobile operator'],
    [3, 'dth', 'belongs to Airtel, a mobile operator, not to a dth operator'],
    [-1, 'dth', 'must be a positive integer'],
  ] as const)('operator key %d for %s: %s', async (key, type, problem) => {
    const { adapter } = await adapterReturning({});
    expect(adapter.operatorProblem(key, type)).toBe(problem);
  });

  it('supports every listed operator', async () => {
    const { adapter } = await adapterReturning({});
    const problems = operators.flatMap(({ type, spKeys }) => spKeys.map((key) => adapter.operatorProblem(key, type)));
    expect(problems.filter((problem) => problem !== undefined)).toEqual([]);
  });
});

describe("Mokshiq's circle lookup", () => {
  it('requests by number and accepts any spelling', async () => {
    const { server, adapter } = await adapterReturning({
      status: 'success',
      operator: 'Airtel',
      circle: 'Jammu Kashmir',
    });
    expect(await adapter.findCircle('9876543210')).toBe(circleOfCode('55'));
    const [request] = server.received;
    expect(request?.url.pathname).toBe('/mokshiq/operator_lookup');
    expect(request?.headers).toMatchObject({ authorization: 'Bearer tok-secret', origin: 'https://partner.example' });
    expect(JSON.parse(String(request?.body))).toEqual({ number: '9876543210' });
  });

  it.each([
    ['a failure', 200, { status: false, circle: 'Delhi' }],
    ['an unlisted circle', 200, { status: 'success', circle: 'Atlantis' }],
    ['no circle', 200, { status: 'success', operator: 'Airtel' }],
    ['an HTTP error', 500, { status: 'success', circle: 'Delhi' }],
    ['a rejection', 403, { detail: 'Invalid token' }],
    ['an HTML page', 404, '<html>'],
  ])('finds no circle after %s', async (_name, httpStatus, body) => {
    const { adapter } = await adapterReturning(body, httpStatus);
    expect(await adapter.findCircle('9876543210')).toBeUndefined();
  });

  it('finds no circle without a connection', async () => {
    const adapter = adapterOn({ baseUrl: `http://127.0.0.1:${await closedPort()}` });
    expect(await adapter.findCircle('9876543210')).toBeUndefined();
  });

  it('uses a separate client if one is configured', async () => {
    const recharges = await serveHttp((_request, response) => replyJson(response, success));
    const lookups = await serveHttp((_request, response) => replyJson(response, { status: true, circle: 'Delhi' }));
    const [client, lookupClient] = [clientFor(recharges.baseUrl), clientFor(lookups.baseUrl)];
    const adapter = createMokshiqAdapter({ client, lookupClient, credentials });
    expect(await adapter.findCircle('9876543210')).toBe(circleOfCode('10'));
    expect([recharges.received.length, lookups.received.length]).toEqual([0, 1]);
  });
});
