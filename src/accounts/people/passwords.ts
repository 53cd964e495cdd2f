import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { BulkheadRejectedError, bulkhead } from 'cockatiel';
import { overloaded } from '../../core/errors.js';
import { packageRoot } from '../../core/package-root.js';
import type { RowKeys } from '../../core/row-keys.js';
import { randomToken } from '../../core/secret.js';
import type { PasswordAnswer, PasswordTask } from './password-thread.js';

/**
 * A stored password: argon2id with a salt and a secret of the user. Hashing is slow on purpose, so it is done before a transaction
 * begins.
 */
export type PasswordHash = string & { readonly __brand: 'PasswordHash' };

/** A user, and what is stored of their password. */
export interface PasswordOwner {
  id: string;
  passwordHash: string;
}

/** Each takes a whole core: half of the cores stay free even of what has a low priority. */
export const PASSWORDS_AT_ONCE = Math.min(2, Math.ceil(availableParallelism() / 2));
/** About a second of work; more callers are asked to come back instead of making everybody wait. */
export const PASSWORDS_WAITING = 32;
/** A quarter of the places is for known devices: strangers that sign in from everywhere do not keep out who signed in before. */
export const PASSWORDS_FOR_KNOWN = PASSWORDS_WAITING / 4;
const RETRY_AFTER_MS = 2_000;

/** The only place where passwords are hashed and compared: so many at once, the rest wait, and beyond that OVERLOADED. */
export class Passwords {
  readonly #bulkhead = bulkhead(PASSWORDS_AT_ONCE, PASSWORDS_WAITING);
  /** As many as the bulkhead lets in. */
  readonly #threads = new PasswordThreads();
  /** Compared when there is no hash, so that the time tells nothing. */
  #decoy: Promise<string> | undefined;

  constructor(private readonly rowKeys: Pick<RowKeys, 'passwordSecret'>) {}

  /**
   * The hash matches for this user only.
   * Errors: OVERLOADED.
   */
  async hash(password: string, userId: string): Promise<PasswordHash> {
    const secret = this.rowKeys.passwordSecret(userId);
    return (await this.#admit(() => this.#threads.run({ password, secret }))) as PasswordHash;
  }

  /**
   * Takes the same time without a user, and is false then. `isKnown`: somebody who signed in from this device before, or has a session,
   * waits in places that are kept from all others. Errors: OVERLOADED.
   */
  async verify(user: PasswordOwner | null | undefined, password: string, { isKnown = false } = {}): Promise<boolean> {
    const secret = this.rowKeys.passwordSecret(user?.id ?? '');
    const matches = await this.#admit(
      async () => this.#threads.run({ password, secret, stored: user?.passwordHash ?? (await this.#decoyHash()) }),
      isKnown,
    );
    return user != null && matches === true;
  }

  /** Ends the threads. What is under way or waits is rejected, and so is everything later. */
  close(): Promise<void> {
    return this.#threads.close();
  }

  async #decoyHash(): Promise<string> {
    const secret = this.rowKeys.passwordSecret('');
    this.#decoy ??= this.#threads.run({ password: randomToken(''), secret }) as Promise<string>;
    try {
      return await this.#decoy;
    } catch (error) {
      // the next one tries again
      this.#decoy = undefined;
      throw error;
    }
  }

  async #admit<T>(work: () => Promise<T>, isKnown = false): Promise<T> {
    const { executionSlots, queueSlots } = this.#bulkhead;
    if (!isKnown && executionSlots === 0 && queueSlots <= PASSWORDS_FOR_KNOWN) throw tooMany();
    try {
      return await this.#bulkhead.execute(work);
    } catch (error) {
      if (error instanceof BulkheadRejectedError) throw tooMany();
      throw error;
    }
  }
}

const tooMany = () => overloaded('passwords', { retryAfterMs: RETRY_AFTER_MS });

/** The compiled file, also for the sources when tests run them. */
const THREAD = new URL('dist/accounts/people/password-thread.js', packageRoot);

/**
 * Threads that work on passwords, one task each at a time. Their priority is low, because a hash takes a whole core for long: the
 * event loop and the database come first. Started when all are busy, and kept; idle ones keep no process alive.
 */
export class PasswordThreads {
  readonly #threads = new Set<Worker>();
  readonly #idle: Worker[] = [];
  #closed = false;

  constructor(private readonly file = THREAD) {}

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
    const thread = new Worker(this.file, { execArgv: [], env: {} });
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
