import { randomBytes } from 'node:crypto';
import { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../src/core/ids.js';
import type { DeveloperId } from '../../src/core/principal.js';
import { holdOf, resolutionOf, startTestLedger, type TestLedger } from './ledger.fixture.js';

let test: TestLedger;
let developer: DeveloperId;
/** A login with the membership of a deployment: the application's role and nothing else. */
const login = `service_${randomBytes(4).toString('hex')}`;
let application: Pool;

beforeAll(async () => {
  test = await startTestLedger();
  await test.db.query(`create role ${login} login password 'of a test' in role gateway_app`);
  const url = new URL(test.db.url);
  [url.username, url.password] = [login, 'of a test'];
  application = new Pool({ connectionString: url.href, max: 2, options: '-c role=gateway_app' });
});
afterAll(async () => {
  await application.end();
  await test.db.query(`drop role ${login}`);
  await test.close();
});
beforeEach(async () => {
  developer = await test.wallet(0);
});

/** An audit entry as the application's role can write it; only the audit check can verify its hash. */
const entry = (posting: string, { subject = `developer:${developer}/production`, amount = 500 } = {}): string =>
  `insert into audit_entry (id, at, actor, action, subject, request_id, key_id, posting_id, amount_paise, previous_hash, hash)
   values ((select coalesce(max(id), 0) + 1 from audit_entry), now(), 'user:1', 'wallet.credit', '${subject}', 'r', 'k', '${posting}', ${amount}, '', '')`;
const topUp = (
  posting: string,
  { environment = 'production', reference = posting, to = developer as string } = {},
): string => `select ledger_post('${to}', '${environment}', '${posting}', 'top_up', 500, '${reference}')`;
const WITHOUT_ENTRY = { code: '23503', constraint: 'top_up_has_an_audit_entry' };

describe('a credit without its audit entry is rejected', () => {
  it.each(['production', 'uat'])('in %s, by a call of the posting function', async (environment) => {
    await test.db.query(
      `insert into wallet (developer_id, environment) values ('${developer}', 'uat') on conflict do nothing`,
    );
    await expect(application.query(topUp(newId(), { environment }))).rejects.toMatchObject(WITHOUT_ENTRY);
    const posted = await test.db.query('select 1 from transfer where developer_id = $1', [developer]);
    expect([posted, await test.violations()]).toEqual([[], []]);
    expect(await test.balance(developer)).toBe(0);
  });

  it.each([
    ['of another amount', (id: string) => entry(id, { amount: 499 })],
    ['of another wallet', (id: string) => entry(id, { subject: 'developer:1/production' })],
    ['of the other environment', (id: string) => entry(id, { subject: `developer:${developer}/uat` })],
    ['of another posting', () => entry(newId())],
  ])('even with an entry %s', async (_name, entryOf) => {
    const id = newId();
    await expect(application.query(`begin; ${entryOf(id)}; ${topUp(id)}; commit`)).rejects.toMatchObject(WITHOUT_ENTRY);
    await application.query('rollback').catch(() => {});
    expect(await test.balance(developer)).toBe(0);
  });

  it('if one entry is used twice', async () => {
    const id = newId();
    const other = await test.wallet(0);
    await application.query(`begin; ${topUp(id)}; ${entry(id)}; commit`);
    expect(await test.balance(developer)).toBe(500);
    const { rows } = await application.query(topUp(id, { reference: 'again' }));
    expect(rows[0].ledger_post).toMatch(/^\(duplicate/);
    await expect(application.query(topUp(id, { to: other }))).rejects.toMatchObject({ code: '23505' });
    expect([await test.balance(developer), await test.balance(other)]).toEqual([500, 0]);
  });

  it.each([
    ['inserting an own note', () => `insert into top_up values ('${newId()}', 'developer:1/uat', 1)`],
    ['deleting the notes', () => 'delete from top_up'],
    ['dropping the rule', () => 'alter table top_up drop constraint top_up_has_an_audit_entry'],
    ['disabling the rule', () => 'alter table top_up disable trigger all'],
    ['skipping rules as a replica', () => 'set session_replication_role = replica'],
  ])('by %s', async (_name, sql) => {
    await expect(application.query(sql())).rejects.toMatchObject({ code: '42501' });
  });

  it('by deferring the rule beyond the commit', async () => {
    await expect(
      application.query(`begin; set constraints all deferred; ${topUp(newId())}; commit`),
    ).rejects.toMatchObject(WITHOUT_ENTRY);
    expect(await test.balance(developer)).toBe(0);
  });
});

describe('an invalid correction is not committed', () => {
  const UNAUDITED = { code: '23503', constraint: 'correction_has_an_audit_entry' };
  const correct = (order: string, kind: string, posting: string): string =>
    `select * from ledger_correct('${developer}', '${order}', '${kind}', '${posting}', null, '{}')`;
  const debit = (posting: string, reference = posting): string =>
    `select * from ledger_post('${developer}', 'production', '${posting}', 'debit', 500, '${reference}')`;
  /** A success and a refunded order of 500 paise each, in a wallet with a balance of 1,000. */
  const placeResolved = async (): Promise<[success: string, failed: string]> => {
    await test.topUp(developer, 1_500, 'opening');
    const [success, failed] = [holdOf(developer, 500), holdOf(developer, 500)];
    for (const hold of [success, failed]) await test.ledger.hold(hold);
    await test.ledger.resolve(resolutionOf(success, true));
    await test.ledger.resolve(resolutionOf(failed, false));
    return [success.id, failed.id];
  };

  it('without an audit entry, by a call of the posting functions', async () => {
    const [success, failed] = await placeResolved();
    for (const sql of [
      debit(newId()),
      correct(success, 'reversal', newId()),
      correct(failed, 'refund_reversal', newId()),
    ])
      await expect(application.query(sql)).rejects.toMatchObject(UNAUDITED);
    expect([await test.balance(developer), await test.violations()]).toEqual([1_000, []]);
  });

  it('with the entry of another amount or order, or a used entry', async () => {
    const [success, failed] = await placeResolved();
    const id = newId();
    const subject = `order:${success}`;
    for (const invalid of [
      entry(id, { subject, amount: 499 }),
      entry(id, { subject: `order:${failed}` }),
      entry(newId(), { subject }),
    ]) {
      const sql = `begin; ${invalid}; ${correct(success, 'reversal', id)}; commit`;
      await expect(application.query(sql)).rejects.toMatchObject(UNAUDITED);
      await application.query('rollback').catch(() => {});
    }
    await application.query(`begin; ${entry(id, { subject })}; ${correct(success, 'reversal', id)}; commit`);
    expect(await test.balance(developer)).toBe(1_500);
    await expect(application.query(correct(success, 'refund_reversal', id))).rejects.toMatchObject({ code: '23505' });
    // The entry of a credit does not allow a debit.
    const credit = newId();
    await application.query(`begin; ${topUp(credit)}; ${entry(credit)}; commit`);
    const { rows } = await application.query(debit(credit, 'another'));
    expect(rows[0].outcome).toBe('duplicate');
    expect([await test.balance(developer), await test.violations()]).toEqual([2_000, []]);
  });

  it.each([
    ['inserting an own note', () => `insert into correction values ('${newId()}', 'order:1', 1)`],
    ['deleting the notes', () => 'delete from correction'],
    ['dropping the rule', () => 'alter table correction drop constraint correction_has_an_audit_entry'],
    ['the internal step of the function', () => `select ledger_undo(o, 'refund_reversal') from orders o`],
  ])('without an audit entry, by %s', async (_name, sql) => {
    await expect(application.query(sql())).rejects.toMatchObject({ code: '42501' });
  });

  it('that the order or the wallet does not allow', async () => {
    const [success, failed] = await placeResolved();
    const outcome = async (sql: string): Promise<string> => (await application.query(sql)).rows[0].outcome;
    expect(await outcome(correct(success, 'refund_reversal', newId()))).toBe('not_given_back');
    expect(await outcome(correct(failed, 'reversal', newId()))).toBe('not_charged');
    expect(await outcome(correct(newId(), 'reversal', newId()))).toBe('missing');
    await expect(application.query(correct(success, 'gift', newId()))).rejects.toMatchObject({ code: '22023' });
    await application.query(`select ledger_post('${developer}', 'production', '${newId()}', 'lead_fee', 501, 'lead')`);
    expect(await outcome(correct(failed, 'refund_reversal', newId()))).toBe('insufficient');
    expect(await outcome(debit(newId()))).toBe('insufficient');
    expect([await test.balance(developer), await test.violations()]).toEqual([499, []]);
  });

  it('as a second payment of a card bill, by reversing the refund of a failed one', async () => {
    await test.topUp(developer, 1_500, 'opening');
    const bill = { operation: 'card_payment', fingerprint: Buffer.alloc(32, 7) } as const;
    const first = holdOf(developer, 500, bill);
    await test.ledger.hold(first);
    await test.ledger.resolve(resolutionOf(first, false));
    await test.ledger.hold(holdOf(developer, 500, bill));
    const { rows } = await application.query(correct(first.id, 'refund_reversal', newId()));
    expect(rows).toEqual([{ outcome: 'bill_paid', version: null }]);
    expect([await test.balance(developer), await test.violations()]).toEqual([1_000, []]);
  });
});

describe('a hold or a resolution', () => {
  it('runs no trigger of the audit rule', async () => {
    const triggers = await test.db.query(
      `select tgname from pg_trigger where tgrelid in ('wallet'::regclass, 'orders'::regclass, 'transfer'::regclass)`,
    );
    expect(triggers).toEqual([]);
  });

  it('requires no audit entry', async () => {
    const funded = await test.wallet(1_000);
    const [{ before }] = (await test.db.query('select count(*)::int as before from audit_entry')) as [
      { before: number },
    ];
    const [settled, refunded] = [holdOf(funded, 300), holdOf(funded, 200)];
    for (const hold of [settled, refunded]) expect((await test.ledger.hold(hold)).outcome).toBe('accepted');
    expect((await test.ledger.resolve(resolutionOf(settled, true))).outcome).toBe('settle');
    expect((await test.ledger.resolve(resolutionOf(refunded, false))).outcome).toBe('refund');
    await application.query(`select ledger_post('${funded}', 'production', '${newId()}', 'lead_fee', 100, 'lead')`);
    expect(await test.balance(funded)).toBe(600);
    const [{ after }] = (await test.db.query('select count(*)::int as after from audit_entry')) as [{ after: number }];
    expect(after).toBe(before);
  });
});
