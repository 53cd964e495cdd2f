import type { Channel } from '../db/channel.js';
import { locks } from '../db/locks.js';
import type { Queryable } from '../db/pool.js';
import { CannotServe } from '../db/trouble.js';
import type { SettingsService } from '../settings/settings.service.js';

/** What a process is for the restore of a backup: whether it would place an order. */
export const placesOrders = ({ hosts, pauseOrders }: { hosts: ReadonlySet<string>; pauseOrders: boolean }): boolean =>
  !pauseOrders && (hosts.has('uat') || hosts.has('production'));

/** Shows a restore that this process places orders, as long as it lives. */
export const showThatItPlaces = (channel: Channel): void =>
  channel.onConnect(() => channel.query({ text: `select ${locks.share('placing')}` }));

/** Value of `orders_paused` after `gateway secrets accept`, until a restore takes the pause over. */
export const PAUSED_FOR_SECRETS = 'secrets accepted';

/** The restore for which orders are paused; undefined if they are not. */
export const pausedBy = async (settings: SettingsService): Promise<string | undefined> =>
  (await settings.get('production', 'orders_paused')) || undefined;

/** A process that is started by mistake places nothing before the books agree with the providers again. Errors: CannotServe. */
export async function requireResumed(settings: SettingsService): Promise<void> {
  const holder = await pausedBy(settings);
  if (holder !== undefined)
    throw new CannotServe(
      `Orders are paused after ${holder === PAUSED_FOR_SECRETS ? '"gateway secrets accept"' : 'a restore'}. Start with --pause-orders, or finish the restore with "gateway restore --resume-orders".`,
    );
}

/** Processes that live on the database now, and how many of them place orders. */
export async function livingProcesses(db: Queryable): Promise<{ processes: number; placing: number }> {
  const { rows } = await db.query<{ processes: number; placing: number }>({
    text: `select c.processes, ${locks.countOf('placing')} as placing from ${locks.claims()} c`,
  });
  return rows[0]!;
}
