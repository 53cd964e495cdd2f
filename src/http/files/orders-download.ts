import type { GraphQLSchema } from 'graphql';
import { developerOf, mustMaskNumbers } from '../../core/context.js';
import { asConsoleReads } from '../../db/pool.js';
import type { RateLimits } from '../../graphql/schema/limits.js';
import { policies } from '../../graphql/schema/policy.js';
import { EnvironmentEnum } from '../../graphql-toolkit/graphql-types.js';
import type { OrderStore } from '../../orders/order.store.js';
import type { OrderList } from '../../orders/views/order-list.js';
import type { ConsoleOrderFilter, OrderFilter } from '../../orders/views/order-list.types.js';
import { orderColumns, orderRows } from '../../orders/views/orders-table.js';
import { ProviderEnum } from '../../providers/provider.enum.js';
import { dayFields, filtersOf, inNamesOfGraphql, type ListFile, wordsOf } from '../../rest/list-file.js';
import type { DescribedFile } from '../../rest/openapi/files.js';
import { accountIn, type Download, listDownloads } from './download.js';

const FILTERS = filtersOf('/api/v1/orders');

/** Callers that can list orders can download them. The files have a separate rate limit. */
export const aboutOrdersFile: DescribedFile = {
  path: '/api/v1/orders',
  name: 'Orders',
  title: 'Recharges and bill payments',
  description:
    'Recharges and bill payments accepted on these calendar days (IST), oldest first. The filters are those of the list.',
  row: { ...policies.api.Query!.orders!, endpoint: 'orders.csv' },
  list: 'Query.orders',
  fields: { ...dayFields({ inFilter: true }), ...FILTERS },
  columns: orderColumns,
};

const CONSOLE_FILE: ListFile = {
  path: '/orders',
  row: { ...policies.console.Query!.orders!, endpoint: 'orders.csv' },
  list: 'Query.orders',
  fields: {
    ...dayFields({ inFilter: true }),
    ...inNamesOfGraphql(FILTERS),
    environment: { to: 'filter.environment', kind: wordsOf(EnvironmentEnum), optional: true },
    provider: { to: 'filter.provider', kind: wordsOf(ProviderEnum), optional: true },
    developerId: { to: 'filter.developerId', kind: 'text', optional: true },
  },
  columns: orderColumns,
};

export interface OrdersDownloadParts {
  history: OrderList;
  store: OrderStore;
  limits: RateLimits;
}

/**
 * `GET /api/v1/orders.csv?from=YYYY-MM-DD&to=YYYY-MM-DD` and `.xlsx`. Streams the payments of the token's account and
 * environment.
 */
export const ordersDownloads = ({ limits, ...parts }: OrdersDownloadParts, schema: GraphQLSchema): Download[] =>
  listDownloads<{ filter: OrderFilter }>({
    ...aboutOrdersFile,
    limits,
    schema,
    async open({ days: { from, to }, given: { filter } }, context) {
      const { developerId, environment } = developerOf(context);
      return {
        name: `orders-${environment}-${from}-${to}`,
        pages: orderRows(parts, { developerId, environment, masked: false }, filter),
      };
    },
  });

/**
 * `GET /orders.csv?from&to` and `.xlsx` of the console. Staff get all orders with masked numbers, users of a developer account
 * get the orders of their account.
 */
export const consoleOrdersDownloads = ({ limits, ...parts }: OrdersDownloadParts, schema: GraphQLSchema): Download[] =>
  listDownloads<{ filter: ConsoleOrderFilter }>({
    ...CONSOLE_FILE,
    limits,
    schema,
    async open({ days: { from, to }, given, query }, context) {
      const { environment, developerId: _, ...filter } = given.filter;
      const orders = { developerId: accountIn(query, context), environment, masked: mustMaskNumbers(context) };
      return {
        name: ['orders', ...(environment ? [environment] : []), from, to].join('-'),
        pages: asConsoleReads(orderRows(parts, orders, filter)),
      };
    },
  });
