import { orderContext } from '../core/client-key.js';
import type { Environment } from '../core/environment.js';
import { isReference } from '../core/ids.js';
import type { DeveloperId } from '../core/principal.js';
import { batchedLoader, type Loader } from '../db/batched-loader.js';
import type { FieldEncryption } from '../db/field-encryption.js';
import type { Queryable } from '../db/pool.js';
import type { Operation } from '../ledger/ledger.service.js';
import type { DeclineReason } from '../providers/decline-reasons.js';
import { jittered } from './jitter.js';
import { isPayment } from './states.js';
import {
  LEASED_COLUMNS,
  type LeasedOrder,
  type LeasedRow,
  LOOKUP_ANSWER,
  leasedOrderOf,
  ORDER_COLUMNS,
  type OrderRow,
  orderOf,
  type StoredOrder,
} from './stored-order.js';

export type { LeasedOrder, StoredOrder } from './stored-order.js';

export interface OrderKey {
  developerId: DeveloperId;
  id: string;
}

/** What a caller's key is stored under. */
interface PlacedKey {
  developerId: DeveloperId;
  environment: Environment;
  operation: Operation;
  storedKey: string;
}

/** How an order stays open: asked again after `dueMs`, or handed to a person. */
export interface Undecided {
  /** Null: nobody asks again. */
  dueMs: number | null;
  /** After an enquiry nobody asks again before, whatever callbacks say. */
  pauseMs: number;
  review: boolean;
  /** This was the answer to an enquiry, not to the call. */
  enquiry: boolean;
  /** An enquiry that found nothing and counts. */
  notFound: boolean;
  providerTxnId: string;
  /** Hashes that the order is to be found by from now on. */
  search: Buffer;
  detail: object;
}

/** The outcome of an order as its row keeps it, encrypted. */
export interface StoredAnswer<Value> {
  value: Value | null;
  decline?: DeclineReason;
}

/** Reads orders, and moves those that no money moves for. Requests and answers are encrypted with the order's id as context. */
export class OrderStore {
  readonly #db: Queryable;
  readonly #encryption: FieldEncryption;
  readonly #byKey: Loader<PlacedKey, StoredOrder | undefined>;

  constructor(db: Queryable, encryption: FieldEncryption) {
    this.#db = db;
    this.#encryption = encryption;
    this.#byKey = batchedLoader((keys) => this.#byKeys(keys));
  }

  encrypt(orderId: string, value: unknown): Buffer {
    return this.#encryption.encrypt(orderContext(orderId), value);
  }

  decrypt<T>(orderId: string, bytes: Buffer): T {
    return this.#encryption.decrypt<T>(orderContext(orderId), bytes);
  }

  /** What is stored of an outcome: what a success amounts to, and why a failure was one. */
  answerOf<Value>({ id, answer }: Pick<StoredOrder, 'id' | 'answer'>): StoredAnswer<Value> {
    return answer ? this.decrypt<StoredAnswer<Value>>(id, answer) : { value: null };
  }

  /** @param storedKey as `storedKeyOf` makes it of the client's */
  async byStoredKey(
    developerId: DeveloperId,
    environment: Environment,
    operation: Operation,
    storedKey: string,
  ): Promise<StoredOrder | undefined> {
    const order = await this.#byKey.load({ developerId, environment, operation, storedKey });
    const forgotten = order && !isPayment(order.operation) && order.settledAt && !order.answer;
    return forgotten ? undefined : order;
  }

