import type { Environment } from '../core/environment.js';
import { AppError } from '../core/errors.js';
import { isReference } from '../core/ids.js';
import { noteOrder } from '../core/scope.js';
import { batchedLoader, type Loader } from '../db/batched-loader.js';
import type { Queryable } from '../db/pool.js';
import type { Operation } from '../ledger/ledger.service.js';
import type { OrderKey, StoredKey } from './stored-order.js';

/** Data that is retained for an archived payment. */
export interface ArchivedOrder extends OrderKey {
  environment: Environment;
  operation: Operation;
  reference: string;
  status: 'success' | 'failed' | 'reversed';
}

/** Columns of `archived_order` that queries read. */
export const ARCHIVED_COLUMNS = 'developer_id as "developerId", id, environment, operation, reference, status';

const STATUS_MESSAGES = {
  success: 'The order succeeded and the debit is final.',
  failed: 'The order failed and the amount was refunded.',
  reversed: 'The order was reversed and the amount was refunded.',
} as const;

const KEY_ARCHIVED =
  'This idempotency key was used for an order that is now archived. Nothing was charged. Use a new idempotency key to place a new order.';
const DUPLICATE_ARCHIVED =
  'Duplicate order: this orderid was already used for a payment that is now archived. Nothing was charged.';

/** Payments of archived months. They are queried only if no current order is found. */
export class ArchivedOrders {
  readonly #byKey: Loader<StoredKey, ArchivedOrder | undefined>;

  constructor(private readonly db: Queryable) {
    this.#byKey = batchedLoader((keys) => this.#byKeys(keys));
  }

  async byId(id: string): Promise<ArchivedOrder | undefined> {
    const { rows } = await this.db.query<ArchivedOrder>({
      name: 'archived-order-by-id',
      text: `select ${ARCHIVED_COLUMNS} from archived_order where id = $1`,
      values: [id],
    });
    return rows[0];
  }

  /** Finds an archived payment by its api_request_id. Returns undefined for an invalid reference. */
  async byReference(reference: string): Promise<ArchivedOrder | undefined> {
    if (!isReference(reference)) return undefined;
    const { rows } = await this.db.query<ArchivedOrder>({
      name: 'archived-order-by-reference',
      text: `select ${ARCHIVED_COLUMNS} from archived_order where id = (select r.order_id from order_reference r where r.reference = $1)`,
      values: [reference],
    });
    return rows[0];
  }

  byKey(key: StoredKey): Promise<ArchivedOrder | undefined> {
    return this.#byKey.load(key);
  }

  async #byKeys(keys: readonly StoredKey[]): Promise<(ArchivedOrder | undefined)[]> {
    const { rows } = await this.db.query<ArchivedOrder & { n: number }>({
      name: 'archived-orders-by-key',
      text: `select wanted.n::integer, a.* from unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) with ordinality
          wanted(developer, in_environment, of_operation, stored_key, n)
        cross join lateral (
          select k.order_id from order_key k
          where k.developer_id = wanted.developer and k.environment = wanted.in_environment
            and k.operation = wanted.of_operation and k.client_key = wanted.stored_key limit 1) f
        cross join lateral (select ${ARCHIVED_COLUMNS} from archived_order where id = f.order_id limit 1) a`,
      values: [
        keys.map(({ developerId }) => developerId),
        keys.map(({ environment }) => environment),
        keys.map(({ operation }) => operation),
        keys.map(({ storedKey }) => storedKey),
      ],
    });
    const found = new Map(rows.map(({ n, ...order }) => [n - 1, order]));
    return keys.map((_key, index) => found.get(index));
  }
}

/**
 * Returns the error for an order that was not found: ORDER_ARCHIVED if it is archived and the caller may see it, otherwise
 * RECORD_NOT_FOUND.
 */
export function orderNotFound(
  archived?: ArchivedOrder,
  canSee: (order: ArchivedOrder) => boolean = () => true,
): AppError {
  if (!archived || !canSee(archived)) return new AppError('RECORD_NOT_FOUND', { message: 'Unknown order.' });
  noteOrder(archived);
  const { status, reference } = archived;
  const message = `This order is archived. ${STATUS_MESSAGES[status]}`;
  return new AppError('ORDER_ARCHIVED', { message, apiRequestId: reference, orderStatus: status });
}

/**
 * Returns the error for a payment whose idempotency key belongs to an archived order. The requests can no longer be compared,
 * so the status is returned only for bill payments, whose duplicates always return it.
 */
export const keyArchived = (
  { operation, clientKey }: { operation: Operation; clientKey: string },
  { reference, status }: Partial<Pick<ArchivedOrder, 'status'>> & Pick<ArchivedOrder, 'reference'>,
): AppError =>
  operation === 'card_payment'
    ? new AppError('DUPLICATE_ORDER', { message: DUPLICATE_ARCHIVED, orderId: clientKey, orderStatus: status })
    : new AppError('IDEMPOTENCY_KEY_REUSED', { message: KEY_ARCHIVED, apiRequestId: reference });
