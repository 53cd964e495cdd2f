import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DeveloperId } from '../../src/core/principal.js';
import type { Hold } from '../../src/ledger/ledger.service.js';
import { deleteExpired } from '../../src/retention/expired-rows.js';
import { RETENTION } from '../retention/retention.fixture.js';
import { holdOf, resolutionOf, startTestLedger, type TestLedger } from './ledger.fixture.js';

/** Detection of duplicates among recharges without an idempotency key, tested directly on the database function. */
let test: TestLedger;
let developer: DeveloperId;
beforeAll(async () => {
  test = await startTestLedger();
});
afterAll(() => test.close());
beforeEach(async () => {
  developer = await test.wallet(10_000);
});

const fingerprint = Buffer.alloc(32, 1);
const arrival = (agoMs = 0, guardS = 0) => ({ guardS, arrivedMs: performance.now() - agoMs });
const keyless = (more: Partial<Hold> = {}): Hold =>
  holdOf(developer, 100, { fingerprint, keyless: arrival(), ...more });
/** Holds in one statement, in this order. */
const holdConcurrently = async (holds: readonly Hold[]) => {
  const results = await Promise.all(holds.map((hold) => test.ledger.hold(hold)));
  return results.map(({ outcome, orderId, likelyDuplicateOf }) => [
    outcome,
    holds.findIndex(({ id }) => id === orderId),
    likelyDuplicateOf,
  ]);
};
/** The caller received the response this long ago, by default too long ago for a duplicate to be detected. */
const responseReceived = async ({ developerId, id }: Hold, agoMs = 2_000) => {
  await test.pool.query('select keyless_answered($1, $2)', [[developerId], [id]]);
  await test.db.query(
    `update keyless_recharge set answered_at = answered_at - $2 * interval '1 ms' where developer_id = $1`,
    [developerId, agoMs],
  );
};

describe('among recharges in one statement', () => {
  it('the first is placed, and the others are its duplicates', async () => {
    expect(await holdConcurrently([keyless(), keyless(), keyless()])).toEqual([
      ['accepted', 0, undefined],
      ['repetition', 0, undefined],
      ['repetition', 0, undefined],
    ]);
    expect(await test.balance(developer)).toBe(9_900);
  });

  it('each that is allowed to be a duplicate is placed, and the next ones are duplicates of the last of them', async () => {
    const allowedDuplicate = { keyless: undefined };
    expect(
      await holdConcurrently([keyless(allowedDuplicate), keyless(), keyless(allowedDuplicate), keyless()]),
    ).toEqual([
      ['accepted', 0, undefined],
      ['repetition', 0, undefined],
      ['accepted', 2, undefined],
      ['repetition', 2, undefined],
    ]);
    expect((await test.ledger.hold(keyless())).outcome).toBe('repetition');
  });

  it('those with an idempotency key and those of another kind are not compared', async () => {
    expect(
      await holdConcurrently([
        keyless({ clientKey: 'key', keyless: undefined }),
        keyless({ operation: 'lookup', keyless: undefined }),
        keyless(),
      ]),
    ).toEqual([
      ['accepted', 0, undefined],
      ['accepted', 1, undefined],
      ['accepted', 2, undefined],
    ]);
  });

  it('one that exceeds the balance is not compared', async () => {
    const dear = { amountPaise: 20_000 as never };
    expect(await holdConcurrently([keyless(dear), keyless(dear)])).toEqual([
      ['insufficient', 0, undefined],
      ['insufficient', 1, undefined],
    ]);
    const unknownId = '00000000-0000-7000-8000-000000000000' as DeveloperId;
    const unknownHold = () => holdOf(unknownId, 100, { fingerprint, keyless: arrival() });
    expect((await holdConcurrently([unknownHold(), unknownHold()])).map(([outcome]) => outcome)).toEqual([
      'no_wallet',
      'no_wallet',
    ]);
  });

  it('a late confirmation of the previous response does not affect the last one', async () => {
    const [first, second] = [keyless(), keyless()];
    await test.ledger.hold(first);
    await test.ledger.resolve(resolutionOf(first, true));
    await responseReceived(first);
    expect(await test.ledger.hold(second)).toMatchObject({ outcome: 'accepted', likelyDuplicateOf: first.id });
    await test.ledger.resolve(resolutionOf(second, true));
    for (const note of [async () => {}, responseReceived]) {
      await note(first);
      expect(await test.ledger.hold(keyless())).toMatchObject({ outcome: 'repetition', orderId: second.id });
    }
    await responseReceived(second);
    expect(await test.ledger.hold(keyless())).toMatchObject({ outcome: 'accepted', likelyDuplicateOf: second.id });
  });

  it('one with a warning is placed once', async () => {
    const first = keyless();
    await test.ledger.hold(first);
    await test.ledger.resolve(resolutionOf(first, true));
    await responseReceived(first);
    expect(await holdConcurrently([keyless(), keyless()])).toEqual([
      ['accepted', 0, first.id],
      ['repetition', 0, undefined],
    ]);
  });
});

