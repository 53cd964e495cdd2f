import { outOfScope } from './scope.js';

/**
 * Repeats some work: at once while it says that there is more, else after a pause, or when it is woken. Rounds never overlap, and
 * one that fails is reported and followed by the next.
 */
export class Poller {
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;
  #again = false;
  #active = false;
  #succeededAtMs = Date.now();

  /** @param intervalMs undefined: rounds come by `wake` alone. A function is asked after each round. */
  constructor(
    private readonly work: () => Promise<boolean>,
    private readonly intervalMs: number | (() => number) | undefined,
    private readonly onError: (error: Error) => void,
  ) {}

  /** When a round last did its work; before that, when this was made. */
  get succeededAtMs(): number {
    return this.#succeededAtMs;
  }

  /** Between `start` and `stop`. */
  get isActive(): boolean {
    return this.#active;
  }

  start(): void {
    this.#active = true;
    this.wake();
  }

  /** There may be work: do not wait for the pause to end. */
  wake(): void {
    if (!this.#active) return;
    this.#again = true;
    clearTimeout(this.#timer);
    // a request may have woken it, and its rounds go on after that
    this.#round ??= outOfScope(() => this.#run());
  }

  /** Resolves when the round under way has ended; there is no other. */
  async stop(): Promise<void> {
    this.#active = false;
    clearTimeout(this.#timer);
    await this.#round;
  }

  async #run(): Promise<void> {
    try {
      while (this.#active && this.#again) {
        this.#again = false;
        if (await this.work()) this.#again = true;
        this.#succeededAtMs = Date.now();
      }
    } catch (error) {
      this.onError(error as Error);
    }
    this.#round = undefined;
    if (!this.#active || this.intervalMs === undefined) return;
    const pauseMs = typeof this.intervalMs === 'number' ? this.intervalMs : this.intervalMs();
    this.#timer = setTimeout(() => this.wake(), pauseMs).unref();
  }
}
