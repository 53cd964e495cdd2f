import { type App, createApp } from '../../../src/app.js';
import { loadConfig } from '../../../src/config.js';
import { createLogger } from '../../../src/core/log.js';
import { demoCredentials, demoLeadCustomerId } from '../../../src/simulator/credentials.js';
import { PRODUCT } from '../../leads/lead.fixture.js';
import { CALLBACK_SECRET, testEnvironment } from '../../support/app.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { freePort } from '../../support/ports.js';
import { accessTokenHash, validateAccessTokens } from '../../support/row-keys.js';
import { startTestSimulator, type TestSimulator } from '../../support/simulator.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { until } from '../../support/until.js';
import type { HostName } from '../case.js';
import type { Schemas } from '../generate/graphql.js';
import { type Account, createAccounts, createUsers, type User } from './accounts.js';
import { MutatingUpstream } from './mutating-upstream.js';
import { Sender } from './sender.js';
import { type Command, ServiceProcess } from './service-process.js';

const MANY = '1000000';
/** Number of leads in a batch that become approved, and cost their fee, at the next status check. */
const LEADS = 10;
const LEAD_LIMIT_MS = 90_000;

/**
 * Silent providers cause only short waits, and no limit per minute ends a run of ten minutes. The response window is much longer
 * than the timeout of a provider, as by default: a caller whose lookup failed must not be charged for it afterwards.
 */
const SETTINGS = {
  LOG_LEVEL: 'debug',
  RATE_LIMIT_PER_MINUTE: MANY,
  // every case has its own address
  TRUST_PROXY: '1',
  SYNC_WINDOW_MS: '8000',
  PROVIDER_TIMEOUT_MS: '400',
  DATABASE_POOL_SIZE: '8',
  // a token can create webhook endpoints on hosts that do not exist, so nothing is delivered during a run
  WORKERS: 'sweeper,email,housekeeping,anchors',
};

export interface StageOptions {
  seed: number;
  inFlight: number;
  /** Overrides the settings of the stage. */
  settings?: Readonly<Record<string, string>>;
  /** Command that starts the process, if not the one that reports blocks. */
  command?: Command;
}

/** The whole service in a separate process, with its database, accounts, and providers whose responses are changed. */
export class Stage {
  readonly schemas: Schemas;
  readonly sender: Sender;
  /** Values of the placeholders. */
  readonly values = new Map<string, string>();
  readonly accounts: readonly Account[];
  readonly service: ServiceProcess;
  readonly upstream: MutatingUpstream;
  readonly db: TestDatabase;
  readonly urls: Readonly<Record<HostName, string>>;
  /** URL of the ops listener. */
  readonly opsUrl: string;
  /** The same code on the same database, in this process and without listeners, for setup and checks. */
  readonly app: App;
  readonly #simulator: TestSimulator;
  readonly #users: readonly User[];
  readonly #tokenHashes: readonly Buffer[];

