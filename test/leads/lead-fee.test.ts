import { describe, expect, it } from 'vitest';
import { FieldEncryption } from '../../src/core/field-encryption.js';
import { paise, rupees } from '../../src/core/money.js';
import { LeadService } from '../../src/leads/lead.service.js';
import { leadView } from '../../src/leads/lead.types.js';
import { LeadStatusService } from '../../src/leads/lead-status.service.js';
import { ProfileStore } from '../../src/leads/profile.store.js';
import type { LeadsPort } from '../../src/providers/ports/leads.port.js';
import { failure, mismatches } from '../rest/schemas/common.js';
import { seed, type TestDeveloper } from '../support/app.js';
import { creditWallet } from '../support/credit.js';
import { useSharedApp } from '../support/use-app.js';
import { callsOf, person, setDefaultCustomer } from './lead.fixture.js';

const FEE_RUPEES = 50;
const feesPaise = { lead_generation: FEE_RUPEES * 100 };

const test = useSharedApp();

let people = 0;
async function developerWithLead(liveRupees: number, more: { product?: string; fee?: number } = {}) {
  const developer = await test.developer({
    liveRupees,
    rateLimitPerMinute: 10_000,
    feesPaise: more.fee === undefined ? feesPaise : { lead_generation: more.fee },
  });
  const call = callsOf(test, developer);
  const profile = await call.profile('production', person(100 + ++people));
  const { customer_id } = profile.body.data;
  const lead = await call.lead('production', { product_id: more.product ?? '4001', customer_id });
  const leadCode = lead.body.data.lead_code as string;
  return { developer, leadCode, poll: () => call.status('production', leadCode) };
}

const feesOf = ({ id }: TestDeveloper) =>
  test.db.query<{ amount: string; reference: string; environment: string }>(
    `select amount_paise::text as amount, reference, environment from transfer where developer_id = $1 and kind = 'lead_fee'`,
    [id],
  );
const storedStatus = async (leadCode: string) =>
  (await test.db.query<{ status: string | null }>('select status from lead where lead_code = $1', [leadCode]))[0]!
    .status;

/** The same service and database with a provider that returns these statuses in order. */
async function scriptedStatuses(developer: TestDeveloper, leadCode: string, words: readonly string[]) {
  let next = 0;
  const port = {
    provider: 'BANKSATHI',
    available: true,
    leadStatus: async () => ({
      kind: 'accepted',
      value: { leadCode, leadStatus: words[next++]! },
      evidence: { reason: 'provider_success' },
    }),
  } as unknown as LeadsPort;
  const service = new LeadStatusService({ uat: port, production: port }, test.app.ledger, test.app.orm);
  const principal = async () => (await test.app.principals.ofToken(developer.tokens.production))!;
  return async () => {
    const { lead, feePaise } = await service.status(await principal(), leadCode);
    return { leadStatus: leadView(lead).status, feePaise };
  };
}

