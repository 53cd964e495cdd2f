import { sql } from 'kysely';
import type { Paise } from '../core/money.js';
import type { UserId } from '../core/principal.js';
import type { EntityManager } from '../db/orm.js';

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
