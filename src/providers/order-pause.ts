import { defineEntity, LockMode, p } from '@mikro-orm/postgresql';
import { type Environment, environments } from '../core/environment.js';
import type { EntityManager } from '../db/orm.js';

/** Whether staff have paused new orders. An environment whose orders were never paused has no row. */
export const OrderPauseEntity = defineEntity({
  name: 'OrderPause',
  tableName: 'order_pause',
  properties: {
    environment: p.enum(environments).primary(),
    paused: p.boolean(),
    notice: p.string().nullable(),
    changedAt: p.datetime(),
  },
});

/** Notice for callers and developers while orders are paused, and the time of the pause. */
export interface OrderPause {
  notice: string;
  since: Date;
}

/** A pause of new orders, or their resumption. */
export interface PauseCommand {
  environment: Environment;
  /** Notice of the pause; null to resume orders. */
  notice: string | null;
  /** For the audit log. */
  reason?: string | undefined;
}

/** State of a row, as the audit log stores it. */
export const pauseState = (notice: string | null): { paused: boolean; notice: string | null } => ({
  paused: notice !== null,
  notice,
});

const PREFIX = 'orders:';
/** Subject of the entries in the audit log. */
export const pauseSubject = (environment: Environment): string => PREFIX + environment;
/** Environment of such a subject. */
export const environmentOfPause = (subject: string): Environment => subject.slice(PREFIX.length) as Environment;

/** Locks the row until the transaction ends, and returns its notice; null while orders are accepted. */
export async function lockPause(environment: Environment, tx: EntityManager): Promise<string | null> {
  // two people can pause orders for the first time at once
  await tx.upsert(
    OrderPauseEntity,
    { environment, paused: false, notice: null, changedAt: new Date() },
    { onConflictAction: 'ignore' },
  );
  const options = { lockMode: LockMode.PESSIMISTIC_WRITE, disableIdentityMap: true };
  return (await tx.findOneOrFail(OrderPauseEntity, { environment }, options)).notice ?? null;
}
