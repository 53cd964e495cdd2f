import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../src/core/ids.js';
import type { DeveloperId } from '../../src/core/principal.js';
import { createPool } from '../../src/db/pool.js';
import { startTestLedger, type TestLedger } from './ledger.fixture.js';
import { type PlacedOrders, placeOrders, withIds } from './placed-orders.fixture.js';

let test: TestLedger;
let orders: PlacedOrders;
let developer: DeveloperId;

/** A login with the membership of a deployment: the application's role and nothing else. */
const login = `service_${randomBytes(4).toString('hex')}`;
let application: Pool;

beforeAll(async () => {
  test = await startTestLedger();
  await test.db.query(`create role ${login} login password 'of a test' in role gateway_app`);
  const url = new URL(test.db.url);
  [url.username, url.password] = [login, 'of a test'];
  application = createPool(url.href, { max: 2 });
});
afterAll(async () => {
  await application.end();
  await test.db.query(`drop role ${login}`);
  await test.close();
});

beforeEach(async () => {
  orders = await placeOrders(test);
  developer = orders.developer;
});

/** Runs a statement as the application; `:d`, `:open`, `:success` and `:failed` are replaced with the developer and orders. */
const filled = (sql: string) => withIds(sql, orders);
const asApplication = (sql: string) => application.query(filled(sql));
const INSUFFICIENT_PRIVILEGE = '42501';
const CHECK_VIOLATION = '23514';

