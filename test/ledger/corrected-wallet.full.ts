import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { indianDay } from '../../src/core/clock.js';
import { csvOf } from '../../src/core/csv.js';
import type { DeveloperId } from '../../src/core/principal.js';
import type { Violation } from '../../src/ledger/books-check.js';
import { DailyStatementService } from '../../src/ledger/daily-statement.service.js';
import { StatementService } from '../../src/ledger/statement.service.js';
import { statementColumns, statementRows } from '../../src/ledger/statement-table.js';
import { knownCorrections } from '../../src/ledger/wallet-difference.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { archiveOf, monthsBefore, openedAt, orderAt } from './archive.fixture.js';
import { type Corrections, correctionsOf } from './corrected-wallet.fixture.js';
import { holdOf, resolutionOf, startTestLedger, type TestLedger } from './ledger.fixture.js';

let test: TestLedger;
let corrections: Corrections;
beforeAll(async () => {
  test = await startTestLedger();
  corrections = correctionsOf(test);
});
afterAll(async () => {
  await corrections.close();
  await test.close();
});

const RULE = 'balance is the sum of transfers';

/** Places orders of 10 paise, which succeed. */
async function trade(developerId: DeveloperId, orders: number): Promise<void> {
  for (let n = 0; n < orders; n++) {
    const hold = holdOf(developerId, 10);
    expect((await test.ledger.hold(hold)).outcome).toBe('accepted');
    await test.ledger.resolve(resolutionOf({ developerId, id: hold.id }, true));
  }
}
const changeBy = (developerId: DeveloperId, paise: number) =>
  test.db.query(
    `update wallet set balance_paise = balance_paise + $2 where developer_id = $1 and environment = 'production'`,
    [developerId, paise],
  );
const changeLine = (developerId: DeveloperId, version: number, paise: number) =>
  test.db.query(
    `update transfer set balance_after_paise = balance_after_paise + $3 where developer_id = $1 and wallet_version = $2`,
    [developerId, version, paise],
  );

/** Violations that each of the three checks finds. */
async function found(lines = 1_000): Promise<{ ofNew: Violation[]; ofAll: Violation[]; stepped: Violation[] }> {
  const ofNew = await test.ledger.checkNew();
  const ofAll = await test.ledger.check();
  await test.steppedViolations(lines);
  return { ofNew, ofAll, stepped: (await test.ledger.lastFullCheck()).violations };
}
const right = { ofNew: [], ofAll: [], stepped: [] };

/** Violations that the steps of a run return, each as often as a step returns it. */
async function violationsOfSteps(lines: number): Promise<Violation[]> {
  const all: Violation[] = [];
  for (;;) {
    const { outcome, violations } = await test.step(lines);
    all.push(...violations);
    if (outcome === 'complete') return all;
  }
}

/** An account with 1,000 paise and an order. Then the owner of the tables adds 100 with SQL, and three orders follow. */
async function brokenWallet(paise = 100): Promise<DeveloperId> {
  const developerId = await test.wallet(1_000);
  await trade(developerId, 1);
  expect(await test.newViolations()).toEqual([]);
  await changeBy(developerId, paise);
  await trade(developerId, 3);
  return developerId;
}

