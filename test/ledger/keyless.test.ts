import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DeveloperId } from '../../src/core/principal.js';
import type { Hold } from '../../src/ledger/ledger.service.js';
import { deleteExpired } from '../../src/retention/ended.js';
import { KEPT } from '../retention/retention.fixture.js';
import { holdOf, resolutionOf, startTestLedger, type TestLedger } from './ledger.fixture.js';

/** What a recharge without a key is in the light of another one: the function that decides, with nothing above it. */
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
const arrived = (agoMs = 0, guardS = 0) => ({ guardS, arrivedMs: performance.now() - agoMs });
const keyless = (more: Partial<Hold> = {}): Hold =>
  holdOf(developer, 100, { fingerprint, keyless: arrived(), ...more });
/** In one statement, in this order. */
const together = async (holds: readonly Hold[]) => {
  const results = await Promise.all(holds.map((hold) => test.ledger.hold(hold)));
  return results.map(({ outcome, orderId, likelyDuplicateOf }) => [
    outcome,
    holds.findIndex(({ id }) => id === orderId),
    likelyDuplicateOf,
  ]);
};
/** Its caller received the answer so long ago; at first longer than an equal one counts as the same. */
const answered = async ({ developerId, id }: Hold, agoMs = 2_000) => {
  await test.pool.query('select keyless_answered($1, $2)', [[developerId], [id]]);
  await test.db.query(
    `update keyless_recharge set answered_at = answered_at - $2 * interval '1 ms' where developer_id = $1`,
    [developerId, agoMs],
  );
};

describe('of recharges that come in one statement', () => {
  it('the first is performed, and the others repeat it', async () => {
    expect(await together([keyless(), keyless(), keyless()])).toEqual([
      ['accepted', 0, undefined],
      ['repetition', 0, undefined],
      ['repetition', 0, undefined],
    ]);
    expect(await test.balance(developer)).toBe(9_900);
  });

  it('each that may be a duplicate is performed, and what follows it repeats the last of them', async () => {
    const meant = { keyless: undefined };
    expect(await together([keyless(meant), keyless(), keyless(meant), keyless()])).toEqual([
      ['accepted', 0, undefined],
      ['repetition', 0, undefined],
      ['accepted', 2, undefined],
      ['repetition', 2, undefined],
    ]);
    expect((await test.ledger.hold(keyless())).outcome).toBe('repetition');
  });

  it('a keyed one and one of another kind are no part of it', async () => {
    expect(
      await together([
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

  it('what the wallet cannot pay repeats nothing', async () => {
    const dear = { amountPaise: 20_000 as never };
    expect(await together([keyless(dear), keyless(dear)])).toEqual([
      ['insufficient', 0, undefined],
      ['insufficient', 1, undefined],
    ]);
    const nobody = '00000000-0000-7000-8000-000000000000' as DeveloperId;
    const lost = () => holdOf(nobody, 100, { fingerprint, keyless: arrived() });
    expect((await together([lost(), lost()])).map(([outcome]) => outcome)).toEqual(['no_wallet', 'no_wallet']);
  });

  it('that the answer to the one before was received, also late, says nothing of the last one', async () => {
    const [first, second] = [keyless(), keyless()];
    await test.ledger.hold(first);
    await test.ledger.resolve(resolutionOf(first, true));
    await answered(first);
    expect(await test.ledger.hold(second)).toMatchObject({ outcome: 'accepted', likelyDuplicateOf: first.id });
    await test.ledger.resolve(resolutionOf(second, true));
    for (const note of [async () => {}, answered]) {
      await note(first);
      expect(await test.ledger.hold(keyless())).toMatchObject({ outcome: 'repetition', orderId: second.id });
    }
    await answered(second);
    expect(await test.ledger.hold(keyless())).toMatchObject({ outcome: 'accepted', likelyDuplicateOf: second.id });
  });

  it('a warned one is performed once', async () => {
    const first = keyless();
    await test.ledger.hold(first);
    await test.ledger.resolve(resolutionOf(first, true));
    await answered(first);
    expect(await together([keyless(), keyless()])).toEqual([
      ['accepted', 0, first.id],
      ['repetition', 0, undefined],
    ]);
  });
});

describe('the last recharge without a key', () => {
  it('that is put again after a lost connection is itself, and not its own repetition', async () => {
    const first = keyless();
    await test.ledger.hold(first);
    expect(await together([first])).toEqual([['duplicate', 0, undefined]]);
  });

  it('is repeated until its answer was received, and an answer of another one is none of its own', async () => {
    const first = keyless();
    await test.ledger.hold(first);
    await test.ledger.resolve(resolutionOf(first, true));
    await answered(keyless());
    expect((await test.ledger.hold(keyless())).outcome).toBe('repetition');
    await answered(first);
    await answered(first);
    expect(await test.ledger.hold(keyless())).toMatchObject({ outcome: 'accepted', likelyDuplicateOf: first.id });
    // whose answer is late is not taken for that of the newest
    await answered(first);
    expect((await test.ledger.hold(keyless())).outcome).toBe('repetition');
  });

  it('is repeated by what arrived before its answer had left, or within a second after it, however long that waited', async () => {
    const first = keyless();
    await test.ledger.hold(first);
    await test.ledger.resolve(resolutionOf(first, true));
    await answered(first, 10_000);
    const repetition = { outcome: 'repetition', orderId: first.id };
    // ten seconds ago, and half a second after the answer
    for (const agoMs of [30_000, 10_000, 9_500])
      expect(await test.ledger.hold(keyless({ keyless: arrived(agoMs) }))).toMatchObject(repetition);
    expect(await test.ledger.hold(keyless({ keyless: arrived(9_500, 600) }))).toMatchObject(repetition);
    expect(await test.ledger.hold(keyless({ keyless: arrived(5_000, 600) }))).toMatchObject({
      outcome: 'likely_duplicate',
    });
    expect(await test.ledger.hold(keyless({ keyless: arrived(5_000) }))).toMatchObject({
      outcome: 'accepted',
      likelyDuplicateOf: first.id,
    });
  });

  it('that was reversed is none', async () => {
    const first = keyless({ keyless: arrived(0, 600) });
    await test.ledger.hold(first);
    await test.ledger.resolve(resolutionOf(first, true));
    await answered(first);
    expect((await test.ledger.hold(keyless({ keyless: arrived(0, 600) }))).outcome).toBe('likely_duplicate');
    await test.pool.query(`select ledger_reverse($1, $2, '{}')`, [developer, first.id]);
    expect(await test.ledger.hold(keyless({ keyless: arrived(0, 600) }))).toMatchObject({
      outcome: 'accepted',
      likelyDuplicateOf: undefined,
    });
  });

  it('is forgotten after two hours', async () => {
    await test.ledger.hold(keyless());
    const left = async () =>
      (await test.db.query('select 1 from keyless_recharge where developer_id = $1', [developer])).length;
    const older = (minutes: number) =>
      test.db.query(`update keyless_recharge set placed_at = now() - $1 * interval '1 minute'`, [minutes]);
    await older(119);
    await deleteExpired(test.pool, KEPT);
    expect(await left()).toBe(1);
    await older(121);
    await deleteExpired(test.pool, KEPT);
    expect(await left()).toBe(0);
  });
});
