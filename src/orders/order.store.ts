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
  LOOKUP_ANSWER,
  ORDER_COLUMNS,
  type OrderKey,
  type OrderRow,
  orderOf,
  type PlacedKey,
  type StoredOrder,
} from './stored-order.js';

/** Whose key it is, and of what. */
interface KeyScope {
  developerId: DeveloperId;
  environment: Environment;
  operation: Operation;
}

/**
 * The reference that a provider is sent, and our api_request_id: 25 characters, upper-case base36. That of a payment with a key
 * follows from the key, so that a key whose order was lost (a restore to an older point, a failover without the newest commits)
 * comes to the provider under the same reference, and one that knows it answers with what it has performed.
 *
 * @param secret never changed: a new one would give known keys new references
 */
export function referenceFor(secret: Secret, scope: KeyScope, clientKey: string | null, orderId: string): string {
  const { developerId, environment, operation } = scope;
  // the keys of lookups are given back, and used again for other calls
  if (clientKey === null || !isPayment(operation)) return referenceOf(orderId);
  const text = JSON.stringify([developerId, environment, operation, clientKey]);
  return referenceOf(keyedHash(secret, 'order-reference', text).toString('hex', 0, 16));
}

/** What a payment is found by beside its own ids. */
export interface SearchTerms {
  providerTxnId?: string;
  /** Of a recharge: the operator's reference. */
  operatorRef?: string;
  /** Of a card payment. */
  utr?: string;
  /** The last 4 characters of its card. */
  cardLast4?: string;
}

const HASH_BYTES = 16;

/**
 * What `order_search` holds of a payment: keyed hashes, so that neither an account nor a reference can be read there, and equal texts
 * of different kinds do not meet. The first 16 bytes of each; 2⁶⁴ orders later two of them might be equal.
 */
export class OrderSearch {
  constructor(private readonly pepper: Secret) {}

  /** Mobile or subscriber number, as the hold writes it. */
  ofAccount(account: string): Buffer {
    return accountHash(this.pepper, account).subarray(0, HASH_BYTES);
  }

  /** As providers write it; case does not count. */
  of(kind: keyof SearchTerms, text: string): Buffer {
    return keyedHash(this.pepper, `order-search ${kind}`, text.trim().toUpperCase()).subarray(0, HASH_BYTES);
  }

  /** The hashes of all that is known, one after the other. */
  ofAll(terms: SearchTerms): Buffer {
    const kinds = ['providerTxnId', 'operatorRef', 'utr', 'cardLast4'] as const;
    return Buffer.concat(kinds.flatMap((kind) => (terms[kind] ? [this.of(kind, terms[kind])] : [])));
  }
}

/** What the order's row holds of its account. */
export const accountHash = (pepper: Secret, account: string): Buffer => keyedHash(pepper, 'account', account);

/** The outcome of an order as its row keeps it, encrypted. */
export interface StoredAnswer<Value> {
  value: Value | null;
  decline?: DeclineReason;
}

/** What an order's row holds encrypted. */
type OrderPart = 'request' | 'answer';

type OnLost = (lost: { orderId: string; part: OrderPart; error: unknown }) => void;

/** So many are remembered. The first of them show that a key is lost. */
const MOST = 10_000;

/** Parts of orders that could not be read: each is logged once in the life of a process, however often it is asked for. */
class LostParts {
  readonly #known = new Set<string>();

  constructor(private readonly onLost: OnLost = () => {}) {}

  /** Errors: UnreadablePart. */
  read<T>(orderId: string, part: OrderPart, decrypt: () => T): T {
    try {
      return decrypt();
    } catch (error) {
      const name = `${orderId} ${part}`;
      if (!this.#known.has(name) && this.#known.size < MOST) {
        this.#known.add(name);
        this.onLost({ orderId, part, error });
      }
      throw new UnreadablePart(error);
    }
  }
}

/** What was read, or the error of a part that cannot be. */
export function readOrLost<T>(read: () => T): T | UnreadablePart {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnreadablePart) return error;
    throw error;
  }
}

/** Reads orders. Requests and answers are encrypted with the order's id as context. */
export class OrderStore {
  readonly #byKey: Loader<PlacedKey, StoredOrder | undefined>;
  readonly archived: ArchivedOrders;
  readonly #lost: LostParts;

  /** @param onLost a part of an order cannot be read */
  constructor(
    private readonly db: Queryable,
    private readonly encryption: FieldEncryption,
    onLost?: OnLost,
  ) {
    this.#byKey = batchedLoader((keys) => this.#byKeys(keys));
    this.archived = new ArchivedOrders(db);
    this.#lost = new LostParts(onLost);
  }

  encrypt(orderId: string, value: unknown): Buffer {
    return this.encryption.encrypt(orderContext(orderId), value);
  }

  /** What an order was placed with. Errors: UnreadablePart. */
  decrypt<T>(orderId: string, request: Buffer): T {
    return this.#lost.read(orderId, 'request', () => this.encryption.decrypt<T>(orderContext(orderId), request));
  }

  /** What is stored of an outcome: what a success amounts to, and why a failure was one. Errors: UnreadablePart. */
  answerOf<Value>({ id, answer }: Pick<StoredOrder, 'id' | 'answer'>): StoredAnswer<Value> {
    if (!answer) return { value: null };
    return this.#lost.read(id, 'answer', () => this.encryption.decrypt<StoredAnswer<Value>>(orderContext(id), answer));
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
    const { rows } = await this.db.query<OrderRow & { n: number }>({
      name: 'orders-by-key',
      // each found by its key: no statistics may make a scan of it
      text: `select wanted.n::integer, ${ORDER_COLUMNS}, ${LOOKUP_ANSWER}
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

  /** Each order by its id, in the order of the keys, undefined where there is none. Of lookups all but their answers. */
  async byIds(keys: readonly OrderKey[]): Promise<(StoredOrder | undefined)[]> {
    const { rows } = await this.db.query<OrderRow>({
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
      text: `select ${ORDER_COLUMNS}, ${LOOKUP_ANSWER} from orders where developer_id = $1 and id = $2`,
      values: [developerId, id],
    });
    return rows[0] && orderOf(rows[0]);
  }

  /** The order whose answer a recharge without a key would get; its hold decides that again, under the lock of the wallet. */
  async repeatedBy(
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

  /** A payment of whomever. */
  async payment(id: string): Promise<StoredOrder | undefined> {
    const { rows } = await this.db.query<OrderRow>({
      name: 'payment-by-id',
      text: `select ${ORDER_COLUMNS} from orders where id = $1 and operation in ('recharge', 'card_payment')`,
      values: [id],
    });
    return rows[0] && orderOf(rows[0]);
  }

  /** The same by its api_request_id; undefined for texts that are none. */
  async paymentOfReference(reference: string): Promise<StoredOrder | undefined> {
    if (!isReference(reference)) return undefined;
    const { rows } = await this.db.query<OrderRow>({
      name: 'payment-by-reference',
      text: `select ${ORDER_COLUMNS} from orders where id = (select r.order_id from order_reference r where r.reference = $1)`,
      values: [reference],
    });
    return rows[0] && orderOf(rows[0]);
  }

  /** A payment by its api_request_id; undefined for texts that are none. */
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
