import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { indianDay } from '../../src/core/clock.js';
import { newId, referenceOf } from '../../src/core/ids.js';
import { DailyStatementService } from '../../src/ledger/daily-statement.service.js';
import type { Hold } from '../../src/ledger/ledger.service.js';
import { holdOf, resolutionOf, startTestLedger, type TestLedger } from './ledger.fixture.js';

// The primary key and the checks of the tables reject these too, with an error; the functions detect them before that.
let test: TestLedger;
beforeAll(async () => {
  test = await startTestLedger();
});
afterAll(() => test.close());
afterEach(async () => expect(await test.violations()).toEqual([]));

async function placeOrder(more: Partial<Hold> = {}): Promise<Hold> {
  const hold = holdOf(await test.wallet(1_000), 300, more);
  expect((await test.ledger.hold(hold)).outcome).toBe('accepted');
  return hold;
}

describe('a posting', () => {
  it.each([true, false])('is resolved once: another resolution changes nothing (settled: %s)', async (settled) => {
    const hold = await placeOrder();
    const { balancePaise, version, settledAt } = await test.ledger.resolve(resolutionOf(hold, settled));
    expect([version, settledAt]).toEqual([settled ? 2 : 3, expect.any(Date)]);
    for (const success of [true, false])
      expect(await test.ledger.resolve(resolutionOf(hold, success))).toEqual({
        outcome: 'already',
        balancePaise,
        version,
        settledAt: null,
      });
  });

  it.each([true, false])('is not checked with the provider once it is resolved (settled: %s)', async (settled) => {
    const hold = await placeOrder();
    await test.ledger.resolve(resolutionOf(hold, settled));
    const rowsBefore = await test.db.query('select * from orders where id = $1', [hold.id]);
    const [response] = await test.db.query(
      `select order_unknown($1, $2, 0, 0, false, true, false, '', 'status_check', '{}') as state`,
      [hold.developerId, hold.id],
    );
    expect(response).toEqual({ state: 'already' });
    expect(await test.db.query('select * from orders where id = $1', [hold.id])).toEqual(rowsBefore);
  });

  it.each([
    ['recharge', true, 1],
    ['recharge', false, 0],
    ['lookup', true, 0],
    ['lookup', false, 0],
  ] as const)('is checked again if it is a successful payment (%s, %s)', async (operation, ok, due) => {
    const hold = await placeOrder({ operation });
    expect((await test.ledger.resolve(resolutionOf(hold, ok, { recheckAfterMs: 1_000 }))).outcome).not.toBe('already');
    expect(await test.db.query('select from order_due where order_id = $1', [hold.id])).toHaveLength(due);
  });

  it('of a lookup has a protected idempotency key for ten minutes', async () => {
    const of = { operation: 'lookup', clientKey: 'same' } as const;
    const first = await placeOrder(of);
    await test.ledger.resolve(resolutionOf(first, true));
    const retry = () => test.ledger.hold(holdOf(first.developerId, 300, of));
    const age = (minutes: number) =>
      test.db.query(`update lookup_answer set settled_at = now() - $2 * interval '1 minute' where order_id = $1`, [
        first.id,
        minutes,
      ]);
    for (const minutes of [0, 9]) {
      await age(minutes);
      expect(await retry()).toMatchObject({ outcome: 'duplicate', orderId: first.id });
    }
    expect(await test.balance(first.developerId)).toBe(700);
    await age(11);
    expect((await retry()).outcome).toBe('accepted');
    expect(await test.balance(first.developerId)).toBe(400);
  });

  it('of a failed lookup releases its own idempotency key only, not an equal one of another order', async () => {
    const first = await placeOrder({ operation: 'lookup', clientKey: 'same' });
    const otherHold = holdOf(first.developerId, 300, { operation: 'lookup', clientKey: 'other' });
    await test.ledger.hold(otherHold);
    // As if the key of an open lookup could expire first.
    await test.db.query('delete from order_key where order_id = $1', [first.id]);
    await test.db.query(`update order_key set client_key = 'same' where order_id = $1`, [otherHold.id]);
    await test.ledger.resolve(resolutionOf(first, false));
    expect(await test.db.query('select from order_key where order_id = $1', [otherHold.id])).toHaveLength(1);
  });

  it('claims its bill again when its refund is reversed', async () => {
    const of = { operation: 'card_payment', fingerprint: Buffer.alloc(32, 7) } as const;
    const failed = await placeOrder(of);
    await test.ledger.resolve(resolutionOf(failed, false));
    const client = await test.pool.connect();
    const correct = async (kind: string) =>
      (
        await client.query(`select outcome from ledger_correct($1, $2, $3, uuidv7(), null, '{}')`, [
          failed.developerId,
          failed.id,
          kind,
        ])
      ).rows[0]!.outcome;
    const claims = async () =>
      (await client.query('select order_id as id from bill_claim where developer_id = $1', [failed.developerId])).rows;
    try {
      await client.query('begin');
      expect(await claims()).toEqual([]);
      expect(await correct('refund_reversal')).toBe('posted');
      expect(await claims()).toEqual([{ id: failed.id }]);
      await client.query('rollback'); // These have no audit entry.
      const other = holdOf(failed.developerId, 300, of);
      expect((await test.ledger.hold(other)).outcome).toBe('accepted');
      await client.query('begin');
      expect(await correct('refund_reversal')).toBe('bill_paid');
    } finally {
      await client.query('rollback');
      client.release();
    }
  });

  it.each(['lookup', 'card_bill'] as const)('is never reversed if it is a %s', async (operation) => {
    const hold = await placeOrder({ operation });
    await test.ledger.resolve(resolutionOf(hold, true));
    expect(await test.ledger.reverse(hold.developerId, hold.id, {})).toBe('not_success');
  });

  it('has no effect on other orders in its batch', async () => {
    const developerId = await test.wallet(1_000);
    const outcomes = await Promise.all(
      [
        { clientKey: 'one', amountPaise: 600 },
        { clientKey: 'one', amountPaise: 600 },
        { clientKey: 'other', amountPaise: 300 },
      ].map(({ clientKey, amountPaise }) => test.ledger.hold(holdOf(developerId, amountPaise, { clientKey }))),
    );
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['accepted', 'duplicate', 'accepted']);
  });

  it('is found by a second hold in its batch, whose statement does not fail', async () => {
    const developer = await test.wallet(1_000);
    const ids = [newId(), newId()];
    const two = (value: string): string => `array[${value}, ${value}]`;
    const outcomes = await test.db.query<{ outcome: string }>(
      `select outcome from ledger_hold(${two(`'${developer}'::uuid`)}, ${two(`'production'`)}, ${two(`'recharge'`)}, $1::uuid[], $2::text[], ${two(`'twice'`)},
        ${two(`decode(repeat('00', 32), 'hex')`)}, ${two('100::bigint')}, ${two(`'ROUNDPAY'`)}, ${two(`'\\x00'::bytea`)},
        ${two(`decode(repeat('00', 32), 'hex')`)}, ${two('1000')}) order by ord`,
      [ids, ids.map(referenceOf)],
    );
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['accepted', 'duplicate']);
  });

  it('is reversed once by staff, until its refund is reversed', async () => {
    const hold = await placeOrder();
    await test.ledger.resolve(resolutionOf(hold, true));
    const client = await test.pool.connect();
    const correct = async (kind: string): Promise<string> =>
      (
        await client.query<{ outcome: string }>(
          `select outcome from ledger_correct($1, $2, $3, uuidv7(), null, '{}')`,
          [hold.developerId, hold.id, kind],
        )
      ).rows[0]!.outcome;
    try {
      await client.query('begin');
      const outcomes: string[] = [];
      for (const kind of ['refund_reversal', 'reversal', 'reversal', 'refund_reversal', 'refund_reversal', 'reversal'])
        outcomes.push(await correct(kind));
      expect(outcomes).toEqual(['not_given_back', 'posted', 'not_charged', 'posted', 'not_given_back', 'posted']);
    } finally {
      await client.query('rollback'); // These have no audit entry.
      client.release();
    }
  });

  it('with a reference is credited once, even if the table is written directly', async () => {
    const developer = await test.wallet(0);
    await test.topUp(developer, 500, 'invoice 7');
    const [posted] = await test.db.query(
      `select outcome, balance from ledger_post($1, 'production', uuidv7(), 'top_up', 500, 'invoice 7')`,
      [developer],
    );
    expect(posted).toEqual({ outcome: 'duplicate', balance: '500' });
    const [line] = await test.db.query(
      `with posted as (
         insert into transfer (developer_id, subject_id, step, kind, operation, environment, amount_paise, wallet_version, balance_after_paise, reference)
         values ($1, uuidv7(), 1, 'top_up', 'top_up', 'production', 500, 2, 1000, 'invoice 7') returning *),
       paid as (update wallet set balance_paise = 1000, version = 2 where developer_id = $1 and environment = 'production')
       select subject_id from posted`,
      [developer],
    );
    expect(await test.newViolations()).toEqual(['a posting without an order has its reference']);
    expect(await test.violations()).toEqual(['a posting without an order has its reference']);
    const retry = test.db.query(
      `insert into ledger_reference values ($1, 'production', 'top_up', 'invoice 7', $2::uuid)`,
      [developer, line!.subject_id],
    );
    await expect(retry).rejects.toMatchObject({ code: '23505', constraint: 'ledger_reference_pkey' });
    await test.db.query('delete from transfer where subject_id = $1', [line!.subject_id]);
    await test.db.query('update wallet set balance_paise = 500, version = 1 where developer_id = $1 and version = 2', [
      developer,
    ]);
  });

  it('for a lead fee is made once, even if the transfer no longer exists', async () => {
    const developer = await test.wallet(500);
    const lead = newId();
    const fee = async () =>
      (
        await test.db.query(`select outcome from ledger_post($1, 'production', $2, 'lead_fee', 100, 'L-1')`, [
          developer,
          lead,
        ])
      )[0]!.outcome;
    expect(await fee()).toBe('posted');
    await test.db.query('update transfer set subject_id = $2 where subject_id = $1', [lead, newId()]);
    expect(await fee()).toBe('duplicate');
    await test.db.query(`update transfer set subject_id = $2 where developer_id = $1 and kind = 'lead_fee'`, [
      developer,
      lead,
    ]);
  });
});

