import { outOfScope } from './scope.js';

/**
 * Repeats a task: immediately if the task reports that there is more work, otherwise after a pause or when it is woken. Rounds
 * never overlap. A failed round is reported and followed by the next one.
 */
export class Poller {
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;
  #isWakePending = false;
  #isActive = false;
  #succeededAtMs = Date.now();

  /**
   * Creates the poller.
   * @param intervalMs if undefined, only `wake` starts rounds; a function is called after each round
   */
  constructor(
    private readonly work: () => Promise<boolean>,
    private readonly intervalMs: number | (() => number) | undefined,
    private readonly onError: (error: Error) => void,
  ) {}

  /** Time of the last successful round. Before the first one, the creation time of this object. */
  get succeededAtMs(): number {
    return this.#succeededAtMs;
  }

  /** True between `start` and `stop`. */
  get isActive(): boolean {
    return this.#isActive;
  }

  start(): void {
    this.#isActive = true;
    this.wake();
  }

  /** Starts a round without waiting for the end of the pause, because there may be work. */
  wake(): void {
    if (!this.#isActive) return;
    this.#isWakePending = true;
    clearTimeout(this.#timer);
    // the task runs outside of the request scope, because a request may wake the task but its rounds continue after that request
    this.#round ??= outOfScope(() => this.#run());
  }

  /** Stops the task. Resolves when the current round has ended; no further round starts. */
  async stop(): Promise<void> {
    this.#isActive = false;
    clearTimeout(this.#timer);
    await this.#round;
  }

  async #run(): Promise<void> {
    try {
      while (this.#isActive && this.#isWakePending) {
        this.#isWakePending = false;
        if (await this.work()) this.#isWakePending = true;
        this.#succeededAtMs = Date.now();
      }
    } catch (error) {
      this.onError(error as Error);
    }
    this.#round = undefined;
    if (!this.#isActive || this.intervalMs === undefined) return;
    const pauseMs = typeof this.intervalMs === 'number' ? this.intervalMs : this.intervalMs();
    this.#timer = setTimeout(() => this.wake(), pauseMs).unref();
  }
}
