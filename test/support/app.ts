import { basename, join } from 'node:path';
import { sql } from 'kysely';
import { expect, inject } from 'vitest';
import { postCredit } from '../../src/accounts/wallet-credit.js';
import { type App, createApp } from '../../src/app.js';
import type { Actor } from '../../src/audit/audit.service.js';
import { loadConfig } from '../../src/config.js';
import { isLoopback } from '../../src/core/addresses.js';
import { type Environment, environments } from '../../src/core/environment.js';
import { createLogger, type Logger } from '../../src/core/log.js';
import { rupees } from '../../src/core/money.js';
import type { DeveloperId } from '../../src/core/principal.js';
import type { Tracing } from '../../src/core/scope.js';
import { type Service, services } from '../../src/core/services.js';
import { inTransaction } from '../../src/db/orm.js';
import { openApiOf } from '../../src/http/hosts.js';
import type { RechargeProvider } from '../../src/providers/registry.js';
import { asOpenApi30 } from '../../src/rest/openapi/version-3-0.js';
import { providerSettings } from '../../src/simulator/credentials.js';
import { AUDIT_KEYS } from './audit.js';
import { createTestDatabase, type TestDatabase } from './database.js';
import { DocumentedResponses } from './documented-responses.js';
import { freePort } from './ports.js';
import { makeQuick } from './quick-passwords.js';
import { PEPPER, rowKeys } from './row-keys.js';
import { startTestSimulator, type TestSimulator } from './simulator.js';

/** Origin of a user who signs in without a browser. */
export const FROM_TEST = { addressKey: '127.0.0.1', requestId: 'test' };

export const seed: Actor = { actor: 'system:test', requestId: 'test' };

/** Callback secret of RoundPay, which the simulator sends. */
export const CALLBACK_SECRET = 'a callback secret for tests only';

export interface TestDeveloper {
  id: DeveloperId;
  keys: Record<Environment, { clientId: string; apiSecret: string }>;
  tokens: Record<Environment, string>;
}

export interface DeveloperOptions {
  liveRupees?: number;
  provider?: RechargeProvider;
  /** Fee of each service in paise; services without an entry are free. */
  feesPaise?: Partial<Record<Service, number>>;
  /** Services that stay disabled. */
  disabledServices?: readonly Service[];
  /** Only for tests of this limit. */
  rateLimitPerMinute?: number;
}

export interface TestResponse {
  status: number;
  headers: Headers;
  body: any;
}