describe('the database rejects these statements of the application', () => {
  const TRANSFER = `insert into transfer (developer_id, subject_id, step, kind, operation, environment, amount_paise, wallet_version, balance_after_paise) values`;

  it.each([
    ['changing a transfer', `update transfer set amount_paise = 1 where developer_id = :d`],
    ['deleting a transfer', `delete from transfer where developer_id = :d`],
    ['truncating the transfers', `truncate transfer`],
    [
      'inserting a top-up',
      `${TRANSFER} (:d, gen_random_uuid(), 1, 'top_up', 'top_up', 'production', 100000, 99, 100000)`,
    ],
    [
      'inserting a second settlement',
      `${TRANSFER} (:d, :success, 3, 'settle', 'recharge', 'production', 200, null, null)`,
    ],
    [
      'posting a correction of a wallet',
      `select outcome from ledger_reopen((select id from approval_request limit 1), gen_random_uuid())`,
    ],
    [
      'inserting a correction',
      `insert into wallet_correction (posting_id, developer_id, environment, approval_request_id, version, stored_paise, computed_paise, first_version, entries)
       values (gen_random_uuid(), :d, 'production', gen_random_uuid(), 1, 0, 0, 1, 0)`,
    ],
    [
      'inserting an opening record',
      `insert into wallet_reopening values (:d, 'production', 1, gen_random_uuid(), 100000)`,
    ],
    ['rewriting a month that has not ended', `select order_month_step('infinity', 1, '0 s')`],
    ['hiding a change from the copy of a month', `delete from month_change`],
    ['hiding entries from the checks', `insert into archive_leaving values (:open, :d, 'production', 1)`],
    ['hiding a change from the archive of a month', `delete from archive_change`],
    ['beginning to archive a month', `select archive_begin(uuidv7())`],
    ['detaching the tables of a month', `select archive_step(uuidv7(), '0 s')`],
    ['hiding an opening record', `delete from wallet_reopening`],
    ['raising a balance', `update wallet set balance_paise = balance_paise + 100000 where developer_id = :d`],
    ['lowering a balance', `update wallet set balance_paise = 0 where developer_id = :d`],
    [
      'creating a wallet with money in it',
      `insert into wallet (developer_id, environment, balance_paise) values (uuidv7(), 'production', 100000)`,
    ],
    ['deleting a wallet', `delete from wallet where developer_id = :d`],
    ['renaming a setting, such as the second-approver rule', `update setting set name = 'another'`],
    ['deleting a setting', `delete from setting`],
    ['setting an order to success', `update orders set state = 'success', settled_at = now() where id = :open`],
    ['reopening a final order', `update orders set state = 'open', settled_at = null where id = :success`],
    ['changing the amount of an order', `update orders set amount_paise = 1 where id = :open`],
    [
      'placing an order without a hold',
      `insert into orders (developer_id, id, reference, environment, operation, fingerprint, amount_paise, provider, request, account_hash)
      values (:d, gen_random_uuid(), repeat('0', 25), 'production', 'recharge', decode(repeat('00', 32), 'hex'), 1, 'ROUNDPAY', '', decode(repeat('00', 32), 'hex'))`,
    ],
    ['deleting an order', `delete from orders where id = :open`],
    ['bypassing its partitions', `select from orders_default, order_due for update`],
    ['deleting an idempotency key', `delete from order_key where developer_id = :d`],
    ['claiming a bill', `insert into bill_claim values (:d, decode('00', 'hex'), :open)`],
    ['making an order due for a check', `update order_due set due_at = now()`],
    ['hiding an order from review', `delete from order_review`],
    ['forging the response of a lookup', `insert into lookup_answer values (:d, :open, now(), '')`],
    ['changing evidence', `update order_event set detail = '{}' where developer_id = :d`],
    ['deleting evidence', `delete from order_event where developer_id = :d`],
    ['changing the audit log', `update audit_entry set reason = 'none'`],
    ['deleting the audit log', `delete from audit_entry`],
    [
      'executing an approval request that does not exist',
      `update approval_request set requested_by = uuidv7(), final_state = 'approved'`,
    ],
    [
      'forging a webhook event',
      `insert into webhook_outbox (developer_id, order_id, event) values (:d, :open, 'succeeded')`,
    ],
    ['moving a checkpoint of the ledger check', `update ledger_checkpoint set snapshot = pg_current_snapshot()`],
    ['moving the checkpoint of a wallet', `update wallet_checkpoint set version = 0`],
    ['inserting a checkpoint', `insert into wallet_checkpoint values (:d, 'production', 1, 1, now())`],
    ['deleting the checkpoints', `delete from wallet_checkpoint`],
    ['changing a provider payable', `update ledger_total set amount_paise = 0`],
    ['postponing the full check', `update ledger_full_check set completed_at = now(), next_step_at = 'infinity'`],
    ['hiding its findings', `delete from ledger_full_finding`],
    ['skipping a part of it', `delete from ledger_full_part`],
    ['stopping its workers', `update ledger_full_worker set next_step_at = 'infinity'`],
    ['blocking every check', `select books_alone()`],
    ['dropping a rule', `alter table wallet drop constraint wallet_balance_paise_check`],
    ['disabling rules', `alter table transfer disable trigger all`],
    [
      'replacing a posting function',
      `create or replace function ledger_check() returns table (rule text, developer_id uuid, detail text) language sql as $$ select null, null, null where false $$`,
    ],
    ['creating functions', `create function public.ledger_hold() returns integer language sql as 'select 1'`],
    ['dropping a table', `drop table transfer`],
    [
      'granting itself more permissions',
      `grant update on wallet to gateway_app; update wallet set balance_paise = 0 where developer_id = :d`,
    ],
    ['skipping rules as a replica', `set session_replication_role = replica`],
    ['becoming the owner', `set role postgres`],
    ['setting the session user to the owner', `set session authorization postgres`],
    ['resetting its role', `set role none; update wallet set balance_paise = 0 where developer_id = :d`],
    [
      'resetting its role inside a query',
      `select set_config('role', 'none', false); update wallet set balance_paise = 0 where developer_id = :d`,
    ],
    ['reading passwords', `select rolpassword from pg_authid`],
    ['reading files of the server', `select pg_read_file('PG_VERSION')`],
    ['running programs on the server', `copy wallet to program 'cat'`],
  ])('%s', async (_name, sql) => {
    await expect(asApplication(sql)).rejects.toMatchObject({ code: INSUFFICIENT_PRIVILEGE });
    expect(await test.violations()).toEqual([]);
    expect(await test.balance(developer)).toBe(500);
  });

  it('the role has exactly the permissions on money that it needs', async () => {
    const rights = await test.db.query<{ right: string }>(
      `select table_name || ' ' || string_agg(distinct privilege_type, ',' order by privilege_type) as right from information_schema.role_table_grants
       where grantee = 'gateway_app' and table_name in ('wallet', 'orders', 'transfer', 'order_event', 'ledger_entry', 'correction', 'top_up', 'webhook_outbox', 'ledger_checkpoint', 'wallet_checkpoint', 'ledger_total', 'ledger_full_check', 'ledger_full_part', 'ledger_full_worker', 'ledger_full_total', 'ledger_full_finding', 'ledger_reference', 'wallet_opening', 'wallet_correction', 'wallet_reopening', 'archived_total', 'archived_order', 'ledger_archive', 'booked_entry', 'archive_month', 'archive_leaving', 'archive_change', 'archive_staged_wallet', 'archive_staged_total')
       group by table_name order by 1`,
    );
    expect(rights.map(({ right }) => right)).toEqual([
      'archived_order SELECT',
      'archived_total SELECT',
      'booked_entry SELECT',
      'ledger_archive SELECT',
      'ledger_checkpoint SELECT',
      'ledger_entry SELECT',
      'ledger_full_check SELECT',
      'ledger_full_finding SELECT',
      'ledger_full_part SELECT',
      'ledger_full_worker SELECT',
      'ledger_reference SELECT',
      'ledger_total SELECT',
      'order_event INSERT,SELECT',
      'orders SELECT',
      'transfer SELECT',
      'wallet SELECT',
      'wallet_checkpoint SELECT',
      'wallet_correction SELECT',
      'wallet_opening SELECT',
      'wallet_reopening SELECT',
      'webhook_outbox SELECT',
    ]);
    const columns = await test.db.query<{ column_name: string }>(
      `select column_name from information_schema.column_privileges where grantee = 'gateway_app' and table_name = 'wallet' and privilege_type = 'INSERT' order by 1`,
    );
    expect(columns.map(({ column_name }) => column_name)).toEqual(['developer_id', 'environment']);
  });

  it('no other role can call the posting functions', async () => {
    const open_to_all = await test.db.query(
      `select p.proname from pg_proc p join pg_namespace n on n.oid = p.pronamespace
       where n.nspname = 'public' and p.prosecdef and has_function_privilege('public', p.oid, 'execute')`,
    );
    expect(open_to_all).toEqual([]);
    const unsafe = await test.db.query(
      `select p.proname from pg_proc p join pg_namespace n on n.oid = p.pronamespace
       where n.nspname = 'public' and p.prosecdef and not coalesce(p.proconfig @> array['search_path=public, pg_temp'], false)`,
    );
    expect(unsafe).toEqual([]);
  });
});

