import { describe, expect, it } from 'vitest';
import { paise } from '../../src/core/money.js';
import { Secret } from '../../src/core/secret.js';
import { createRoundPayAdapter } from '../../src/providers/roundpay/roundpay.adapter.js';
import { clientFor } from './fixtures/clients.js';
import { closedPort, replyJson, serveHttp } from './fixtures/local-server.js';
import { dthOrder, mobileOrder, statusCheckOf } from './fixtures/recharge-orders.js';
import { failure, rechargeResponses, statusResponses, success } from './fixtures/roundpay.responses.js';

const credentials = { userId: 'U1', token: new Secret('tok-secret') };

/** The adapter with a server that always returns this body. Strings are sent unchanged. */
async function adapterReturning(body: unknown, httpStatus = 200) {
  const server = await serveHttp((_request, response) => {
    if (typeof body === 'string') response.writeHead(httpStatus).end(body);
    else replyJson(response, body, httpStatus);
  });
  return { server, adapter: createRoundPayAdapter({ client: clientFor(`${server.baseUrl}/roundpay`), credentials }) };
}

describe('the RoundPay deposit balance', () => {
  it('is requested as documented', async () => {
    const { server, adapter } = await adapterReturning({ bal: 12846.22 });
    expect(await adapter.float!()).toBe(paise(1_284_622));
    expect(server.received[0]!.url.pathname).toBe('/roundpay/API/Balance');
    expect([...server.received[0]!.url.searchParams.keys()]).toEqual(['UserID', 'Token', 'Format']);
  });

  it.each<[string, unknown, number?]>([
    ['an error response', { STATUS: '3', MSG: 'Invalid Token', ERRORCODE: '101' }],
    ['an invalid amount', { bal: 'plenty' }],
    ['rubbish', '<html>'],
    ['an HTTP error', { bal: 1 }, 500],
  ])('is unknown after %s', async (_name, body, httpStatus) => {
    const { adapter } = await adapterReturning(body, httpStatus);
    expect(await adapter.float!()).toBeUndefined();
  });
});

describe('a RoundPay recharge', () => {
  it('is sent as documented', async () => {
    const { server, adapter } = await adapterReturning(success);
    await adapter.recharge({ ...mobileOrder, geocode: '18.5,73.8', customerNumber: '9000000000', pincode: '411001' });
    const [request] = server.received;
    expect(request?.method).toBe('GET');
    expect(request?.url.pathname).toBe('/roundpay/API/TransactionAPI');
    expect([...request!.url.searchParams]).toEqual([
      ['UserID', 'U1'],
      ['Token', 'tok-secret'],
      ['Account', '9876543210'],
      ['Amount', '100'],
      ['SPKey', '3'],
      ['APIRequestID', mobileOrder.reference],
      ['Optional1', ''],
      ['Optional2', ''],
      ['Optional3', ''],
      ['Optional4', ''],
      ['GEOCode', '18.5,73.8'],
      ['CustomerNumber', '9000000000'],
      ['Pincode', '411001'],
      ['Format', '1'],
    ]);
  });

  it.each([
    [10_000, '100'],
    [19_950, '199.50'],
    [1_005, '10.05'],
    [2_500_000, '25000'],
  ])('sends %i paise as "%s"', async (amountPaise, text) => {
    const { server, adapter } = await adapterReturning(failure);
    await adapter.recharge({ ...mobileOrder, amountPaise: paise(amountPaise) });
    expect(server.received[0]?.url.searchParams.get('Amount')).toBe(text);
  });

  it.each(rechargeResponses)('$name → $kind, $reason', async ({ httpStatus = 200, body, kind, reason }) => {
    const { server, adapter } = await adapterReturning(body, httpStatus);
    const outcome = await adapter.recharge(mobileOrder);
    expect({ kind: outcome.kind, reason: outcome.evidence.reason }).toEqual({ kind, reason });
    expect(outcome.evidence).toMatchObject({ httpStatus, elapsedMs: expect.any(Number) });
    expect(server.received).toHaveLength(1);
  });

  it("returns the provider's IDs and its status as evidence", async () => {
    const { adapter } = await adapterReturning(success);
    expect(await adapter.recharge(mobileOrder)).toEqual({
      kind: 'accepted',
      value: { providerTxnId: 'S23071219280506ABC2D', operatorRef: 'BR000C1' },
      evidence: {
        reason: 'provider_success',
        httpStatus: 200,
        elapsedMs: expect.any(Number),
        providerStatus: '2',
        providerCode: '200',
        providerTxnId: 'S23071219280506ABC2D',
      },
    });
  });

  it('compares an account that lost its leading zero as a number', async () => {
    const { adapter } = await adapterReturning({ STATUS: '2', ACCOUNT: 721029875, AMOUNT: 199.5 });
    expect(await adapter.recharge(dthOrder)).toMatchObject({
      kind: 'accepted',
      value: { providerTxnId: '', operatorRef: '' },
    });
  });

  it('keeps texts, numbers and unrelated transaction IDs out of its evidence', async () => {
    const texts = { STATUS: 'FAILED for 9876543210', MSG: 'Number 9876543210 is barred', RPID: 'R-9876543210-1' };
    const { adapter } = await adapterReturning(texts);
    const declined = await adapter.recharge(mobileOrder);
    expect(JSON.stringify(declined)).not.toMatch(/9876543210|barred/);

    const otherOrder = await adapterReturning({ ...success, AGENTID: 'RC260801' });
    expect((await otherOrder.adapter.recharge(mobileOrder)).evidence.providerTxnId).toBeUndefined();
  });

  it('is declined if it was never sent', async () => {
    const client = clientFor(`http://127.0.0.1:${await closedPort()}`);
    const adapter = createRoundPayAdapter({ client, credentials });
    expect(await adapter.recharge(mobileOrder)).toMatchObject({ kind: 'declined', evidence: { reason: 'never_sent' } });
  });

  it('is unknown when the connection is lost', async () => {
    const server = await serveHttp((_request, response) => void response.destroy());
    const adapter = createRoundPayAdapter({ client: clientFor(server.baseUrl), credentials });
    expect(await adapter.recharge(mobileOrder)).toMatchObject({
      kind: 'unknown',
      evidence: { reason: 'connection_lost' },
    });
  });
});

