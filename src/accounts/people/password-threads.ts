import { Worker } from 'node:worker_threads';
import { packageRoot } from '../../core/package-root.js';
import type { PasswordAnswer, PasswordTask } from './password-thread.js';

/** The compiled file, also for the sources when tests run them. */
const THREAD = new URL('dist/accounts/people/password-thread.js', packageRoot);

/**
 * Threads that work on passwords, one task each at a time. Their priority is low, because a hash takes a whole core for long: the
 * event loop and the database come first. Started when all are busy, and kept; idle ones keep no process alive.
 */
export class PasswordThreads {
  readonly #file: URL;
  readonly #threads = new Set<Worker>();
  readonly #idle: Worker[] = [];
  #closed = false;

  constructor(file = THREAD) {
    this.#file = file;
  }

  /** Errors: when argon2 refuses, the thread dies, or `close` is called. None holds anything of a password. */
  async run(task: PasswordTask): Promise<string | boolean> {
    if (this.#closed) throw new Error('Work on passwords has ended.');
    const thread = this.#idle.pop() ?? this.#start();
    const { value, failure } = await this.#ask(thread, task);
    if (failure !== undefined) throw new Error(`argon2 failed: ${failure}.`);
    return value;
  }

  /** Ends every thread; what they are working on is rejected. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#threads].map((thread) => thread.terminate()));
  }

  #start(): Worker {
    // neither the process's flags nor its environment, which holds secrets
    const thread = new Worker(this.#file, { execArgv: [], env: {} });
    this.#threads.add(thread);
    thread.once('exit', () => {
      this.#threads.delete(thread);
      const index = this.#idle.indexOf(thread);
      if (index >= 0) this.#idle.splice(index, 1);
    });
    // an idle thread's error ends nothing but the thread
    thread.on('error', () => {});
    return thread;
  }

  #ask(thread: Worker, task: PasswordTask): Promise<PasswordAnswer> {
    return new Promise((resolve, reject) => {
      let cause: unknown;
      const onError = (error: unknown): void => void (cause = error);
      const onExit = (): void => reject(new Error('A thread ended while it worked on a password.', { cause }));
      thread.once('error', onError);
      thread.once('exit', onExit);
      thread.once('message', (answer: PasswordAnswer) => {
        thread.off('error', onError);
        thread.off('exit', onExit);
        thread.unref();
        this.#idle.push(thread);
        resolve(answer);
      });
      thread.ref();
      thread.postMessage(task);
    });
  }
}