describe('a wallet whose balance changed without a transfer', () => {
  it('is one violation, with its first wrong version and the difference, however many entries follow', async () => {
    const developerId = await brokenWallet();
    const detail = 'production: wrong from version 3 on by 100 paise, 3 entries; balance 1060, sum of transfers 960';
    const { ofNew, ofAll, stepped } = await found(3);
    expect(ofNew).toEqual([{ rule: RULE, developerId, detail }]);
    expect(ofAll).toEqual(ofNew);
    // the run finds the violation at the end of its part, version 3
    expect(stepped).toEqual([
      { rule: RULE, developerId, detail: 'production: wrong from version 3 on by 100 paise, 1 entries' },
    ]);
    expect(await violationsOfSteps(3)).toEqual(stepped);
    await corrections.correct(developerId);
    // the correction removes the finding of the full check, not the next run
    expect((await test.ledger.lastFullCheck()).violations).toEqual([]);
  });

  it('is one violation before any entry follows, and after the balance was changed back', async () => {
    const developerId = await test.wallet(1_000);
    await trade(developerId, 1);
    await changeBy(developerId, -7);
    expect(await test.ledger.check()).toEqual([
      {
        rule: RULE,
        developerId,
        detail: 'production: wrong from version 3 on by -7 paise, 0 entries; balance 983, sum of transfers 990',
      },
    ]);
    await trade(developerId, 2);
    await changeBy(developerId, 7);
    await trade(developerId, 4);
    const detail = 'production: wrong from version 3 on by -7 paise, 2 entries; balance 930, sum of transfers 930';
    const { ofNew, ofAll, stepped } = await found(3);
    expect(ofNew).toEqual([{ rule: RULE, developerId, detail }]);
    expect(ofAll).toEqual(ofNew);
    expect(stepped).toHaveLength(1);

    // no amount is posted: the correction has only opening records
    const reopened = await corrections.correct(developerId);
    expect(reopened).toMatchObject({ outcome: 'posted', changePaise: 0n, balancePaise: 930n, entries: 2 });
    expect(
      await test.db.query('select from transfer where developer_id = $1 and kind = $2', [developerId, 'correction']),
    ).toEqual([]);
    expect(await found()).toEqual(right);
    await trade(developerId, 1);
    expect(await found()).toEqual(right);
  });

  it('passes the checks after its correction, which is on the statement, and accepts further orders', async () => {
    const developerId = await brokenWallet();
    const difference = (await corrections.difference(developerId))!;
    expect(difference).toEqual({
      version: '5',
      firstVersion: '3',
      storedPaise: 1_060n,
      computedPaise: 960n,
      entries: 3,
      steps: [[2, 100]],
      isWhole: true,
    });
    const approvalRequestId = await corrections.approval(developerId, difference, 'approved');
    // orders of the wallet continue during the correction
    await trade(developerId, 2);
    expect(await corrections.post(approvalRequestId)).toEqual({
      outcome: 'posted',
      developerId,
      environment: 'production',
      changePaise: -100n,
      balancePaise: 940n,
      version: '8',
      firstVersion: '3',
      entries: 5,
    });
    expect(await found()).toEqual(right);
    expect(await corrections.difference(developerId)).toBeUndefined();
    expect(await knownCorrections(test.pool)).toContainEqual({
      developerId,
      environment: 'production',
      approvalRequestId,
      firstVersion: '3',
      entries: 5,
      at: expect.any(Date),
    });

    await trade(developerId, 1);
    expect(await found()).toEqual(right);
    const statement = new StatementService(test.pool);
    const reference = `apr_${approvalRequestId}`;
    const line = { kind: 'correction', amountPaise: -100n, balanceAfterPaise: 940n, reference };
    const { edges } = await statement.page(developerId, 'production', { first: 2 });
    expect(edges[1]!.node).toMatchObject(line);
    for (const filter of [{ kinds: ['correction'] as const }, { reference }]) {
      const page = await statement.page(developerId, 'production', { first: 5 }, filter);
      expect(page.edges.map(({ node }) => node)).toEqual([expect.objectContaining(line)]);
    }
    const day = indianDay(new Date());
    const daily = new DailyStatementService(test.pool);
    expect(await daily.days(developerId, 'production', day, day)).toMatchObject([
      // 1,000 credited and 100 added by SQL; seven orders and the correction
      { openingPaise: 0n, creditsPaise: 1_100n, debitsPaise: 170n, closingPaise: 930n },
    ]);
    const records: string[][] = [];
    const rows = statementRows({ statement, daily }, developerId, 'production', day, day);
    for await (const text of csvOf(statementColumns, rows))
      records.push(
        ...text
          .trimEnd()
          .split('\r\n')
          .map((record) => record.split(',')),
      );
    expect(records.map(([, , kind, , credit, debit, balance]) => `${kind} ${credit}|${debit} ${balance}`)).toEqual([
      'kind credit|debit balance',
      'opening | 0.00',
      'top_up 10.00| 10.00',
      'hold |0.10 9.90',
      'unrecorded_change 1.00| 10.90',
      ...['10.80', '10.70', '10.60', '10.50', '10.40'].map((balance) => `hold |0.10 ${balance}`),
      'correction |1.00 9.40',
      'hold |0.10 9.30',
      'closing | 9.30',
    ]);
    expect(records[4]![3]).toBe(reference);
  });

  it('is credited with an amount that was taken from it, and the entry is in the credits of its day', async () => {
    const developerId = await brokenWallet(-40);
    const { changePaise, balancePaise } = await corrections.correct(developerId);
    expect([changePaise, balancePaise]).toEqual([40n, 960n]);
    expect(await found()).toEqual(right);
    const day = indianDay(new Date());
    expect(await new DailyStatementService(test.pool).days(developerId, 'production', day, day)).toMatchObject([
      { creditsPaise: 1_040n, debitsPaise: 80n, closingPaise: 960n },
    ]);
  });

  it('can have several changes, of its balance and of entries, also of the last checked entry', async () => {
    const developerId = await test.wallet(1_000);
    await trade(developerId, 4);
    expect(await test.newViolations()).toEqual([]);
    await changeLine(developerId, 2, 5);
    await changeLine(developerId, 5, 3);
    await changeBy(developerId, 20);
    expect((await corrections.difference(developerId))!).toMatchObject({
      firstVersion: '2',
      steps: [
        [1, 5],
        [2, -5],
        [4, 3],
        [5, 17],
      ],
    });
    expect(await test.ledger.check()).toHaveLength(1);
    expect(await corrections.correct(developerId)).toMatchObject({ changePaise: -20n, balancePaise: 960n, entries: 2 });
    expect(await found()).toEqual(right);
    await trade(developerId, 2);
    expect(await found()).toEqual(right);
    // a second correction
    await changeBy(developerId, 1);
    await changeLine(developerId, 8, 1);
    expect(await test.ledger.check()).toHaveLength(1);
    expect((await test.ledger.checkNew()).length).toBe(1);
    await corrections.correct(developerId);
    expect(await found()).toEqual(right);
    // a run in parts of one entry adds up the same as a check of the whole wallet
    await changeBy(developerId, 1);
    const { ofAll, stepped } = await found(1);
    expect(ofAll).toHaveLength(1);
    expect(stepped).toEqual(ofAll);
    await changeBy(developerId, -1);
    expect(await found()).toEqual(right);
  });

  it('passes the checks on a server that checks everything again after a dump was restored', async () => {
    const developerId = await brokenWallet();
    await corrections.correct(developerId);
    await test.db.query(`update ledger_checkpoint set system_identifier = 1, snapshot = '1500000:1500000:'`);
    expect(await found()).toEqual(right);
    await trade(developerId, 1);
    expect(await found()).toEqual(right);
  });

  it.each([
    ['between its opening records and the correction', 0, 1],
    ['with the correction', 1, 0],
  ])('is archived up to an entry %s, and the ledger balances', async (_name, month, stay) => {
    const developerId = await test.wallet(10_000);
    await openedAt(test, developerId, monthsBefore(3));
    const paid = (months: number) =>
      orderAt(test, developerId, 10, monthsBefore(months), { at: monthsBefore(months), success: true });
    await paid(3);
    await changeBy(developerId, 100);
    await paid(2);
    await changeBy(developerId, 11);
    await paid(1);
    const { version } = await corrections.correct(developerId);
    await test.db.query(`update transfer set created_at = $3 where developer_id = $1 and wallet_version = $2`, [
      developerId,
      version,
      monthsBefore(month).toISOString(),
    ]);
    await paid(0);
    expect(await found()).toEqual(right);
    const archive = archiveOf(test);
    try {
      await archive.run(temporaryDirectory());
    } finally {
      await archive.close();
    }
    const stored = await test.db.query(`select from transfer where developer_id = $1 and kind = 'correction'`, [
      developerId,
    ]);
    expect(stored).toHaveLength(stay);
    expect(await found()).toEqual(right);
    await trade(developerId, 1);
    expect(await found()).toEqual(right);
  });
});