describe('the posting functions reject', () => {
  const call = async (sql: string): Promise<string> =>
    Object.values((await asApplication(sql)).rows[0] as Record<string, string>)[0]!;
  const resolve = (id: string, ok: boolean) =>
    `select outcome from ledger_resolve(array[:d], array[${id}::uuid], array[${ok}], array['\\x00'::bytea], array[''], array['response'], array['{}'::jsonb])`;
  const hold = (amount: string, more: { id?: string; operation?: string; fingerprint?: string } = {}) =>
    `select outcome from ledger_hold(array[:d], array['production'], array['${more.operation ?? 'recharge'}'], array[${more.id ?? 'gen_random_uuid()'}::uuid], array[left(md5(random()::text), 25)], array[null], array[decode(repeat('${more.fingerprint ?? '00'}', 32), 'hex')],
      array[${amount}::bigint], array['ROUNDPAY'], array['\\x00'::bytea], array[decode(repeat('00', 32), 'hex')], array[1000])`;
  const post = (kind: string, amount: string) =>
    `select outcome from ledger_post(:d, 'production', gen_random_uuid(), '${kind}', ${amount}, 'x')`;

  it.each([true, false])('a second resolution, whatever it is (success: %s)', async (ok) => {
    for (const id of [':success', ':failed']) expect(await call(resolve(id, ok))).toBe('already');
    expect(await test.balance(developer)).toBe(500);
  });

  it('a resolution of an order that does not exist', async () => {
    expect(await call(resolve(`'${newId()}'`, false))).toBe('already');
    expect(await test.balance(developer)).toBe(500);
  });

  it("a resolution of another developer's order", async () => {
    const other = await test.wallet(0);
    const { rows } = await test.pool.query(
      `select outcome from ledger_resolve(array[$1::uuid], array[$2::uuid], array[false], array['\\x00'::bytea], array[''], array['response'], array['{}'::jsonb])`,
      [other, orders.open],
    );
    expect(rows).toEqual([{ outcome: 'already' }]);
    expect(await test.balance(other)).toBe(0);
  });

  it('an overdraft, by hold and by lead fee', async () => {
    expect(await call(hold('501'))).toBe('insufficient');
    expect(await call(post('lead_fee', '501'))).toBe('insufficient');
    expect(await call(hold('500'))).toBe('accepted');
    expect(await test.balance(developer)).toBe(0);
  });

  it.each([
    ['a negative hold', hold('-100'), CHECK_VIOLATION],
    ['a hold of zero', hold('0'), CHECK_VIOLATION],
    ['a negative top-up', post('top_up', '-100'), '22023'],
    ['a negative lead fee', post('lead_fee', '-100'), '22023'],
    ['an amount that is not a number', post('top_up', 'null'), '22023'],
    ['a refund without a hold', post('refund', '100'), '22023'],
    ['a settlement without a hold', post('settle', '100'), '22023'],
    ['a correction without an approved request', post('correction', '100'), '22023'],
    ['an unknown operation', hold('1', { operation: 'gift' }), CHECK_VIOLATION],
    ['a hold without a fingerprint', hold('1', { fingerprint: '' }), CHECK_VIOLATION],
    ['an amount out of range', hold('9223372036854775808'), '22003'],
  ])('%s', async (_name, sql, code) => {
    await expect(asApplication(sql)).rejects.toMatchObject({ code });
    expect(await test.balance(developer)).toBe(500);
    expect(await test.violations()).toEqual([]);
  });

  it('a duplicate hold, subject or reference', async () => {
    expect(await call(hold('1', { id: ':open' }))).toBe('duplicate');
    expect(await test.topUp(developer, 100, 'bank 1')).toBe('posted');
    expect(await test.topUp(developer, 100, 'bank 1')).toBe('duplicate');
    expect(await test.balance(developer)).toBe(600);
  });

  it('a reversal of an order that is not a success, and a second one', async () => {
    const reverse = (id: string) => call(`select ledger_reverse(:d, ${id}, '{}')`);
    expect(await reverse(':open')).toBe('not_success');
    expect(await reverse(':failed')).toBe('not_success');
    expect(await reverse(`'${newId()}'`)).toBe('missing');
    expect(await reverse(':success')).toBe('reversed');
    expect(await reverse(':success')).toBe('already');
    expect(await test.balance(developer)).toBe(700);
  });

  it('changes that make a resolved order open or unsettled', async () => {
    expect(await call(`select order_unknown(:d, :success, 0, 0, true, true, true, '', 'status_check', '{}')`)).toBe(
      'already',
    );
    expect(await call(`select order_doubt(:d, :failed, 0)`)).toBe(false);
    const { rows } = await asApplication(`select state from orders where id in (:success, :failed) order by state`);
    expect(rows).toEqual([{ state: 'failed' }, { state: 'success' }]);
  });
});

it('the tables reject forbidden changes even by the owner', async () => {
  const asOwner = (sql: string) => test.db.query(filled(sql));
  await expect(asOwner(`update wallet set balance_paise = -1 where developer_id = :d`)).rejects.toMatchObject({
    code: CHECK_VIOLATION,
  });
  await expect(
    asOwner(`insert into transfer select * from transfer where subject_id = :success and step = 2`),
  ).rejects.toMatchObject({ code: '23505' });
  await expect(
    asOwner(
      `insert into transfer (developer_id, subject_id, step, kind, operation, environment, amount_paise) values (:d, :success, 3, 'settle', 'recharge', 'production', 200)`,
    ),
  ).rejects.toMatchObject({ code: CHECK_VIOLATION });
  await expect(
    asOwner(`update transfer set amount_paise = -amount_paise where subject_id = :open`),
  ).rejects.toMatchObject({ code: CHECK_VIOLATION });
  await expect(
    asOwner(`update orders set reversed_at = now(), reversed_by = 'support' where id = :failed`),
  ).rejects.toMatchObject({
    code: CHECK_VIOLATION,
  });
  await expect(asOwner(`update orders set state = 'success' where id = :open`)).rejects.toMatchObject({
    code: CHECK_VIOLATION,
  });
});
