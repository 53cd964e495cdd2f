import { defineEntity, LockMode, p } from '@mikro-orm/postgresql';
import { type Environment, environments } from '../core/environment.js';
import type { EntityManager } from '../db/orm.js';

/** Whether staff hold new orders. An environment of which nobody ever did has no row. */
export const OrderHoldEntity = defineEntity({
  name: 'OrderHold',
  tableName: 'order_hold',
  properties: {
    environment: p.enum(environments).primary(),
    held: p.boolean(),
    notice: p.string().nullable(),
    changedAt: p.datetime(),
  },
});

/** What callers and developers are told while orders are held, and since when they are. */
export interface OrderHold {
  notice: string;
  since: Date;
}

/** What somebody decides about new orders. */
export interface HoldCommand {
  environment: Environment;
  /** Of orders that are to be held, what everybody is told; null of those that are taken again. */
  notice: string | null;
  /** Why, for the audit trail. */
  reason?: string | undefined;
}

/** What rows and entries of the audit trail say of it. */
export const holdState = (notice: string | null): { held: boolean; notice: string | null } => ({
  held: notice !== null,
  notice,
});

const PREFIX = 'orders:';
/** How the audit trail names it. */
export const holdSubject = (environment: Environment): string => PREFIX + environment;
/** The same the other way. */
export const environmentOfHold = (subject: string): Environment => subject.slice(PREFIX.length) as Environment;

/** What everybody is told, held until the transaction ends; null while orders are taken. */
export async function lockHold(environment: Environment, tx: EntityManager): Promise<string | null> {
  // two people may hold them for the first time at once
  await tx.upsert(
    OrderHoldEntity,
    { environment, held: false, notice: null, changedAt: new Date() },
    { onConflictAction: 'ignore' },
  );
  const options = { lockMode: LockMode.PESSIMISTIC_WRITE, disableIdentityMap: true };
  return (await tx.findOneOrFail(OrderHoldEntity, { environment }, options)).notice ?? null;
}
