import type { Queryable } from '../db/pool.js';

/** Maximum number of rows per delete statement, which takes a few milliseconds. No transaction waits for these rows. */
export const BATCH = 1_000;

/** Kinds of rows in the function of retention.sql, in the order of deletion. */
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

/** Retention of KYC data, in days. */
export interface KycRetention {
  afterClosingDays: number;
  afterRejectionDays: number;
}

/** Returns the days of retention for a kind. Returns undefined if no setting applies to the kind. */
const daysFor = (kind: Kind, { afterClosingDays, afterRejectionDays }: KycRetention): number | undefined =>
  kind.endsWith('closed accounts')
    ? afterClosingDays
    : kind.endsWith('rejected accounts')
      ? afterRejectionDays
      : undefined;

/** Result of one round, by kind. */
export interface Round {
  /** Number of deleted rows. Kinds without deleted rows are omitted. */
  deleted: Partial<Record<Kind, number>>;
  /** Errors of the kinds that could not be deleted. Other kinds were deleted. */
  failed: Partial<Record<Kind, Error>>;
  /** Whether a kind that did not fail may have more rows. */
  hasMore: boolean;
}

/**
 * Deletes one batch of each kind of expired rows. Any number of processes can do so at the same time: each takes different rows,
 * and none waits for a locked row.
 */
export async function deleteExpired(db: Queryable, kycRetention: KycRetention): Promise<Round> {
  const round: Round = { deleted: {}, failed: {}, hasMore: false };
  for (const kind of KINDS) {
    try {
      const { rows } = await db.query<{ count: number }>({
        text: 'select forget_ended($1, $2, $3) as count',
        values: [kind, BATCH, daysFor(kind, kycRetention)],
      });
      const { count } = rows[0]!;
      if (count > 0) round.deleted[kind] = count;
      round.hasMore ||= count === BATCH;
    } catch (error) {
      round.failed[kind] = error as Error;
    }
  }
  return round;
}
