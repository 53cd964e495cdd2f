import { describe, expect, it } from 'vitest';
import { type Paise, paise } from '../../src/core/money.js';
import type { StatementStatus } from '../../src/providers/provider.js';
import { compare } from '../../src/reconcile/compare.js';
import type { HashedLine, OurOrder } from '../../src/reconcile/matching.js';
import { resolvedByStatement } from '../../src/reconcile/resolved-by-statement.js';
import { developerNumber } from '../support/ids.js';

const NOON = Date.parse('2026-03-01T06:30:00Z');
const at = (minutes: number): Date => new Date(NOON + minutes * 60_000);
const options = {
  period: { from: new Date('2026-02-28T18:30:00Z'), to: new Date('2026-03-01T18:30:00Z') },
  windowMs: 30 * 60_000,
  now: new Date('2026-03-03T06:30:00Z'),
};
let counter = 0;
const order = (state: OurOrder['state'], more: Partial<OurOrder> = {}): OurOrder => ({
  id: `order ${++counter}`,
  reference: `R${counter}`,
  developerId: developerNumber(1),
  accountHash: 'hash-a',
  amountPaise: paise(199_00),
  state,
  at: at(0),
  ...more,
});
const line = (status: StatementStatus, more: Partial<HashedLine> = {}): HashedLine => ({
  line: ++counter,
  reference: '',
  account: '9876543210',
  accountHash: 'hash-a',
  amountPaise: paise(199_00),
  status,
  at: at(1),
  ...more,
});
const kinds = (orders: OurOrder[], lines: HashedLine[]): string[] =>
  compare(orders, lines, options).differences.map(({ kind }) => kind);

describe('matching statuses', () => {
  const statuses: StatementStatus[] = ['succeeded', 'failed', 'pending', 'reversed'];
  it.each<[OurOrder['state'], StatementStatus[]]>([
    ['success', ['succeeded']],
    ['failed', ['failed', 'reversed']],
    ['reversed', ['reversed', 'failed']],
    ['open', ['pending']],
    ['review', ['pending']],
  ])('%s matches only %j', (state, agreeing) => {
    for (const status of statuses) {
      const ownOrder = order(state);
      const found = kinds([ownOrder], [line(status, { reference: ownOrder.reference })]);
      expect([status, found]).toEqual([status, agreeing.includes(status) ? [] : ['status_differs']]);
    }
  });
});

describe('matching by reference', () => {
  it('reports a difference with both sides, masked, and its age', () => {
    const ownOrder = order('failed', { reference: 'REF' });
    const { differences, orders, lines, matched } = compare(
      [ownOrder],
      [line('succeeded', { reference: 'REF', line: 7 })],
      options,
    );
    expect({ orders, lines, matched }).toEqual({ orders: 1, lines: 1, matched: 1 });
    expect(differences).toEqual([
      {
        kind: 'status_differs',
        ours: {
          id: ownOrder.id,
          reference: 'REF',
          developerId: developerNumber(1),
          state: 'failed',
          amountPaise: 199_00n,
          at: at(0),
        },
        theirs: {
          line: 7,
          reference: 'REF',
          account: 'xxxxxx3210',
          status: 'succeeded',
          amountPaise: 199_00n,
          at: at(1),
        },
        ageMs: 2 * 86_400_000,
      },
    ]);
  });

  it('ignores account and time, and reports a different amount', () => {
    const ownOrder = order('success');
    const far = line('succeeded', { reference: ownOrder.reference, accountHash: 'other', at: at(600) });
    expect(kinds([ownOrder], [far])).toEqual([]);
    expect(kinds([ownOrder], [{ ...far, amountPaise: paise(199_01) }])).toEqual(['amount_differs']);
  });

  it('reports lines and orders that exist only on one side if money moved', () => {
    expect(kinds([order('success'), order('open'), order('review')], [])).toEqual(Array(3).fill('missing_at_provider'));
    expect(kinds([order('failed'), order('reversed')], [])).toEqual([]);
    expect(kinds([], [line('succeeded', { reference: 'X' }), line('pending', { reference: 'Y' })])).toEqual(
      Array(2).fill('order_not_found'),
    );
    expect(kinds([], [line('failed', { reference: 'X' }), line('reversed', { reference: 'Y' })])).toEqual([]);
  });

  it('reports a second successful line as a duplicate, and ignores a failed attempt next to it', () => {
    const ownOrder = order('success');
    const lineWith = (status: StatementStatus) => line(status, { reference: ownOrder.reference });
    expect(kinds([ownOrder], [lineWith('succeeded'), lineWith('succeeded')])).toEqual(['duplicate']);
    expect(kinds([ownOrder], [lineWith('failed'), lineWith('succeeded')])).toEqual([]);
  });

  it('treats a reversal as the end of the earlier success', () => {
    const succeededLine = (reference: string) => line('succeeded', { reference, at: at(1) });
    const reversed = (reference: string) => line('reversed', { reference, at: at(5) });
    const reversedOrder = order('reversed');
    expect(kinds([reversedOrder], [reversed(reversedOrder.reference), succeededLine(reversedOrder.reference)])).toEqual(
      [],
    );
    const success = order('success');
    expect(kinds([success], [succeededLine(success.reference), reversed(success.reference)])).toEqual([
      'status_differs',
    ]);
    expect(
      kinds(
        [success],
        [succeededLine(success.reference), reversed(success.reference), succeededLine(success.reference)],
      ),
    ).toEqual([]);
  });
});

