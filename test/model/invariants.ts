import { isPayment } from '../../src/orders/states.js';
import type { Call } from './commands.js';
import type { Snapshot } from './machine.js';
import type { Exchange, World } from './world.js';

type FinalStatus = 'open' | 'review' | 'success' | 'failed' | 'reversed';

/** Events since the last check. */
export interface Step {
  exchanges: readonly Exchange[];
  /** Orders that admins resolved or corrected in this step. */
  people: ReadonlySet<number>;
}

const verdictOf = ({ state, reversed }: Snapshot['orders'][number]): FinalStatus => (reversed ? 'reversed' : state);

/** Final statuses that can follow without an admin. */
const FOLLOWS: Readonly<Record<FinalStatus, readonly FinalStatus[]>> = {
  open: ['review', 'success', 'failed'],
  review: ['success', 'failed'],
  success: ['reversed'],
  failed: [],
  reversed: [],
};
/** Final statuses that only admins can set. */
const CORRECTED: Readonly<Record<FinalStatus, readonly FinalStatus[]>> = {
  open: [],
  review: ['success', 'failed'],
  success: ['reversed'],
  failed: ['success'],
  reversed: ['success'],
};

/**
 * Invariants that hold whatever the reference expects: money is conserved, processed payments are not refunded, final statuses
 * are stable.
 */
export class Invariants {
  readonly #world: World;
  readonly #verdicts: FinalStatus[] = [];
  /** Orders whose final status was set by an admin. */
  readonly #byPeople = new Set<number>();
  /** Orders that were refunded and never sent. */
  readonly #unsent = new Set<number>();
  #entered = 0;

  constructor(world: World) {
    this.#world = world;
  }

  /** Money that entered the wallet from outside; negative if it left. */
  moved(amount: number): void {
    this.#entered += amount;
  }

  /** All current violations. */
  violations(snapshot: Snapshot, placed: readonly { call: Call; amount: number }[], step: Step): string[] {
    const problems: string[] = [];
    const verdicts = snapshot.orders.map(verdictOf);
    const charged = verdicts.reduce(
      (sum, verdict, index) => sum + (verdict === 'failed' || verdict === 'reversed' ? 0 : placed[index]!.amount),
      0,
    );
    if (snapshot.balance + charged !== this.#entered)
      problems.push(`${snapshot.balance} in the wallet and ${charged} charged, of ${this.#entered}`);
    verdicts.forEach((verdict, index) => {
      const before = this.#verdicts[index] ?? 'open';
      this.#verdicts[index] = verdict;
      if (verdict !== before) problems.push(...this.#changed(index, before, verdict, step));
      problems.push(...this.#given(index, verdict, placed[index]!.call));
    });
    return problems;
  }

  *#changed(index: number, before: FinalStatus, after: FinalStatus, { people, exchanges }: Step): Generator<string> {
    const corrected = people.has(index) && CORRECTED[before].includes(after);
    const proven =
      after !== 'reversed' ||
      exchanges.some(({ order, status: said, named }) => order === index && said === 'declined' && named);
    if (!corrected && !(FOLLOWS[before].includes(after) && proven))
      yield `order ${index} was ${before} and is ${after}`;
    if (corrected) this.#byPeople.add(index);
    else this.#byPeople.delete(index);
  }

  *#given(index: number, verdict: FinalStatus, { operation }: Call): Generator<string> {
    const world = this.#world;
    if (this.#unsent.has(index) && world.sent(index)) yield `order ${index} was sent after it was given back`;
    if (verdict !== 'failed' && verdict !== 'reversed') return;
    if (!world.sent(index)) this.#unsent.add(index);
    if (isPayment(operation) && world.performed(index) && !world.reversed(index) && !this.#byPeople.has(index))
      yield `order ${index} was performed and given back, and nobody said so`;
  }
}
