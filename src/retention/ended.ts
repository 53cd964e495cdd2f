import type { Queryable } from '../db/pool.js';

/** Rows that one statement deletes: it takes some milliseconds, and nobody waits for the rows. */
export const BATCH = 1_000;

/** What the function in retention.sql knows, in the order in which it is deleted. */
export const KINDS = [
  'client tokens',
  'counts of client tokens',
  'access tokens',
  'revoked access tokens',
  'sessions',
  'ended sessions',
  'password links',
  'answered challenges',
  'known devices',
  'invitations',
  'links of new addresses',
  'sign-ups',
  'scenarios',
  'keyless recharges',
  'counters',
  'emails',
  'fetched bills',
  'webhook deliveries',
  'KYC documents',
  'KYC drafts',
  'documents of closed accounts',
  'KYC of closed accounts',
  'notes on closed accounts',
  'documents of rejected accounts',
  'KYC of rejected accounts',
  'notes on rejected accounts',
  'security events',
  'rejected calls',
  'approval requests',
  'statement differences',
] as const;
export type Kind = (typeof KINDS)[number];

/** For how long what an account handed in is kept. */
export interface KycKept {
  afterClosingDays: number;
  afterRejectionDays: number;
}

/** Undefined of kinds that no setting is about. */
const daysOf = (kind: Kind, { afterClosingDays, afterRejectionDays }: KycKept): number | undefined =>
  kind.endsWith('closed accounts')
    ? afterClosingDays
    : kind.endsWith('rejected accounts')
      ? afterRejectionDays
      : undefined;

/** What one round did, by kind. */
export interface Round {
  /** Rows; kinds without any are left out. */
  deleted: Partial<Record<Kind, number>>;
  /** Kinds that could not be deleted. The others were. */
  failed: Partial<Record<Kind, Error>>;
  /** There may be more of a kind that did not fail. */
  more: boolean;
}

/**
 * Deletes one batch of each kind of rows that are of no use any more. Any number of processes may do so at once: each takes other
 * rows, and none waits for a row that somebody holds.
 */
export async function deleteEnded(db: Queryable, kept: KycKept): Promise<Round> {
  const round: Round = { deleted: {}, failed: {}, more: false };
  for (const kind of KINDS) {
    try {
      const { rows } = await db.query<{ count: number }>({
        text: 'select forget_ended($1, $2, $3) as count',
        values: [kind, BATCH, daysOf(kind, kept)],
      });
      const { count } = rows[0]!;
      if (count > 0) round.deleted[kind] = count;
      round.more ||= count === BATCH;
    } catch (error) {
      round.failed[kind] = error as Error;
    }
  }
  return round;
}
