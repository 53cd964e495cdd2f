import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import type { Environment } from '../core/environment.js';
import type { Queryable } from '../db/pool.js';
import { SettingEntity } from './setting.entity.js';

/**
 * `orders_paused`: ID of the restore for which orders are paused; empty if they are not. `two_admins_since`: first time with two
 * administrators who have a second factor, written by the database. Both are stored for production and apply to both
 * environments.
 */
export type SettingName = 'default_lead_customer' | 'orders_paused' | 'two_admins_since';

/** Values that administrators change at run time, per environment. */
export class SettingsService {
  constructor(private readonly db: Queryable) {}

  async get(environment: Environment, name: SettingName): Promise<string | undefined> {
    const { rows } = await this.db.query<{ value: string }>({
      name: 'setting',
      text: 'select value from setting where environment = $1 and name = $2',
      values: [environment, name],
    });
    return rows[0]?.value;
  }

  /** Stores a value in the caller's transaction and returns the previous value. */
  async set(
    environment: Environment,
    name: SettingName,
    value: string,
    em: EntityManager,
  ): Promise<string | undefined> {
    const previous = await em.findOne(
      SettingEntity,
      { environment, name },
      { lockMode: LockMode.PESSIMISTIC_WRITE, disableIdentityMap: true },
    );
    // two administrators can set the first value at the same time
    await em.upsert(SettingEntity, { environment, name, value, updatedAt: new Date() });
    return previous?.value;
  }
}
