import { Readable } from 'node:stream';
import { developerOf, seesMasked } from '../../core/context.js';
import { asConsoleReads } from '../../db/pool.js';
import type { RateLimits } from '../../graphql/schema/limits.js';
import { type PolicyRow, policies } from '../../graphql/schema/policy.js';
import { MAX_DAYS_IN_FILE } from '../../ledger/day-range.js';
import type { OrderStore } from '../../orders/order.store.js';
import type { OrderList } from '../../orders/views/order-list.js';
import { orderColumns, ordersCsv } from '../../orders/views/orders-csv.js';
import type { DescribedFile } from '../../rest/openapi/files.js';
import { accountIn, attachment, DAYS, type Download, daysOf, environmentIn } from './download.js';

/** Who may list orders may download them; the files have a limit of their own. */
const API_ROW: PolicyRow = { ...policies.api.Query!.orders!, endpoint: 'orders.csv' };
const CONSOLE_ROW: PolicyRow = { ...policies.console.Query!.orders!, endpoint: 'orders.csv' };

export const aboutOrdersFile: DescribedFile = {
  path: '/api/v1/orders.csv',
  operationId: 'OrdersFile',
  summary: 'Recharges and bill payments as a CSV file.',
  description: 'Those that were accepted on these days of India, oldest first.',
  row: API_ROW,
  columns: orderColumns,
  maxDays: MAX_DAYS_IN_FILE,
};

export interface OrdersDownloadParts {
  history: OrderList;
  store: OrderStore;
  limits: RateLimits;
}

/** `GET /api/v1/orders.csv?from=YYYY-MM-DD&to=YYYY-MM-DD`: the payments of the token's account and environment, streamed. */
export const ordersDownload = ({ limits, ...parts }: OrdersDownloadParts): Download => ({
  path: aboutOrdersFile.path,
  parameters: DAYS,
  async open(query, context) {
    const { developerId, environment } = developerOf(context);
    const { from, to } = await daysOf(query, API_ROW, context, limits);
    return {
      headers: attachment(`orders-${environment}-${from}-${to}`),
      body: Readable.from(ordersCsv(parts, { developerId, environment, masked: false }, from, to)),
    };
  },
});

/**
 * `GET /orders.csv?from&to[&environment][&developerId]` of the console: everybody's for staff, with masked numbers; one's own for a
 * developer's user.
 */
export const consoleOrdersDownload = ({ limits, ...parts }: OrdersDownloadParts): Download => ({
  path: '/orders.csv',
  parameters: [...DAYS, 'environment', 'developerId'],
  async open(query, context) {
    const { from, to } = await daysOf(query, CONSOLE_ROW, context, limits);
    const environment = environmentIn(query);
    const orders = { developerId: accountIn(query, context), environment, masked: seesMasked(context) };
    return {
      headers: attachment(['orders', ...(environment ? [environment] : []), from, to].join('-')),
      body: Readable.from(asConsoleReads(ordersCsv(parts, orders, from, to))),
    };
  },
});
