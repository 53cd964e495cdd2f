import { sql } from 'kysely';
import { type Paise, paise, subtract, ZERO } from '../core/money.js';
import type { UserId } from '../core/principal.js';
import { batchedLoader, type Loader } from '../db/batched-loader.js';
import type { EntityManager } from '../db/orm.js';
import type { Queryable } from '../db/pool.js';

/** What one person does alone up to a sum of each Indian day. */
type Kind = 'credit' | 'resolve';

/** Up to which amount at once, and up to which sum in a day, one person is enough. */
export interface AloneLimits {
  atOncePaise: Paise;
  perDayPaise: Paise;
}

/**
 * Whether one person may do this without a second one; if so, it counts towards their day, so that a large amount cannot go in
 * parts. The row is locked until the transaction ends: what one person does at once counts one after the other.
 */
export async function takeAllowance(
  kind: Kind,
  userId: UserId,
  amountPaise: Paise,
  { atOncePaise, perDayPaise }: AloneLimits,
  tx: EntityManager,
): Promise<boolean> {
  if (amountPaise > atOncePaise || amountPaise > perDayPaise) return false;
  const { rows } = await sql`
    insert into alone_allowance (user_id, kind, day, used_paise)
    values (${userId}, ${kind}, (now() at time zone 'Asia/Kolkata')::date, ${String(amountPaise)}::bigint)
    on conflict (user_id, kind, day) do update set used_paise = alone_allowance.used_paise + excluded.used_paise
      where alone_allowance.used_paise + excluded.used_paise <= ${String(perDayPaise)}::bigint
    returning 1`.execute(tx.getKysely());
  return rows.length > 0;
}

const USED = `select user_id as "userId", kind, used_paise::text as used from alone_allowance
  where user_id = any($1::uuid[]) and day = (now() at time zone 'Asia/Kolkata')::date`;

/** Up to which amount each of them is still enough at this moment. What is done meanwhile counts when it is done. */
async function allowancesLeft(userIds: readonly UserId[], limits: Limits, db: Queryable): Promise<AmountsLeft[]> {
  const { rows } = await db.query<{ userId: UserId; kind: Kind; used: string }>({ text: USED, values: [userIds] });
  return userIds.map((userId) => {
    const left = (kind: Kind): Paise => {
      const { atOncePaise, perDayPaise } = limits[kind];
      const row = rows.find((one) => one.userId === userId && one.kind === kind);
      const today = subtract(perDayPaise, paise(row?.used ?? 0));
      // the limit may have been lowered since
      return today < ZERO ? ZERO : today < atOncePaise ? today : atOncePaise;
    };
    return { credit: left('credit'), resolve: left('resolve') };
  });
}

type Limits = Readonly<Record<Kind, AloneLimits>>;
/** Up to which amount somebody is still enough. */
type AmountsLeft = Record<Kind, Paise>;

/** What people may still do alone today: those of one turn with one statement. */
export class Allowances {
  readonly #left: Loader<UserId, AmountsLeft>;

  constructor(db: Queryable, limits: Limits) {
    this.#left = batchedLoader((userIds) => allowancesLeft(userIds, limits, db));
  }

  of(userId: UserId): Promise<AmountsLeft> {
    return this.#left.load(userId);
  }
}
