import type { Queryable } from '../db/pool.js';
import { type WordOf, words } from '../graphql-toolkit/words.js';
import type { Operation } from './postings.js';

export const LedgerAccountEnum = words('LedgerAccount', 'Where money is, as the ledger has it.', {
  wallet: 'The developer’s wallet.',
  in_flight: 'Held for calls whose outcome is not known.',
  provider_payable: 'Owed to the provider that performed it.',
  fee_income: 'Fees that were earned.',
  funding: 'The bank account that wallets are filled from.',
  correction: 'Balance changes without a transfer that two people approved to record.',
});
export type LedgerAccount = WordOf<typeof LedgerAccountEnum>;

/** The postings that end a hold. */
export interface ResolutionPosting {
  kind: 'settle' | 'refund';
  from: LedgerAccount;
  to: LedgerAccount;
}

/** What the ledger posts when a hold is settled (true) or refunded: the functions are those that ledger_resolve and the books use. */
export type Postings = ReadonlyMap<boolean, ResolutionPosting>;

const POSTINGS = `
  select q.n::integer, r.ok, k.kind, posted_from(k.kind, q.operation) as "from", posted_to(k.kind, q.operation) as "to"
  from unnest($1::text[]) with ordinality q(operation, n) cross join (values (true), (false)) r(ok)
  cross join lateral (select resolution_kind(r.ok) as kind) k`;

/** For calls of these kinds, in their order. */
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
