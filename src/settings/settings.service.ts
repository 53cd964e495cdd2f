import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Environment } from '../core/environment.js';
import type { Queryable } from '../db/pool.js';

export type SettingName = 'default_lead_customer';

/** Values that an admin changes at run time, per environment. */
export class SettingsService {
  readonly #db: Queryable;

  constructor(db: Queryable) {
    this.#db = db;
  }

  async get(environment: Environment, name: SettingName): Promise<string | undefined> {
    const { rows } = await this.#db.query<{ value: string }>({
      name: 'setting',
      text: 'select value from setting where environment = $1 and name = $2',
      values: [environment, name],
    });
    return rows[0]?.value;
  }

  /** Stores a value in the caller's transaction; returns the one before. */
  async set(
    environment: Environment,
    name: SettingName,
    value: string,
    em: EntityManager,
  ): Promise<string | undefined> {
    // two statements: in one, the row that is updated may be read too late to be seen
    const db = em.getKysely();
    const { rows } = await sql<{ value: string }>`
      select value from setting where environment = ${environment} and name = ${name} for update`.execute(db);
    await sql`insert into setting (environment, name, value) values (${environment}, ${name}, ${value})
      on conflict (environment, name) do update set value = excluded.value, updated_at = now()`.execute(db);
    return rows[0]?.value;
  }
}
