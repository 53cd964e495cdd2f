import type { Channel } from '../db/channel.js';
import { CannotServe } from '../db/database-errors.js';
import { locks } from '../db/locks.js';
import type { Queryable } from '../db/pool.js';
import type { SettingsService } from '../settings/settings.service.js';

/** Whether this process would place orders. After a restore of a backup, it must not. */
export const placesOrders = ({ hosts, pauseOrders }: { hosts: ReadonlySet<string>; pauseOrders: boolean }): boolean =>
  !pauseOrders && (hosts.has('uat') || hosts.has('production'));

/** Holds a shared lock while this process runs, so that a restore can detect that it places orders. */
export const holdPlacementLock = (channel: Channel): void =>
  channel.onConnect(() => channel.query({ text: `select ${locks.share('placing')}` }));

/** Value of `orders_paused` after `gateway secrets accept`, until a restore takes over the pause. */
export const PAUSED_FOR_SECRETS = 'secrets accepted';

/** Returns the ID of the restore that has paused orders, or undefined if orders are not paused. */
export const pausedBy = async (settings: SettingsService): Promise<string | undefined> =>
  (await settings.get('production', 'orders_paused')) || undefined;

/**
 * Prevents a process that was started by mistake from placing orders before the ledger has been reconciled with the providers.
 * Throws CannotServe.
 */
export async function requireResumed(settings: SettingsService): Promise<void> {
  const holder = await pausedBy(settings);
  if (holder !== undefined)
    throw new CannotServe(
      `Orders are paused after ${holder === PAUSED_FOR_SECRETS ? '"gateway secrets accept"' : 'a restore'}. Start with --pause-orders, or finish the restore with "gateway restore --resume-orders".`,
    );
}

/** Returns the number of processes connected to the database, and how many of them place orders. */
export async function countProcesses(db: Queryable): Promise<{ processes: number; placing: number }> {
  const { rows } = await db.query<{ processes: number; placing: number }>({
    text: `select c.processes, ${locks.countOf('placing')} as placing from ${locks.claims()} c`,
  });
  return rows[0]!;
}
