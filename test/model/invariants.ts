import { isPayment } from '../../src/orders/states.js';
import type { Call } from './commands.js';
import type { Snapshot } from './machine.js';
import type { Exchange, World } from './world.js';

type FinalStatus = 'open' | 'review' | 'success' | 'failed' | 'reversed';

/** Events since the last check. */
export interface Step {
  exchanges: readonly Exchange[];
  /** Orders that admins resolved or corrected in this step. */
  admins: ReadonlySet<number>;
}

const finalStatusOf = ({ state, reversed }: Snapshot['orders'][number]): FinalStatus => (reversed ? 'reversed' : state);

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
  readonly #finalStatuses: FinalStatus[] = [];
  /** Orders whose final status was set by an admin. */
  readonly #byAdmins = new Set<number>();
  /** Orders that were refunded and never sent. */
  readonly #neverSent = new Set<number>();
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
    const finalStatuses = snapshot.orders.map(finalStatusOf);
    const charged = finalStatuses.reduce(
      (sum, finalStatus, index) =>
        sum + (finalStatus === 'failed' || finalStatus === 'reversed' ? 0 : placed[index]!.amount),
      0,
    );
    if (snapshot.balance + charged !== this.#entered)
      problems.push(`${snapshot.balance} in the wallet and ${charged} charged, of ${this.#entered}`);
    finalStatuses.forEach((finalStatus, index) => {
      const previous = this.#finalStatuses[index] ?? 'open';
      this.#finalStatuses[index] = finalStatus;
      if (finalStatus !== previous) problems.push(...this.#changed(index, previous, finalStatus, step));
      problems.push(...this.#refundProblems(index, finalStatus, placed[index]!.call));
    });
    return problems;
  }

  *#changed(
    index: number,
    previous: FinalStatus,
    current: FinalStatus,
    { admins, exchanges }: Step,
  ): Generator<string> {
    const corrected = admins.has(index) && CORRECTED[previous].includes(current);
    const proven =
      current !== 'reversed' ||
      exchanges.some(({ order, status, named }) => order === index && status === 'declined' && named);
    if (!corrected && !(FOLLOWS[previous].includes(current) && proven))
      yield `order ${index} was ${previous} and is ${current}`;
    if (corrected) this.#byAdmins.add(index);
    else this.#byAdmins.delete(index);
  }

  *#refundProblems(index: number, finalStatus: FinalStatus, { operation }: Call): Generator<string> {
    const world = this.#world;
    if (this.#neverSent.has(index) && world.sent(index)) yield `order ${index} was sent after it was refunded`;
    if (finalStatus !== 'failed' && finalStatus !== 'reversed') return;
    if (!world.sent(index)) this.#neverSent.add(index);
    if (isPayment(operation) && world.hasProcessed(index) && !world.reversed(index) && !this.#byAdmins.has(index))
      yield `order ${index} was processed and refunded without a resolution by an admin`;
  }
}
