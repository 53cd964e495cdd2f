import { getHeapStatistics } from 'node:v8';
import { AppError } from './errors.js';

/** Of the heap that V8 may use: what waits is most of what a process holds that nobody else bounds. */
const SHARE_OF_HEAP = 1 / 8;

/** Whose bytes they are. */
export interface Holder {
  /** An account, or the address of somebody who is not known. */
  key: string;
  isStranger: boolean;
}

/**
 * What this process holds for requests before and after its work on them, in bytes: bodies and what is read out of them, documents
 * that wait for their turn, uploads, answers that their clients have not taken yet. One account for all hosts, because they share
 * one heap. Strangers may hold a half of it together, and one address half of that; somebody who is known may hold all that is
 * free until half of it is taken, and from then on a quarter.
 */
export class MemoryAccount {
  readonly limitBytes: number;
  readonly #held = { strangers: 0, callers: 0 };
  readonly #byHolder = new Map<string, number>();
  readonly #onRefusal: (who: 'strangers' | 'callers') => void;

  constructor(
    onRefusal: (who: 'strangers' | 'callers') => void = () => {},
    limitBytes = getHeapStatistics().heap_size_limit * SHARE_OF_HEAP,
  ) {
    this.#onRefusal = onRefusal;
    this.limitBytes = limitBytes;
  }

  get held(): Readonly<Record<'strangers' | 'callers', number>> {
    return this.#held;
  }

  /** Nothing yet, of a request that begins. */
  open(holder: Holder): Held {
    return new Held(
      (more) => this.#add(holder, more),
      (more) => this.#admit(holder, more),
    );
  }

  #admit({ key, isStranger }: Holder, bytes: number): void {
    const own = (this.#byHolder.get(key) ?? 0) + bytes;
    const all = this.#held.strangers + this.#held.callers + bytes;
    const half = this.limitBytes / 2;
    const fits = isStranger ? this.#held.strangers + bytes <= half && own <= half / 2 : all <= half || own <= half / 2;
    if (fits && all <= this.limitBytes) return;
    this.#onRefusal(isStranger ? 'strangers' : 'callers');
    throw new AppError('OVERLOADED');
  }

  #add({ key, isStranger }: Holder, bytes: number): void {
    this.#held[isStranger ? 'strangers' : 'callers'] += bytes;
    const own = (this.#byHolder.get(key) ?? 0) + bytes;
    if (own > 0) this.#byHolder.set(key, own);
    else this.#byHolder.delete(key);
  }
}

/** What is held for one request. */
export class Held {
  readonly #add: (bytes: number) => void;
  readonly #admit: (bytes: number) => void;
  #bytes = 0;
  #released = false;

  constructor(add: (bytes: number) => void, admit: (bytes: number) => void) {
    this.#add = add;
    this.#admit = admit;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Errors: OVERLOADED, with nothing taken. */
  take(bytes: number): void {
    this.#admit(bytes);
    this.note(bytes);
  }

  /** Counts what is there already and must not be lost, such as an answer that says where money went. */
  note(bytes: number): void {
    if (this.#released) return;
    this.#bytes += bytes;
    this.#add(bytes);
  }

  /** From now on this is all that is held. */
  become(bytes: number): void {
    this.note(bytes - this.#bytes);
  }

  /** All of it, for good. */
  release(): void {
    this.become(0);
    this.#released = true;
  }
}
