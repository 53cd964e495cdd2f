import type { Call, CorrectionKind } from './commands.js';
import type { Snapshot } from './machine.js';

/** An order as the reference knows it. */
export interface Order {
  call: Call;
  amount: number;
  state: Snapshot['orders'][number]['state'];
  reversed: boolean;
  conflicting: boolean;
  /** The outcome of the send is known, or known to be unknown; false after a crash. */
  answered: boolean;
  acceptedAt: number;
  settledAt: number;
  /** Since when nothing can have been sent any more: an answer that decided nothing, or the first status check. */
  unknownAt: number | undefined;
  /** Status checks in a row that found nothing, past the visibility delay. */
  notFound: number;
  approvalRequest?: { success: boolean; person: number };
  /** Who requested a correction that nobody has carried out. */
  corrections: Map<CorrectionKind, number>;
  /** A callback announced its reversal, and there is still time to ask. */
  announced: boolean;
  /** Taken back before it is checked again, and nobody said so. */
  silentlyReversed: boolean;
  /** People decided about it, and the provider has not called it a success since. */
  byPeople: boolean;
  /** People have corrected it: it is not checked again by itself. */
  corrected: boolean;
  /** Somebody wants to know: the next sweep asks, unless it has just been asked about. */
  wanted: boolean;
  checkedAt: number;
  /** Since when there is reason to doubt a success, and how often it was asked about since the last one. */
  doubtedAt: number | undefined;
  asked: number;
}

export const orderOf = (call: Call, amount: number, acceptedAt: number): Order => ({
  call,
  amount,
  state: 'open',
  reversed: false,
  conflicting: false,
  answered: false,
  acceptedAt,
  settledAt: 0,
  unknownAt: undefined,
  notFound: 0,
  corrections: new Map(),
  announced: false,
  silentlyReversed: false,
  byPeople: false,
  corrected: false,
  wanted: false,
  checkedAt: Number.NEGATIVE_INFINITY,
  doubtedAt: undefined,
  asked: 0,
});

/** Everything that a run is about. */
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
