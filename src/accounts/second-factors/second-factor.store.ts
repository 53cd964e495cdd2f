import type { UserId } from '../../core/principal.js';
import { batchedLoader, type Loader } from '../../db/batched-loader.js';
import type { Queryable } from '../../db/pool.js';
import type { SecondFactorKind } from '../account.entities.js';
import type { SecondFactor } from './second-factor.types.js';

/** Returns the encryption context of an authenticator secret. */
export const totpContext = (id: string): string => `second_factor:${id}`;

interface FactorRow {
  id: string;
  userId: UserId;
  kind: SecondFactorKind;
  name: string;
  addedAt: Date;
  lastUsedAt: Date | null;
}

const OF_USERS = `select f.id, f.user_id as "userId", f.kind, f.name, f.added_at as "addedAt", f.last_used_at as "lastUsedAt"
  from second_factor f where f.user_id = any($1) and f.confirmed_at is not null order by f.id`;

/** Second factors of users as listed in the console. Concurrent reads share a statement. */
export class SecondFactorReader {
  readonly #ofUser: Loader<string, SecondFactor[]>;

  constructor(db: Queryable) {
    this.#ofUser = batchedLoader(async (ids) => {
      const { rows } = await db.query<FactorRow>({ text: OF_USERS, values: [ids] });
      const found = Map.groupBy(rows, ({ userId }) => userId as string);
      return ids.map((id) =>
        (found.get(id) ?? []).map(({ addedAt, lastUsedAt, ...row }) => ({
          ...row,
          addedAt: new Date(addedAt),
          lastUsedAt: lastUsedAt === null ? null : new Date(lastUsedAt),
        })),
      );
    });
  }

  ofUser(id: string): Promise<SecondFactor[]> {
    return this.#ofUser.load(id);
  }
}
