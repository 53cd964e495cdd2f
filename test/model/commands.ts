import fc from 'fast-check';
import { leadStatuses } from '../../src/leads/lead.status.js';

/**
 * Status checks of a provider.
 *
 *     direct    has status checks, and "not found" after the visibility delay proves that nothing was processed
 *     silent    has no status check
 *     cautious  has status checks, but "not found" proves nothing
 */
export type Capability = 'direct' | 'silent' | 'cautious';

/** Behavior of a provider for one call: whether it processes it, its response, and its results of status checks. */
export interface Script {
  processed: boolean;
  /** The call gets a true response, or none. */
  responds: boolean;
  /** Results of the first status checks, before `afterwards` applies permanently. */
  noise: readonly ('unknown' | 'not_found')[];
  afterwards: 'truth' | 'unknown' | 'not_found';
}

export interface Call {
  operation: 'recharge' | 'card_payment' | 'lookup';
  capability: Capability;
  /** null: the client sends no idempotency key. */
  key: number | null;
  body: number;
  /** For a card payment: the bill that it pays. */
  bill: number;
  script: Script;
  /**
   * The process stops after the hold (before or after it has claimed an order without a status check), or after the provider has
   * received the call.
   */
  crash: 'no' | 'before_claim' | 'before_send' | 'after_send';
  /**
   * The process is so slow that a sweeper finds the order before it is sent: before the process claims it, at the same time, or
   * after that.
   */
  sweeper: 'away' | 'before_claim' | 'at_claim' | 'after_claim';
  /** Number of equal concurrent requests. */
  times: number;
  /** The clock of the process jumps by this time during the call, and back afterwards. */
  stepMs: number;
}

export type Command =
  | { kind: 'top_up'; amount: number; reference: number }
  | { kind: 'call'; call: Call }
  | { kind: 'lead'; lead: number; word: string }
  /** For one of the existing orders, or for none: a forged callback. */
  | { kind: 'callback'; order: number; status: 'success' | 'failure' | 'pending' | 'unexpected' }
  /** The provider reverses a processed transaction; the next `lateBy` status checks do not show it yet. */
  | { kind: 'reverse'; order: number; lateBy: number }
  | { kind: 'advance'; by: 'moments' | 'visibility' | 'day' }
  /** By a process whose clock jumps by this time just after it was compared with that of the database. */
  | { kind: 'sweep'; stepMs: number }
  /** The clock of the process of the developer is ahead by this time from now on; negative: behind. */
  | { kind: 'clock'; aheadMs: number }
  /** For one of the orders in review or with a conflicting provider status, if there is one. */
  | { kind: 'decide'; order: number; success: boolean; admin: Admin }
  /** For one of the orders to which this correction applies, if there is one. */
  | { kind: 'correct'; action: CorrectionKind; order: number; admin: Admin }
  | { kind: 'debit'; amount: number; reference: number; admin: Admin }
  /** An admin requests a status check. */
  | { kind: 'ask'; order: number };

export type CorrectionKind = 'reverse' | 'refund_reversal';
/** 2 stands for both admins, one after the other. */
export type Admin = 0 | 1 | 2;

export const LEADS = 2;
/** Body → amount; the second amount is above the limit of a single admin. */
export const AMOUNTS = [100, 700] as const;
export const SINGLE_ADMIN_PAISE = 500;
export const LOOKUP_FEE = 25;
export const LEAD_FEE = 150;

/** Minutes, hours and across midnight (IST), in both directions; and a difference that is normal between machines. */
const SKEWS = [0, 0, 3_000, -3_000, 20 * 60_000, -20 * 60_000, 7 * 3_600_000, 25 * 3_600_000, -25 * 3_600_000] as const;
const MAY_BE_CLAIMED = { operation: 'recharge', capability: 'silent' };

const script: fc.Arbitrary<Script> = fc.record({
  processed: fc.boolean(),
  responds: fc.boolean(),
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
  .map((draft): Call => {
    // only orders without a status check are claimed before they are sent
    const claimed = draft.operation === MAY_BE_CLAIMED.operation && draft.capability === MAY_BE_CLAIMED.capability;
    const sweeper = claimed && draft.crash === 'no' ? draft.sweeper : 'away';
    const crash = draft.crash === 'before_claim' && !claimed ? 'before_send' : draft.crash;
    // A process that stopped returns nothing; without an idempotency key every request is a different order; a failed lookup
    // releases its key.
    const isSingleCall = crash !== 'no' || sweeper !== 'away' || draft.key === null || draft.operation === 'lookup';
    return { ...draft, crash, sweeper, times: isSingleCall ? 1 : draft.times };
  });

const order = fc.nat(5);
const admin = fc.constantFrom<Admin>(0, 1, 2, 2);
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
      status: fc.constantFrom('success', 'failure', 'failure', 'pending', 'unexpected'),
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
      admin,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('correct' as const),
      action: fc.constantFrom('reverse' as const, 'refund_reversal' as const),
      order,
      admin,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('debit' as const),
      amount: fc.constantFrom(60, 400),
      reference: fc.nat(1),
      admin,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('ask' as const), order }) },
);

/** Commands for one developer. The first one credits the wallet, because most of the others would be rejected otherwise. */
export const sequence = (maxLength: number): fc.Arbitrary<Command[]> =>
  fc
    .tuple(fc.constantFrom(130, 900, 3_000), fc.array(command, { minLength: 1, maxLength, size: 'max' }))
    .map(([amount, commands]): Command[] => [{ kind: 'top_up', amount, reference: 5 }, ...commands]);
