import type { DevelopersReader } from '../accounts/developers/developers.reader.js';
import type { ClientTokenService } from '../accounts/keys/client-token.service.js';
import type { Room } from '../core/room.js';
import type { Base } from '../db/database.js';
import type { LedgerService } from '../ledger/ledger.service.js';
import type { DecidedOrders } from '../orders/decided-orders.js';
import type { OrderSearch } from '../orders/identifiers.js';
import type { OrderStore } from '../orders/order.store.js';
import type { Placing } from '../orders/placing.js';
import { ClientTokenResolver, clientTokenNode } from './client-token.resolver.js';
import { ConsoleOrdersResolver } from './console-orders.resolver.js';
import { NamedOrders } from './named-orders.js';
import { orderNode } from './order.nodes.js';
import { OrderResolver } from './order.resolver.js';
import { ConsoleOrderChangesResolver, OrderChangesResolver } from './order-changes.resolver.js';
import { OrderFeed } from './order-feed.js';
import { OrderFeedStore } from './order-feed.store.js';
import { OrderFieldsResolver } from './order-fields.resolver.js';
import { OrderList } from './order-list.js';
import { OrderListResolver } from './order-list.resolver.js';
import { OrderWaiters } from './order-waiters.js';
import { StatementOrderResolver } from './statement-order.resolver.js';
import { WaitingPlaces } from './waiting-places.js';

export interface OrderViewsParts {
  base: Base;
  ledger: LedgerService;
  orders: Placing;
  store: OrderStore;
  search: OrderSearch;
  decided: DecidedOrders;
  clientTokens: ClientTokenService;
  reader: Pick<DevelopersReader, 'byId'>;
  metrics: { limited(endpoint: string): void };
}

/** What developers and staff see of orders: one, lists, changes as they come, files. */
export function createOrderViews(parts: OrderViewsParts) {
  const { base, ledger, orders, store, search, decided, clientTokens, reader, metrics } = parts;
  const { config, log, pool, reads } = base;
  const places = new WaitingPlaces({
    defaultLimit: config.rateLimitPerMinute,
    onFull: () => metrics.limited('order-waiting'),
  });
  const waiters = new OrderWaiters({ store, decided, places, log });
  const feed = new OrderFeed({ store, feedStore: new OrderFeedStore(pool), decided, places, log });
  const recent = new OrderList(pool, search, orders.earlier);
  const history = reads === pool ? recent : new OrderList(reads, search, orders.earlier);
  const named = new NamedOrders(orders.earlier, store);
  const changes = new OrderChangesResolver(store, waiters, feed);
  const consoleChanges = new ConsoleOrderChangesResolver(store, waiters);
  const shared = [new OrderFieldsResolver(pool, ledger), new StatementOrderResolver(store)];
  return {
    waiters,
    feed,
    waitingPlaces: places,
    history,
    room: {
      resolvers: {
        api: [
          new OrderResolver(named, store, waiters),
          changes,
          new OrderListResolver(recent, orders.earlier, store),
          new ClientTokenResolver(clientTokens, named, store),
          ...shared,
        ],
        console: [new ConsoleOrdersResolver(history, store, waiters, reader), consoleChanges, ...shared],
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
