let last: Promise<void> = Promise.resolve();

/**
 * Resolves when it is this caller's turn to keep the event loop for some milliseconds: one caller in each turn of the loop, so
 * that cheap requests are answered between costly ones. A process has one event loop, and so one queue.
 */
export function ownTurn(): Promise<void> {
  last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
  return last;
}