it('the credits and debits of a day are the sums of its entries, of every kind', async () => {
  const developerId = await test.wallet(10_000);
  const placeHold = async (amountPaise: number): Promise<Hold> => {
    const hold = holdOf(developerId, amountPaise);
    expect((await test.ledger.hold(hold)).outcome).toBe('accepted');
    return hold;
  };
  const [settled, refunded] = [await placeHold(300), await placeHold(50)];
  await test.ledger.resolve(resolutionOf(settled, true));
  await test.ledger.resolve(resolutionOf(refunded, false));
  expect(await test.ledger.reverse(developerId, settled.id, {})).toBe('reversed');
  await placeHold(1_000);
  const client = await test.pool.connect();
  try {
    // These have no audit entry, so they cannot be committed.
    await client.query('begin');
    const charge = `select outcome from ledger_correct($1, $2, 'refund_reversal', uuidv7(), null, '{}')`;
    expect((await client.query(charge, [developerId, refunded.id])).rows).toEqual([{ outcome: 'posted' }]);
    for (const [kind, paise] of [
      ['lead_fee', 7],
      ['debit', 11],
      ['top_up', 13],
    ] as const)
      await client.query(`select ledger_post($1, 'production', uuidv7(), $2, $3, $4)`, [
        developerId,
        kind,
        paise,
        kind,
      ]);
    const { rows: lines } = await client.query<{ kind: string; change: number }>(
      'select kind, wallet_change::integer as change from ledger_entry where developer_id = $1',
      [developerId],
    );
    expect([...new Set(lines.map(({ kind }) => kind))].toSorted()).toEqual([
      'debit',
      'hold',
      'lead_fee',
      'refund',
      'refund_reversal',
      'reversal',
      'settle',
      'top_up',
    ]);
    const sum = (of: (change: number) => number): bigint =>
      BigInt(lines.reduce((total, { change }) => total + Math.max(0, of(change)), 0));
    const today = indianDay(new Date());
    expect(await new DailyStatementService(client).days(developerId, 'production', today, today)).toMatchObject([
      { openingPaise: 0n, creditsPaise: sum((change) => change), debitsPaise: sum((change) => -change) },
    ]);
  } finally {
    await client.query('rollback');
    client.release();
  }
});
