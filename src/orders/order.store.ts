import { orderContext } from '../core/card-number.js';
import type { Environment } from '../core/environment.js';
import { UnreadablePart } from '../core/errors.js';
import type { FieldEncryption } from '../core/field-encryption.js';
import { isReference, referenceOf } from '../core/ids.js';
import type { DeveloperId } from '../core/principal.js';
import { keyedHash, type Secret } from '../core/secret.js';
import { batchedLoader, type Loader } from '../db/batched-loader.js';
import type { Queryable } from '../db/pool.js';
import type { Operation } from '../ledger/ledger.service.js';
import { ageOf, type KeylessRecharge } from '../ledger/postings.js';
import type { DeclineReason } from '../providers/decline-reasons.js';
import { ArchivedOrders } from './archived-orders.js';
import { isPayment } from './states.js';
import {
  LOOKUP_RESPONSE,
  ORDER_COLUMNS,
  type OrderKey,
  type OrderRow,
  orderOf,
  type StoredKey,
  type StoredOrder,
} from './stored-order.js';

/** Scope of an idempotency key. */
interface KeyScope {
  developerId: DeveloperId;
  environment: Environment;
  operation: Operation;
}

/**
 * Returns the reference sent to a provider, which is also our api_request_id: 25 characters, upper-case base36. The reference
 * of a payment with an idempotency key is derived from the key. The order of the key can be lost in a restore to an older
 * point or a failover without the latest commits. A retry then reaches the provider under the same reference, and the provider
 * can return the original result.
 *
 * @param secret secret that never changes, because used keys would otherwise get new references
 */
export function referenceFor(secret: Secret, scope: KeyScope, clientKey: string | null, orderId: string): string {
  const { developerId, environment, operation } = scope;
  // idempotency keys of lookups are released and can be reused for other calls
  if (clientKey === null || !isPayment(operation)) return referenceOf(orderId);
  const text = JSON.stringify([developerId, environment, operation, clientKey]);
  return referenceOf(keyedHash(secret, 'order-reference', text).toString('hex', 0, 16));
}

/** Search terms of a payment, besides its IDs. */
export interface SearchTerms {
  providerTxnId?: string;
  /** Operator reference, only for recharges. */
  operatorRef?: string;
  /** UTR, only for card bill payments. */
  utr?: string;
  /** Last 4 characters of the card. */
  cardLast4?: string;
}

const HASH_BYTES = 16;

/**
 * Search hashes in `order_search`. They are keyed, so that accounts and references cannot be read from the table, and depend
 * on the kind, so that identical texts of different kinds do not collide. Each is cut to 16 bytes; a collision is likely only
 * after 2⁶⁴ orders.
 */
export class OrderSearch {
  constructor(private readonly pepper: Secret) {}

  /** Returns the hash of a mobile or subscriber number, as in the hold. */
  ofAccount(account: string): Buffer {
    return accountHash(this.pepper, account).subarray(0, HASH_BYTES);
  }

  /** Returns the hash of a provider reference, regardless of case. */
  of(kind: keyof SearchTerms, text: string): Buffer {
    return keyedHash(this.pepper, `order-search ${kind}`, text.trim().toUpperCase()).subarray(0, HASH_BYTES);
  }

  ofAll(terms: SearchTerms): Buffer {
    const kinds = ['providerTxnId', 'operatorRef', 'utr', 'cardLast4'] as const;
    return Buffer.concat(kinds.flatMap((kind) => (terms[kind] ? [this.of(kind, terms[kind])] : [])));
  }
}

export const accountHash = (pepper: Secret, account: string): Buffer => keyedHash(pepper, 'account', account);

/** Outcome of an order as stored in its row. It is encrypted. */
export interface StoredResult<Value> {
  value: Value | null;
  decline?: DeclineReason;
}

/** Encrypted parts of an order row. */
type OrderPart = 'request' | 'answer';

type OnUnreadable = (failure: { orderId: string; part: OrderPart; error: unknown }) => void;

/** Maximum number of unreadable parts that are remembered. It is enough to show that an encryption key is missing. */
const MAX_REMEMBERED_PARTS = 10_000;

/** Parts of orders that could not be decrypted. Each part is logged once per process, even if it is read repeatedly. */
class UnreadableParts {
  readonly #reportedParts = new Set<string>();

  constructor(private readonly onUnreadable: OnUnreadable = () => {}) {}

  /** Decrypts a part of an order. Throws UnreadablePart. */
  read<T>(orderId: string, part: OrderPart, decrypt: () => T): T {
    try {
      return decrypt();
    } catch (error) {
      const name = `${orderId} ${part}`;
      if (!this.#reportedParts.has(name) && this.#reportedParts.size < MAX_REMEMBERED_PARTS) {
        this.#reportedParts.add(name);
        this.onUnreadable({ orderId, part, error });
      }
      throw new UnreadablePart(error);
    }
  }
}

export function readOrUnreadable<T>(read: () => T): T | UnreadablePart {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnreadablePart) return error;
    throw error;
  }
}

/** Reads orders. Requests and responses are encrypted with the order ID as context. */
export class OrderStore {
  readonly #byKey: Loader<StoredKey, StoredOrder | undefined>;
  readonly archived: ArchivedOrders;
  readonly #unreadableParts: UnreadableParts;

  /** @param onUnreadable called when a part of an order cannot be decrypted */
  constructor(
    private readonly db: Queryable,
    private readonly encryption: FieldEncryption,
    onUnreadable?: OnUnreadable,
  ) {
    this.#byKey = batchedLoader((keys) => this.#byKeys(keys));
    this.archived = new ArchivedOrders(db);
    this.#unreadableParts = new UnreadableParts(onUnreadable);
  }

