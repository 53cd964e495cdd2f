import type { Call, Command, CorrectionKind } from './commands.js';

/** Result for the caller of a charged call. */
export type CallResult =
  | 'success'
  | 'failed'
  | 'pending'
  | 'reversed'
  | 'insufficient'
  | 'key_reused'
  | 'bill_taken'
  | 'died';

export interface CallReply {
  result: CallResult;
  replayed: boolean;
}

/** Visible state of the system under test. */
export interface Snapshot {
  balance: number;
  /** In the order of acceptance. */
  orders: {
    state: 'open' | 'success' | 'failed' | 'review';
    reversed: boolean;
    /** The provider status conflicts with the final status, and no admin has reviewed it. */
    conflicting: boolean;
  }[];
}

/** An entry in the statement of the wallet. */
export interface Line {
  kind: 'refund' | 'reversal' | 'refund_reversal' | 'debit';
  amount: number;
  balance: number;
}

/** Reason that an action of an admin changes nothing. */
export type Rejection =
  | 'same_person'
  | 'wrong_state'
  | 'no_such_order'
  | 'insufficient'
  | 'bill_paid'
  | 'reference_taken';

/** Result of an action of an admin. `line`: the entry in the wallet; null for none. */
export type AdminResult =
  | { result: 'executed'; line: Line | null }
  | { result: 'confirmed' | 'requested' | 'repeated' | Rejection };

export type CheckResult = 'asked' | 'no_such_order' | 'cannot_be_asked' | 'sending';

/** A system under test: the pure machine, or the services on PostgreSQL. */
export interface Machine {
  topUp(amount: number, reference: number): Promise<'posted' | 'duplicate'>;
  /** Returns `call.times` results. */
  call(call: Call): Promise<CallReply[]>;
  lead(lead: number, word: string): Promise<{ charged: number } | 'insufficient'>;
  /** `order` may be a number that does not exist: a forged callback. */
  callback(order: number, status: Extract<Command, { kind: 'callback' }>['status']): Promise<void>;
  advance(ms: number): Promise<void>;
  /** One round of the process with the clock, which jumps after it was compared with that of the database. */
  sweep(stepMs: number): Promise<void>;
  /** The clock of the processes jumps. */
  clock(aheadMs: number): void;
  resolve(order: number, success: boolean, admin: number): Promise<AdminResult>;
  correct(action: CorrectionKind, order: number, admin: number): Promise<AdminResult>;
  debit(amount: number, reference: number, admin: number): Promise<AdminResult>;
  requestCheck(order: number): Promise<CheckResult>;
  snapshot(): Promise<Snapshot>;
  /** All violations of the books. */
  violations(): Promise<string[]>;
  /** Real time since the machine was created, by which every age can be greater. */
  elapsedMs(): number;
}

export const LEASE_MS = 60_000;
/** A process whose clock differs more from that of the database makes no status checks. */
export const CLOCK_LIMIT_MS = 5_000;
export const POLICY = {
  scheduleMs: [5_000, 60_000],
  visibilityDelayMs: 15 * 60_000,
  manualReviewAfterMs: 24 * 3_600_000,
};
/** A settled payment is checked a second time after this time. */
export const RECHECK_MS = 12 * 3_600_000;
export const ADVANCES = { moments: 2_000, visibility: 20 * 60_000, day: 25 * 3_600_000 } as const;
export const LOOKUP_KEY_MS = 10 * 60_000;