describe('matching by account, amount and time', () => {
  it('applies only within the window', () => {
    expect(kinds([order('success')], [line('succeeded', { at: at(30) })])).toEqual([]);
    expect(kinds([order('success')], [line('succeeded', { at: at(31) })]).toSorted()).toEqual([
      'missing_at_provider',
      'order_not_found',
    ]);
    expect(kinds([order('success')], [line('succeeded', { accountHash: 'hash-b' })])).toHaveLength(2);
  });

  it('prefers an order with a matching status to a closer one', () => {
    const failed = order('failed', { at: at(0) });
    const success = order('success', { at: at(-20) });
    expect(kinds([failed, success], [line('succeeded', { at: at(1) })])).toEqual([]);
    // and the closest of those with a matching status
    const earlier = order('success', { at: at(-10), reference: 'EARLIER' });
    const laterOrder = order('success', { at: at(5), reference: 'LATER' });
    const { differences } = compare([earlier, laterOrder], [line('succeeded', { at: at(4) })], options);
    expect(differences.map(({ kind, ours }) => [kind, ours?.reference])).toEqual([['missing_at_provider', 'EARLIER']]);
  });

  it('finds a refund of a completed payment', () => {
    expect(kinds([order('failed')], [line('succeeded')])).toEqual(['status_differs']);
  });

  it('finds a payment that was completed twice', () => {
    expect(kinds([order('success')], [line('succeeded'), line('succeeded', { at: at(2) })])).toEqual(['duplicate']);
  });

  it('finds a different amount for the same account', () => {
    expect(kinds([order('success')], [line('succeeded', { amountPaise: paise(99_00) })])).toEqual(['amount_differs']);
  });

  it('never assigns one line to two orders', () => {
    const two = [order('success', { at: at(0) }), order('success', { at: at(1) })];
    expect(kinds(two, [line('succeeded')])).toEqual(['missing_at_provider']);
    expect(kinds(two, [line('succeeded'), line('succeeded')])).toEqual([]);
  });
});

it('reports only differences of the period, but finds counterparts outside it', () => {
  const lastMinute = order('success', { at: new Date(options.period.to.getTime() - 60_000) });
  const nextDay = order('success', { at: new Date(options.period.to.getTime() + 60_000) });
  expect(kinds([lastMinute], [line('succeeded', { at: new Date(options.period.to.getTime() + 60_000) })])).toEqual([]);
  expect(kinds([nextDay], [])).toEqual([]);
  expect(kinds([], [line('succeeded', { at: options.period.to })])).toEqual([]);
});

it('lists the oldest difference first', () => {
  const { differences } = compare([order('success', { at: at(10) }), order('success', { at: at(-10) })], [], options);
  expect(differences.map(({ ageMs }) => ageMs)).toEqual(
    differences.map(({ ageMs }) => ageMs).toSorted((a, b) => b - a),
  );
});

it('stays fast for many orders of one account', () => {
  const amountOf = (n: number): Paise => paise(100 + (n % 50));
  const orders = Array.from({ length: 2_000 }, (_, n) =>
    order('success', { amountPaise: amountOf(n), at: at(n / 20) }),
  );
  const lines = Array.from({ length: 2_000 }, (_, n) =>
    line('succeeded', { amountPaise: amountOf(n), at: at(n / 20) }),
  );
  const startedAt = performance.now();
  expect(compare(orders, lines, options).differences).toEqual([]);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});

