import { newId } from '../core/ids.js';
import type { Logger } from '../core/log.js';
import { Poller } from '../core/poller.js';
import type { Channel } from '../db/channel.js';
import type { Queryable } from '../db/pool.js';

const TOPIC = 'provider_permits';

export interface LeaseOptions {
  /** Maximum number of concurrent calls per provider, for all processes together. */
  limits: ReadonlyMap<string, number>;
  /** Maximum duration of a call. */
  callMs: number;
  /** Interval between renewals of the lease. */
  renewMs?: number;
  /** Time after a renewal in which calls can be started. */
  usableMs?: number;
  /** Time that a starting process waits until other processes release its share of the permits. */
  patienceMs?: number;
}

/** Interval between renewals while other processes still hold this process's share. */
const SOON_MS = 250;
/** Margin for slow database responses and for clock differences. */
const MARGIN_MS = 2_000;

interface Leased {
  provider: string;
  permits: number;
  share: number;
}

/**
 * Share of this process in the concurrent calls that a provider allows for all processes. Running processes have equal shares,
 * which they lease from the database, so a call needs no query. A lease outlasts every call that was started within it, so the
 * permits of a crashed process are reassigned only after its calls have ended.
 */
export class ConcurrencyLeases {
  readonly #db: Queryable;
  readonly #channel: Channel | undefined;
  readonly #log: Logger;
  readonly #options: Required<LeaseOptions>;
  readonly #process = newId();
  readonly #semaphores: ReadonlyMap<string, Semaphore>;
  readonly #poller: Poller;
  #soonTimer: NodeJS.Timeout | undefined;
  #hasJoined = false;
  #isComplete = false;

  constructor(parts: { db: Queryable; channel?: Channel; log: Logger }, options: LeaseOptions) {
    this.#db = parts.db;
    this.#channel = parts.channel;
    this.#log = parts.log;
    this.#options = { renewMs: 5_000, usableMs: 15_000, patienceMs: 10_000, ...options };
    this.#semaphores = new Map([...options.limits.keys()].map((provider) => [provider, new Semaphore()]));
    this.#poller = new Poller(
      () => this.#renew(),
      this.#options.renewMs,
      (err) => this.#log.warn({ err }, 'leasing provider permits failed, retrying in the next round'),
    );
    this.#channel?.on(TOPIC, () => this.#poller.wake());
  }

  /** Returns the semaphore of a provider, or undefined for a provider without a limit. */
  of(provider: string): Semaphore | undefined {
    return this.#semaphores.get(provider);
  }

  /** Resolves when the process has its share for every provider, or when the wait time has passed. */
  async start(): Promise<void> {
    if (this.#semaphores.size === 0) return;
    const deadlineMs = performance.now() + this.#options.patienceMs;
    this.#poller.start();
    while (!this.#isComplete && performance.now() < deadlineMs) await new Promise((resolve) => setTimeout(resolve, 20));
    for (const [provider, semaphore] of this.#semaphores)
      if (semaphore.limit === 0) this.#log.warn({ provider }, 'this process has no permit for this provider');
  }

  /** Releases the permits for other processes. The caller must call it after the last provider call. */
  async stop(): Promise<void> {
    clearTimeout(this.#soonTimer);
    await this.#poller.stop();
    if (!this.#hasJoined) return;
    for (const semaphore of this.#semaphores.values()) semaphore.lease(0, Number.NEGATIVE_INFINITY);
    await this.#db
      .query({ text: 'delete from provider_permit where process = $1', values: [this.#process] })
      .catch(() => {});
    this.#channel?.notify(TOPIC, 'left');
  }

  /**
   * Renews the lease. Returns true if the lease must be renewed immediately: this process now uses only its share, so other
   * processes can take the remaining permits.
   */
  async #renew(): Promise<boolean> {
    clearTimeout(this.#soonTimer);
    const { limits, callMs, usableMs } = this.#options;
    const providers = [...limits.keys()];
    const until = performance.now() + usableMs;
    const { rows } = await this.#db.query<Leased>({
      name: 'provider-permits',
      text: 'select provider, permits, share from provider_permits_lease($1, $2, $3, $4, $5)',
      values: [
        this.#process,
        usableMs + callMs + MARGIN_MS,
        providers,
        [...limits.values()],
        providers.map((provider) =>
          Math.max(this.#semaphores.get(provider)!.inUse, this.#semaphores.get(provider)!.limit),
        ),
      ],
    });
    let isAboveShare = false;
    let isBelowShare = false;
    for (const { provider, permits, share } of rows) {
      const semaphore = this.#semaphores.get(provider)!;
      semaphore.lease(Math.min(permits, share), until);
      isAboveShare ||= permits > share && semaphore.inUse < permits;
      isBelowShare ||= permits < share;
    }
    this.#isComplete = !isBelowShare;
    if (!this.#hasJoined) this.#channel?.notify(TOPIC, 'new');
    this.#hasJoined = true;
    // other processes release the permits above their share when their calls end
    if (isBelowShare || rows.some(({ permits, share }) => permits > share))
      this.#soonTimer = setTimeout(() => this.#poller.wake(), SOON_MS).unref();
    return isAboveShare;
  }
}

/** Maximum number of calls waiting for a permit. Further calls are rejected. */
const MAX_WAITING = 200;

/**
 * Limits concurrent calls to one provider by all clients of this process. The permits are leased from a limit that all processes
 * share, and expire unless the lease is renewed; see `ConcurrencyLeases`.
 */
export class Semaphore {
  #limit = 0;
  /** Expiry of the lease, in milliseconds of `performance.now()`. */
  #until = Number.NEGATIVE_INFINITY;
  #inUse = 0;
  readonly #waiting = new Set<() => void>();

  /** Maximum number of concurrent calls, or 0 after the lease has expired. */
  get limit(): number {
    return performance.now() < this.#until ? this.#limit : 0;
  }

  get inUse(): number {
    return this.#inUse;
  }

  /** Whether a call would get a permit immediately or after a short wait. */
  get isFree(): boolean {
    return this.limit > 0 && this.#waiting.size < MAX_WAITING;
  }

  /**
   * Sets the limit.
   * @param until expiry in milliseconds of `performance.now()`. A lower limit does not stop running calls.
   */
  lease(limit: number, until: number): void {
    this.#limit = limit;
    this.#until = until;
    this.#admit();
  }

  /**
   * Waits for a permit, in order of arrival. Resolves to a function that releases the permit, or to undefined if `cancelled`
   * settled first.
   */
  async take(cancelled: Promise<unknown>): Promise<(() => void) | undefined> {
    if (this.#waiting.size === 0 && this.#inUse < this.limit) return this.#occupy();
    const { promise, resolve } = Promise.withResolvers<(() => void) | undefined>();
    const admit = (): void => resolve(this.#occupy());
    this.#waiting.add(admit);
    void cancelled.then(() => {
      if (this.#waiting.delete(admit)) resolve(undefined);
    });
    return promise;
  }

  #occupy(): () => void {
    this.#inUse++;
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#inUse--;
      this.#admit();
    };
  }

  #admit(): void {
    for (const admit of this.#waiting) {
      if (this.#inUse >= this.limit) return;
      this.#waiting.delete(admit);
      admit();
    }
  }
}
