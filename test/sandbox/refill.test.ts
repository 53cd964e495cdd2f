import { describe, expect, it } from 'vitest';
import { indianDay, startOfIndianDay } from '../../src/core/clock.js';
import { paise, rupees } from '../../src/core/money.js';
import { MAX_REFILL, MAX_REFILLS, RefillService } from '../../src/sandbox/refill.service.js';
import { mismatches } from '../rest/schemas/common.js';
import * as schemas from '../rest/schemas/sandbox.schemas.js';
import type { TestDeveloper } from '../support/app.js';
import { auditProblems } from '../support/audit.js';
import { useSharedApp } from '../support/use-app.js';
import { callsOf, REFILL, rejectionOf } from './sandbox.fixture.js';

const APPROVED = 2_00_000;
const REFILL_MUTATION = `mutation($input: RefillSandboxWalletInput!) { refillSandboxWallet(input: $input) {
  entry { kind amount balanceAfter reference } wallet { balance } refillsLeft
} }`;

const test = useSharedApp();

const newDeveloper = (): Promise<TestDeveloper> => test.developer({ rateLimitPerMinute: 1_000 });
const refill = (developer: TestDeveloper, body: object = {}) => callsOf(test, developer).post(REFILL, body);
const balanceOf = (developer: TestDeveloper) => test.balance(developer, 'uat');

