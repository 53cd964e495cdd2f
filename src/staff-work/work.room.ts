import type { Room } from '../core/room.js';
import type { Base } from '../db/database.js';
import { asConsoleRead } from '../db/pool.js';
import type { WaitingPlaces } from '../orders/views/order-waiters.js';
import type { SettingsService } from '../settings/settings.service.js';
import { DefaultsResolver } from './defaults.resolver.js';
import { type EmailParts, FailedEmailsResolver } from './failed-emails.resolver.js';
import { WorkFeed } from './work.feed.js';
import { WorkChangesResolver, WorkReader, WorkResolver } from './work.resolver.js';

/** Creates the module for the start page of staff. */
export function createWork(
  { pool, orm, config, log }: Base,
  { places, settings, ...parts }: { places: WaitingPlaces; settings: SettingsService } & Omit<EmailParts, 'orm'>,
) {
  const reader = new WorkReader(pool);
  const feed = new WorkFeed({ read: () => asConsoleRead(() => reader.of()), places, log });
  const changes = new WorkChangesResolver(feed);
  return {
    feed,
    room: {
      resolvers: {
        console: [
          new WorkResolver(reader),
          changes,
          new DefaultsResolver(config, settings),
          new FailedEmailsResolver({ orm, ...parts }),
        ],
      },
      sources: { console: changes.sources },
      stop: async () => feed.stop(),
    } satisfies Room,
  };
}
