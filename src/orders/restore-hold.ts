import type { Channel } from '../db/channel.js';
import { locks } from '../db/locks.js';
import type { Queryable } from '../db/pool.js';
import { CannotServe } from '../db/trouble.js';
import type { SettingsService } from '../settings/settings.service.js';

/** What a process is for the restore of a backup: whether it would place an order. */
export const placesOrders = ({ hosts, holdOrders }: { hosts: ReadonlySet<string>; holdOrders: boolean }): boolean =>
  !holdOrders && (hosts.has('uat') || hosts.has('production'));

/** Shows a restore that this process places orders, as long as it lives. */
export const showThatItPlaces = (channel: Channel): void =>
  channel.onConnect(() => channel.query({ text: `select ${locks.share('placing')}` }));

/** The value of `orders_held` after `gateway secrets accept`, until a restore takes the hold over. */
export const HELD_FOR_SECRETS = 'secrets accepted';

/** The restore that orders wait for; undefined: they do not. */
export const heldBy = async (settings: SettingsService): Promise<string | undefined> =>
  (await settings.get('production', 'orders_held')) || undefined;

/** A process that is started by mistake places nothing before the books agree with the providers again. Errors: CannotServe. */
export async function requireReleased(settings: SettingsService): Promise<void> {
  const holder = await heldBy(settings);
  if (holder !== undefined)
    throw new CannotServe(
      `Orders are held after ${holder === HELD_FOR_SECRETS ? '"gateway secrets accept"' : 'a restore'}: start with --hold, or finish it with "gateway restore --release".`,
    );
}

/** Processes that live on the database now, and how many of them place orders. */
export async function livingProcesses(db: Queryable): Promise<{ processes: number; placing: number }> {
  const { rows } = await db.query<{ processes: number; placing: number }>({
    text: `select c.processes, ${locks.countOf('placing')} as placing from ${locks.claims()} c`,
  });
  return rows[0]!;
}
