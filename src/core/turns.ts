import type { Host } from './environment.js';

/** Queued items by owner. Each owner has its own queue, and the owners take turns. */
export class FairQueue<Owner, Item> {
  /** Queues in the order of turns. No queue is empty. */
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

  /** Removes the oldest item of the owner whose turn it is. Returns undefined if the queue is empty. */
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

/** Callers that have already had a turn, and callers that have not. */
const continued = new FairQueue<Host, () => void>();
const waiting = new FairQueue<Host, () => void>();
let isTaking = false;

/**
 * Waits for a turn. Resolves when this caller may block the event loop for a few milliseconds. One caller has its turn per
 * iteration of the loop, so that cheap requests are processed between expensive ones. The hosts of a process take turns: if
 * anonymous callers send a thousand documents to UAT, a query on production waits for one or two of them.
 * @param options isContinued: the caller has already had a turn and holds its result, so it precedes all callers on any host
 * that have not. Otherwise, each of a thousand documents would be a tree in memory before the first one is validated
 */
export function ownTurn(host: Host, { isContinued = false } = {}): Promise<void> {
  return new Promise((resolve) => {
    (isContinued ? continued : waiting).push(host, resolve);
    if (!isTaking) setImmediate(takeNext);
    isTaking = true;
  });
}

function takeNext(): void {
  (continued.shift() ?? waiting.shift())!();
  isTaking = continued.length + waiting.length > 0;
  if (isTaking) setImmediate(takeNext);
}
