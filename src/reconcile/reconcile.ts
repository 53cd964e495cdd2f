import type { Secret } from '../core/secret.js';
import type { Queryable } from '../db/pool.js';
import { accountHash } from '../orders/order.store.js';
import { doubtSuccess } from '../status-checks/reversals.js';
import { type Comparison, compare, type Difference, type Period } from './compare.js';
import type { HashedLine, OurOrder } from './matching.js';
import { archivedOf, ordersBetween, ordersOf } from './our-orders.js';
import type { ProviderLine } from './provider-statement.js';

export interface ReconcileOptions {
  /** Provider name as in orders: ROUNDPAY, MOKSHIQ, INSPAY. */
  provider: string;
  period: Period;
  /** Maximum time difference between an order and its line, for a provider without references. */
  windowMs: number;
  pepper: Secret;
  now?: Date;
}

/** Both sides of the comparison. */
export interface Books {
  orders: OurOrder[];
  lines: HashedLine[];
  /** References of lines whose orders are archived. */
  archived: ReadonlySet<string>;
}

/**
 * Returns the lines of a statement, and our orders that it can refer to. Account numbers are encrypted, so they are compared by
 * their keyed hash. This function only reads.
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
  const otherReferences = [
    ...new Set(lines.map(({ reference }) => reference).filter((reference) => !known.has(reference))),
  ];
  return {
    orders: [...orders, ...(await ordersOf(db, provider, otherReferences))],
    lines: hashed,
    archived: await archivedOf(db, otherReferences),
  };
}

/**
 * Compares a provider's statement with our orders of a period and returns missing and differing entries of both sides. This
 * function only reads; see `followUp`.
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

const isReversedAtProvider = ({ ours, theirs }: Difference): boolean =>
  ours?.state === 'success' && (theirs?.status === 'reversed' || theirs?.status === 'failed');

const isSucceededAtProvider = ({ kind, ours, theirs }: Difference): boolean =>
  kind === 'status_differs' &&
  (ours?.state === 'failed' || ours?.state === 'reversed') &&
  theirs?.status === 'succeeded';

/** Follow-up for orders whose final status conflicts with a statement. */
export interface FollowUp {
  /** Successes whose status the service checks with the provider. */
  doubted: number;
  /** Orders that this statement put into manual review. */
  conflicting: number;
}

/**
 * Starts the follow-up. A statement is not proof. The status of a success that the statement lists as reversed or failed is
 * checked with the provider. If the provider has no status check, the order goes to manual review, and so does a refunded order
 * that the statement lists as succeeded. The follow-up is safe to repeat: a line puts its order into manual review only once,
 * even after staff have resolved the order.
 */
export async function followUp(
  db: Queryable,
  { differences }: Pick<Comparison, 'differences'>,
  canCheckStatus: boolean,
): Promise<FollowUp> {
  const counts = { doubted: 0, conflicting: 0 };
  for (const difference of differences) {
    const isReversed = isReversedAtProvider(difference);
    if (isReversed && canCheckStatus) {
      const { developerId, id } = difference.ours!;
      if (await doubtSuccess(db, developerId, id)) counts.doubted++;
    } else if (isReversed || isSucceededAtProvider(difference)) {
      if (await recordConflict(db, difference)) counts.conflicting++;
    }
  }
  return counts;
}

/** Puts an order into manual review. Returns false if this line has already put the order into review. */
async function recordConflict(db: Queryable, { ours, theirs }: Difference): Promise<boolean> {
  const { reference, status, amountPaise, at } = theirs!;
  const statement = { reference, status, at: at.toISOString(), amountPaise: String(amountPaise) };
  const { rows } = await db.query<{ conflicting: boolean }>({
    text: `select order_status_conflict($1, $2, $3, $4) as conflicting where not exists (
        select from order_event e where e.developer_id = $1 and e.order_id = $2 and e.kind = 'status_conflict'
          and e.detail -> 'statement' = $4::jsonb -> 'statement')`,
    values: [
      ours!.developerId,
      ours!.id,
      status === 'succeeded',
      JSON.stringify({ note: `${status} according to the provider's statement`, statement }),
    ],
  });
  return rows[0]?.conflicting === true;
}
