import type { Call, CorrectionKind } from './commands.js';
import type { Snapshot } from './machine.js';

/** An order in the reference. */
export interface Order {
  call: Call;
  amount: number;
  state: Snapshot['orders'][number]['state'];
  reversed: boolean;
  conflicting: boolean;
  /** The outcome of sending is known, or known to be unknown; false after a crash. */
  outcomeKnown: boolean;
  acceptedAt: number;
  settledAt: number;
  /** Time from which nothing can be in transit: an inconclusive response, or the first status check. */
  unknownAt: number | undefined;
  /** Consecutive status checks without a result, after the visibility delay. */
  notFound: number;
  approvalRequest?: { success: boolean; person: number };
  /** Admins who requested a correction that is pending approval. */
  corrections: Map<CorrectionKind, number>;
  /** A callback announced its reversal, and there is time for a status check. */
  announced: boolean;
  /** Reversed before its recheck, without an announcement. */
  silentlyReversed: boolean;
  /** Admins resolved it, and the provider has not reported a success since. */
  byAdmins: boolean;
  /** Admins corrected it, so it is not rechecked automatically. */
  corrected: boolean;
  /** A check was requested: the next sweep checks it, unless it was checked just before. */
  checkRequested: boolean;
  checkedAt: number;
  /** Time since when a success is in doubt, and the number of checks since the last confirmation. */
  doubtedAt: number | undefined;
  asked: number;
}

export const orderOf = (call: Call, amount: number, acceptedAt: number): Order => ({
  call,
  amount,
  state: 'open',
  reversed: false,
  conflicting: false,
  outcomeKnown: false,
  acceptedAt,
  settledAt: 0,
  unknownAt: undefined,
  notFound: 0,
  corrections: new Map(),
  announced: false,
  silentlyReversed: false,
  byAdmins: false,
  corrected: false,
  checkRequested: false,
  checkedAt: Number.NEGATIVE_INFINITY,
  doubtedAt: undefined,
  asked: 0,
});

/** All events that a run must cover. */
export const events = [
  'insufficient',
  'key reused',
  'repetition',
  'bill taken',
  'settled by answer',
  'settled by status check',
  'refunded by answer',
  'refunded by status check',
  'refunded as not found',
  'lookup refunded after a death',
  'given back as never sent after a death',
  'given back before a slow process could send',
  'claimed by the process that sends',
  'review after silence',
  'review after a day',
  'decided by one',
  'decided by two',
  'reversed',
  'reversed without a word',
  'taken back by people',
  'charged again after a failure',
  'charged again after a reversal',
  'not charged again without money',
  'not charged again for a bill that was paid',
  'correction too late',
  'debited',
  'not debited without money',
  'asked about a pending order',
  'asked about a decided order',
  'not asked',
  'conflicting by a callback',
  'conflicting by a status check',
  'conflicting without a status check',
  'confirmed',
  'placed by a wrong clock',
  'decided by a wrong clock',
  'left alone by a wrong clock',
  'swept by a clock that made a step',
  'lead fee',
  'lead fee unpaid',
] as const;
export type Event = (typeof events)[number];
