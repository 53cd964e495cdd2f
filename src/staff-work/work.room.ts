import type { Room } from '../core/room.js';
import type { Base } from '../db/database.js';
import { DefaultsResolver } from './defaults.resolver.js';
import { WorkResolver } from './work.resolver.js';

/** What the first page of staff is made of. */
export const createWork = ({ pool, config }: Base): Room => ({
  resolvers: { console: [new WorkResolver(pool), new DefaultsResolver(config)] },
});
