import { randomBytes } from 'node:crypto';
import { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../src/core/ids.js';
import type { DeveloperId } from '../../src/core/principal.js';
import { holdOf, resolutionOf, startTestLedger, type TestLedger } from './ledger.fixture.js';

let test: TestLedger;
let developer: DeveloperId;
/** Signs in as a deployment does: a login that is a member of the application's role and nothing else. */
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

let entries = 1_000_000;
/** An audit entry as the application's role can write it; whether its hash is right, only the doctor can tell. */
const entry = (posting: string, { subject = `developer:${developer}/production`, amount = 500 } = {}): string =>
  `insert into audit_entry (id, at, actor, action, subject, request_id, key_id, posting_id, amount_paise, previous_hash, hash)
   values (${++entries}, now(), 'user:1', 'wallet.credit', '${subject}', 'r', 'k', '${posting}', ${amount}, '', '')`;
const topUp = (
  posting: string,
  { environment = 'production', reference = posting, to = developer as number } = {},
): string => `select ledger_post(${to}, '${environment}', '${posting}', 'top_up', 500, '${reference}')`;
const WITHOUT_ENTRY = { code: '23503', constraint: 'top_up_has_an_audit_entry' };

describe('money cannot enter without a trail', () => {
  it.each(['production', 'uat'])('in %s, by a call of the function that posts', async (environment) => {
    await test.db.query(
      `insert into wallet (developer_id, environment) values (${developer}, 'uat') on conflict do nothing`,
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
  ])('with an entry %s', async (_name, entryOf) => {
    const id = newId();
    await expect(application.query(`begin; ${entryOf(id)}; ${topUp(id)}; commit`)).rejects.toMatchObject(WITHOUT_ENTRY);
    await application.query('rollback').catch(() => {});
    expect(await test.balance(developer)).toBe(0);
  });

  it('nor twice with one entry', async () => {
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
    ['a note of its own making', () => `insert into top_up values ('${newId()}', 'developer:1/uat', 1)`],
    ['removing the notes', () => 'delete from top_up'],
    ['removing the rule', () => 'alter table top_up drop constraint top_up_has_an_audit_entry'],
    ['disabling the rule', () => 'alter table top_up disable trigger all'],
    ['skipping rules as a replica', () => 'set session_replication_role = replica'],
  ])('by %s', async (_name, sql) => {
    await expect(application.query(sql())).rejects.toMatchObject({ code: '42501' });
  });

  it('by putting the rule off beyond the commit', async () => {
    await expect(
      application.query(`begin; set constraints all deferred; ${topUp(newId())}; commit`),
    ).rejects.toMatchObject(WITHOUT_ENTRY);
    expect(await test.balance(developer)).toBe(0);
  });
});

describe('the money path', () => {
  it('has no trigger that a hold or a resolution would pass', async () => {
    const triggers = await test.db.query(
      `select tgname from pg_trigger where tgrelid in ('wallet'::regclass, 'orders'::regclass, 'transfer'::regclass)`,
    );
    expect(triggers).toEqual([]);
  });

  it('needs no audit entry', async () => {
    const funded = await test.wallet(1_000);
    const [{ before }] = (await test.db.query('select count(*)::int as before from audit_entry')) as [
      { before: number },
    ];
    const [settled, refunded] = [holdOf(funded, 300), holdOf(funded, 200)];
    for (const hold of [settled, refunded]) expect((await test.ledger.hold(hold)).outcome).toBe('accepted');
    expect((await test.ledger.resolve(resolutionOf(settled, true))).outcome).toBe('settle');
    expect((await test.ledger.resolve(resolutionOf(refunded, false))).outcome).toBe('refund');
    await application.query(`select ledger_post(${funded}, 'production', '${newId()}', 'lead_fee', 100, 'lead')`);
    expect(await test.balance(funded)).toBe(600);
    const [{ after }] = (await test.db.query('select count(*)::int as after from audit_entry')) as [{ after: number }];
    expect(after).toBe(before);
  });
});
