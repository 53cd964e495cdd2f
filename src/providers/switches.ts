import { defineEntity, LockMode, p } from '@mikro-orm/postgresql';
import { type Environment, environments } from '../core/environment.js';
import type { Logger } from '../core/log.js';
import { Poller } from '../core/poller.js';
import type { EntityManager } from '../db/orm.js';
import type { Queryable } from '../db/pool.js';
import type { OrderPause } from './order-pause.js';
import { SANDBOX } from './provider.enum.js';
import { allProviders } from './registry.js';

/** Switch with which staff enable or disable a provider for new requests. A provider that was never changed has no row. */
export const ProviderSwitchEntity = defineEntity({
  name: 'ProviderSwitch',
  tableName: 'provider_switch',
  properties: {
    environment: p.enum(environments).primary(),
    provider: p.string().primary(),
    available: p.boolean(),
    reason: p.string().nullable(),
    changedAt: p.datetime(),
  },
});

/** Providers of each environment: all providers in Production, and the sandbox in UAT. */
export const switchable: readonly { environment: Environment; provider: string }[] = [
  { environment: 'uat', provider: SANDBOX },
  ...allProviders.map(({ name }) => ({ environment: 'production' as const, provider: name })),
];

export const isSwitchable = (environment: Environment, provider: string): boolean =>
  switchable.some((entry) => entry.environment === environment && entry.provider === provider);

const keyOf = (environment: Environment, provider: string): string => `${environment}/${provider}`;

/** Returns the subject of the audit entries about a switch. */
export const switchSubject = (environment: Environment, provider: string): string =>
  `provider:${keyOf(environment, provider)}`;

/** Returns the environment and provider in the subject of an audit entry. */
export function placeOfSwitch(subject: string): Pick<ProviderSwitch, 'environment' | 'provider'> {
  const [environment, provider] = subject.slice('provider:'.length).split('/') as [Environment, string];
  return { environment, provider };
}

/** State of a provider, and the reason given by staff. */
export interface ProviderSwitch {
  environment: Environment;
  provider: string;
  available: boolean;
  reason: string;
}

const REFRESH_MS = 2_000;
const NOT_READ = 'The state of this provider has not been read yet.';
const PAUSE_NOT_READ = 'The state of new orders has not been read yet.';

interface Row {
  environment: Environment;
  /** Provider; null if the row pauses new orders. */
  provider: string | null;
  text: string;
  at: string;
}

/** Disabled providers with their reasons, and environments with paused orders. */
interface SwitchState {
  providers: ReadonlyMap<string, string>;
  orders: ReadonlyMap<Environment, OrderPause>;
}

const ALL_ENABLED: SwitchState = { providers: new Map(), orders: new Map() };

/**
 * Providers and orders that staff have stopped. A disabled provider receives no new requests, and no orders are placed while
 * orders are paused. Status checks of earlier payments continue. Each process reads these few rows every two seconds, so that
 * calls do not wait for the database. While the database is unavailable, the last known state applies.
 */
export class Switches {
  /** State as last read; undefined until the first read. Until then, no orders are placed and no requests are sent. */
  #state: SwitchState | undefined;
  #last: Promise<void> = Promise.resolve();
  readonly #startedAt = new Date();
  readonly #poller: Poller;

  constructor(
    private readonly db: Queryable,
    private readonly log: Logger,
  ) {
    this.#poller = new Poller(
      async () => {
        await this.refresh();
        return false;
      },
      REFRESH_MS,
      (err) => log.warn({ err }, 'reading the disabled providers and paused orders failed, the last state applies'),
    );
  }

  /** Reads the state. Errors are ignored, because a process can start while the database is unavailable. */
  async prepare(): Promise<void> {
    await this.refresh().catch(() => {});
    this.#poller.start();
  }

  /** Requires that the state has been read since the process started. Throws the errors of the database. */
  async assertRead(): Promise<void> {
    if (!this.#state) await this.refresh();
  }

  stop(): Promise<void> {
    return this.#poller.stop();
  }

  /** Returns the reason why a provider is disabled, as last read, or undefined if it is enabled. */
  reasonOf(environment: Environment, provider: string): string | undefined {
    return this.#state ? this.#state.providers.get(keyOf(environment, provider)) : NOT_READ;
  }

  /** Returns the pause of orders in an environment, as last read, or undefined if orders are accepted. */
  pauseOf(environment: Environment): OrderPause | undefined {
    return this.#state ? this.#state.orders.get(environment) : { notice: PAUSE_NOT_READ, since: this.#startedAt };
  }

  /** Reads the state. Only one read runs at a time, so that an older result never replaces a newer one. */
  refresh(): Promise<void> {
    const task = this.#last.then(() => this.#read());
    this.#last = task.catch(() => {});
    return task;
  }

  async #read(): Promise<void> {
    const { rows } = await this.db.query<Row>({
      name: 'switches',
      text: `select environment, provider, reason as text, changed_at as at from provider_switch where not available
        union all select environment, null, notice, changed_at from order_pause where paused`,
    });
    const previous = this.#state ?? ALL_ENABLED;
    const providers = new Map<string, string>();
    const orders = new Map<Environment, OrderPause>();
    for (const { environment, provider, text, at } of rows)
      if (provider === null) orders.set(environment, { notice: text, since: new Date(at) });
      else providers.set(keyOf(environment, provider), text);
    this.#state = { providers, orders };
    for (const provider of missing(previous.providers, providers))
      this.log.error({ provider }, 'staff disabled this provider, nothing new is sent to it');
    for (const provider of missing(providers, previous.providers))
      this.log.info({ provider }, 'staff enabled this provider again');
    for (const environment of missing(previous.orders, orders))
      this.log.error({ environment }, 'staff paused new orders');
    for (const environment of missing(orders, previous.orders))
      this.log.info({ environment }, 'staff resumed new orders');
  }
}

/** Returns the keys of `others` that are not in `from`. */
const missing = <Key>(from: ReadonlyMap<Key, unknown>, others: ReadonlyMap<Key, unknown>): Key[] =>
  [...others.keys()].filter((key) => !from.has(key));

/** Locks the row until the transaction ends. Returns whether the provider is enabled. */
export async function lockSwitch(environment: Environment, provider: string, tx: EntityManager): Promise<boolean> {
  const place = { environment, provider };
  // two users can create the row at the same time
  await tx.upsert(
    ProviderSwitchEntity,
    { ...place, available: true, reason: null, changedAt: new Date() },
    { onConflictAction: 'ignore' },
  );
  const options = { lockMode: LockMode.PESSIMISTIC_WRITE, disableIdentityMap: true };
  return (await tx.findOneOrFail(ProviderSwitchEntity, place, options)).available;
}
