import { UnreadablePart } from '../core/errors.js';

/** What an order's row holds encrypted. */
export type OrderPart = 'request' | 'answer';

export type OnLost = (lost: { orderId: string; part: OrderPart; error: unknown }) => void;

/** So many are remembered. A lost key is told by the first of them. */
const MOST = 10_000;

/** Parts of orders that could not be read: each is told once in the life of a process, however often it is asked for. */
export class LostParts {
  readonly #known = new Set<string>();
  readonly #onLost: OnLost;

  constructor(onLost: OnLost = () => {}) {
    this.#onLost = onLost;
  }

  /** Errors: UnreadablePart. */
  read<T>(orderId: string, part: OrderPart, decrypt: () => T): T {
    try {
      return decrypt();
    } catch (error) {
      const name = `${orderId} ${part}`;
      if (!this.#known.has(name) && this.#known.size < MOST) {
        this.#known.add(name);
        this.#onLost({ orderId, part, error });
      }
      throw new UnreadablePart(error);
    }
  }
}

/** What was read, or the error of a part that cannot be. */
export function readOrLost<T>(read: () => T): T | UnreadablePart {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnreadablePart) return error;
    throw error;
  }
}
