import type { Call, Command } from './commands.js';

/** What a caller of a charged call hears. */
export type Heard = 'success' | 'failed' | 'pending' | 'reversed' | 'insufficient' | 'key_reused' | 'died';

export interface Seen {
  heard: Heard;
  replayed: boolean;
}

/** What can be seen of the system under test. */
export interface Snapshot {
  balance: number;
  /** In the order they were accepted. */
  orders: { state: 'open' | 'success' | 'failed' | 'review'; reversed: boolean }[];
}

/** A system under test: the pure machine, or the services on PostgreSQL. */
export interface Machine {
  topUp(amount: number, reference: number): Promise<'posted' | 'duplicate'>;
  /** As many answers as `call.times`. */
  call(call: Call): Promise<Seen[]>;
  lead(lead: number, word: string): Promise<{ charged: number } | 'insufficient'>;
  /** An order that there is none of: a forged callback. */
  callback(order: number, says: Extract<Command, { kind: 'callback' }>['says']): Promise<void>;
  advance(ms: number): Promise<void>;
  sweep(): Promise<void>;
  decide(
    order: number,
    success: boolean,
    person: number,
  ): Promise<'executed' | 'proposed' | 'same_person' | 'not_in_review'>;
  snapshot(): Promise<Snapshot>;
  /** Everything that is wrong with the books. */
  violations(): Promise<string[]>;
}

export const LEASE_MS = 60_000;
export const POLICY = { scheduleMs: [5_000, 60_000], visibilityDelayMs: 15 * 60_000, giveUpAfterMs: 24 * 3_600_000 };
/** A settled payment is asked about once more. */
export const RECHECK_MS = 12 * 3_600_000;
export const ADVANCES = { moments: 2_000, visibility: 20 * 60_000, day: 25 * 3_600_000 } as const;
export const LOOKUP_KEY_MS = 10 * 60_000;
