import type { Environment } from '../core/environment.js';
import { idOfReference, isUuid } from '../core/ids.js';
import { type Paise, paise } from '../core/money.js';
import type { DeveloperId } from '../core/principal.js';
import type { FieldEncryption } from '../db/field-encryption.js';
import type { Queryable } from '../db/pool.js';
import type { Operation } from '../ledger/ledger.service.js';
import type { OrderState } from './states.js';

export interface StoredOrder {
  developerId: DeveloperId;
  id: string;
  environment: Environment;
  operation: Operation;
  clientKey: string | null;
  fingerprint: Buffer;
  amountPaise: Paise;
  provider: string;
  state: OrderState;
  unknownSince: Date | null;
  enquiries: number;
  notFound: number;
  providerTxnId: string;
  createdAt: Date;
  settledAt: Date | null;
  reversedAt: Date | null;
  request: Buffer;
  answer: Buffer | null;
}

interface Row {
  developer_id: DeveloperId;
  id: string;
  environment: Environment;
  operation: Operation;
  client_key: string | null;
  fingerprint: Buffer;
  amount_paise: string;
  provider: string;
  state: OrderState;
  unknown_since: string | null;
  enquiries: number;
  not_found: number;
  provider_txn_id: string | null;
  created_at: string;
  settled_at: string | null;
  reversed_at: string | null;
  request: Buffer;
  answer: Buffer | null;
}

const COLUMNS = `developer_id, id, environment, operation, client_key, fingerprint, amount_paise::text, provider, state, unknown_since, enquiries, not_found,
  provider_txn_id, created_at, settled_at, reversed_at, request, answer`;

const instant = (text: string | null): Date | null => (text === null ? null : new Date(text));

function orderOf(row: Row): StoredOrder {
  return {
    developerId: row.developer_id,
    id: row.id,
    environment: row.environment,
    operation: row.operation,
    clientKey: row.client_key,
    fingerprint: row.fingerprint,
    amountPaise: paise(row.amount_paise),
    provider: row.provider,
    state: row.state,
    unknownSince: instant(row.unknown_since),
    enquiries: row.enquiries,
    notFound: row.not_found,
    providerTxnId: row.provider_txn_id ?? '',
    createdAt: new Date(row.created_at),
    settledAt: instant(row.settled_at),
    reversedAt: instant(row.reversed_at),
    request: row.request,
    answer: row.answer,
  };
}

/** How an order stays open: asked again after `dueMs`, or handed to a person. */
export interface Undecided {
  dueMs: number;
  review: boolean;
  /** This was the answer to an enquiry, not to the call. */
  enquiry: boolean;
  /** An enquiry that found nothing and counts. */
  notFound: boolean;
  providerTxnId: string;
  detail: object;
}

/** Reads orders, and moves those that no money moves for. Requests and answers are encrypted with the order's id as context. */
export class OrderStore {
  readonly #db: Queryable;
  readonly #encryption: FieldEncryption;

  constructor(db: Queryable, encryption: FieldEncryption) {
    this.#db = db;
    this.#encryption = encryption;
  }

  seal(orderId: string, value: unknown): Buffer {
    return this.#encryption.encrypt(`orders:${orderId}`, value);
  }

  open<T>(orderId: string, bytes: Buffer): T {
    return this.#encryption.decrypt<T>(`orders:${orderId}`, bytes);
  }

  async byKey(
    developerId: DeveloperId,
    environment: Environment,
    operation: Operation,
    clientKey: string,
  ): Promise<StoredOrder | undefined> {
    const { rows } = await this.#db.query<Row>({
      name: 'order-by-key',
      text: `select ${COLUMNS} from orders where developer_id = $1 and environment = $2 and operation = $3 and client_key = $4
        and not (operation in ('lookup', 'card_bill') and coalesce(settled_at < now() - interval '10 minutes', false))`,
      values: [developerId, environment, operation, clientKey],
    });
    return rows[0] && orderOf(rows[0]);
  }

  async byId(developerId: DeveloperId, id: string): Promise<StoredOrder | undefined> {
    const { rows } = await this.#db.query<Row>({
      name: 'order-by-id',
      text: `select ${COLUMNS} from orders where developer_id = $1 and id = $2`,
      values: [developerId, id],
    });
    return rows[0] && orderOf(rows[0]);
  }

  /** By api_request_id; undefined for texts that are none. */
  async byReference(developerId: DeveloperId, reference: string): Promise<StoredOrder | undefined> {
    const id = idOfReference(reference);
    return id && isUuid(id) ? this.byId(developerId, id) : undefined;
  }

  /** The outcome is not known (yet). `already` when the order was decided in the meantime. */
  async markUndecided(
    order: { developerId: DeveloperId; id: string },
    undecided: Undecided,
  ): Promise<'open' | 'review' | 'already'> {
    const { dueMs, review, enquiry, notFound, providerTxnId, detail } = undecided;
    const { rows } = await this.#db.query<{ state: 'open' | 'review' | 'already' }>({
      name: 'order-unknown',
      text: 'select order_unknown($1, $2, $3, $4, $5, $6, $7, $8, $9) as state',
      values: [
        order.developerId,
        order.id,
        dueMs,
        review,
        enquiry,
        notFound,
        providerTxnId,
        enquiry ? 'enquiry' : 'answer',
        JSON.stringify(detail),
      ],
    });
    return rows[0]!.state;
  }

  /** Takes due open orders of one provider for `leaseMs`; other sweepers skip them until then. */
  async leaseDue(provider: string, limit: number, leaseMs: number): Promise<StoredOrder[]> {
    const { rows } = await this.#db.query<Row>({
      name: 'order-lease-due',
      text: `select ${COLUMNS} from order_lease_due($1, $2, $3)`,
      values: [provider, limit, leaseMs],
    });
    return rows.map(orderOf);
  }
}
