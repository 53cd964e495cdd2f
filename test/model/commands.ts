import fc from 'fast-check';
import { leadStatuses } from '../../src/leads/lead.status.js';

/**
 * direct    can be asked, and "not found" past the visibility delay proves that nothing was performed
 * silent    can never be asked
 * cautious  can be asked, but "not found" proves nothing
 */
export type Capability = 'direct' | 'silent' | 'cautious';

/** What a provider does with one call: whether it performs it, what it says then, and what it says when it is asked. */
export interface Script {
  performed: boolean;
  /** The call is answered with the truth, or not at all. */
  answers: boolean;
  /** The first answers to status checks, before `afterwards` for ever. */
  noise: readonly ('unknown' | 'not_found')[];
  afterwards: 'truth' | 'unknown' | 'not_found';
}

export interface Call {
  operation: 'recharge' | 'card_payment' | 'lookup';
  capability: Capability;
  /** null: the client sends no key. */
  key: number | null;
  body: number;
  /** Of a card payment: which bill it pays. */
  bill: number;
  script: Script;
  /** The process dies after the hold (before or after it has claimed an order that nobody can ask about), or after the provider has the call. */
  crash: 'no' | 'before_claim' | 'before_send' | 'after_send';
  /**
   * The process is so slow that a sweeper finds the order before it is sent: before the process claims it, at the same moment, or
   * after that.
   */
  sweeper: 'away' | 'before_claim' | 'at_claim' | 'after_claim';
  /** How many equal requests arrive at once. */
  times: number;
  /** The clock of the process makes a step of so much while the call is under way, and back again after it. */
  stepMs: number;
}

export type Command =
  | { kind: 'top_up'; amount: number; reference: number }
  | { kind: 'call'; call: Call }
  | { kind: 'lead'; lead: number; word: string }
  /** About one of the orders so far, or about none of them: a forged one. */
  | { kind: 'callback'; order: number; says: 'success' | 'failure' | 'pending' | 'unexpected' }
  /** The provider takes a performed transaction back; the next `lateBy` status checks do not know of it yet. */
  | { kind: 'reverse'; order: number; lateBy: number }
  | { kind: 'advance'; by: 'moments' | 'visibility' | 'day' }
  /** By a process whose clock makes a step of so much just after it was compared with the database's. */
  | { kind: 'sweep'; stepMs: number }
  /** The clock of the developer's process is ahead by so much from now on, negative: behind. */
  | { kind: 'clock'; aheadMs: number }
  /** About one of the orders in review or conflicting provider status, if there is one. */
  | { kind: 'decide'; order: number; success: boolean; person: Person }
  /** About one of the orders that can be corrected so, if there is one. */
  | { kind: 'correct'; action: CorrectionKind; order: number; person: Person }
  | { kind: 'debit'; amount: number; reference: number; person: Person }
  /** An admin wants to know what the provider says of an order. */
  | { kind: 'ask'; order: number };

export type CorrectionKind = 'reverse' | 'refund_reversal';
/** The third stands for both, one after the other. */
export type Person = 0 | 1 | 2;

export const LEADS = 2;
/** Body → amount; the second is above what one person may decide alone. */
export const AMOUNTS = [100, 700] as const;
export const ALONE_PAISE = 500;
export const LOOKUP_FEE = 25;
export const LEAD_FEE = 150;

/** Minutes, hours and over the Indian midnight, backwards and forwards; and a difference that every machine may have. */
const SKEWS = [0, 0, 3_000, -3_000, 20 * 60_000, -20 * 60_000, 7 * 3_600_000, 25 * 3_600_000, -25 * 3_600_000] as const;
const MAY_BE_CLAIMED = { operation: 'recharge', capability: 'silent' };

const script: fc.Arbitrary<Script> = fc.record({
  performed: fc.boolean(),
  answers: fc.boolean(),
  noise: fc.array(fc.constantFrom('unknown' as const, 'not_found' as const), { maxLength: 3 }),
  afterwards: fc.constantFrom('truth' as const, 'truth' as const, 'unknown' as const, 'not_found' as const),
});

const capabilities: Readonly<Record<Call['operation'], readonly Capability[]>> = {
  recharge: ['direct', 'direct', 'silent'],
  card_payment: ['cautious'],
  lookup: ['silent'],
};

const call: fc.Arbitrary<Call> = fc
  .constantFrom('recharge' as const, 'recharge' as const, 'card_payment' as const, 'lookup' as const)
  .chain((operation) =>
    fc.record({
      operation: fc.constant(operation),
      capability: fc.constantFrom(...capabilities[operation]),
      key: operation === 'recharge' ? fc.option(fc.nat(2), { freq: 4 }) : fc.nat(2),
      body: operation === 'recharge' ? fc.nat(1) : fc.constant(0),
      bill: operation === 'card_payment' ? fc.nat(1) : fc.constant(0),
      script,
      crash: fc.constantFrom('no', 'no', 'no', 'no', 'before_claim', 'before_send', 'after_send'),
      sweeper: fc.constantFrom('away', 'away', 'before_claim', 'at_claim', 'after_claim'),
      times: fc.constantFrom(1, 1, 1, 3),
      stepMs: fc.constantFrom(0, 0, 0, ...SKEWS),
    }),
  )
  .map((made): Call => {
    // only what nobody can be asked about is claimed before it is sent
    const claimed = made.operation === MAY_BE_CLAIMED.operation && made.capability === MAY_BE_CLAIMED.capability;
    const sweeper = claimed && made.crash === 'no' ? made.sweeper : 'away';
    const crash = made.crash === 'before_claim' && !claimed ? 'before_send' : made.crash;
    // A process that died answers nobody; without a key every request is another order; a failed lookup gives its key back.
    const once = crash !== 'no' || sweeper !== 'away' || made.key === null || made.operation === 'lookup';
    return { ...made, crash, sweeper, times: once ? 1 : made.times };
  });

const order = fc.nat(5);
const person = fc.constantFrom<Person>(0, 1, 2, 2);
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 9, arbitrary: fc.record({ kind: fc.constant('call' as const), call }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('top_up' as const),
      amount: fc.constantFrom(60, 400, 2_000),
      reference: fc.nat(4),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('lead' as const),
      lead: fc.nat(LEADS - 1),
      word: fc.constantFrom('approved', 'approved', 'odd', ...leadStatuses),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('callback' as const),
      order,
      says: fc.constantFrom('success', 'failure', 'failure', 'pending', 'unexpected'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reverse' as const), order, lateBy: fc.nat(2) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('advance' as const),
      by: fc.constantFrom('moments', 'visibility', 'visibility', 'day'),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('sweep' as const), stepMs: fc.constantFrom(0, 0, 0, ...SKEWS) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('clock' as const), aheadMs: fc.constantFrom(...SKEWS) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('decide' as const),
      order,
      success: fc.boolean(),
      person,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('correct' as const),
      action: fc.constantFrom('reverse' as const, 'refund_reversal' as const),
      order,
      person,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('debit' as const),
      amount: fc.constantFrom(60, 400),
      reference: fc.nat(1),
      person,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('ask' as const), order }) },
);

/** A life of one developer. The first command gives money, or most of the others would be refused. */
export const sequence = (maxLength: number): fc.Arbitrary<Command[]> =>
  fc
    .tuple(fc.constantFrom(130, 900, 3_000), fc.array(command, { minLength: 1, maxLength, size: 'max' }))
    .map(([amount, commands]): Command[] => [{ kind: 'top_up', amount, reference: 5 }, ...commands]);
