import type { Secret } from '../core/secret.js';
import type { Queryable } from '../db/pool.js';
import { doubtSuccess } from '../enquiries/reversals.js';
import { accountHash } from '../orders/order.store.js';
import { type Comparison, compare, type Difference, type Period } from './compare.js';
import type { HashedLine, OurOrder } from './matching.js';
import { archivedOf, ordersBetween, ordersOf } from './our-orders.js';
import type { ProviderLine } from './provider-statement.js';

export interface ReconcileOptions {
  /** As orders name it: ROUNDPAY, MOKSHIQ, INSPAY. */
  provider: string;
  period: Period;
  /** How far apart an order and its line may be where the provider takes no reference. */
  windowMs: number;
  pepper: Secret;
  now?: Date;
}

/** Both sides as they are compared. */
export interface Books {
  orders: OurOrder[];
  lines: HashedLine[];
  /** References of the lines whose orders have left for the archive. */
  archived: ReadonlySet<string>;
}

/**
 * Our orders that a statement can be about, and its lines. Account numbers are encrypted, so they are compared by their keyed hash.
 * Reads only.
 */
export async function booksOf(
  db: Queryable,
  lines: readonly ProviderLine[],
  { provider, period, windowMs, pepper }: ReconcileOptions,
): Promise<Books> {
  const hashed = lines.map((line) => ({
    ...line,
    accountHash: accountHash(pepper, line.account).toString('hex'),
  }));
  const from = new Date(period.from.getTime() - windowMs);
  const to = new Date(period.to.getTime() + windowMs);
  const orders = await ordersBetween(db, provider, from, to);
  const known = new Set(orders.map(({ reference }) => reference));
  const others = [...new Set(lines.map(({ reference }) => reference).filter((reference) => !known.has(reference)))];
  return {
    orders: [...orders, ...(await ordersOf(db, provider, others))],
    lines: hashed,
    archived: await archivedOf(db, others),
  };
}

/**
 * Compares a provider's statement with our orders of a period: what one side has and the other has not, and what they disagree
 * in. Reads only: see `askAboutTakenBack` and `queueContradicted`.
 */
export async function reconcile(
  db: Queryable,
  lines: readonly ProviderLine[],
  options: ReconcileOptions,
): Promise<Comparison> {
  const books = await booksOf(db, lines, options);
  return compare(books.orders, books.lines, {
    ...options,
    archived: books.archived,
    now: options.now ?? new Date(),
  });
}

const isTakenBack = ({ ours, theirs }: Difference): boolean =>
  ours?.state === 'success' && (theirs?.status === 'reversed' || theirs?.status === 'failed');

const isPerformedAllTheSame = ({ kind, ours, theirs }: Difference): boolean =>
  kind === 'status_differs' &&
  (ours?.state === 'failed' || ours?.state === 'reversed') &&
  theirs?.status === 'performed';

/**
 * A statement is no proof, but a reason to ask: every success of ours that it calls reversed or failed is in doubt from now on, and
 * the service asks the provider about it. Returns how many. Safe to repeat.
 */
export async function askAboutTakenBack(db: Queryable, { differences }: Comparison): Promise<number> {
  let asked = 0;
  for (const { ours } of differences.filter(isTakenBack))
    if (await doubtSuccess(db, ours!.developerId, ours!.id)) asked++;
  return asked;
}

/**
 * Every order of ours that was given back and that the statement calls performed waits for a person from now on, as a contradiction.
 * Returns how many orders that is. A line that put its order there once does not do so again, also when people decided meanwhile.
 */
export async function queueContradicted(db: Queryable, { differences }: Comparison): Promise<number> {
  let queued = 0;
  for (const { ours, theirs } of differences.filter(isPerformedAllTheSame)) {
    const { reference, status, amountPaise, at } = theirs!;
    const statement = { reference, status, at: at.toISOString(), amountPaise: String(amountPaise) };
    const { rows } = await db.query<{ contradicted: boolean }>({
      text: `select order_contradicted($1, $2, true, $3) as contradicted where not exists (
          select from order_event e where e.developer_id = $1 and e.order_id = $2 and e.kind = 'contradiction'
            and e.detail -> 'statement' = $3::jsonb -> 'statement')`,
      values: [
        ours!.developerId,
        ours!.id,
        JSON.stringify({ note: "performed, says the provider's statement", statement }),
      ],
    });
    if (rows[0]?.contradicted) queued++;
  }
  return queued;
}
