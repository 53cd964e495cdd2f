import type { Environment } from '../core/environment.js';
import type { FieldEncryption } from '../core/field-encryption.js';
import { idOfReference, newId, referenceOf } from '../core/ids.js';
import type { DeveloperId } from '../core/principal.js';
import { keyedHash, type Secret } from '../core/secret.js';
import type { Queryable } from '../db/pool.js';

/** Scope of a fetched bill. Only a request with the same values can pay it. */
export interface BillOwner {
  developerId: DeveloperId;
  environment: Environment;
  card: string;
  mobile: string;
  opcode: string;
}

export interface FetchedBill {
  /** Fetch ID of the provider. */
  providerFetchId: string;
  /** Whether the bill was fetched more than 24 hours ago. */
  expired: boolean;
  /** Payment of this bill that did not fail, if any, with its `orderid` as stored in the order row. */
  payment?: { storedKey: string; state: 'open' | 'review' | 'success' };
}

/** Prefix that distinguishes a fetch_id from an api_request_id, which has the same format. */
const PREFIX = 'FB';

const KEEP = `
  insert into card_bill (developer_id, id, environment, owner_hash, provider_fetch_id) values ($1, $2, $3, $4, $5)`;

const FIND = `
  select b.provider_fetch_id, b.fetched_at <= now() - interval '24 hours' as expired, o.client_key, o.state
  from card_bill b left join bill_claim c on c.developer_id = b.developer_id and c.fingerprint = $5
    left join orders o on o.developer_id = c.developer_id and o.id = c.order_id
  where b.developer_id = $1 and b.id = $2 and b.environment = $3 and b.owner_hash = $4`;

/**
 * Maps the fetch_id of this service to that of the provider, for one developer, environment, card, mobile and opcode, for 24
 * hours.
 */
export class FetchedBills {
  constructor(
    private readonly db: Queryable,
    private readonly encryption: FieldEncryption,
    private readonly pepper: Secret,
  ) {}

  /** Stores a provider's fetch ID and returns that of this service: opaque, 27 characters. */
  async keep(owner: BillOwner, providerFetchId: string): Promise<string> {
    const id = newId();
    await this.db.query({
      name: 'card-bill-keep',
      text: KEEP,
      values: [
        owner.developerId,
        id,
        owner.environment,
        this.#hashOf(owner),
        this.encryption.encrypt(contextOf(id), providerFetchId),
      ],
    });
    return PREFIX + referenceOf(id);
  }

  /**
   * Returns the bill of a fetch_id. The result is undefined if the bill does not exist or its scope differs.
   * @param paymentFingerprint result of `OrderService.fingerprintOf` for a payment with this fetch_id
   */
  async find(owner: BillOwner, fetchId: string, paymentFingerprint: Buffer): Promise<FetchedBill | undefined> {
    const id = fetchId.startsWith(PREFIX) ? idOfReference(fetchId.slice(PREFIX.length)) : undefined;
    if (id === undefined) return undefined;
    const { rows } = await this.db.query<{
      provider_fetch_id: Buffer;
      expired: boolean;
      client_key: string | null;
      state: 'open' | 'review' | 'success' | null;
    }>({
      name: 'card-bill-find',
      text: FIND,
      values: [owner.developerId, id, owner.environment, this.#hashOf(owner), paymentFingerprint],
    });
    const row = rows[0];
    if (!row) return undefined;
    return {
      providerFetchId: this.encryption.decrypt<string>(contextOf(id), row.provider_fetch_id),
      expired: row.expired,
      ...(row.state && row.client_key !== null ? { payment: { storedKey: row.client_key, state: row.state } } : {}),
    };
  }

  #hashOf({ card, mobile, opcode }: BillOwner): Buffer {
    return keyedHash(this.pepper, 'card-bill', JSON.stringify([card, mobile, opcode]));
  }
}

const contextOf = (id: string): string => `card_bill:${id}`;
