import type { AccountSearch } from '../../accounts/account.search.js';
import type { DevelopersReader } from '../../accounts/developers/developers.reader.js';
import type { ClientTokenService } from '../../accounts/keys/client-token.service.js';
import type { Metrics } from '../../core/metrics.js';
import type { Room } from '../../core/room.js';
import type { Base } from '../../db/database.js';
import type { LedgerService } from '../../ledger/ledger.service.js';
import type { ResolvedOrders } from '../decided-orders.js';
import type { OrderSearch, OrderStore } from '../order.store.js';
import type { StatusCheckRegistry } from '../outcomes.js';
import type { Placing } from '../placing.js';
import { ClientTokenConnectionResolver, ClientTokenResolver, clientTokenNode } from './client-token.resolver.js';
import { ConsoleOrderResolver, NamedOrders, OrderResolver, orderNode } from './order.resolver.js';
import { ConsoleOrderChangesResolver, OrderChangesResolver } from './order.subscription.js';
import { OrderFeed } from './order-feed.js';
import { OrderFeedStore } from './order-feed.store.js';
import { ConsoleOrderFieldsResolver, OrderFieldsResolver, StatementOrderResolver } from './order-fields.resolver.js';
import { OrderList } from './order-list.js';
import { OrderWaiters, WaitingPlaces } from './order-waiters.js';
import { SearchResolver } from './search.resolver.js';

export interface OrderViewsParts {
  base: Base;
  ledger: LedgerService;
  orders: Placing;
  store: OrderStore;
  search: OrderSearch;
  statusChecks: StatusCheckRegistry;
  developers: DevelopersReader;
  accounts: AccountSearch;
  decided: ResolvedOrders;
  clientTokens: ClientTokenService;
  metrics: Metrics;
}

/** Creates the views of orders for developers and staff: single orders, lists, streams and exported files. */
export function createOrderViews(parts: OrderViewsParts) {
  const { base, ledger, orders, store, search, statusChecks, developers, accounts, decided, clientTokens, metrics } =
    parts;
  const { config, log, pool, reads } = base;
  const places = new WaitingPlaces({
    defaultLimit: config.rateLimitPerMinute,
    onFull: () => metrics.counter('limited').add(1, 'order-waiting'),
  });
  const waiters = new OrderWaiters({ store, decided, places, log });
  const feed = new OrderFeed({ store, feedStore: new OrderFeedStore(pool), decided, places, log });
  const { earlier } = orders;
  const recent = new OrderList(pool, search, earlier);
  const history = reads === pool ? recent : new OrderList(reads, search, earlier);
  const named = new NamedOrders(earlier, store);
  const changes = new OrderChangesResolver(store, waiters, feed);
  const consoleChanges = new ConsoleOrderChangesResolver(store, waiters);
  const shared = [
    new OrderFieldsResolver(pool, ledger, { statusChecks, manualReviewAfterMs: config.manualReviewAfterMs }),
    new StatementOrderResolver(store),
  ];
  return {
    waiters,
    feed,
    waitingPlaces: places,
    history,
    room: {
      resolvers: {
        api: [
          new OrderResolver({ named, list: recent, earlier, store, waiters }),
          changes,
          new ClientTokenResolver(clientTokens, named, store),
          new ClientTokenConnectionResolver(clientTokens),
          ...shared,
        ],
        console: [
          new ConsoleOrderResolver({ list: history, store, waiters, developers }),
          consoleChanges,
          new SearchResolver(accounts, history, store),
          new ConsoleOrderFieldsResolver(developers, statusChecks),
          ...shared,
        ],
      },
      sources: { api: changes.sources, console: consoleChanges.sources },
      nodes: {
        api: { Order: orderNode(store), ClientToken: clientTokenNode(clientTokens) },
        console: { Order: orderNode(store) },
      },
      async stop() {
        waiters.stop();
        feed.stop();
      },
    } satisfies Room,
  };
}