  encrypt(orderId: string, value: unknown): Buffer {
    return this.encryption.encrypt(orderContext(orderId), value);
  }

  /** Decrypts the request that the order was placed with. Throws UnreadablePart. */
  decrypt<T>(orderId: string, request: Buffer): T {
    return this.#unreadableParts.read(orderId, 'request', () =>
      this.encryption.decrypt<T>(orderContext(orderId), request),
    );
  }

  /** Decrypts the stored outcome: the value of a success, or the reason of a failure. Throws UnreadablePart. */
  resultOf<Value>({ id, result }: Pick<StoredOrder, 'id' | 'result'>): StoredResult<Value> {
    if (!result) return { value: null };
    return this.#unreadableParts.read(id, 'answer', () =>
      this.encryption.decrypt<StoredResult<Value>>(orderContext(id), result),
    );
  }

  /** @param storedKey idempotency key of the client as returned by `storedKeyOf` */
  async byStoredKey(
    developerId: DeveloperId,
    environment: Environment,
    operation: Operation,
    storedKey: string,
  ): Promise<StoredOrder | undefined> {
    const order = await this.#byKey.load({ developerId, environment, operation, storedKey });
    const isReleased = order && !isPayment(order.operation) && order.settledAt && !order.result;
    return isReleased ? undefined : order;
  }

  async #byKeys(keys: readonly StoredKey[]): Promise<(StoredOrder | undefined)[]> {
    const { rows } = await this.db.query<OrderRow & { n: number }>({
      name: 'orders-by-key',
      // forces a lookup by key: based on its statistics, the planner might choose a scan
      text: `select wanted.n::integer, ${ORDER_COLUMNS}, ${LOOKUP_RESPONSE}
        from unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) with ordinality
          wanted(developer, in_environment, of_operation, stored_key, n)
        cross join lateral (
          select x.order_id from order_key x
          where x.developer_id = wanted.developer and x.environment = wanted.in_environment
            and x.operation = wanted.of_operation and x.client_key = wanted.stored_key limit 1) f
        cross join lateral (select * from orders x where x.developer_id = wanted.developer and x.id = f.order_id limit 1) orders`,
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

  /**
   * Returns orders by ID, in the sequence of the keys. Undefined for each that does not exist. Lookups are returned without
   * their responses.
   */
  async byIds(keys: readonly OrderKey[]): Promise<(StoredOrder | undefined)[]> {
    const { rows } = await this.db.query<OrderRow>({
      name: 'orders-by-ids',
      // forces a lookup by key: based on its statistics, the planner might scan months of orders
      text: `select ${ORDER_COLUMNS} from unnest($1::uuid[], $2::uuid[]) k(owner, subject)
        cross join lateral (select * from orders x where x.developer_id = k.owner and x.id = k.subject limit 1) o`,
      values: [keys.map(({ developerId }) => developerId), keys.map(({ id }) => id)],
    });
    const found = new Map(rows.map((row) => [row.id, orderOf(row)]));
    return keys.map(({ id }) => found.get(id));
  }

  /** Returns the IDs of those orders that are final, in no particular order. */
  async settledIdsOf(keys: readonly OrderKey[]): Promise<string[]> {
    const { rows } = await this.db.query<{ id: string }>({
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
    const { rows } = await this.db.query<OrderRow>({
      name: 'order-by-id',
      text: `select ${ORDER_COLUMNS}, ${LOOKUP_RESPONSE} from orders where developer_id = $1 and id = $2`,
      values: [developerId, id],
    });
    return rows[0] && orderOf(rows[0]);
  }

  /**
   * Returns the order whose result a recharge without an idempotency key would return. The hold checks this again under the
   * lock of the wallet.
   */
  async findDuplicate(
    { developerId, environment }: Pick<StoredOrder, 'developerId' | 'environment'>,
    fingerprint: Buffer,
    keyless: KeylessRecharge,
  ): Promise<StoredOrder | undefined> {
    const { rows } = await this.db.query<{ order_id: string }>({
      name: 'order-repeated-by',
      text: `select order_id from keyless_repetition($1, $2, $3, $4, $5) where verdict = 'same'`,
      values: [developerId, environment, fingerprint, keyless.guardS, ageOf(keyless)],
    });
    return rows[0] && this.byId(developerId, rows[0].order_id);
  }

  /** Returns a payment of any account. */
  async payment(id: string): Promise<StoredOrder | undefined> {
    const { rows } = await this.db.query<OrderRow>({
      name: 'payment-by-id',
      text: `select ${ORDER_COLUMNS} from orders where id = $1 and operation in ('recharge', 'card_payment')`,
      values: [id],
    });
    return rows[0] && orderOf(rows[0]);
  }

  /** Returns a payment of any account by its api_request_id. Undefined for an invalid reference. */
  async paymentOfReference(reference: string): Promise<StoredOrder | undefined> {
    if (!isReference(reference)) return undefined;
    const { rows } = await this.db.query<OrderRow>({
      name: 'payment-by-reference',
      text: `select ${ORDER_COLUMNS} from orders where id = (select r.order_id from order_reference r where r.reference = $1)`,
      values: [reference],
    });
    return rows[0] && orderOf(rows[0]);
  }

  /** Returns a payment of the account by its api_request_id. Undefined for an invalid reference. */
  async byReference(developerId: DeveloperId, reference: string): Promise<StoredOrder | undefined> {
    if (!isReference(reference)) return undefined;
    const { rows } = await this.db.query<OrderRow>({
      name: 'order-by-reference',
      text: `select ${ORDER_COLUMNS} from orders where developer_id = $1 and id = (
          select r.order_id from order_reference r where r.reference = $2 and r.developer_id = $1)`,
      values: [developerId, reference],
    });
    return rows[0] && orderOf(rows[0]);
  }
}
