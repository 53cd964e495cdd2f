import DataLoader from 'dataloader';
import { isConsoleRead } from './pool.js';

export type Loader<Key, Value> = Pick<DataLoader<Key, Value>, 'load'>;

/**
 * A loader for what both surfaces read: batches of the console's reads are apart from all others, because a batch goes over the
 * connections of whoever began it.
 */
export function dividedLoader<Key, Value>(
  ...given: ConstructorParameters<typeof DataLoader<Key, Value>>
): Loader<Key, Value> {
  const [forConsole, forOthers] = [new DataLoader(...given), new DataLoader(...given)];
  return { load: (key) => (isConsoleRead() ? forConsole : forOthers).load(key) };
}
