import { afterAll, beforeAll } from 'vitest';
import type { Environment } from '../../src/core/environment.js';
import type { TestApp, TestDeveloper } from '../support/app.js';
import { rechargeBody } from '../support/recharges.js';
import { type Gate, openGate } from './gate.fixture.js';
import type { ClientLibrary, LibrarySettings, libraries, RunningLibrary } from './libraries.fixture.js';

/** Timeouts that are not exceeded on a busy machine, for tests that count requests, because a timeout leads to a retry. */
export const FAR_DEADLINES = { PROVIDER_TIMEOUT_MS: '20s', SYNC_WINDOW_MS: '25s', VISIBILITY_DELAY_MS: '40s' };

export interface ShopOptions extends Partial<LibrarySettings> {
  developer: TestDeveloper;
  environment?: Environment;
}

/** An application that uses a client library through a proxy with faults. */
export interface Shop {
  gate: Gate;
  library: RunningLibrary;
  close(): Promise<void>;
}

export async function openShop(test: TestApp, library: ClientLibrary, options: ShopOptions): Promise<Shop> {
  const { developer, environment = 'production', ...settings } = options;
  const gate = await openGate(test.urls[environment]);
  const { clientId, apiSecret } = developer.keys[environment];
  // tests end on events, and their pauses are short
  const librarySettings = { baseUrl: gate.url, clientId, apiSecret, environment, waitS: 10_000, ...settings };
  const running = await library.start(librarySettings);
  return { gate, library: running, close: async () => void (await Promise.all([gate.close(), running.close()])) };
}

/** For tests of one client library: a developer, and shops that are closed at the end. */
export function useShops(test: TestApp, [, library, isHere]: (typeof libraries)[number]) {
  const shops: Shop[] = [];
  const own = {} as TestDeveloper;
  beforeAll(async () => {
    if (isHere) Object.assign(own, await test.developer({ rateLimitPerMinute: 10_000 }));
  });
  afterAll(() => Promise.all(shops.map((shop) => shop.close())));
  return {
    developer: own,
    open: async (options: Partial<ShopOptions> = {}): Promise<Shop> => {
      const shop = await openShop(test, library, { developer: own, ...options });
      shops.push(shop);
      return shop;
    },
    books: (key: string, account: string) => booksOf(test, own, key, account),
  };
}

let counter = 0;

/** A unique mobile number, optionally with a magic suffix. */
export function mobileNumber(suffix?: string): string {
  const n = ++counter;
  return suffix === undefined ? `80${String(n).padStart(8, '0')}` : `${1_000 + n}54${suffix}`;
}

/** A recharge with a new idempotency key. */
export const newRecharge = (account: string = mobileNumber(), more: object = {}) =>
  rechargeBody({ client_request_id: `#Order-${++counter}`, account_number: account, amount: 11, ...more });

export interface Books {
  /** Number of orders with the key, and state of the newest one. */
  orders: number;
  state: string | undefined;
  /** Amount taken from the wallet and not refunded, in rupees. */
  taken: number;
  /** Number of payments that the provider completed for the account, including those reversed later. */
  performed: number;
}

/** Reads the state of an order from the ledger and from the provider's book. */
export async function booksOf(test: TestApp, { id }: TestDeveloper, key: string, account: string): Promise<Books> {
  const rows = await test.db.query<{ state: string; taken: string }>(
    `select state, (
       select coalesce(sum(case when kind in ('hold', 'refund_reversal') then t.amount_paise
                                when kind in ('refund', 'reversal') then -t.amount_paise end), 0)
       from transfer t where t.developer_id = o.developer_id and t.subject_id = o.id
     ) as taken from orders o where developer_id = $1 and client_key = $2 order by id`,
    [id, key],
  );
  const completed = (await test.simulator.book()).filter(
    (line) => line.account === account && line.outcome === 'succeeded',
  );
  return {
    orders: rows.length,
    state: rows.at(-1)?.state,
    taken: rows.reduce((sum, { taken }) => sum + Number(taken), 0) / 100,
    performed: completed.length,
  };
}
