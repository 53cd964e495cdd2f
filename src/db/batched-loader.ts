import DataLoader from 'dataloader';
import { asConsoleRead, isConsoleRead } from './pool.js';

/** Reads the values of all keys, in the order of the keys. */
export type ReadAll<Key, Value> = DataLoader.BatchLoadFn<Key, Value>;
export type Loader<Key, Value> = Pick<DataLoader<Key, Value>, 'load'>;

const MAX_BATCH = 500;
/** Maximum number of concurrent batches. With two, the database remains busy while the rows of one are processed. */
const MAX_RUNNING = 2;
/** Time after which a batch is no longer counted. A batch that takes longer may hang on a lost connection. */
const SLOT_LIMIT_MS = 250;

/**
 * Creates a loader that reads all queued keys with one statement: the keys of all requests in one event loop turn and, while two
 * batches are running, all keys that arrive. An idle system reads immediately. Nothing is cached, so the next read sees every
 * change.
 * Reads of the console are batched separately, because a batch uses the connections of the caller that started it.
 */
export function batchedLoader<Key, Value>(readAll: ReadAll<Key, Value>): Loader<Key, Value> {
  const consoleLoader = loaderOf<Key, Value>((keys) => asConsoleRead(async () => readAll(keys)));
  const otherLoader = loaderOf(readAll);
  return { load: (key) => (isConsoleRead() ? consoleLoader : otherLoader).load(key) };
}

function loaderOf<Key, Value>(readAll: ReadAll<Key, Value>): Loader<Key, Value> {
  const waiting: (() => void)[] = [];
  let running = 0;
  let isPlanned = false;

  const plan = (): void => {
    if (isPlanned || running >= MAX_RUNNING || waiting.length === 0) return;
    isPlanned = true;
    setImmediate(() => {
      isPlanned = false;
      while (running < MAX_RUNNING && waiting.length > 0) waiting.shift()!();
    });
  };

  return new DataLoader<Key, Value>(
    async (keys) => {
      running++;
      let isCounted = true;
      const leave = (): void => {
        if (!isCounted) return;
        isCounted = false;
        running--;
        plan();
      };
      const timer = setTimeout(leave, SLOT_LIMIT_MS);
      try {
        return await readAll(keys);
      } finally {
        clearTimeout(timer);
        leave();
      }
    },
    {
      cache: false,
      maxBatchSize: MAX_BATCH,
      batchScheduleFn: (dispatch) => {
        waiting.push(dispatch);
        plan();
      },
    },
  );
}
