import { defineEntity, LockMode, p } from '@mikro-orm/postgresql';
import { type Environment, environments } from '../core/environment.js';
import type { Logger } from '../core/log.js';
import { Poller } from '../core/poller.js';
import type { EntityManager } from '../db/orm.js';
import type { Queryable } from '../db/pool.js';
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

/** How the audit trail names it. */
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

/**
 * Providers that staff have switched off: nothing new is sent to one, and what was sent is still asked about. Each process reads the
 * few rows every two seconds, so that no call waits for it; while the database cannot be asked the last ones stand.
 */
export class ProviderSwitches {
  /** Undefined until they were read once: then nothing is sent anywhere. */
  #off: ReadonlyMap<string, string> | undefined;
  #last: Promise<void> = Promise.resolve();
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
      (err) => log.warn({ err }, 'which providers are switched off is not read: the last reading stands'),
    );
  }

  /** A process may start while the database is away. */
  async prepare(): Promise<void> {
    await this.refresh().catch(() => {});
    this.#reading.start();
  }

  stop(): Promise<void> {
    return this.#reading.stop();
  }

  /** Why nothing new is sent to a provider, as read last; undefined while it is on. */
  reasonOf(environment: Environment, provider: string): string | undefined {
    return this.#off ? this.#off.get(keyOf(environment, provider)) : NOT_READ;
  }

  /** One after the other: an older reading must not come last. */
  refresh(): Promise<void> {
    const reading = this.#last.then(() => this.#read());
    this.#last = reading.catch(() => {});
    return reading;
  }

  async #read(): Promise<void> {
    const { rows } = await this.db.query<{ environment: Environment; provider: string; reason: string }>({
      name: 'provider-switches',
      text: 'select environment, provider, reason from provider_switch where not available',
    });
    const before = this.#off ?? new Map<string, string>();
    this.#off = new Map(rows.map(({ environment, provider, reason }) => [keyOf(environment, provider), reason]));
    for (const key of this.#off.keys())
      if (!before.has(key)) this.log.error({ provider: key }, 'staff switched this provider off: it gets nothing new');
    for (const key of before.keys())
      if (!this.#off.has(key)) this.log.info({ provider: key }, 'staff switched this provider on again');
  }
}

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
