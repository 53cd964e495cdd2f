import type { Room } from '../core/room.js';
import type { Base } from '../db/database.js';
import type { ChargedLookups } from '../orders/charged-lookup.js';
import type { OrderService } from '../orders/order.service.js';
import type { Providers } from '../providers/providers.js';
import { BillFetchService } from './bill-fetch.service.js';
import { BillPaymentService } from './bill-payment.service.js';
import { CardBillsResolver } from './card-bills.resolver.js';
import { FetchedBills } from './fetched-bill.store.js';

/** Creates the module for credit card bills, which are first fetched and then paid. */
export function createCardBills(
  base: Base,
  orders: OrderService,
  lookups: ChargedLookups,
  ports: Providers['cardBills'],
): Room {
  const { pool, encryption, config } = base;
  const bills = new FetchedBills(pool, encryption, config.pepper);
  const resolver = new CardBillsResolver(
    new BillFetchService(lookups, bills, ports),
    new BillPaymentService(orders, bills, ports, config.maxBillPaymentPaise),
  );
  return { resolvers: { api: [resolver] } };
}