describe('the corrected entries of a wallet', () => {
  it.each<[string, string, string]>([
    [
      'a known entry changes again',
      RULE,
      `update transfer set balance_after_paise = balance_after_paise + 1 where developer_id = $1 and wallet_version = 4`,
    ],
    [
      'an opening record changes',
      RULE,
      `update wallet_reopening set change_paise = change_paise + 1 where developer_id = $1`,
    ],
    ['an opening record is deleted', RULE, `delete from wallet_reopening where developer_id = $1`],
    [
      'the correction has a different amount',
      'a correction posts the opposite of its opening records',
      `update wallet_correction set computed_paise = computed_paise + 1 where developer_id = $1`,
    ],
    [
      'the correction has no approval',
      'a correction was approved',
      `with known as (delete from wallet_reopening where developer_id = $1)
       delete from wallet_correction where developer_id = $1`,
    ],
  ])('is a violation again when %s', async (_name, rule, damage) => {
    const developerId = await brokenWallet();
    await corrections.correct(developerId);
    expect(await found()).toEqual(right);
    const client = new Client({ connectionString: test.db.url });
    await client.connect();
    try {
      await client.query('begin');
      await client.query('set local session_replication_role = replica');
      await client.query(damage, [developerId]);
      const { rows } = await client.query<{ rule: string }>('select rule from ledger_check_of(array[$1::uuid])', [
        developerId,
      ]);
      expect(rows.map((row) => row.rule)).toContain(rule);
    } finally {
      await client.query('rollback');
      await client.end();
    }
    expect(await found()).toEqual(right);
  });
});

