import { defineEntity, LockMode, p } from '@mikro-orm/postgresql';
import { type Environment, environments } from '../core/environment.js';
import type { Logger } from '../core/log.js';
import { Poller } from '../core/poller.js';
import type { EntityManager } from '../db/orm.js';
import type { Queryable } from '../db/pool.js';
import type { OrderPause } from './order-pause.js';
import { SANDBOX } from './provider.enum.js';
import { allProviders } from './registry.js';

/** Whether staff let anything new be sent to a provider. One that nobody ever switched has no row. */
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

/** Who answers where: every provider in Production, and in UAT the sandbox in the place of all. */
export const switchable: readonly { environment: Environment; provider: string }[] = [
  { environment: 'uat', provider: SANDBOX },
  ...allProviders.map(({ name }) => ({ environment: 'production' as const, provider: name })),
];

export const isSwitchable = (environment: Environment, provider: string): boolean =>
  switchable.some((one) => one.environment === environment && one.provider === provider);

const keyOf = (environment: Environment, provider: string): string => `${environment}/${provider}`;

/** How the audit log names it. */
export const switchSubject = (environment: Environment, provider: string): string =>
  `provider:${keyOf(environment, provider)}`;

/** The same the other way. */
export function placeOfSwitch(subject: string): Pick<ProviderSwitch, 'environment' | 'provider'> {
  const [environment, provider] = subject.slice('provider:'.length).split('/') as [Environment, string];
  return { environment, provider };
}

/** What somebody decides about a provider, and why. */
export interface ProviderSwitch {
  environment: Environment;
  provider: string;
  available: boolean;
  reason: string;
}

const REFRESH_MS = 2_000;
const NOT_READ = 'Whether it is switched off was not read yet.';
const PAUSE_NOT_READ = 'The state of new orders is not read yet.';

interface Row {
  environment: Environment;
  /** Null: new orders as a whole. */
  provider: string | null;
  text: string;
  at: string;
}

/** What staff have stopped: providers, with why, and new orders of an environment. */
interface Stopped {
  providers: ReadonlyMap<string, string>;
  orders: ReadonlyMap<Environment, OrderPause>;
}

const NOTHING: Stopped = { providers: new Map(), orders: new Map() };

/**
 * What staff have stopped. Nothing new is sent to a provider that is switched off, and nothing is placed where orders are paused; what
 * was sent is still asked about. Each process reads the few rows every two seconds, so that no call waits for it; while the database
 * cannot be asked the last ones stand.
 */
export class Switches {
  /** Undefined until they were read once: then nothing is placed, and nothing sent anywhere. */
  #stopped: Stopped | undefined;
  #last: Promise<void> = Promise.resolve();
  readonly #begun = new Date();
  readonly #reading: Poller;

  constructor(
    private readonly db: Queryable,
    private readonly log: Logger,
  ) {
    this.#reading = new Poller(
      async () => {
        await this.refresh();
        return false;
      },
      REFRESH_MS,
      (err) => log.warn({ err }, 'what staff have switched off is not read: the last reading stands'),
    );
  }

  /** A process may start while the database is away. */
  async prepare(): Promise<void> {
    await this.refresh().catch(() => {});
    this.#reading.start();
  }

  /** Errors: those of the database, while nothing was read since the process began. */
  async assertRead(): Promise<void> {
    if (!this.#stopped) await this.refresh();
  }

  stop(): Promise<void> {
    return this.#reading.stop();
  }

  /** Why nothing new is sent to a provider, as read last; undefined while it is on. */
  reasonOf(environment: Environment, provider: string): string | undefined {
    return this.#stopped ? this.#stopped.providers.get(keyOf(environment, provider)) : NOT_READ;
  }

  /** The pause of orders in an environment, as read last; undefined while orders are accepted. */
  pauseOf(environment: Environment): OrderPause | undefined {
    return this.#stopped ? this.#stopped.orders.get(environment) : { notice: PAUSE_NOT_READ, since: this.#begun };
  }

  /** One after the other: an older reading must not come last. */
  refresh(): Promise<void> {
    const reading = this.#last.then(() => this.#read());
    this.#last = reading.catch(() => {});
    return reading;
  }

  async #read(): Promise<void> {
    const { rows } = await this.db.query<Row>({
      name: 'switches',
      text: `select environment, provider, reason as text, changed_at as at from provider_switch where not available
        union all select environment, null, notice, changed_at from order_pause where paused`,
    });
    const before = this.#stopped ?? NOTHING;
    const providers = new Map<string, string>();
    const orders = new Map<Environment, OrderPause>();
    for (const { environment, provider, text, at } of rows)
      if (provider === null) orders.set(environment, { notice: text, since: new Date(at) });
      else providers.set(keyOf(environment, provider), text);
    this.#stopped = { providers, orders };
    for (const provider of missing(before.providers, providers))
      this.log.error({ provider }, 'staff switched this provider off: it gets nothing new');
    for (const provider of missing(providers, before.providers))
      this.log.info({ provider }, 'staff switched this provider on again');
    for (const environment of missing(before.orders, orders))
      this.log.error({ environment }, 'staff paused new orders');
    for (const environment of missing(orders, before.orders))
      this.log.info({ environment }, 'staff resumed new orders');
  }
}

/** Keys that the second has and the first has not. */
const missing = <Key>(from: ReadonlyMap<Key, unknown>, others: ReadonlyMap<Key, unknown>): Key[] =>
  [...others.keys()].filter((key) => !from.has(key));

/** Whether a provider is on, held until the transaction ends. */
export async function lockSwitch(environment: Environment, provider: string, tx: EntityManager): Promise<boolean> {
  const place = { environment, provider };
  // two people may switch it for the first time at once
  await tx.upsert(
    ProviderSwitchEntity,
    { ...place, available: true, reason: null, changedAt: new Date() },
    { onConflictAction: 'ignore' },
  );
  const options = { lockMode: LockMode.PESSIMISTIC_WRITE, disableIdentityMap: true };
  return (await tx.findOneOrFail(ProviderSwitchEntity, place, options)).available;
}
