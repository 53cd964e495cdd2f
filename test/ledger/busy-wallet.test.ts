import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DeveloperId } from '../../src/core/principal.js';
import { LedgerService } from '../../src/ledger/ledger.service.js';
import { holdOf, resolutionOf, startTestLedger, type TestLedger } from './ledger.fixture.js';

let test: TestLedger;
beforeAll(async () => {
  test = await startTestLedger();
});
afterAll(() => test.close());

/** Locks wallets, as a psql session can. */
async function lock(...developerIds: DeveloperId[]): Promise<() => Promise<void>> {
  const connection = new Client({ connectionString: test.db.url });
  await connection.connect();
  await connection.query('begin');
  await connection.query('select from wallet where developer_id = any($1) for update', [developerIds]);
  return () => connection.end();
}

it.each([1, 4, 40])(
  '%i locked wallets delay no other wallet, not even a wallet that was locked briefly',
  async (count) => {
    const ledger = new LedgerService(test.pool, { retryHoldForMs: 30_000 });
    const [moment, other] = [await test.wallet(10_000), await test.wallet(10_000)];
    const locked: DeveloperId[] = [];
    for (let n = 0; n < count; n++) locked.push(await test.wallet(10_000));
    const opened = holdOf(locked[0]!, 100);
    await ledger.hold(opened);
    const unlock = await lock(...locked);
    let ended = 0;
    const countEnd = <T>(call: Promise<T>): Promise<T> => call.finally(() => ended++);
    const calls: Promise<{ outcome: string }>[] = [countEnd(ledger.resolve(resolutionOf(opened, false)))];
    for (const developerId of locked)
      for (let n = 0; n < 3; n++) calls.push(countEnd(ledger.hold(holdOf(developerId, 100))));
    const unlockMoment = await lock(moment);
    const first = ledger.hold(holdOf(moment, 100));
    // Both were in one batch.
    await ledger.hold(holdOf(other, 100));
    await unlockMoment();
    const charge = async (developerId: DeveloperId): Promise<void> => {
      // In one batch with postings of locked wallets.
      calls.push(countEnd(ledger.hold(holdOf(locked[0]!, 100))));
      const hold = holdOf(developerId, 100);
      expect((await ledger.hold(hold)).outcome).toBe('accepted');
      expect((await ledger.resolve(resolutionOf(hold, false))).outcome).toBe('refund');
    };
    expect((await first).outcome).toBe('accepted');
    for (let n = 0; n < 10; n++) await Promise.all([charge(moment), charge(other)]);
    expect(ended).toBe(0);
    await unlock();
    const outcomes = (await Promise.all(calls)).map(({ outcome }) => outcome);
    expect(outcomes).toEqual(['refund', ...Array.from({ length: calls.length - 1 }, () => 'accepted')]);
    expect(ledger.backlog).toBe(0);
    expect(await test.balance(locked[0]!)).toBe(10_000 - 23 * 100);
    expect(await test.violations()).toEqual([]);
  },
);

it('calls whose wallet stays locked fail, and the next call after the lock is posted', async () => {
  const ledger = new LedgerService(test.pool, { retryHoldForMs: 300 });
  const developerId = await test.wallet(10_000);
  const unlock = await lock(developerId);
  const failed: string[] = [];
  const attempt = (name: string): Promise<unknown> =>
    ledger.hold(holdOf(developerId, 100)).catch((error: { code: string }) => failed.push(`${name} ${error.code}`));
  const first = attempt('first');
  await ledger.hold(holdOf(await test.wallet(100), 100));
  await Promise.all([first, attempt('second')]);
  expect(failed).toEqual(['first DEPENDENCY_DOWN', 'second DEPENDENCY_DOWN']);
  const third = ledger.hold(holdOf(developerId, 100));
  await unlock();
  expect((await third).outcome).toBe('accepted');
  expect(await test.balance(developerId)).toBe(9_900);
});

it('a locked order delays no other order of a batch', async () => {
  const developer = await test.wallet(10_000);
  const [first, second] = [holdOf(developer, 100), holdOf(developer, 100)];
  await Promise.all([test.ledger.hold(first), test.ledger.hold(second)]);
  const connection = await test.pool.connect();
  await connection.query('begin');
  await connection.query('select order_ask($1)', [first.id]);
  let isResolved = false;
  const pending = test.ledger.resolve(resolutionOf(first, true)).finally(() => (isResolved = true));
  expect((await test.ledger.resolve(resolutionOf(second, true))).outcome).toBe('settle');
  expect(isResolved).toBe(false);
  await connection.query('rollback');
  connection.release();
  expect((await pending).outcome).toBe('settle');
  expect(await test.violations()).toEqual([]);
});
