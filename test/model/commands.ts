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
  /** The first answers to enquiries, before `afterwards` for ever. */
  noise: readonly ('unknown' | 'not_found')[];
  afterwards: 'truth' | 'unknown' | 'not_found';
}

export interface Call {
  operation: 'recharge' | 'card_payment' | 'lookup';
  capability: Capability;
  /** null: the client sends no key. */
  key: number | null;
  body: number;
  script: Script;
  /** The process dies after the hold, or after the provider has the call. */
  crash: 'no' | 'before_send' | 'after_send';
  /** How many equal requests arrive at once. */
  times: number;
}

export type Command =
  | { kind: 'top_up'; amount: number; reference: number }
  | { kind: 'call'; call: Call }
  | { kind: 'lead'; lead: number; word: string }
  /** About one of the orders so far, or about none of them: a forged one. */
  | { kind: 'callback'; order: number; says: 'success' | 'failure' | 'pending' | 'unexpected' }
  /** The provider takes a performed transaction back; the next `lateBy` enquiries do not know of it yet. */
  | { kind: 'reverse'; order: number; lateBy: number }
  | { kind: 'advance'; by: 'moments' | 'visibility' | 'day' }
  | { kind: 'sweep' }
  /** About one of the orders in review, if there is one. */
  | { kind: 'decide'; order: number; success: boolean; person: number };

export const LEADS = 2;
/** Body → amount; the second is above what one person may decide alone. */
export const AMOUNTS = [100, 700] as const;
export const ALONE_PAISE = 500;
export const LOOKUP_FEE = 25;
export const LEAD_FEE = 150;

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
      script,
      crash: fc.constantFrom(
        'no' as const,
        'no' as const,
        'no' as const,
        'before_send' as const,
        'after_send' as const,
      ),
      times: fc.constantFrom(1, 1, 1, 3),
    }),
  )
  // A process that died answers nobody; without a key every request is another order; a failed lookup gives its key back.
  .map((made) =>
    made.crash !== 'no' || made.key === null || made.operation === 'lookup' ? { ...made, times: 1 } : made,
  );

const order = fc.nat(5);
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
  { weight: 5, arbitrary: fc.constant<Command>({ kind: 'sweep' }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('decide' as const),
      order,
      success: fc.boolean(),
      person: fc.nat(1),
    }),
  },
);

/** A life of one developer. The first command gives money, or most of the others would be refused. */
export const sequence = (maxLength: number): fc.Arbitrary<Command[]> =>
  fc
    .tuple(fc.constantFrom(130, 900, 3_000), fc.array(command, { minLength: 1, maxLength, size: 'max' }))
    .map(([amount, commands]): Command[] => [{ kind: 'top_up', amount, reference: 5 }, ...commands]);
