import type { Queryable } from '../db/pool.js';
import { type WordOf, words } from '../graphql-toolkit/words.js';
import type { Operation } from './postings.js';

export const LedgerAccountEnum = words('LedgerAccount', 'Account of the ledger.', {
  wallet: 'Wallet of the developer.',
  in_flight: 'Amounts held for calls without a final status.',
  provider_payable: 'Amounts owed to the provider that completed the payment.',
  fee_income: 'Fee income.',
  funding: 'Bank account that funds the wallets.',
  correction: 'Balance changes that were made without a transfer and recorded with the approval of two people.',
});
export type LedgerAccount = WordOf<typeof LedgerAccountEnum>;

/** Posting that resolves a hold. */
export interface ResolutionPosting {
  kind: 'settle' | 'refund';
  from: LedgerAccount;
  to: LedgerAccount;
}

/** Postings that settle (true) or refund (false) a hold. It uses the same SQL functions as ledger_resolve and the checks. */
export type Postings = ReadonlyMap<boolean, ResolutionPosting>;

const POSTINGS = `
  select q.n::integer, r.ok, k.kind, posted_from(k.kind, q.operation) as "from", posted_to(k.kind, q.operation) as "to"
  from unnest($1::text[]) with ordinality q(operation, n) cross join (values (true), (false)) r(ok)
  cross join lateral (select resolution_kind(r.ok) as kind) k`;

/** Returns the postings for calls of the given kinds, in order. */
export async function resolutionPostings(db: Queryable, operations: readonly Operation[]): Promise<Postings[]> {
  const { rows } = await db.query<ResolutionPosting & { n: number; ok: boolean }>({
    name: 'resolution-postings',
    text: POSTINGS,
    values: [operations],
  });
  const byCall = Map.groupBy(rows, ({ n }) => n);
  return operations.map(
    (_operation, index) => new Map(byCall.get(index + 1)!.map(({ ok, kind, from, to }) => [ok, { kind, from, to }])),
  );
}