describe('a correction is not posted', () => {
  const outcomeOf = async (approvalRequestId: string) => (await corrections.post(approvalRequestId)).outcome;

  it('without an approved request, twice, or when the difference has changed', async () => {
    const developerId = await brokenWallet();
    const difference = (await corrections.difference(developerId))!;
    expect(await outcomeOf('00000000-0000-7000-8000-000000000000')).toBe('missing');
    expect(await outcomeOf(await corrections.approval(developerId, difference))).toBe('not_approved');
    await test.db.query(
      `update approval_request set final_state = 'expired', resolved_at = now() where final_state is null`,
    );
    expect(await outcomeOf(await corrections.approval(developerId, difference, 'rejected'))).toBe('not_approved');
    const approved = await corrections.approval(developerId, difference, 'approved');
    await changeBy(developerId, 1);
    expect(await outcomeOf(approved)).toBe('changed');
    await changeBy(developerId, -1);
    expect(await outcomeOf(approved)).toBe('posted');
    expect(await outcomeOf(approved)).toBe('already');
    expect(await found()).toEqual(right);
  });

  it('when the wallet balance is below the debit of the correction, or entries are missing', async () => {
    const developerId = await test.wallet(1_000);
    await changeBy(developerId, 100);
    const spent = holdOf(developerId, 1_050);
    await test.ledger.hold(spent);
    const approved = await corrections.approval(developerId, (await corrections.difference(developerId))!, 'approved');
    expect(await outcomeOf(approved)).toBe('insufficient');
    await test.topUp(developerId, 50, 'the rest');
    const [line] = await test.db.query<{ rows: string }>(
      `with gone as (delete from transfer where developer_id = $1 and wallet_version = 2 returning *) select jsonb_agg(gone)::text as rows from gone`,
      [developerId],
    );
    expect(await outcomeOf(approved)).toBe('incomplete');
    expect((await corrections.difference(developerId))!.isWhole).toBe(false);
    await test.db.query(`insert into transfer select * from jsonb_populate_recordset(null::transfer, $1)`, [
      line!.rows,
    ]);
    expect(await outcomeOf(approved)).toBe('posted');
    expect(await found()).toEqual(right);
  });

  it('while a full check is running', async () => {
    const developerId = await brokenWallet();
    const approved = await corrections.approval(developerId, (await corrections.difference(developerId))!, 'approved');
    const hand = await test.pool.connect();
    try {
      await hand.query('begin; select pg_advisory_xact_lock_shared(7401255)');
      expect(await outcomeOf(approved)).toBe('busy');
    } finally {
      await hand.query('rollback');
      hand.release();
    }
    expect(await outcomeOf(approved)).toBe('posted');
  });

  it('without its audit entry', async () => {
    const developerId = await brokenWallet();
    const approved = await corrections.approval(developerId, (await corrections.difference(developerId))!, 'approved');
    await expect(test.db.query(`select outcome from ledger_reopen($1, uuidv7())`, [approved])).rejects.toMatchObject({
      constraint: 'correction_has_an_audit_entry',
    });
    // A check by the service itself can hold the lock for a moment.
    await expect.poll(() => outcomeOf(approved)).toBe('posted');
    expect(await found()).toEqual(right);
  });
});
