import { newId } from '../core/ids.js';
import type { Logger } from '../core/log.js';
import { Poller } from '../core/poller.js';
import type { Channel } from '../db/channel.js';
import type { Queryable } from '../db/pool.js';

const TOPIC = 'provider_permits';

export interface LeaseOptions {
  /** By provider, what all processes together may have under way at once. */
  limits: ReadonlyMap<string, number>;
  /** What a call may take. */
  callMs: number;
  /** How often the lease is renewed. */
  renewMs?: number;
  /** How long calls may be begun after a renewal. */
  usableMs?: number;
  /** How long a process that starts waits for others to give it some of their permits. */
  patienceMs?: number;
}

/** From one renewal to the next while others still have what is this process's share. */
const SOON_MS = 250;
/** The answer of the database may come late, and clocks do not run alike. */
const MARGIN_MS = 2_000;

interface Leased {
  provider: string;
  permits: number;
  share: number;
}

/**
 * This process's part of the calls that a provider allows all processes together: equal shares of those that live, leased from the
 * database, and no question to it for a call. A lease outlasts every call that was begun within it, so what a process that died had
 * is given to others only when its calls have ended.
 */
export class ConcurrencyLeases {
  readonly #db: Queryable;
  readonly #channel: Channel | undefined;
  readonly #log: Logger;
  readonly #options: Required<LeaseOptions>;
  readonly #process = newId();
  readonly #semaphores: ReadonlyMap<string, Semaphore>;
  readonly #poller: Poller;
  #soon: NodeJS.Timeout | undefined;
  #joined = false;
  #complete = false;

  constructor(parts: { db: Queryable; channel?: Channel; log: Logger }, options: LeaseOptions) {
    this.#db = parts.db;
    this.#channel = parts.channel;
    this.#log = parts.log;
    this.#options = { renewMs: 5_000, usableMs: 15_000, patienceMs: 10_000, ...options };
    this.#semaphores = new Map([...options.limits.keys()].map((provider) => [provider, new Semaphore()]));
    this.#poller = new Poller(
      () => this.#renew(),
      this.#options.renewMs,
      (err) => this.#log.warn({ err }, 'the places of providers could not be leased, the next round tries again'),
    );
    this.#channel?.on(TOPIC, () => this.#poller.wake());
  }

  /** Undefined for a provider without a limit. */
  of(provider: string): Semaphore | undefined {
    return this.#semaphores.get(provider);
  }

  /** Resolves when the process has its share of every provider, or when it has waited long enough for it. */
  async start(): Promise<void> {
    if (this.#semaphores.size === 0) return;
    const end = performance.now() + this.#options.patienceMs;
    this.#poller.start();
    while (!this.#complete && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
    for (const [provider, semaphore] of this.#semaphores)
      if (semaphore.limit === 0) this.#log.warn({ provider }, 'no place of this provider is left for this process');
  }

  /** After the last call: others may have the permits. */
  async stop(): Promise<void> {
    clearTimeout(this.#soon);
    await this.#poller.stop();
    if (!this.#joined) return;
    for (const semaphore of this.#semaphores.values()) semaphore.lease(0, Number.NEGATIVE_INFINITY);
    await this.#db
      .query({ text: 'delete from provider_permit where process = $1', values: [this.#process] })
      .catch(() => {});
    this.#channel?.say(TOPIC, 'left');
  }

  /** True when it has to be asked again at once: the process has come down to its share, and others may have the rest. */
  async #renew(): Promise<boolean> {
    clearTimeout(this.#soon);
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
    let above = false;
    let below = false;
    for (const { provider, permits, share } of rows) {
      const own = this.#semaphores.get(provider)!;
      own.lease(Math.min(permits, share), until);
      above ||= permits > share && own.inUse < permits;
      below ||= permits < share;
    }
    this.#complete = !below;
    if (!this.#joined) this.#channel?.say(TOPIC, 'new');
    this.#joined = true;
    // others give up what is not theirs any more, one call after the other
    if (below || rows.some(({ permits, share }) => permits > share))
      this.#soon = setTimeout(() => this.#poller.wake(), SOON_MS).unref();
    return above;
  }
}

/** Calls that may wait for a permit; more are refused. */
const MAX_WAITING = 200;

/**
 * The calls of one provider that this process may have under way at once, of all its clients together. How many there are is leased
 * from a limit that all processes share, and ends unless it is leased anew: see `ConcurrencyLeases`.
 */
export class Semaphore {
  #limit = 0;
  /** By `performance.now()`. */
  #until = Number.NEGATIVE_INFINITY;
  #inUse = 0;
  readonly #waiting = new Set<() => void>();

  /** What may be under way from now on until the lease ends. */
  get limit(): number {
    return performance.now() < this.#until ? this.#limit : 0;
  }

  get inUse(): number {
    return this.#inUse;
  }

  /** Whether a call would get a permit, now or soon. */
  get isFree(): boolean {
    return this.limit > 0 && this.#waiting.size < MAX_WAITING;
  }

  /** @param until by `performance.now()`; a lower limit lets what is under way end */
  lease(limit: number, until: number): void {
    this.#limit = limit;
    this.#until = until;
    this.#admit();
  }

  /** Resolves in the order of asking, to what gives the permit back; undefined when `givenUp` came first. */
  async take(givenUp: Promise<unknown>): Promise<(() => void) | undefined> {
    if (this.#waiting.size === 0 && this.#inUse < this.limit) return this.#occupy();
    const { promise, resolve } = Promise.withResolvers<(() => void) | undefined>();
    const admit = (): void => resolve(this.#occupy());
    this.#waiting.add(admit);
    void givenUp.then(() => {
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
