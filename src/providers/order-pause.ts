import { defineEntity, LockMode, p } from '@mikro-orm/postgresql';
import { type Environment, environments } from '../core/environment.js';
import type { EntityManager } from '../db/orm.js';

/** Pause of new orders by staff. An environment whose orders were never paused has no row. */
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

/** Notice for callers and developers while orders are paused, and the time when the pause began. */
export interface OrderPause {
  notice: string;
  since: Date;
}

/** Command that pauses or resumes orders. */
export interface PauseCommand {
  environment: Environment;
  /** Notice of the pause; null to resume orders. */
  notice: string | null;
  /** Reason for the audit log. */
  reason?: string | undefined;
}

/** Returns the state of a row in the format of the audit log. */
export const pauseState = (notice: string | null): { paused: boolean; notice: string | null } => ({
  paused: notice !== null,
  notice,
});

const PREFIX = 'orders:';
/** Returns the subject of the audit entries about pauses. */
export const pauseSubject = (environment: Environment): string => PREFIX + environment;
/** Returns the environment in the subject of an audit entry. */
export const environmentOfPause = (subject: string): Environment => subject.slice(PREFIX.length) as Environment;

/** Locks the row until the transaction ends, and returns its notice. Returns null if orders are not paused. */
export async function lockPause(environment: Environment, tx: EntityManager): Promise<string | null> {
  // two users can create the row at the same time
  await tx.upsert(
    OrderPauseEntity,
    { environment, paused: false, notice: null, changedAt: new Date() },
    { onConflictAction: 'ignore' },
  );
  const options = { lockMode: LockMode.PESSIMISTIC_WRITE, disableIdentityMap: true };
  return (await tx.findOneOrFail(OrderPauseEntity, { environment }, options)).notice ?? null;
}
