import { sql } from 'kysely';
import { AppError } from '../core/errors.js';
import type { EntityManager } from '../db/orm.js';
import { leftUntilShown } from '../orders/states.js';
import type { StoredOrder } from '../orders/stored-order.js';

/** Payments that were sent, or can have been, so short a time ago that their provider need not show them yet: ms that are left, by order. */
export async function recentSends(
  orders: readonly StoredOrder[],
  visibilityDelayMs: number,
  tx: EntityManager,
): Promise<ReadonlyMap<string, number>> {
  if (orders.length === 0) return new Map();
  // the clock that has written the instants
  const { rows } = await sql<{ ms: number }>`select extract(epoch from now())::float8 * 1000 as ms`.execute(
    tx.getKysely(),
  );
  const nowMs = rows[0]!.ms;
  return new Map(
    orders.flatMap(({ id, unknownSince }): [string, number][] => {
      const leftMs = leftUntilShown(unknownSince ? nowMs - unknownSince.getTime() : null, visibilityDelayMs);
      return leftMs > 0 ? [[id, leftMs]] : [];
    }),
  );
}

/** Who looked for a payment at its provider can only have looked too early. Nothing has changed. */
export const sentRecently = (leftMs: number): AppError =>
  new AppError('SENT_RECENTLY', {
    message:
      'This payment may have left so short a time ago that its provider need not show it yet. Look there again after ' +
      `${Math.ceil(leftMs / 1_000)} seconds, or decide with allowRecentSend when you know otherwise.`,
    retryAfterMs: Math.ceil(leftMs),
  });
