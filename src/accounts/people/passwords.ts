import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { BulkheadRejectedError, bulkhead } from 'cockatiel';
import { overloaded } from '../../core/errors.js';
import { packageRoot } from '../../core/package-root.js';
import type { RowKeys } from '../../core/row-keys.js';
import { randomToken } from '../../core/secret.js';
import type { PasswordAnswer, PasswordTask } from './password-thread.js';

/**
 * Stored password, hashed by argon2id with a salt and a secret per user. Hashing is slow by design, so it runs before the
 * transaction begins.
 */
export type PasswordHash = string & { readonly __brand: 'PasswordHash' };

/** User with the stored password hash. */
export interface PasswordOwner {
  id: string;
  passwordHash: string;
}

/** Maximum number of concurrent hashes. Each uses a whole core; half of the cores remain free, even of low-priority work. */
export const PASSWORDS_AT_ONCE = Math.min(2, Math.ceil(availableParallelism() / 2));
/** Maximum number of queued hashes, about one second of work. Further callers are rejected, so that not all have to wait. */
export const PASSWORDS_WAITING = 32;
/** Number of slots reserved for known devices, a quarter of all, so that sign-ins from unknown devices cannot block them. */
export const PASSWORDS_FOR_KNOWN = PASSWORDS_WAITING / 4;
const RETRY_AFTER_MS = 2_000;

/**
 * The only place where passwords are hashed and compared. Concurrency and the queue are limited; beyond the limits, calls fail
 * with OVERLOADED.
 */
export class Passwords {
  readonly #bulkhead = bulkhead(PASSWORDS_AT_ONCE, PASSWORDS_WAITING);
  /** One thread for each concurrent check of the bulkhead. */
  readonly #threads = new PasswordThreads();
  /** Hash that is compared if the user has none, so that the response time reveals nothing. */
  #decoy: Promise<string> | undefined;

  constructor(private readonly rowKeys: Pick<RowKeys, 'passwordSecret'>) {}

  /** Returns a hash that is valid only for this user. Throws OVERLOADED. */
  async hash(password: string, userId: string): Promise<PasswordHash> {
    const secret = this.rowKeys.passwordSecret(userId);
    return (await this.#admit(() => this.#threads.run({ password, secret }))) as PasswordHash;
  }

  /**
   * Whether the password is right. Without a user, takes the same time and returns false. `isKnown` means that the user has
   * signed in from this device before or has a session, and can use the reserved slots. Throws OVERLOADED.
   */
  async verify(user: PasswordOwner | null | undefined, password: string, { isKnown = false } = {}): Promise<boolean> {
    const secret = this.rowKeys.passwordSecret(user?.id ?? '');
    const matches = await this.#admit(
      async () => this.#threads.run({ password, secret, stored: user?.passwordHash ?? (await this.#decoyHash()) }),
      isKnown,
    );
    return user != null && matches === true;
  }

  /** Stops the threads. Running, queued and later tasks are rejected. */
  close(): Promise<void> {
    return this.#threads.close();
  }

  async #decoyHash(): Promise<string> {
    const secret = this.rowKeys.passwordSecret('');
    this.#decoy ??= this.#threads.run({ password: randomToken(''), secret }) as Promise<string>;
    try {
      return await this.#decoy;
    } catch (error) {
      // clears the failed hash, so that the next call makes another attempt
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

/** The compiled file, which is also used when tests run the sources. */
const THREAD = new URL('dist/accounts/people/password-thread.js', packageRoot);

/**
 * Threads for password hashing, each with one task at a time. Their priority is low, because a hash occupies a core for a long
 * time and must not slow down the event loop and the database. They are started on demand and kept. Idle threads do not keep
 * the process alive.
 */
export class PasswordThreads {
  readonly #threads = new Set<Worker>();
  readonly #idle: Worker[] = [];
  #closed = false;

  constructor(private readonly file = THREAD) {}

  /** Runs a task. Throws if argon2 fails, the thread dies, or `close` is called. No error contains password data. */
  async run(task: PasswordTask): Promise<string | boolean> {
    if (this.#closed) throw new Error('Password threads are stopped.');
    const thread = this.#idle.pop() ?? this.#start();
    const { value, failure } = await this.#ask(thread, task);
    if (failure !== undefined) throw new Error(`argon2 failed: ${failure}.`);
    return value;
  }

  /** Stops all threads. Their running tasks are rejected. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#threads].map((thread) => thread.terminate()));
  }

  #start(): Worker {
    // the thread gets neither the flags nor the environment of the process, which contains secrets
    const thread = new Worker(this.file, { execArgv: [], env: {} });
    this.#threads.add(thread);
    thread.once('exit', () => {
      this.#threads.delete(thread);
      const index = this.#idle.indexOf(thread);
      if (index >= 0) this.#idle.splice(index, 1);
    });
    // an error of an idle thread ends only the thread
    thread.on('error', () => {});
    return thread;
  }

  #ask(thread: Worker, task: PasswordTask): Promise<PasswordAnswer> {
    return new Promise((resolve, reject) => {
      let cause: unknown;
      const onError = (error: unknown): void => void (cause = error);
      const onExit = (): void => reject(new Error('A password thread ended during a task.', { cause }));
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