describe('a RoundPay status check', () => {
  it('contains our reference, the transaction ID and the day', async () => {
    const { server, adapter } = await adapterReturning(success);
    await adapter.checkStatus({ ...statusCheckOf(mobileOrder), providerTxnId: success.RPID });
    expect(server.received[0]?.url.pathname).toBe('/roundpay/API/StatusCheck');
    expect([...server.received[0]!.url.searchParams]).toEqual([
      ['UserID', 'U1'],
      ['Token', 'tok-secret'],
      ['RPID', success.RPID],
      ['AGENTID', mobileOrder.reference],
      ['Optional1', '12 JUL 2023'],
      ['Format', '1'],
    ]);
  });

  it.each<[string, string, string | undefined, string[]]>([
    // placed, checked, settled → all days (IST) on which it may have been booked, with some minutes of clock difference
    ['2023-07-12T06:00:00Z', '2023-07-12T06:10:00Z', undefined, ['12 JUL 2023']],
    ['2023-07-11T18:29:59Z', '2023-07-11T18:29:59Z', undefined, ['11 JUL 2023', '12 JUL 2023']],
    ['2023-07-11T18:31:00Z', '2023-07-11T18:50:00Z', undefined, ['11 JUL 2023', '12 JUL 2023']],
    ['2025-12-31T18:00:00Z', '2026-01-01T18:00:00Z', undefined, ['31 DEC 2025', '01 JAN 2026']],
    ['2025-12-31T10:00:00Z', '2026-01-02T10:00:00Z', undefined, ['31 DEC 2025', '01 JAN 2026', '02 JAN 2026']],
    ['2026-02-01T06:00:00Z', '2026-03-20T06:00:00Z', '2026-02-01T06:01:00Z', ['01 FEB 2026']],
  ])(
    'of an order placed %s, checked %s, settled %s requests the days %j',
    async (placedAt, checkedAt, settledAt, days) => {
      const { server, adapter } = await adapterReturning(success);
      await adapter.checkStatus({
        ...statusCheckOf(mobileOrder),
        placedAt: new Date(placedAt),
        checkedAt: new Date(checkedAt),
        ...(settledAt ? { settledAt: new Date(settledAt) } : {}),
      });
      const queries = server.received.map(({ url }) => url.searchParams);
      expect(queries.map((query) => query.get('Optional1')).toSorted()).toEqual(days.toSorted());
      expect(queries[0]?.get('RPID')).toBe('');
    },
  );

  it('does not trust "not found" if the period has more days than it requests', async () => {
    const { adapter, server } = await adapterReturning({ STATUS: '0', ERRORCODE: '404' });
    const placed = { ...statusCheckOf(mobileOrder), placedAt: new Date('2026-02-01T06:00:00Z') };
    const week = await adapter.checkStatus({ ...placed, checkedAt: new Date('2026-02-07T06:00:00Z') });
    expect([week.kind, server.received.length]).toEqual(['not_found', 7]);
    const more = await adapter.checkStatus({ ...placed, checkedAt: new Date('2026-02-08T06:00:00Z') });
    expect([more.kind, more.evidence.reason]).toEqual(['unknown', 'provider_not_found']);
  });

  it('uses the status base URL if configured', async () => {
    const recharges = await serveHttp((_request, response) => replyJson(response, failure));
    const statuses = await serveHttp((_request, response) => replyJson(response, success));
    const [client, statusClient] = [clientFor(recharges.baseUrl), clientFor(statuses.baseUrl)];
    const adapter = createRoundPayAdapter({ client, statusClient, credentials });
    expect(await adapter.checkStatus(statusCheckOf(mobileOrder))).toMatchObject({ kind: 'accepted' });
    expect([recharges.received.length, statuses.received.length]).toEqual([0, 1]);
  });

  it.each(statusResponses)('$name → $kind, $reason', async ({ httpStatus = 200, body, kind, reason }) => {
    const { adapter } = await adapterReturning(body, httpStatus);
    const outcome = await adapter.checkStatus(statusCheckOf(mobileOrder));
    expect({ kind: outcome.kind, reason: outcome.evidence.reason }).toEqual({ kind, reason });
  });

  it('reports a reversal by its status', async () => {
    const { adapter } = await adapterReturning({ ...success, STATUS: '4', ERRORCODE: '303' });
    expect(await adapter.checkStatus(statusCheckOf(mobileOrder))).toMatchObject({
      kind: 'declined',
      evidence: { providerStatus: '4', providerCode: '303', providerTxnId: success.RPID },
    });
  });

  it('keeps the requested transaction ID if the response contains none', async () => {
    const { adapter } = await adapterReturning({ STATUS: '2' });
    expect(await adapter.checkStatus({ ...statusCheckOf(mobileOrder), providerTxnId: 'S1' })).toMatchObject({
      kind: 'accepted',
      value: { providerTxnId: 'S1' },
    });
  });

  it.each([success, failure])('rejects a different transaction (%o)', async (body) => {
    const { adapter } = await adapterReturning({ ...body, AGENTID: '', RPID: 'S2' });
    const outcome = await adapter.checkStatus({ ...statusCheckOf(mobileOrder), providerTxnId: 'S1' });
    expect(outcome).toMatchObject({ kind: 'unknown', evidence: { reason: 'reference_mismatch' } });
  });

  it('that was never sent proves nothing about the recharge', async () => {
    const client = clientFor(`http://127.0.0.1:${await closedPort()}`);
    const adapter = createRoundPayAdapter({ client, credentials });
    expect(await adapter.checkStatus(statusCheckOf(mobileOrder))).toMatchObject({
      kind: 'unknown',
      evidence: { reason: 'never_sent' },
    });
  });
});

describe('the RoundPay port', () => {
  it.each([
    [3, 'mobile', undefined],
    [55, 'dth', undefined],
    [9_999, 'mobile', undefined],
    [9_999, 'dth', undefined],
    [55, 'mobile', 'belongs to Tata Play, a dth operator, not to a mobile operator'],
    [116, 'dth', 'belongs to Jio, a mobile operator, not to a dth operator'],
    [0, 'mobile', 'must be a positive integer'],
    [1.5, 'mobile', 'must be a positive integer'],
  ] as const)('operator key %d for %s: %s', async (key, type, problem) => {
    const { adapter } = await adapterReturning({});
    expect(adapter.operatorProblem(key, type)).toBe(problem);
  });

  it('has a status check and needs no circle', async () => {
    const { adapter } = await adapterReturning({});
    expect(adapter).toMatchObject({
      provider: 'ROUNDPAY',
      available: true,
      needsCircle: false,
      canCheckStatus: true,
      notFoundIsFinal: true,
    });
  });
});