export interface TestApp {
  app: App;
  db: TestDatabase;
  simulator: TestSimulator;
  urls: Record<Environment | 'console', string>;
  /** An approved developer with every service, Production access and funds, API keys and tokens. */
  developer(options?: DeveloperOptions): Promise<TestDeveloper>;
  /**
   * A REST call; a string body is sent unchanged. The call fails if its response does not match the OpenAPI document of the host.
   */
  rest(
    environment: Environment,
    method: string,
    path: string,
    token?: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<TestResponse>;
  /** Checks a response that was received in another way against the OpenAPI document. */
  expectDescribed(environment: Environment, method: string, path: string, reply: TestResponse): void;
  graphql(
    host: Environment | 'console',
    token: string | undefined,
    query: string,
    variables?: object,
  ): Promise<TestResponse>;
  balance(developer: TestDeveloper, environment: Environment): Promise<number>;
  close(): Promise<void>;
}

/** Mailbox directory of the processes on a database. */
export const mailboxOf = (database: string): string =>
  join(inject('runDirectory'), `${basename(new URL(database).pathname)}.mailbox`);

/** File in which the processes on a database anchor its audit log. */
export const anchorFileOf = (database: string): string =>
  join(inject('runDirectory'), `${basename(new URL(database).pathname)}.anchors.jsonl`);

/** Settings of a process under test, with short delays, so that a pending order takes seconds instead of minutes. */
export function testEnvironment(database: string, simulator: string, ports: readonly number[]): Record<string, string> {
  return {
    DATABASE_URL: database,
    // see FAST_AND_LOOSE in global-setup
    ALLOW_WEAK_DURABILITY: String(isLoopback(new URL(database).hostname)),
    UAT_PORT: String(ports[0]),
    PRODUCTION_PORT: String(ports[1]),
    CONSOLE_PORT: String(ports[2]),
    HEALTH_ON_HOSTS: 'true',
    ENCRYPTION_KEYS: `test-1:${Buffer.alloc(32, 7).toString('base64')}`,
    AUDIT_KEYS,
    AUDIT_ANCHOR_FILE: anchorFileOf(database),
    MAILBOX_DIR: mailboxOf(database),
    STAFF_SECOND_FACTOR: 'optional',
    SECRET_PEPPER: PEPPER,
    REFERENCE_SECRET: 'a secret of references for tests only',
    CALLBACK_SECRETS: `roundpay:${CALLBACK_SECRET}`,
    LOG_LEVEL: 'silent',
    // tests of the limit set it for their developers: see DeveloperOptions
    RATE_LIMIT_PER_MINUTE: '10000',
    // each connection must warm the caches of its own server process
    DATABASE_POOL_SIZE: '4',
    // twice the longest time measured on a busy machine
    SYNC_WINDOW_MS: '3500',
    PROVIDER_TIMEOUT_MS: '2000',
    STATUS_CHECK_SCHEDULE_MS: '200ms',
    LEASE_MARGIN_MS: '1500',
    VISIBILITY_DELAY_MS: '4s',
    SHUTDOWN_DELAY_MS: '0',
    // fetch opens connections ahead of their use; a connection that is closed just when it is used would make a test fail
    REQUEST_TIMEOUT_MS: '5m',
    // idle applications poll too, and ten polls per second need a twentieth of a core
    POLL_INTERVAL_MS: '250',
    // webhook receivers run on this machine, and deliveries to them are retried soon
    ALLOW_PRIVATE_WEBHOOKS: 'true',
    WEBHOOK_RETRIES: '2',
    WEBHOOK_RETRY_DELAY_S: '1',
    WEBHOOK_RETRY_DELAY_MAX_S: '1',
    ...providerSettings(simulator),
  };
}

const described = new Map<Environment, readonly DocumentedResponses[]>();
const isEnvironment = (host: string): host is Environment => (environments as readonly string[]).includes(host);

/**
 * OpenAPI checks shared by all applications of a worker, because responses do not depend on settings. One for each OpenAPI
 * version.
 */
function documentedResponses(environment: Environment, app: App): readonly DocumentedResponses[] {
  let responses = described.get(environment);
  if (!responses) {
    const document = openApiOf(environment, app);
    responses = [new DocumentedResponses(document), new DocumentedResponses(asOpenApi30(document))];
    described.set(environment, responses);
  }
  return responses;
}

interface SimulatedProviders {
  simulator: TestSimulator;
  /** Port to which the simulator sends reversals; the next application listens on it too. */
  port: number;
}

/** Simulators of closed applications, to be used again. They end with their worker. */
const idle: SimulatedProviders[] = [];

async function simulatedProviders(): Promise<SimulatedProviders> {
  const port = await freePort();
  const simulator = await startTestSimulator({
    PRODUCTION_CALLBACK_URL: `http://127.0.0.1:${port}`,
    CALLBACK_SECRETS: `roundpay:${CALLBACK_SECRET}`,
  });
  return { simulator, port };
}

/** Settings that override the usual ones; some depend on the URL of the database. */
export type TestSettings = Record<string, string> | ((databaseUrl: string) => Record<string, string>);

/**
 * The whole service on free ports, with a separate database and a simulator that no other test uses at the same time. Pass
 * settings to override the usual ones.
 */
export async function startTestApp(
  testSettings: TestSettings = {},
  customLog?: Logger,
  tracing?: Tracing,
): Promise<TestApp> {
  const place = idle.pop() ?? (await simulatedProviders());
  const { simulator } = place;
  const ports = [await freePort(), place.port, await freePort()];
  const db = await createTestDatabase();
  const settings = typeof testSettings === 'function' ? testSettings(db.url) : testSettings;
  const log = customLog ?? createLogger(settings.LOG_LEVEL ?? 'silent');
  const app = await createApp(loadConfig({ ...testEnvironment(db.url, simulator.url, ports), ...settings }), log, {
    tracing,
  });
  makeQuick(app.passwords, rowKeys);
  await app.listen();
  const urls = app.config.publicUrls;
  let created = 0;

  const send = async (
    url: string,
    method: string,
    token: string | undefined,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<TestResponse> => {
    const response = await fetch(url, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    let parsed: unknown = text;
    try {
      parsed = JSON.parse(text);
    } catch {
      // not JSON: the text is checked
    }
    return { status: response.status, headers: response.headers, body: parsed };
  };
  const expectDescribed: TestApp['expectDescribed'] = (environment, method, path, reply) => {
    // some tests call the console in this way, which has no REST paths
    if (!isEnvironment(environment)) return;
    for (const responses of documentedResponses(environment, app))
      expect(responses.problems(method, path, reply)).toEqual([]);
  };
  const rest: TestApp['rest'] = async (environment, method, path, token, body, headers) => {
    const reply = await send(`${urls[environment]}${path}`, method, token, body, headers);
    expectDescribed(environment, method, path, reply);
    return reply;
  };
  const graphql: TestApp['graphql'] = (host, token, query, variables) =>
    send(`${urls[host]}/graphql`, 'POST', token, { query, variables }, { accept: 'application/graphql-response+json' });

  async function developer({
    liveRupees = 10_000,
    provider,
    feesPaise = {},
    disabledServices = [],
    rateLimitPerMinute,
  }: DeveloperOptions = {}): Promise<TestDeveloper> {
    const name = `Developer ${++created}`;
    const email = `developer-${created}-${Date.now()}@test.example`;
    // test/console covers each step as users take it, which would be too slow here
    const access = services.map((service) => ({
      service,
      enabled: !disabledServices.includes(service),
      feePaise: String(feesPaise[service] ?? 0),
    }));
    const reference = `Opening ${created}`;
    const id = await inTransaction(app.orm, async (tx) => {
      const developerId = await app.developers.register({ name, email }, seed, tx);
      await app.developers.markEmailVerified(developerId, seed, tx);
      await app.developers.markKycSubmitted(developerId, seed, tx);
      await app.developers.change('approveDeveloper', { developerId }, seed, { tx });
      await app.developers.change('unlockProduction', { developerId }, seed, { tx });
      await sql`insert into service_access (developer_id, service, enabled, fee_paise)
        select ${developerId}, service, enabled, "feePaise" from jsonb_to_recordset(${JSON.stringify(access)}::jsonb)
          as given (service text, enabled boolean, "feePaise" bigint)`.execute(tx.getKysely());
      const entries = access.map(({ service, ...after }) => ({
        action: 'service_access.set' as const,
        subject: `developer:${developerId}/${service}`,
        before: null,
        after,
      }));
      await app.audit.recordAll(seed, entries, tx);
      if (provider) await app.developers.assignProvider(developerId, provider, seed, { tx });
      if (rateLimitPerMinute)
        await app.developers.change('setRateLimit', { developerId, perMinute: rateLimitPerMinute }, seed, { tx });
      if (liveRupees > 0) {
        const credit = {
          developerId,
          environment: 'production',
          amountPaise: rupees(liveRupees),
          reference,
          reason: 'Opening balance of a test',
        } as const;
        await postCredit(credit, seed, app, tx);
      }
      return developerId;
    });
    const keys = {
      uat: await app.credentials.create(id, 'uat', undefined, seed),
      production: await app.credentials.create(id, 'production', undefined, seed),
    };
    const tokenOf = async (environment: Environment): Promise<string> =>
      (await app.tokens.issue({ ...keys[environment], environment }, environment, FROM_TEST)).token;
    return { id, keys, tokens: { uat: await tokenOf('uat'), production: await tokenOf('production') } };
  }

  return {
    app,
    db,
    simulator,
    urls,
    developer,
    rest,
    expectDescribed,
    graphql,
    balance: async ({ id }, environment) => Number((await app.ledger.wallet(id, environment)).balancePaise) / 100,
    close: async () => {
      await app.close();
      await simulator.reset();
      idle.push(place);
      await db.drop();
    },
  };
}
