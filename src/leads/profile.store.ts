import type { Environment } from '../core/environment.js';
import type { FieldEncryption } from '../core/field-encryption.js';
import { decimalText } from '../core/money.js';
import type { DeveloperId } from '../core/principal.js';
import { keyedHash, type Secret } from '../core/secret.js';
import type { Queryable } from '../db/pool.js';
import type { LeadProfile } from '../providers/ports/leads.port.js';

/** Whose customers: the same person at two developers, or in two environments, is two customers. */
export interface Owner {
  developerId: DeveloperId;
  environment: Environment;
}

/** The key of a stored profile, as the database spells it. */
export interface ProfileKey {
  developer_id: string;
  environment: string;
  mobile_hash: Buffer;
}

/** What a stored profile is bound to: copied to another row it does not decrypt. */
export const profileContext = ({ developer_id, environment, mobile_hash }: ProfileKey): string =>
  `lead_profile:${developer_id}:${environment}:${mobile_hash.toString('hex')}`;

/**
 * Customers of the lead provider. Everything personal is in one encrypted value, found by the keyed hash of the mobile number.
 * Every customer id that a developer ever got is remembered as a hash: the provider encrypts them and may hand out a new
 * text for the same customer, and the older one stays good.
 */
export class ProfileStore {
  constructor(
    private readonly db: Queryable,
    private readonly encryption: FieldEncryption,
    private readonly pepper: Secret,
  ) {}

  /** The newest customer id of a mobile number; undefined when the developer has no such customer. */
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

  /** How a developer got a customer id: with this mobile number, with another one, or never. */
  async holds(
    { developerId, environment }: Owner,
    customerId: string,
    mobileNo?: string,
  ): Promise<'this_mobile' | 'other_mobile' | 'unknown'> {
    const hash = await this.mobileHashOf({ developerId, environment }, customerId);
    if (!hash) return 'unknown';
    return mobileNo !== undefined && hash.equals(this.mobileHash(mobileNo)) ? 'this_mobile' : 'other_mobile';
  }

  /** Of the mobile number with which a developer got a customer id; undefined when it never did. */
  async mobileHashOf({ developerId, environment }: Owner, customerId: string): Promise<Buffer | undefined> {
    const { rows } = await this.db.query<{ mobile_hash: Buffer }>({
      name: 'lead-customer',
      text: 'select mobile_hash from lead_customer where developer_id = $1 and environment = $2 and customer_hash = $3',
      values: [developerId, environment, this.#customerHash(customerId)],
    });
    return rows[0]?.mobile_hash;
  }

  /** Stores what the provider accepted, over whatever was known of the mobile number. */
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

  /** What a mobile number is found by. */
  mobileHash(mobileNo: string): Buffer {
    return keyedHash(this.pepper, 'lead-mobile', mobileNo);
  }

  #customerHash(customerId: string): Buffer {
    return keyedHash(this.pepper, 'lead-customer', customerId);
  }
}
