import { setTimeout as sleep } from 'node:timers/promises';
import { inject } from 'vitest';
import { type App, createApp } from '../../src/app.js';
import { loadConfig } from '../../src/config.js';
import type { Environment } from '../../src/core/environment.js';
import { createLogger } from '../../src/core/log.js';
import { TcpLink } from '../faults/support/tcp-link.js';
import { type TestApp, type TestDeveloper, testEnvironment } from '../support/app.js';
import { freePort } from '../support/ports.js';
import { until } from '../support/until.js';
import type { Host, Trouble } from './situations.js';

/** One request is under trouble: with which token, at which address; and how the trouble comes and goes. */
export interface Troubled {
  developer: TestDeveloper;
  token: string;
  url: string;
  /** Before the first requests. */
  begin?: () => Promise<unknown>;
  /** While they wait for their answers; given the keys of their orders. */
  meanwhile?: (keys: readonly string[]) => Promise<unknown>;
  /** After their answers. */
  end?: () => Promise<unknown>;
}

/** Of the service whose database goes away: all its time to wait for a provider, and then to answer, passes meanwhile. */
const TIMES = { PROVIDER_TIMEOUT_MS: '1000', SYNC_WINDOW_MS: '1500' };
const AWAY_MS = 2_000;

/** The service three times on one database: as it is, with a way to the database that can be cut, and taking nothing new. */
export class Stage {
  readonly #test: TestApp;
  readonly #link: TcpLink;
  readonly #weak: App;
  readonly #holding: App;

  private constructor(test: TestApp, link: TcpLink, weak: App, holding: App) {
    this.#test = test;
    this.#link = link;
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
    const [weak, holding] = [await app(throughLink.href, TIMES), await app(test.db.url, { HOLD_ORDERS: 'true' })];
    return new Stage(test, link, weak, holding);
  }

  async close(): Promise<void> {
    await Promise.all([this.#weak.close(), this.#holding.close()]);
    await this.#link.cut();
  }

  /** An account for orders at a host. */
  developer(host: Host): Promise<TestDeveloper> {
    return this.#test.developer({ rateLimitPerMinute: 10_000, provider: host === 'MOKSHIQ' ? 'MOKSHIQ' : 'ROUNDPAY' });
  }

  /** Where the host is without any trouble. */
  urlOf = (host: Host): string => this.#test.urls[environmentOf(host)];

  /** An account of its own, which the trouble is about. */
  async troubled(trouble: Trouble): Promise<Troubled> {
    const { db, simulator } = this.#test;
    const developer = await this.developer('ROUNDPAY');
    const { production: token, uat } = developer.tokens;
    const change = (what: string) => () => db.query(`update developer set ${what} where id = $1`, [developer.id]);
    const url = this.urlOf('ROUNDPAY');
    const weak = this.#weak.config.publicUrls.production;
    switch (trouble) {
      case 'token expired':
        await db.query(
          `update access_token set expires_at = now() - interval '1 minute', created_at = now() - interval '2 minutes' where developer_id = $1`,
          [developer.id],
        );
        return { developer, token, url };
      case 'token of the other environment':
        return { developer, token: uat, url };
      case 'limit reached':
        await change('rate_limit_per_minute = 1')();
        await this.#useUp(token);
        return { developer, token, url, end: change('rate_limit_per_minute = 1000') };
      case 'account suspended':
        return {
          developer,
          token,
          url,
          begin: change('suspended_at = now()'),
          end: change('suspended_at = null'),
        };
      case 'service takes nothing':
        return { developer, token, url: this.#holding.config.publicUrls.production };
      case 'database away':
        return { developer, token, url: weak, begin: () => this.#link.cut(), end: () => this.#link.open() };
      case 'database away until after the answer':
        return { developer, token, url: weak, meanwhile: (keys) => this.#cutAfterHold(keys) };
      case 'provider out':
        return {
          developer,
          token,
          url,
          begin: () => simulator.outage('roundpay', true),
          end: () => simulator.outage('roundpay', false),
        };
    }
  }

  #useUp(token: string): Promise<unknown> {
    return this.#test.rest('production', 'POST', '/api/v1/recharge', token, {});
  }

  async #cutAfterHold(keys: readonly string[]): Promise<void> {
    const held = async (): Promise<boolean> =>
      (await this.#test.db.query('select 1 from orders where client_key = any($1)', [keys])).length === keys.length;
    await until('the money is held', held);
    await this.#link.cut();
    await sleep(AWAY_MS);
    await this.#link.open();
  }
}

export const environmentOf = (host: Host): Environment => (host === 'uat' ? 'uat' : 'production');
