import type { Environment } from '../core/environment.js';
import type { FieldEncryption } from '../core/field-encryption.js';
import { decimalText } from '../core/money.js';
import type { DeveloperId } from '../core/principal.js';
import { keyedHash, type Secret } from '../core/secret.js';
import type { Queryable } from '../db/pool.js';
import type { LeadProfile } from '../providers/ports/leads.port.js';

/** Owner of customers. The same person is a separate customer for each developer and environment. */
export interface Owner {
  developerId: DeveloperId;
  environment: Environment;
}

/** Key of a stored profile, with the column names. */
export interface ProfileKey {
  developer_id: string;
  environment: string;
  mobile_hash: Buffer;
}

/** Returns the context that a stored profile is bound to. A copy in another row cannot be decrypted. */
export const profileContext = ({ developer_id, environment, mobile_hash }: ProfileKey): string =>
  `lead_profile:${developer_id}:${environment}:${mobile_hash.toString('hex')}`;

/**
 * Customers of the lead provider. All personal data is in one encrypted value, found by the keyed hash of the mobile number.
 * Every customer ID that a developer has received is stored as a hash. The provider encrypts the IDs and can return a new ID for
 * the same customer, while the older one remains valid.
 */
export class ProfileStore {
  constructor(
    private readonly db: Queryable,
    private readonly encryption: FieldEncryption,
    private readonly pepper: Secret,
  ) {}

  /** Returns the newest customer ID of a mobile number. Returns undefined if the developer has no such customer. */
  async customerIdOf({ developerId, environment }: Owner, mobileNo: string): Promise<string | undefined> {
    const key = { developer_id: developerId, environment, mobile_hash: this.mobileHash(mobileNo) };
    const { rows } = await this.db.query<{ profile: Buffer }>({
      name: 'lead-profile',
      text: 'select profile from lead_profile where developer_id = $1 and environment = $2 and mobile_hash = $3',
      values: [key.developer_id, key.environment, key.mobile_hash],
    });
    if (!rows[0]) return undefined;
    return this.encryption.decrypt<{ customerId: string }>(profileContext(key), rows[0].profile).customerId;
  }

  /** Returns whether a developer received a customer ID for this mobile number, for another one, or never. */
  async ownershipOf(
    { developerId, environment }: Owner,
    customerId: string,
    mobileNo?: string,
  ): Promise<'this_mobile' | 'other_mobile' | 'unknown'> {
    const hash = await this.mobileHashOf({ developerId, environment }, customerId);
    if (!hash) return 'unknown';
    return mobileNo !== undefined && hash.equals(this.mobileHash(mobileNo)) ? 'this_mobile' : 'other_mobile';
  }

  /** Returns the hash of the mobile number for which a developer received a customer ID. Returns undefined if it never did. */
  async mobileHashOf({ developerId, environment }: Owner, customerId: string): Promise<Buffer | undefined> {
    const { rows } = await this.db.query<{ mobile_hash: Buffer }>({
      name: 'lead-customer',
      text: 'select mobile_hash from lead_customer where developer_id = $1 and environment = $2 and customer_hash = $3',
      values: [developerId, environment, this.#customerHash(customerId)],
    });
    return rows[0]?.mobile_hash;
  }

  /** Stores an accepted profile. Replaces the existing profile of the mobile number. */
  async save({ developerId, environment }: Owner, profile: LeadProfile & { customerId: string }): Promise<void> {
    const mobileHash = this.mobileHash(profile.mobileNo);
    const context = profileContext({ developer_id: developerId, environment, mobile_hash: mobileHash });
    const { monthlySalaryPaise, itrAmountPaise, ...rest } = profile;
    const encrypted = this.encryption.encrypt(context, {
      ...rest,
      monthlySalary: decimalText(monthlySalaryPaise),
      itrAmount: decimalText(itrAmountPaise),
    });
    await this.db.query({
      name: 'save-lead-profile',
      text: `with customer as (
          insert into lead_customer (developer_id, environment, customer_hash, mobile_hash) values ($1, $2, $4, $3)
          on conflict (developer_id, environment, customer_hash) do update set mobile_hash = excluded.mobile_hash
            where lead_customer.mobile_hash <> excluded.mobile_hash)
        insert into lead_profile (developer_id, environment, mobile_hash, profile) values ($1, $2, $3, $5)
        on conflict (developer_id, environment, mobile_hash) do update set profile = excluded.profile, updated_at = now()`,
      values: [developerId, environment, mobileHash, this.#customerHash(profile.customerId), encrypted],
    });
  }

  /** Returns the keyed hash that identifies a mobile number. */
  mobileHash(mobileNo: string): Buffer {
    return keyedHash(this.pepper, 'lead-mobile', mobileNo);
  }

  #customerHash(customerId: string): Buffer {
    return keyedHash(this.pepper, 'lead-customer', customerId);
  }
}
