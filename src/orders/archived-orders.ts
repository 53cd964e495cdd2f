import type { Environment } from '../core/environment.js';
import { AppError } from '../core/errors.js';
import { isReference } from '../core/ids.js';
import { noteOrder } from '../core/scope.js';
import { batchedLoader, type Loader } from '../db/batched-loader.js';
import type { Queryable } from '../db/pool.js';
import type { Operation } from '../ledger/ledger.service.js';
import type { OrderKey, PlacedKey } from './stored-order.js';

/** What is still known of a payment that has left for the archive. */
export interface ArchivedOrder extends OrderKey {
  environment: Environment;
  operation: Operation;
  reference: string;
  status: 'success' | 'failed' | 'reversed';
}

/** What a statement reads of `archived_order`. */
export const ARCHIVED_COLUMNS = 'developer_id as "developerId", id, environment, operation, reference, status';

const ENDS = {
  success: 'It was a success, whose debit is final.',
  failed: 'It failed, and its money came back.',
  reversed: 'It was reversed, and its money came back.',
} as const;

const KEY_ARCHIVED =
  'This key stands for an order that is so old that it is archived. Nothing was charged; a new order needs a new key.';
const DUPLICATE_ARCHIVED =
  'Duplicate order: this orderid was used before, for a payment that is so old that it is archived. Nothing was charged.';

/** Payments of archived months. They are asked for only where there is no order. */
export class ArchivedOrders {
  readonly #byKey: Loader<PlacedKey, ArchivedOrder | undefined>;

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

  /** By its api_request_id; undefined for texts that are none. */
  async byReference(reference: string): Promise<ArchivedOrder | undefined> {
    if (!isReference(reference)) return undefined;
    const { rows } = await this.db.query<ArchivedOrder>({
      name: 'archived-order-by-reference',
      text: `select ${ARCHIVED_COLUMNS} from archived_order where id = (select r.order_id from order_reference r where r.reference = $1)`,
      values: [reference],
    });
    return rows[0];
  }

  byKey(key: PlacedKey): Promise<ArchivedOrder | undefined> {
    return this.#byKey.load(key);
  }

  async #byKeys(keys: readonly PlacedKey[]): Promise<(ArchivedOrder | undefined)[]> {
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

/** Why there is no order to answer with: ORDER_ARCHIVED of one that the caller may see, else RECORD_NOT_FOUND. */
export function noOrder(archived?: ArchivedOrder, canSee: (order: ArchivedOrder) => boolean = () => true): AppError {
  if (!archived || !canSee(archived)) return new AppError('RECORD_NOT_FOUND', { message: 'There is no such order.' });
  noteOrder(archived);
  const { status, reference } = archived;
  const message = `This order is archived. ${ENDS[status]}`;
  return new AppError('ORDER_ARCHIVED', { message, apiRequestId: reference, orderStatus: status });
}

/**
 * The refusal of a payment whose key stands for an archived one. What that one was, nobody can compare any more: so its state is told
 * only where every repetition hears it, of a bill payment.
 */
export const keyArchived = (
  { operation, clientKey }: { operation: Operation; clientKey: string },
  { reference, status }: Partial<Pick<ArchivedOrder, 'status'>> & Pick<ArchivedOrder, 'reference'>,
): AppError =>
  operation === 'card_payment'
    ? new AppError('DUPLICATE_ORDER', { message: DUPLICATE_ARCHIVED, orderId: clientKey, orderStatus: status })
    : new AppError('IDEMPOTENCY_KEY_REUSED', { message: KEY_ARCHIVED, apiRequestId: reference });