  private constructor(parts: {
    app: App;
    db: TestDatabase;
    simulator: TestSimulator;
    upstream: MutatingUpstream;
    service: ServiceProcess;
    accounts: readonly Account[];
    users: readonly User[];
    inFlight: number;
    opsUrl: string;
  }) {
    this.opsUrl = parts.opsUrl;
    this.app = parts.app;
    this.db = parts.db;
    this.#simulator = parts.simulator;
    this.upstream = parts.upstream;
    this.service = parts.service;
    this.accounts = parts.accounts;
    this.#users = parts.users;
    this.#tokenHashes = parts.accounts.flatMap(({ values }) =>
      [...values].flatMap(([name, token]) => (name.startsWith('token.') ? accessTokenHash(token) : [])),
    );
    this.urls = parts.app.config.publicUrls;
    this.sender = new Sender(this.urls, this.values, parts.inFlight);
    const { api, console } = parts.app.schemas;
    this.schemas = { uat: api, production: api, console };
  }

  static async open({ seed, inFlight, settings = {}, command }: StageOptions): Promise<Stage> {
    const ports = [await freePort(), await freePort(), await freePort()];
    const opsPort = await freePort();
    const simulator = await startTestSimulator();
    const upstream = await MutatingUpstream.start(simulator.url, seed);
    const db = await createTestDatabase();
    const directory = temporaryDirectory();
    const env = {
      ...testEnvironment(db.url, upstream.url, ports),
      DATA_DIR: directory,
      MAILBOX_DIR: `${directory}/mailbox`,
      OPS_PORT: String(opsPort),
      ...SETTINGS,
      ...settings,
    };
    const app = await createApp(loadConfig(env), createLogger('silent'));
    const accounts = await createAccounts(app, db);
    const users = await createUsers(app, accounts);
    const service = await ServiceProcess.start(env, command);
    const stage = new Stage({
      app,
      db,
      simulator,
      upstream,
      service,
      accounts,
      users,
      inFlight,
      opsUrl: `http://127.0.0.1:${opsPort}`,
    });
    await stage.refresh();
    return stage;
  }

  /** Secrets that must never appear in a response or in the log. */
  knownSecrets(): string[] {
    const { roundpay, mokshiq, ekychub, inspay, banksathi } = demoCredentials;
    return [
      CALLBACK_SECRET,
      'a pepper for tests only',
      Buffer.alloc(32, 7).toString('base64'),
      roundpay.token,
      mokshiq.token,
      ekychub.token,
      inspay.token,
      banksathi.apiKey,
      banksathi.iv,
      ...[...this.values]
        .filter(([name]) => name.startsWith('token.') || name.startsWith('secret.'))
        .map(([, text]) => text),
    ];
  }

  /** Replaces tokens and sessions that cases have ended, and creates new IDs for status queries. */
  async refresh(): Promise<void> {
    this.upstream.changes = false;
    await this.#refresh();
    await this.#makeLeads();
    this.upstream.changes = true;
  }

  async #refresh(): Promise<void> {
    this.values.set('callbackSecret', CALLBACK_SECRET);
    for (const account of this.accounts) for (const [name, value] of account.values) this.values.set(name, value);
    // restores the accounts that cases may change
    await this.db.query(
      `update developer set onboarding_status = 'approved', production_unlocked = true, suspended_at = null, suspension_reason = null,
       rate_limit_per_minute = null where id = $1`,
      [this.values.get('developer.victim')],
    );
    // restores providers and environments
    await this.db.query('update provider_switch set available = true, reason = null where not available');
    await this.db.query('update order_pause set paused = false, notice = null where paused');
    // restores the default customer of leads
    await this.db.query(`update setting set value = $1 where name = 'default_lead_customer'`, [demoLeadCustomerId]);
    // above the limit of a credential its oldest token expires, so this removes the tokens of cases and keeps ours
    await this.db.query(
      'update access_token set revoked_at = now() where revoked_at is null and token_hash <> all($1)',
      [this.#tokenHashes],
    );
    await validateAccessTokens(this.db, 'revoked_at is not null and token_hash = any($1)', [this.#tokenHashes]);
    await this.db.query(
      `update credential set revoked_at = null, expires_at = null
       where client_id in (select client_id from access_token where token_hash = any($1))`,
      [this.#tokenHashes],
    );
    const [approvalRequest] = await this.db.query<{ id: string }>(
      'select id::text from approval_request order by 1 desc limit 1',
    );
    if (approvalRequest) this.values.set('approvalRequest', approvalRequest.id);
    for (const user of this.#users) {
      const token = this.values.get(`token.${user.name}`);
      if (token === undefined || !(await this.#isValid(token)))
        this.values.set(`token.${user.name}`, await this.#signIn(user));
    }
    const [order] = await this.db.query<{ id: string; reference: string }>(
      'select id::text, reference from orders order by created_at desc limit 1',
    );
    if (order) this.values.set('order.id', order.id).set('order.reference', order.reference);
    const [endpoint] = await this.db.query<{ id: string }>('select id::text from webhook_endpoint limit 1');
    if (endpoint) this.values.set('endpoint', endpoint.id);
  }

  async close(): Promise<void> {
    await this.sender.close();
    await this.service.stop();
    await this.upstream.close();
    await this.#simulator.stop();
    await this.app.close();
    await this.db.drop();
  }

  /** Creates leads in Production, at the second of the three statuses of the provider. */
  async #makeLeads(): Promise<void> {
    const token = this.values.get('token.owner-production');
    const call = async (method: string, path: string, body?: object): Promise<{ data?: { lead_code?: string } }> => {
      const response = await fetch(`${this.urls.production}/api/v1${path}`, {
        method,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      return (await response.json()) as { data?: { lead_code?: string } };
    };
    // for the default customer, because a case may have assigned any other one to another account
    const lead = { product_id: PRODUCT.production };
    for (let index = 0; index < LEADS; index++) {
      // on a busy machine responses can be too late, and the circuit breaker may be open for a while
      let code: string | undefined;
      let reply: object = {};
      const isCreated = async () => {
        const created = await call('POST', '/leads', lead);
        reply = created;
        code = created.data?.lead_code;
        return code !== undefined;
      };
      await until(() => `a lead is made, and not ${JSON.stringify(reply)}`, isCreated, LEAD_LIMIT_MS, 200);
      for (let check = 0; check < 2; check++) await call('GET', `/leads/status?lead_code=${code}`);
      this.values.set(`leadCode.${index}`, code!);
    }
  }

  async #isValid(token: string): Promise<boolean> {
    const { body } = await this.#console({ query: '{ viewer { user { id } } }' }, token);
    return body.data?.viewer != null;
  }

  async #signIn({ email, password }: User): Promise<string> {
    const query = 'mutation($input: SignInInput!) { signIn(input: $input) { token } }';
    const { body } = await this.#console({ query, variables: { input: { email, password } } });
    return body.data?.signIn?.token ?? '';
  }

  async #console(
    request: object,
    token?: string,
  ): Promise<{ body: { data?: { viewer?: object | null; signIn?: { token: string } } } }> {
    const response = await fetch(`${this.urls.console}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
      body: JSON.stringify(request),
    });
    return { body: (await response.json()) as never };
  }
}
