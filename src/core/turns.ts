import type { Host } from './environment.js';

/** What waits, by whose it is: each owner has a queue of its own, and the owners take turns. */
export class FairQueue<Owner, Item> {
  /** In the order of their turns; none is empty. */
  readonly #queues = new Map<Owner, Item[]>();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(owner: Owner, item: Item): void {
    const queue = this.#queues.get(owner);
    if (queue) queue.push(item);
    else this.#queues.set(owner, [item]);
    this.#length++;
  }

  /** The oldest of the owner whose turn it is; undefined where nothing waits. */
  shift(): Item | undefined {
    const [next] = this.#queues;
    if (!next) return undefined;
    const [owner, queue] = next;
    this.#queues.delete(owner);
    const item = queue.shift();
    if (queue.length > 0) this.#queues.set(owner, queue);
    this.#length--;
    return item;
  }
}

/** Those who have begun, and those who have not. */
const goingOn = new FairQueue<Host, () => void>();
const waiting = new FairQueue<Host, () => void>();
let isTaking = false;

/**
 * Resolves when it is this caller's turn to keep the event loop for some milliseconds: one caller in each turn of the loop, so
 * that cheap requests are answered between costly ones. A process has one event loop, which its hosts get in turns: a thousand
 * documents that strangers send to UAT keep a query of production waiting for one or two of them.
 *
 * @param options goesOn: the caller had a turn already and holds what it made in it, so it comes before all who have not begun, on
 *   any host: else each of a thousand documents would be a tree in memory before the first is judged
 */
export function ownTurn(host: Host, { goesOn = false } = {}): Promise<void> {
  return new Promise((resolve) => {
    (goesOn ? goingOn : waiting).push(host, resolve);
    if (!isTaking) setImmediate(takeNext);
    isTaking = true;
  });
}

function takeNext(): void {
  (goingOn.shift() ?? waiting.shift())!();
  isTaking = goingOn.length + waiting.length > 0;
  if (isTaking) setImmediate(takeNext);
}