describe('the last recharge without a key', () => {
  it('is itself, and not its own duplicate, when it is inserted again after a lost connection', async () => {
    const first = keyless();
    await test.ledger.hold(first);
    expect(await holdConcurrently([first])).toEqual([['duplicate', 0, undefined]]);
  });

  it('has duplicates until its own response was received, whatever happens to others', async () => {
    const first = keyless();
    await test.ledger.hold(first);
    await test.ledger.resolve(resolutionOf(first, true));
    await responseReceived(keyless());
    expect((await test.ledger.hold(keyless())).outcome).toBe('repetition');
    await responseReceived(first);
    await responseReceived(first);
    expect(await test.ledger.hold(keyless())).toMatchObject({ outcome: 'accepted', likelyDuplicateOf: first.id });
    // A late response of the first is not counted as that of the newest.
    await responseReceived(first);
    expect((await test.ledger.hold(keyless())).outcome).toBe('repetition');
  });

  it('has duplicates that arrived before its response or within a second after it, even if processed later', async () => {
    const first = keyless();
    await test.ledger.hold(first);
    await test.ledger.resolve(resolutionOf(first, true));
    await responseReceived(first, 10_000);
    const replay = { outcome: 'repetition', orderId: first.id };
    // Ten seconds ago, and half a second after the response.
    for (const agoMs of [30_000, 10_000, 9_500])
      expect(await test.ledger.hold(keyless({ keyless: arrival(agoMs) }))).toMatchObject(replay);
    expect(await test.ledger.hold(keyless({ keyless: arrival(9_500, 600) }))).toMatchObject(replay);
    expect(await test.ledger.hold(keyless({ keyless: arrival(5_000, 600) }))).toMatchObject({
      outcome: 'likely_duplicate',
    });
    expect(await test.ledger.hold(keyless({ keyless: arrival(5_000) }))).toMatchObject({
      outcome: 'accepted',
      likelyDuplicateOf: first.id,
    });
  });

  it('has no duplicates once it was reversed', async () => {
    const first = keyless({ keyless: arrival(0, 600) });
    await test.ledger.hold(first);
    await test.ledger.resolve(resolutionOf(first, true));
    await responseReceived(first);
    expect((await test.ledger.hold(keyless({ keyless: arrival(0, 600) }))).outcome).toBe('likely_duplicate');
    await test.pool.query(`select ledger_reverse($1, $2, '{}')`, [developer, first.id]);
    expect(await test.ledger.hold(keyless({ keyless: arrival(0, 600) }))).toMatchObject({
      outcome: 'accepted',
      likelyDuplicateOf: undefined,
    });
  });

  it('is deleted after two hours', async () => {
    await test.ledger.hold(keyless());
    const remaining = async () =>
      (await test.db.query('select 1 from keyless_recharge where developer_id = $1', [developer])).length;
    const older = (minutes: number) =>
      test.db.query(`update keyless_recharge set placed_at = now() - $1 * interval '1 minute'`, [minutes]);
    await older(119);
    await deleteExpired(test.pool, RETENTION);
    expect(await remaining()).toBe(1);
    await older(121);
    await deleteExpired(test.pool, RETENTION);
    expect(await remaining()).toBe(0);
  });
});