describe('the fee of an approved lead', () => {
  it('is charged once for 20 parallel polls of a lead that becomes approved, half REST and half GraphQL', async () => {
    const { developer, leadCode, poll } = await developerWithLead(1_000);
    expect((await poll()).body.data.lead_status).toBe('pending');
    expect((await poll()).body.data.lead_status).toBe('submitted');
    const query = `query($c: String!) {
      leadStatus(leadCode: $c) { lead { leadCode status feeChargedAt } fee wallet { balance } }
    }`;
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        n % 2 ? poll() : test.graphql('production', developer.tokens.production, query, { c: leadCode }),
      ),
    );
    const fees = responses.map(({ body }) => body.fee ?? body.data.leadStatus.fee);
    expect(fees.toSorted()).toEqual([...Array(19).fill(0), FEE_RUPEES].toSorted());
    for (const { body } of responses)
      if (body.data.leadStatus)
        expect(body.data.leadStatus.lead).toEqual({
          leadCode,
          status: 'APPROVED',
          feeChargedAt: expect.stringMatching(/^\d{4}-/),
        });
      else expect(body.data.lead_status).toBe('approved');
    expect(await feesOf(developer)).toEqual([
      { amount: String(FEE_RUPEES * 100), reference: leadCode, environment: 'production' },
    ]);
    expect(await test.balance(developer, 'production')).toBe(1_000 - FEE_RUPEES);
    const charged = responses.find((_, n) => fees[n] === FEE_RUPEES)!.body;
    expect(charged.wallet_balance ?? charged.data.leadStatus.wallet.balance).toBe(1_000 - FEE_RUPEES);
    const secondPoll = await poll();
    expect(secondPoll.body).toMatchObject({
      fee: 0,
      wallet_balance: 1_000 - FEE_RUPEES,
      data: { lead_status: 'approved' },
    });
  });

  it('is charged once if the very first polls are simultaneous', async () => {
    const { developer, leadCode, poll } = await developerWithLead(1_000);
    const responses = await Promise.all(Array.from({ length: 20 }, poll));
    expect(responses.every(({ status }) => status === 200)).toBe(true);
    expect(responses.reduce((sum, { body }) => sum + body.fee, 0)).toBe(FEE_RUPEES);
    expect(await feesOf(developer)).toHaveLength(1);
    await poll();
    expect(await storedStatus(leadCode)).toBe('approved');
  });

  it('is in the response even if the wallet cannot be read afterwards', async () => {
    const { leadCode, poll } = await developerWithLead(1_000);
    await poll();
    await poll();
    const { ledger } = test.app;
    const { wallet } = ledger;
    ledger.wallet = () => Promise.reject(new Error('the pool is exhausted'));
    try {
      const { status, body } = await poll();
      expect([status, body.fee, body.wallet_balance]).toEqual([200, FEE_RUPEES, 1_000 - FEE_RUPEES]);
    } finally {
      ledger.wallet = wallet;
    }
    expect(await storedStatus(leadCode)).toBe('approved');
  });

  it('is not charged by HEAD, which would not show it', async () => {
    const { developer, leadCode, poll } = await developerWithLead(1_000);
    await poll();
    await poll();
    const headers = { authorization: `Bearer ${developer.tokens.production}` };
    const path = `/api/v1/leads/status?lead_code=${leadCode}`;
    const head = await fetch(`${test.urls.production}${path}`, { method: 'HEAD', headers });
    expect([head.status, head.headers.get('allow')]).toEqual([405, 'GET']);
    expect(await test.balance(developer, 'production')).toBe(1_000);
    expect((await poll()).body.fee).toBe(FEE_RUPEES);
  });

  it('is in the statement with the lead code', async () => {
    const { developer, leadCode, poll } = await developerWithLead(1_000);
    for (const _ of [1, 2, 3]) await poll();
    const { body } = await test.graphql(
      'production',
      developer.tokens.production,
      '{ wallet { statement(first: 1) { edges { node { kind amount balanceAfter reference } } } } }',
    );
    expect(body.data.wallet.statement.edges[0].node).toEqual({
      kind: 'LEAD_FEE',
      amount: -FEE_RUPEES,
      balanceAfter: 1_000 - FEE_RUPEES,
      reference: leadCode,
    });
  });

  it('leads to an error if the balance is insufficient: nothing is stored, and the fee is charged later', async () => {
    const { developer, leadCode, poll } = await developerWithLead(FEE_RUPEES - 1);
    await poll();
    await poll();
    for (const _ of [1, 2]) {
      const { status, body } = await poll();
      expect(status).toBe(400);
      expect(mismatches(failure('error'), body)).toEqual([]);
      expect(body).toMatchObject({
        code: 'INSUFFICIENT_BALANCE',
        required: FEE_RUPEES,
        available: FEE_RUPEES - 1,
      });
    }
    expect(await storedStatus(leadCode)).toBe('submitted');
    expect(await feesOf(developer)).toEqual([]);
    expect(await test.balance(developer, 'production')).toBe(FEE_RUPEES - 1);
    await creditWallet(
      test.app,
      { developerId: developer.id, environment: 'production', amountPaise: rupees(1), reference: `More ${leadCode}` },
      seed,
    );
    expect((await poll()).body).toMatchObject({
      fee: FEE_RUPEES,
      wallet_balance: 0,
      data: { lead_status: 'approved' },
    });
    expect((await poll()).body).toMatchObject({ fee: 0, wallet_balance: 0, data: { lead_status: 'approved' } });
    expect(await feesOf(developer)).toHaveLength(1);
  });

  it('is charged once for approved, rejected, approved', async () => {
    const { developer, leadCode } = await developerWithLead(1_000);
    const words = ['approved', 'rejected', 'approved', 'success', 'approved'];
    const poll = await scriptedStatuses(developer, leadCode, words);
    const statuses = [];
    for (const _ of words) statuses.push(await poll());
    expect(statuses.map(({ leadStatus }) => leadStatus)).toEqual(words);
    expect(statuses.map(({ feePaise }) => Number(feePaise) / 100)).toEqual([FEE_RUPEES, 0, 0, 0, 0]);
    expect(await feesOf(developer)).toHaveLength(1);
  });

  it('is charged once if the provider returns the existing lead for a new request', async () => {
    const { developer, leadCode, poll } = await developerWithLead(1_000);
    for (const _ of [1, 2, 3]) await poll();
    expect(await feesOf(developer)).toHaveLength(1);
    const port = {
      provider: 'BANKSATHI',
      available: true,
      createLead: async () => ({
        kind: 'accepted',
        value: { leadCode, campaignUrl: 'https://apply.example/1' },
        evidence: { reason: 'provider_success' },
      }),
    } as unknown as LeadsPort;
    const { pool, settings, orm, config } = test.app;
    const profiles = new ProfileStore(pool, new FieldEncryption(config.encryptionKeys), config.pepper);
    await setDefaultCustomer(test, 'production');
    const principal = (await test.app.principals.ofToken(developer.tokens.production))!;
    const leads = new LeadService({ uat: port, production: port }, profiles, settings, orm);
    const { lead } = await leads.create(principal, { productId: '4002' });
    expect([lead.leadCode, lead.productId, lead.status]).toEqual([leadCode, '4001', 'approved']);
    const rows = await test.db.query('select product_id, status from lead where developer_id = $1', [developer.id]);
    expect(rows).toEqual([{ product_id: '4001', status: 'approved' }]);
    expect((await poll()).body).toMatchObject({ fee: 0, data: { lead_status: 'approved' } });
    expect(await feesOf(developer)).toHaveLength(1);
  });

  it('is zero for a status other than approved', async () => {
    const { developer, leadCode } = await developerWithLead(1_000);
    const words = ['pending', 'submitted', 'success', 'failed', 'rejected', 'pending'];
    const poll = await scriptedStatuses(developer, leadCode, words);
    for (const word of words) expect(await poll()).toEqual({ leadStatus: word, feePaise: 0n });
    expect(await feesOf(developer)).toEqual([]);
  });

  it('is not affected by unknown statuses, which do not change the stored status', async () => {
    const { developer, leadCode } = await developerWithLead(1_000);
    const poll = await scriptedStatuses(developer, leadCode, ['disbursed', 'submitted', 'on_hold', 'approved', 'paid']);
    const statuses = [];
    for (const _ of Array(5).keys()) statuses.push((await poll()).leadStatus);
    expect(statuses).toEqual(['pending', 'submitted', 'submitted', 'approved', 'approved']);
    expect(await storedStatus(leadCode)).toBe('approved');
    expect(await feesOf(developer)).toHaveLength(1);
  });

  it('is fixed when the lead is first approved, regardless of later fee changes', async () => {
    const { developer, leadCode, poll } = await developerWithLead(1_000, { fee: 0 });
    for (const _ of [1, 2]) await poll();
    expect((await poll()).body).toMatchObject({ fee: 0, data: { lead_status: 'approved' } });
    await test.app.developers.change(
      'setServiceAccess',
      { developerId: developer.id, service: 'lead_generation', enabled: true, fee: paise(5_000) },
      seed,
    );
    const secondStatuses = await scriptedStatuses(developer, leadCode, ['rejected', 'approved']);
    expect((await secondStatuses()).leadStatus).toBe('rejected');
    expect(await secondStatuses()).toEqual({ leadStatus: 'approved', feePaise: 0n });
    expect(await feesOf(developer)).toEqual([]);
  });

  it.each([
    ['99901', 'rejected'],
    ['99902', 'failed'],
  ])('is zero for product %s, which ends %s', async (product, end) => {
    const { developer, poll } = await developerWithLead(1_000, { product });
    const statuses: unknown[] = [];
    for (const _ of Array(4).keys()) {
      const { body } = await poll();
      statuses.push(body.data.lead_status);
      expect(body.fee).toBe(0);
    }
    expect(statuses).toEqual(['pending', 'submitted', end, end]);
    expect(await feesOf(developer)).toEqual([]);
  });

  it('is zero in UAT, also for 20 parallel polls', async () => {
    const { developer } = await developerWithLead(1_000);
    const call = callsOf(test, developer);
    const { lead_code } = (await call.lead('uat', { product_id: '4001', customer_id: 'c' })).body.data;
    const balanceBefore = await test.balance(developer, 'uat');
    const responses = await Promise.all(Array.from({ length: 20 }, () => call.status('uat', lead_code)));
    const statuses = responses.map(({ body }) => body.data.lead_status).toSorted();
    expect(statuses).toEqual([...Array(18).fill('approved'), 'pending', 'submitted']);
    expect(responses.every(({ body }) => body.fee === 0)).toBe(true);
    expect(await test.balance(developer, 'uat')).toBe(balanceBefore);
    expect(await feesOf(developer)).toEqual([]);
  });
});

describe('a failed status call', () => {
  it('changes nothing while the provider is down and returns 503 when the circuit breaker is open', async () => {
    const { leadCode, poll } = await developerWithLead(1_000);
    await poll();
    await test.simulator.outage('banksathi', true);
    const first = await poll();
    expect([first.status, first.body.code]).toEqual([400, 'PROVIDER_FAILED']);
    let rejection = first;
    // the circuit breaker opens when half of the calls in ten seconds failed, including those of earlier tests
    for (let round = 0; round < 20 && rejection.status !== 503; round++)
      rejection = (await Promise.all(Array.from({ length: 20 }, poll))).at(-1)!;
    await test.simulator.outage('banksathi', false);
    expect([rejection.status, rejection.body.code]).toEqual([503, 'PROVIDER_UNAVAILABLE']);
    expect(rejection.headers.get('retry-after')).toBe('5');
    expect(mismatches(failure('error'), rejection.body)).toEqual([]);
    expect(await storedStatus(leadCode)).toBe('pending');
  });
});
