import { firstIdAt } from '../core/ids.js';
import { paise } from '../core/money.js';
import type { Queryable } from '../db/pool.js';
import type { OrderState } from '../orders/states.js';
import type { OurOrder } from './matching.js';

interface Row {
  id: string;
  reference: string;
  developer_id: string;
  account_hash: Buffer;
  amount_paise: string;
  state: OrderState;
  reversed: boolean;
  created_at: string;
}

const COLUMNS = `id, reference, developer_id, account_hash, amount_paise::text, state, reversed_at is not null as reversed, created_at`;
const PAYMENTS = `operation in ('recharge', 'card_payment')`;
const ROWS_PER_READ = 5_000;
/**
 * Maximum difference of clocks. IDs contain the clock of the process that placed the order, which can be wrong. `created_at` is
 * the clock of the database.
 */
const CLOCKS_APART_MS = 6 * 3_600_000;

const orderOf = (row: Row): OurOrder => ({
  id: row.id,
  reference: row.reference,
  developerId: row.developer_id,
  accountHash: row.account_hash.toString('hex'),
  amountPaise: paise(row.amount_paise),
  state: row.reversed ? 'reversed' : row.state,
  at: new Date(row.created_at),
});

/** Returns the payments placed with a provider from `from` to before `to`, read page by page by ID. */
export async function ordersBetween(db: Queryable, provider: string, from: Date, to: Date): Promise<OurOrder[]> {
  const orders: OurOrder[] = [];
  const end = firstIdAt(new Date(to.getTime() + CLOCKS_APART_MS));
  let after = firstIdAt(new Date(from.getTime() - CLOCKS_APART_MS));
  for (;;) {
    const { rows } = await db.query<Row>({
      name: 'reconcile-page',
      text: `select ${COLUMNS} from orders where id > $1 and id < $2 and provider = $3 and ${PAYMENTS}
        and created_at >= $4 and created_at < $5 order by id limit ${ROWS_PER_READ}`,
      values: [after, end, provider, from.toISOString(), to.toISOString()],
    });
    for (const row of rows) orders.push(orderOf(row));
    if (rows.length < ROWS_PER_READ) return orders;
    after = rows.at(-1)!.id;
  }
}

/** Returns the payments with these references, whenever they were placed, because a provider can book a payment days later. */
export async function ordersOf(db: Queryable, provider: string, references: readonly string[]): Promise<OurOrder[]> {
  const orders: OurOrder[] = [];
  for (let index = 0; index < references.length; index += ROWS_PER_READ) {
    const { rows } = await db.query<Row>({
      name: 'reconcile-references',
      text: `select ${COLUMNS} from orders where provider = $2
        and (developer_id, id) in (select r.developer_id, r.order_id from order_reference r where r.reference = any($1))`,
      values: [references.slice(index, index + ROWS_PER_READ), provider],
    });
    for (const row of rows) orders.push(orderOf(row));
  }
  return orders;
}

/** Returns the references whose payments are archived. */
export async function archivedOf(db: Queryable, references: readonly string[]): Promise<ReadonlySet<string>> {
  const archived = new Set<string>();
  for (let index = 0; index < references.length; index += ROWS_PER_READ) {
    const { rows } = await db.query<{ reference: string }>({
      name: 'reconcile-archived',
      text: `select r.reference from order_reference r where r.reference = any($1)
        and not exists (select from orders o where o.developer_id = r.developer_id and o.id = r.order_id)`,
      values: [references.slice(index, index + ROWS_PER_READ)],
    });
    for (const { reference } of rows) archived.add(reference);
  }
  return archived;
}