describe('a sandbox refill', () => {
  it('credits the UAT wallet with an entry in the statement and the audit log', async () => {
    const developer = await newDeveloper();
    const live = await test.balance(developer, 'production');
    const { status, body } = await refill(developer, { amount: 1_500.5 });
    expect(status).toBe(200);
    expect(mismatches(schemas.refill, body)).toEqual([]);
    const reference = body.data.reference as string;
    expect(body.data).toEqual({
      amount: 1_500.5,
      reference: expect.stringMatching(/^Refill \d{4}-\d\d-\d\d 1$/),
      wallet_balance: APPROVED + 1_500.5,
      refills_left: MAX_REFILLS - 1,
    });
    const statement = await test.rest('uat', 'GET', '/api/v1/wallet/statement?limit=1', developer.tokens.uat);
    expect(statement.body.data).toEqual([
      expect.objectContaining({ kind: 'top_up', amount: 1_500.5, balance_after: APPROVED + 1_500.5, reference }),
    ]);
    const auditLog = await test.db.query(
      `select actor, action, before, after from audit_entry where subject = $1 order by audit_entry.id desc limit 1`,
      [`developer:${developer.id}/uat`],
    );
    expect(auditLog).toEqual([
      {
        actor: `token:${developer.id}`,
        action: 'wallet.credit',
        before: { balancePaise: String(APPROVED * 100) },
        after: { balancePaise: String(APPROVED * 100 + 150_050), reference },
      },
    ]);
    expect(await auditProblems(test.app.pool)).toEqual([]);
    expect(await test.balance(developer, 'production')).toBe(live);
  });

  it('uses the amount of the approval by default, also without a body', async () => {
    const developer = await newDeveloper();
    expect((await refill(developer)).body.data.amount).toBe(APPROVED);
    const bare = await test.rest('uat', 'POST', REFILL, developer.tokens.uat);
    expect([bare.status, bare.body.data.wallet_balance]).toEqual([200, 3 * APPROVED]);
    const { body } = await test.graphql('uat', developer.tokens.uat, REFILL_MUTATION, { input: { amount: 7 } });
    expect(body.data.refillSandboxWallet).toEqual({
      entry: {
        kind: 'TOP_UP',
        amount: 7,
        balanceAfter: 3 * APPROVED + 7,
        reference: expect.stringMatching(/ 3$/),
      },
      wallet: { balance: 3 * APPROVED + 7 },
      refillsLeft: MAX_REFILLS - 3,
    });
  });

  it('rejects zero, fractions of a paisa, text and amounts over the bill limit without counting them as refills', async () => {
    const developer = await newDeveloper();
    for (const amount of [0, -5, 1.005, 'much', Number(MAX_REFILL) / 100 + 0.01]) {
      const response = await refill(developer, { amount });
      expect([amount, ...rejectionOf(response)]).toEqual([amount, 422, 'VALIDATION_FAILED']);
      expect(Object.keys(response.body.errors)).toEqual(['amount']);
    }
    expect(await balanceOf(developer)).toBe(APPROVED);
    expect((await refill(developer, { amount: 1 })).body.data.refills_left).toBe(MAX_REFILLS - 1);
  });

  it('is limited to five per day and developer, also for simultaneous requests', async () => {
    const developer = await newDeveloper();
    const responses = await Promise.all(
      Array.from({ length: MAX_REFILLS + 4 }, () => refill(developer, { amount: Number(MAX_REFILL) / 100 })),
    );
    const accepted = responses.filter(({ status }) => status === 200);
    expect(accepted.map(({ body }) => body.data.refills_left).toSorted()).toEqual([0, 1, 2, 3, 4]);
    const rejections = responses.filter(({ status }) => status !== 200);
    expect(rejections.map((response) => rejectionOf(response))).toEqual(
      Array.from({ length: 4 }, () => [429, 'RATE_LIMITED']),
    );
    const seconds = Number(rejections[0]!.headers.get('retry-after'));
    const day = indianDay(new Date());
    expect(Math.abs(seconds - (startOfIndianDay(day, 1).getTime() - Date.now()) / 1_000)).toBeLessThan(60);
    expect(await balanceOf(developer)).toBe(APPROVED + (MAX_REFILLS * Number(MAX_REFILL)) / 100);
    expect((await refill(await newDeveloper())).status).toBe(200);
  });

  it('is available again the next day', async () => {
    const { id } = await newDeveloper();
    const { orm, ledger, audit } = test.app;
    let now = new Date('2026-03-02T18:29:59.999Z'); // 2 March IST, for one more millisecond
    const refills = new RefillService({ orm, ledger, audit, clock: { now: () => now } });
    const by = { actor: `token:${id}`, requestId: 'test' };
    const refillOnce = () => refills.refill({ developerId: id, environment: 'uat' }, paise(100), by);
    for (let n = 0; n < MAX_REFILLS; n++) await refillOnce();
    await expect(refillOnce()).rejects.toMatchObject({ code: 'RATE_LIMITED', details: { retryAfterMs: 1 } });
    now = new Date(now.getTime() + 1);
    expect((await refillOnce()).refillsLeft).toBe(MAX_REFILLS - 1);
    expect((await ledger.wallet(id, 'uat')).balancePaise).toBe(rupees(APPROVED + MAX_REFILLS + 1));
  });

  it('is available only in UAT: Production names the UAT host and credits nothing', async () => {
    const developer = await newDeveloper();
    const response = await callsOf(test, developer).post(REFILL, { amount: 5 }, 'production');
    expect(rejectionOf(response)).toEqual([403, 'UAT_ONLY']);
    expect(response.body.message).toContain(test.urls.uat);
    const twin = await test.graphql('production', developer.tokens.production, REFILL_MUTATION, { input: {} });
    expect(twin.body.errors[0].extensions.code).toBe('UAT_ONLY');
    expect(await test.balance(developer, 'production')).toBe(10_000);
  });

  it('is not available to client tokens and suspended accounts', async () => {
    const developer = await newDeveloper();
    const scopes = '[LOOKUPS, PRODUCTS]';
    const { body } = await test.graphql(
      'uat',
      developer.tokens.uat,
      `mutation { createClientToken(input: { scopes: ${scopes} }) { token } }`,
    );
    const { token } = body.data.createClientToken;
    const client = await test.graphql('uat', token, REFILL_MUTATION, { input: {} });
    expect(client.body.errors[0].extensions.code).toBe('FORBIDDEN');
    await test.db.query('update developer set suspended_at = now() where id = $1', [developer.id]);
    expect(rejectionOf(await refill(developer))).toEqual([403, 'SUSPENDED']);
    expect(await balanceOf(developer)).toBe(APPROVED);
  });
});
