import DataLoader from 'dataloader';
import { asConsoleRead, isConsoleRead } from './pool.js';

/** Reads the values of all keys, in the order of the keys. */
export type ReadAll<Key, Value> = DataLoader.BatchLoadFn<Key, Value>;
export type Loader<Key, Value> = Pick<DataLoader<Key, Value>, 'load'>;

const MAX_BATCH = 500;
/** Maximum number of concurrent batches. With two, the database remains busy while the rows of one are processed. */
const UNDER_WAY = 2;
/** Time after which a batch is no longer counted. A batch that takes longer may hang on a lost connection. */
const PATIENCE_MS = 250;

/**
 * Creates a loader that reads all queued keys with one statement: the keys of all requests in one event loop turn and, while two
 * batches are running, all keys that arrive. An idle system reads immediately. Nothing is cached, so the next read sees every
 * change.
 * Reads of the console are batched separately, because a batch uses the connections of the caller that started it.
 */
export function batchedLoader<Key, Value>(readAll: ReadAll<Key, Value>): Loader<Key, Value> {
  const forConsole = loaderOf<Key, Value>((keys) => asConsoleRead(async () => readAll(keys)));
  const forOthers = loaderOf(readAll);
  return { load: (key) => (isConsoleRead() ? forConsole : forOthers).load(key) };
}

function loaderOf<Key, Value>(readAll: ReadAll<Key, Value>): Loader<Key, Value> {
  const waiting: (() => void)[] = [];
  let underWay = 0;
  let planned = false;

  const plan = (): void => {
    if (planned || underWay >= UNDER_WAY || waiting.length === 0) return;
    planned = true;
    setImmediate(() => {
      planned = false;
      while (underWay < UNDER_WAY && waiting.length > 0) waiting.shift()!();
    });
  };

  return new DataLoader<Key, Value>(
    async (keys) => {
      underWay++;
      let counts = true;
      const leave = (): void => {
        if (!counts) return;
        counts = false;
        underWay--;
        plan();
      };
      const patience = setTimeout(leave, PATIENCE_MS);
      try {
        return await readAll(keys);
      } finally {
        clearTimeout(patience);
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
