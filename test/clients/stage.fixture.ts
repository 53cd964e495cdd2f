import { inject } from 'vitest';
import { type App, createApp } from '../../src/app.js';
import { loadConfig } from '../../src/config.js';
import type { Environment } from '../../src/core/environment.js';
import { createLogger } from '../../src/core/log.js';
import { TcpLink } from '../faults/support/tcp-link.js';
import { type TestApp, type TestDeveloper, testEnvironment } from '../support/app.js';
import { freePort } from '../support/ports.js';
import { until } from '../support/until.js';
import { FAR_DEADLINES } from './shop.fixture.js';
import type { Order } from './simple-clients.js';
import type { Host, Trouble } from './situations.js';

/** Setup of one situation with a problem: token, address, and steps to start and end the problem. */
export interface Troubled {
  developer: TestDeveloper;
  token: string;
  /** Set if the first requests go to a different service process. */
  url?: string;
  /** Runs before the first requests. */
  begin?: () => Promise<unknown>;
  /** Runs while the clients wait for their responses, with their orders. */
  meanwhile?: (orders: readonly Order[]) => Promise<unknown>;
  /** Runs after the responses. */
  end?: () => Promise<unknown>;
}

/**
 * Settings of the usual service process. It makes no status checks because its timeouts are too long for orders of the others.
 */
export const DEFAULT_SETTINGS = { ...FAR_DEADLINES, WORKERS: 'webhooks,email,housekeeping' };
/** Settings of the process for situations with the longest provider response times. */
const IMPATIENT = { PROVIDER_TIMEOUT_MS: '2s', SYNC_WINDOW_MS: '30s' };
/** Settings of the process that loses its database: the provider timeout and the response window end while it is unavailable. */
const TIMES = { PROVIDER_TIMEOUT_MS: '1000', SYNC_WINDOW_MS: '1500' };

/**
 * Four service processes on one database: the usual one, one with short provider timeouts, one with a database connection that
 * can be cut, and one with orders paused. A circuit breaker opens if half of at least twenty calls fail. Nine calls fail where
 * most are made, and fewer than twenty are made where most fail, so that no situation affects another in any order.
 */
export class Stage {
  readonly #test: TestApp;
  readonly #link: TcpLink;
  readonly #impatient: App;
  readonly #weak: App;
  readonly #holding: App;

  private constructor(test: TestApp, link: TcpLink, [impatient, weak, holding]: readonly [App, App, App]) {
    this.#test = test;
    this.#link = link;
    this.#impatient = impatient;
    this.#weak = weak;
    this.#holding = holding;
  }

  static async open(test: TestApp): Promise<Stage> {
    const link = await new TcpLink(() => inject('pg').port, {
      fromClient: ({ server }, bytes) => void server.write(bytes),
      fromServer: ({ client }, bytes) => void client.write(bytes),
      serverClosed: ({ client }) => void client.destroy(),
    }).open();
    const throughLink = new URL(test.db.url);
    throughLink.port = String(link.port);
    const app = async (database: string, settings: Record<string, string>): Promise<App> => {
      const ports = [await freePort(), await freePort(), await freePort()];
      const environment = { ...testEnvironment(database, test.simulator.url, ports), ...settings };
      const instance = await createApp(loadConfig(environment), createLogger('silent'));
      await instance.listen();
      return instance;
    };
    return new Stage(
      test,
      link,
      await Promise.all([
        app(test.db.url, IMPATIENT),
        app(throughLink.href, TIMES),
        app(test.db.url, { PAUSE_ORDERS: 'true' }),
      ]),
    );
  }

  async close(): Promise<void> {
    await Promise.all([this.#impatient, this.#weak, this.#holding].map((app) => app.close()));
    await this.#link.cut();
  }

  /** An account for orders on a host. */
  developer(host: Host): Promise<TestDeveloper> {
    return this.#test.developer({ rateLimitPerMinute: 10_000, provider: host === 'MOKSHIQ' ? 'MOKSHIQ' : 'ROUNDPAY' });
  }

  /** Address of a host without problems. */
  urlOf = (host: Host, isSlow: boolean): string =>
    (isSlow ? this.#impatient : this.#test.app).config.publicUrls[environmentOf(host)];

  /** A separate account that is affected by the problem. */
  async troubled(trouble: Trouble): Promise<Troubled> {
    const { db, simulator } = this.#test;
    const developer = await this.developer('ROUNDPAY');
    const { production: token, uat } = developer.tokens;
    const change = (assignment: string) => () =>
      db.query(`update developer set ${assignment} where id = $1`, [developer.id]);
    const weak = this.#weak.config.publicUrls.production;
    switch (trouble) {
      case 'token expired':
        await db.query(
          `update access_token set expires_at = now() - interval '1 minute', created_at = now() - interval '2 minutes' where developer_id = $1`,
          [developer.id],
        );
        return { developer, token };
      case 'token of the other environment':
        return { developer, token: uat };
      case 'limit reached':
        await change('rate_limit_per_minute = 1')();
        return {
          developer,
          token,
          begin: () => this.#useUp(token),
          end: change('rate_limit_per_minute = 1000'),
        };
      case 'account suspended':
        return {
          developer,
          token,
          begin: change('suspended_at = now()'),
          end: change('suspended_at = null'),
        };
      case 'orders paused':
        return { developer, token, url: this.#holding.config.publicUrls.production };
      case 'database unavailable':
        return { developer, token, url: weak, begin: () => this.#link.cut(), end: () => this.#link.open() };
      case 'database unavailable until after the response':
        return {
          developer,
          token,
          url: weak,
          meanwhile: (orders) => this.#cutWhenSent(orders),
          end: () => this.#link.open(),
        };
      case 'provider unavailable':
        return {
          developer,
          token,
          url: this.#impatient.config.publicUrls.production,
          begin: () => simulator.outage('roundpay', true),
          end: () => simulator.outage('roundpay', false),
        };
    }
  }

  #useUp(token: string): Promise<unknown> {
    return this.#test.rest('production', 'POST', '/api/v1/recharge', token, {});
  }

  /** Cuts the database connection after the money is held, because the provider is called afterwards. */
  async #cutWhenSent(orders: readonly Order[]): Promise<void> {
    await until('the provider has been called', async () => {
      const accounts = (await this.#test.simulator.book()).map(({ account }) => account);
      return orders.every(({ account_number }) => accounts.includes(account_number));
    });
    await this.#link.cut();
  }
}

export const environmentOf = (host: Host): Environment => (host === 'uat' ? 'uat' : 'production');
