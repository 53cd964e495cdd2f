import { sql } from 'kysely';
import { type Paise, paise, subtract, ZERO } from '../core/money.js';
import type { UserId } from '../core/principal.js';
import { batchedLoader, type Loader } from '../db/batched-loader.js';
import type { EntityManager } from '../db/orm.js';
import type { Queryable } from '../db/pool.js';

/** Kinds of change with a daily limit (IST) for one person. */
type Kind = 'credit' | 'resolve';

/** Limits for one person, per change and per day. */
export interface AloneLimits {
  atOncePaise: Paise;
  perDayPaise: Paise;
}

/**
 * Whether one person is enough. If so, the amount counts against the daily limit, so that a large amount cannot be split. The
 * row is locked until the transaction ends, so that parallel changes by one person are counted one after the other.
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

/** Returns the remaining amounts for one person. Each use is counted when it is made. */
async function allowancesLeft(userIds: readonly UserId[], limits: Limits, db: Queryable): Promise<AmountsLeft[]> {
  const { rows } = await db.query<{ userId: UserId; kind: Kind; used: string }>({ text: USED, values: [userIds] });
  return userIds.map((userId) => {
    const left = (kind: Kind): Paise => {
      const { atOncePaise, perDayPaise } = limits[kind];
      const row = rows.find((one) => one.userId === userId && one.kind === kind);
      const today = subtract(perDayPaise, paise(row?.used ?? 0));
      // the limit may have been lowered since these amounts were counted
      return today < ZERO ? ZERO : today < atOncePaise ? today : atOncePaise;
    };
    return { credit: left('credit'), resolve: left('resolve') };
  });
}

type Limits = Readonly<Record<Kind, AloneLimits>>;
/** Remaining amounts of a user. */
type AmountsLeft = Record<Kind, Paise>;

/** Remaining daily limits of users. Concurrent reads share a statement. */
export class Allowances {
  readonly #left: Loader<UserId, AmountsLeft>;

  constructor(db: Queryable, limits: Limits) {
    this.#left = batchedLoader((userIds) => allowancesLeft(userIds, limits, db));
  }

  of(userId: UserId): Promise<AmountsLeft> {
    return this.#left.load(userId);
  }
}
