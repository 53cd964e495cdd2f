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
