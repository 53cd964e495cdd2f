import type { Logger } from '../core/log.js';
import { Poller } from '../core/poller.js';
import type { OrderStore } from './order.store.js';

const MINUTE_MS = 60_000;
/** Small enough that nobody waits for the rows. */
const BATCH = 500;

/** Every minute: a paid plan lookup is more to keep than all else of an order, and is of use for ten minutes. */
export const createLookupRelease = (store: OrderStore, log: Logger): Poller =>
  new Poller(
    async () => (await store.releaseLookups(BATCH)) === BATCH,
    MINUTE_MS,
    (err) => log.warn({ err }, 'answers of lookups are kept longer, the next round tries again'),
  );
