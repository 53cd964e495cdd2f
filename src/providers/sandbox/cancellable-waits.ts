export type WaitEnd = 'elapsed' | 'closed';

/**
 * The waits of one adapter. Its timers never keep the process alive, and `close` ends them all, so that draining a server
 * is not held up by scripts that answer late or never.
 */
export class CancellableWaits {
  readonly #waiting = new Map<NodeJS.Timeout, (end: WaitEnd) => void>();
  #closed = false;

  wait(delayMs: number): Promise<WaitEnd> {
    if (this.#closed) return Promise.resolve('closed');
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(timer);
        resolve('elapsed');
      }, delayMs);
      timer.unref();
      this.#waiting.set(timer, resolve);
    });
  }

  close(): void {
    this.#closed = true;
    for (const [timer, resolve] of this.#waiting) {
      clearTimeout(timer);
      resolve('closed');
    }
    this.#waiting.clear();
  }
}
