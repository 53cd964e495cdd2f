import type { Call, Command, CorrectionKind } from './commands.js';

/** What a caller of a charged call is answered. */
export type Heard =
  | 'success'
  | 'failed'
  | 'pending'
  | 'reversed'
  | 'insufficient'
  | 'key_reused'
  | 'bill_taken'
  | 'died';

export interface Seen {
  heard: Heard;
  replayed: boolean;
}

/** What can be seen of the system under test. */
export interface Snapshot {
  balance: number;
  /** In the order they were accepted. */
  orders: {
    state: 'open' | 'success' | 'failed' | 'review';
    reversed: boolean;
    /** The provider says the opposite of what was decided, and nobody has looked at it. */
    conflicting: boolean;
  }[];
}

/** A line of the wallet's statement. */
export interface Line {
  kind: 'refund' | 'reversal' | 'refund_reversal' | 'debit';
  amount: number;
  balance: number;
}

/** Why people's decisions change nothing. */
export type Refusal =
  | 'same_person'
  | 'wrong_state'
  | 'no_such_order'
  | 'insufficient'
  | 'bill_paid'
  | 'reference_taken';

/** What became of what a person said. `line`: what moved the wallet, null for nothing. */
export type Decided =
  | { result: 'executed'; line: Line | null }
  | { result: 'confirmed' | 'requested' | 'repeated' | Refusal };

export type Asked = 'asked' | 'no_such_order' | 'cannot_be_asked' | 'sending';

/** A system under test: the pure machine, or the services on PostgreSQL. */
export interface Machine {
  topUp(amount: number, reference: number): Promise<'posted' | 'duplicate'>;
  /** As many answers as `call.times`. */
  call(call: Call): Promise<Seen[]>;
  lead(lead: number, word: string): Promise<{ charged: number } | 'insufficient'>;
  /** An order that there is none of: a forged callback. */
  callback(order: number, says: Extract<Command, { kind: 'callback' }>['says']): Promise<void>;
  advance(ms: number): Promise<void>;
  /** One round of the process that has the clock; it makes a step after it was compared with the database's. */
  sweep(stepMs: number): Promise<void>;
  /** The clock of the processes makes a step. */
  clock(aheadMs: number): void;
  decide(order: number, success: boolean, person: number): Promise<Decided>;
  correct(action: CorrectionKind, order: number, person: number): Promise<Decided>;
  debit(amount: number, reference: number, person: number): Promise<Decided>;
  ask(order: number): Promise<Asked>;
  snapshot(): Promise<Snapshot>;
  /** Everything that is wrong with the books. */
  violations(): Promise<string[]>;
  /** Real time since the machine was made, which every age may be greater by. */
  elapsedMs(): number;
}

export const LEASE_MS = 60_000;
/** A process whose clock is further away from the database's asks no provider. */
export const CLOCK_LIMIT_MS = 5_000;
export const POLICY = {
  scheduleMs: [5_000, 60_000],
  visibilityDelayMs: 15 * 60_000,
  manualReviewAfterMs: 24 * 3_600_000,
};
/** A settled payment is asked about once more. */
export const RECHECK_MS = 12 * 3_600_000;
export const ADVANCES = { moments: 2_000, visibility: 20 * 60_000, day: 25 * 3_600_000 } as const;
export const LOOKUP_KEY_MS = 10 * 60_000;