  async #byKeys(keys: readonly PlacedKey[]): Promise<(StoredOrder | undefined)[]> {
    const { rows } = await this.#db.query<OrderRow & { n: number }>({
      name: 'orders-by-key',
      // each found by its key: no statistics may make a scan of it
      text: `select k.n::integer, ${ORDER_COLUMNS}, ${LOOKUP_ANSWER}
        from unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) with ordinality k(owner, world, kind, key, n)
        cross join lateral (
          select x.order_id from order_key x
          where x.developer_id = k.owner and x.environment = k.world and x.operation = k.kind and x.client_key = k.key limit 1) f
        cross join lateral (select * from orders x where x.developer_id = k.owner and x.id = f.order_id limit 1) orders`,
      values: [
        keys.map(({ developerId }) => developerId),
        keys.map(({ environment }) => environment),
        keys.map(({ operation }) => operation),
        keys.map(({ storedKey }) => storedKey),
      ],
    });
    const found = new Map(rows.map((row) => [row.n - 1, orderOf(row)]));
    return keys.map((_key, index) => found.get(index));
  }

  /** Those payments of an operation that these keys stand for, in no order. */
  async byStoredKeys(
    developerId: DeveloperId,
    environment: Environment,
    operation: Operation,
    storedKeys: readonly string[],
  ): Promise<StoredOrder[]> {
    const { rows } = await this.#db.query<OrderRow>({
      name: 'orders-by-keys',
      text: `select ${ORDER_COLUMNS} from orders where developer_id = $1 and id = any(array(
          select k.order_id from order_key k
          where k.developer_id = $1 and k.environment = $2 and k.operation = $3 and k.client_key = any($4)))`,
      values: [developerId, environment, operation, storedKeys],
    });
    return rows.map(orderOf);
  }

  /** Each order by its id, in the order of the keys, undefined where there is none. Of lookups all but their answers. */
  async byIds(keys: readonly OrderKey[]): Promise<(StoredOrder | undefined)[]> {
    const { rows } = await this.#db.query<OrderRow>({
      name: 'orders-by-ids',
      // each found by its key: no statistics may make a scan of months of it
      text: `select ${ORDER_COLUMNS} from unnest($1::uuid[], $2::uuid[]) k(owner, subject)
        cross join lateral (select * from orders x where x.developer_id = k.owner and x.id = k.subject limit 1) o`,
      values: [keys.map(({ developerId }) => developerId), keys.map(({ id }) => id)],
    });
    const found = new Map(rows.map((row) => [row.id, orderOf(row)]));
    return keys.map(({ id }) => found.get(id));
  }

  /** Which of these orders are decided, in no order. */
  async decidedOf(keys: readonly OrderKey[]): Promise<string[]> {
    const { rows } = await this.#db.query<{ id: string }>({
      name: 'orders-decided',
      text: `select o.id from unnest($1::uuid[], $2::uuid[]) k(owner, subject)
        cross join lateral (
          select x.id, x.settled_at from orders x where x.developer_id = k.owner and x.id = k.subject limit 1) o
        where o.settled_at is not null`,
      values: [keys.map(({ developerId }) => developerId), keys.map(({ id }) => id)],
    });
    return rows.map(({ id }) => id);
  }

  async byId(developerId: DeveloperId, id: string): Promise<StoredOrder | undefined> {
    const { rows } = await this.#db.query<OrderRow>({
      name: 'order-by-id',
      text: `select ${ORDER_COLUMNS}, ${LOOKUP_ANSWER} from orders where developer_id = $1 and id = $2`,
      values: [developerId, id],
    });
    return rows[0] && orderOf(rows[0]);
  }

  /** A payment of whomever. */
  async payment(id: string): Promise<StoredOrder | undefined> {
    const { rows } = await this.#db.query<OrderRow>({
      name: 'payment-by-id',
      text: `select ${ORDER_COLUMNS} from orders where id = $1 and operation in ('recharge', 'card_payment')`,
      values: [id],
    });
    return rows[0] && orderOf(rows[0]);
  }

  /** The same by its api_request_id; undefined for texts that are none. */
  async paymentOfReference(reference: string): Promise<StoredOrder | undefined> {
    if (!isReference(reference)) return undefined;
    const { rows } = await this.#db.query<OrderRow>({
      name: 'payment-by-reference',
      text: `select ${ORDER_COLUMNS} from orders where id = (select r.order_id from order_reference r where r.reference = $1)`,
      values: [reference],
    });
    return rows[0] && orderOf(rows[0]);
  }

  /** Forgets the answers of lookups that cannot be repeated for nothing any more; fewer than `limit`: there are no more. */
  async releaseLookups(limit: number): Promise<number> {
    const { rows } = await this.#db.query<{ count: number }>({
      text: 'select lookup_release($1) as count',
      values: [limit],
    });
    return rows[0]!.count;
  }

  /** A payment by its api_request_id; undefined for texts that are none. */
  async byReference(developerId: DeveloperId, reference: string): Promise<StoredOrder | undefined> {
    if (!isReference(reference)) return undefined;
    const { rows } = await this.#db.query<OrderRow>({
      name: 'order-by-reference',
      text: `select ${ORDER_COLUMNS} from orders where developer_id = $1 and id = (
          select r.order_id from order_reference r where r.reference = $2 and r.developer_id = $1)`,
      values: [developerId, reference],
    });
    return rows[0] && orderOf(rows[0]);
  }

  /** The outcome is not known (yet). `already` when the order was decided in the meantime. */
  async markUndecided(order: OrderKey, undecided: Undecided): Promise<'open' | 'review' | 'already'> {
    const { dueMs, pauseMs, review, enquiry, notFound, providerTxnId, search, detail } = undecided;
    const { rows } = await this.#db.query<{ state: 'open' | 'review' | 'already' }>({
      name: 'order-unknown',
      text: 'select order_unknown($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) as state',
      values: [
        order.developerId,
        order.id,
        dueMs === null ? null : jittered(dueMs),
        pauseMs,
        review,
        enquiry,
        notFound,
        providerTxnId,
        enquiry ? 'enquiry' : 'answer',
        JSON.stringify(detail),
        search,
      ],
    });
    return rows[0]!.state;
  }

  /**
   * An open order of a provider that cannot be asked leaves now (`send`), or never will. False: the other was claimed before, or the
   * order is decided.
   */
  async claim(order: OrderKey, what: 'send' | 'never send'): Promise<boolean> {
    const { rows } = await this.#db.query<{ claimed: boolean }>({
      name: 'order-claim',
      text: 'select order_claim($1, $2, $3) as claimed',
      values: [order.developerId, order.id, what === 'send'],
    });
    return rows[0]!.claimed;
  }

  /**
   * Takes due orders of one provider for `leaseMs`; other sweepers skip them until then. Open ones and doubted successes come
   * first, then successes that are to be checked again.
   */
  async leaseDue(provider: string, limit: number, leaseMs: number): Promise<LeasedOrder[]> {
    const { rows } = await this.#db.query<LeasedRow>({
      name: 'order-lease-due',
      text: `select ${LEASED_COLUMNS} from order_lease_due($1, $2, $3)`,
      values: [provider, limit, leaseMs],
    });
    return rows.map(leasedOrderOf);
  }

  /** The providers of due orders that are none of these. */
  async providersDueBeside(known: readonly string[]): Promise<string[]> {
    const { rows } = await this.#db.query<{ provider: string }>({
      text: 'select distinct provider from order_due where provider <> all($1) order by 1',
      values: [known],
    });
    return rows.map(({ provider }) => provider);
  }

  /** Remembers a callback as one of at most `keep` and makes its order due when it is a reason to ask; see order-enquiries.sql. */
  async recordCallback(
    provider: string,
    reference: string,
    says: string,
    keep: number,
    detail: object,
  ): Promise<'unknown_order' | 'enquiry' | 'contradiction' | 'noted'> {
    const { rows } = await this.#db.query<{ result: 'unknown_order' | 'enquiry' | 'contradiction' | 'noted' }>({
      name: 'order-callback',
      text: 'select order_callback($1, $2, $3, $4, $5) as result',
      values: [provider, reference, says, keep, JSON.stringify(detail)],
    });
    return rows[0]!.result;
  }

  /** An enquiry about a success proved no reversal: ask again in `dueMs`, or never when it is undefined. `over`: nobody doubts it any more. */
  async markStillSuccess(
    order: StoredOrder,
    { dueMs, pauseMs, over, detail }: { dueMs: number | undefined; pauseMs: number; over: boolean; detail: object },
  ): Promise<void> {
    await this.#db.query({
      text: 'select order_still_success($1, $2, $3, $4, $5, $6, $7)',
      values: [
        order.developerId,
        order.id,
        order.asked,
        dueMs === undefined ? null : jittered(dueMs),
        pauseMs,
        over,
        JSON.stringify(detail),
      ],
    });
  }

  /** The provider says that it performed the payment, or that it did not. True when that contradicts what was decided. */
  async contradict(order: OrderKey, performed: boolean, detail: object): Promise<boolean> {
    const { rows } = await this.#db.query<{ contradicted: boolean }>({
      text: 'select order_contradicted($1, $2, $3, $4) as contradicted',
      values: [order.developerId, order.id, performed, JSON.stringify(detail)],
    });
    return rows[0]!.contradicted;
  }

  /** An enquiry about a payment that was given back has ended; nobody asks again by itself. */
  async markStillDecided(order: OrderKey, pauseMs: number, detail: object): Promise<void> {
    await this.#db.query({
      text: 'select order_still_decided($1, $2, $3, $4)',
      values: [order.developerId, order.id, pauseMs, JSON.stringify(detail)],
    });
  }
}