it('compares a day of one account and amount without references in linear memory', () => {
  const count = 20_000; // comparing all pairs would take 400 million steps
  const spread = (index: number): Date => new Date(NOON + index * 50);
  const orders = Array.from({ length: count }, (_, index) => order('success', { at: spread(index) }));
  const lines = Array.from({ length: count }, (_, index) => line('succeeded', { at: spread(index + 0.4) }));
  const { matched, differences } = compare(orders, lines, options);
  expect([matched, differences]).toEqual([count, []]);
  expect(compare(orders, lines.slice(1), options).differences.map(({ kind }) => kind)).toEqual(['missing_at_provider']);
});

it('pairs the closest lines and orders first, even if a closer pair lies between', () => {
  const orders = [order('success', { at: at(0) }), order('success', { at: at(10) })];
  const lines = [line('succeeded', { at: at(11) }), line('pending', { at: at(19) })];
  const { differences } = compare(orders, lines, options);
  expect(differences).toMatchObject([
    { kind: 'status_differs', ours: { reference: orders[0]!.reference }, theirs: { line: lines[1]!.line } },
  ]);
});

describe('resolution of an order in review by a statement', () => {
  const resolutionsOf = (orders: OurOrder[], lines: HashedLine[]): string[] =>
    resolvedByStatement(orders, lines, options).map(({ order: { reference }, outcome, line: { line: number } }) =>
      [reference, outcome, number].join(' '),
    );
  const review = (more: Partial<OurOrder> = {}): OurOrder => order('review', { reference: 'REF', ...more });
  const providerLine = (status: StatementStatus, more: Partial<HashedLine> = {}): HashedLine =>
    line(status, { line: 7, ...more });
  const byReference = { reference: 'REF', at: at(600) };
  const far = { at: at(45) };

  it.each<[string, OurOrder[], HashedLine[], string[]]>([
    ['succeeded, by reference at any time', [review()], [providerLine('succeeded', byReference)], ['REF success 7']],
    ['failed, by reference', [review()], [providerLine('failed', byReference)], ['REF failed 7']],
    ['succeeded, by account, amount and time', [review()], [providerLine('succeeded')], ['REF success 7']],
    [
      'reversed in a separate line',
      [review()],
      [providerLine('succeeded'), line('reversed', { at: at(9) })],
      ['REF failed 7'],
    ],
    [
      'a similar order at a different time',
      [review(), order('success', far)],
      [providerLine('succeeded')],
      ['REF success 7'],
    ],
    ['a second line too far away', [review()], [providerLine('succeeded'), line('failed', far)], ['REF success 7']],
    ['no line', [review()], [], []],
    ['still pending', [review()], [providerLine('pending')], []],
    [
      'a different amount with the same reference',
      [review()],
      [providerLine('succeeded', { ...byReference, amountPaise: paise(1) })],
      [],
    ],
    [
      'two lines with the same reference',
      [review()],
      [providerLine('failed', byReference), line('succeeded', byReference)],
      [],
    ],
    ['a different account', [review()], [providerLine('succeeded', { accountHash: 'hash-b' })], []],
    ['a different amount', [review()], [providerLine('succeeded', { amountPaise: paise(1) })], []],
    ['too far away', [review()], [providerLine('succeeded', { at: at(31) })], []],
    ['two possible lines', [review()], [providerLine('succeeded'), line('failed', { at: at(20) })], []],
    [
      'a line that could belong to another order',
      [review(), order('failed', { at: at(20) })],
      [providerLine('succeeded')],
      [],
    ],
    ['two orders in review for one line', [review(), order('review')], [providerLine('failed')], []],
    ['a line with a different reference', [review()], [providerLine('succeeded', { reference: 'OTHER' })], []],
    [
      'an order so close to the end of the period that its line may be in the next file',
      [review({ at: new Date('2026-03-01T18:15:00Z') })],
      [providerLine('succeeded', { at: new Date('2026-03-01T18:10:00Z') })],
      [],
    ],
    [
      'an order that is not in review',
      [order('success'), order('failed'), order('open')],
      [providerLine('succeeded')],
      [],
    ],
  ])('%s', (_case, orders, lines, expected) => {
    expect(resolutionsOf(orders, lines)).toEqual(expected);
  });
});
