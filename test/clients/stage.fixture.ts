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

/** One request is under trouble: with which token, at which address; and how the trouble comes and goes. */
export interface Troubled {
  developer: TestDeveloper;
  token: string;
  /** Of a service that is not the client's usual one. */
  url?: string;
  /** Before the first requests. */
  begin?: () => Promise<unknown>;
  /** While they wait for their answers; given their orders. */
  meanwhile?: (orders: readonly Order[]) => Promise<unknown>;
  /** After their answers. */
  end?: () => Promise<unknown>;
}

/** Of the service as it is. It asks about no order: its deadlines are too far away for those that another one has placed. */
export const USUAL = { ...FAR_DEADLINES, WORKERS: 'webhooks,email,housekeeping' };
/** Of the service for situations in which a provider takes all the time there is. */
const IMPATIENT = { PROVIDER_TIMEOUT_MS: '2s', SYNC_WINDOW_MS: '30s' };
/** Of the service whose database goes away: all its time to wait for a provider, and then to answer, passes meanwhile. */
const TIMES = { PROVIDER_TIMEOUT_MS: '1000', SYNC_WINDOW_MS: '1500' };

/**
 * The service four times on one database: as it is, with little time for providers, with a way to the database that can be cut, and
 * taking nothing new. A breaker opens at twenty calls of which half failed: nine fail where most are made, and fewer than
 * twenty are made where most fail, so that no situation ends another, in whatever order they come.
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
      const made = await createApp(loadConfig(environment), createLogger('silent'));
      await made.listen();
      return made;
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

  /** An account for orders at a host. */
  developer(host: Host): Promise<TestDeveloper> {
    return this.#test.developer({ rateLimitPerMinute: 10_000, provider: host === 'MOKSHIQ' ? 'MOKSHIQ' : 'ROUNDPAY' });
  }

  /** Where the host is without any trouble. */
  urlOf = (host: Host, isSlow: boolean): string =>
    (isSlow ? this.#impatient : this.#test.app).config.publicUrls[environmentOf(host)];

  /** An account of its own, which the trouble is about. */
  async troubled(trouble: Trouble): Promise<Troubled> {
    const { db, simulator } = this.#test;
    const developer = await this.developer('ROUNDPAY');
    const { production: token, uat } = developer.tokens;
    const change = (what: string) => () => db.query(`update developer set ${what} where id = $1`, [developer.id]);
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
      case 'service takes nothing':
        return { developer, token, url: this.#holding.config.publicUrls.production };
      case 'database away':
        return { developer, token, url: weak, begin: () => this.#link.cut(), end: () => this.#link.open() };
      case 'database away until after the answer':
        return {
          developer,
          token,
          url: weak,
          meanwhile: (orders) => this.#cutWhenSent(orders),
          end: () => this.#link.open(),
        };
      case 'provider out':
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

  /** The service knows by then that the money is held: it asks the provider afterwards. */
  async #cutWhenSent(orders: readonly Order[]): Promise<void> {
    await until('the provider is asked', async () => {
      const accounts = (await this.#test.simulator.book()).map(({ account }) => account);
      return orders.every(({ account_number }) => accounts.includes(account_number));
    });
    await this.#link.cut();
  }
}

export const environmentOf = (host: Host): Environment => (host === 'uat' ? 'uat' : 'production');
