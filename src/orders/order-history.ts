import type { Environment } from '../core/environment.js';
import { UUID } from '../core/ids.js';
import type { DeveloperId } from '../core/principal.js';
import type { Queryable } from '../db/pool.js';
import { type Page, type PageRequest, pageOf, sliceOf } from '../graphql-toolkit/connection.js';
import type { Operation } from '../ledger/ledger.service.js';
import type { OrderFilter } from './order-history.types.js';
import type { OrderSearch } from './order-search.js';
import { ORDER_COLUMNS, type OrderRow, orderOf, type StoredOrder } from './stored-order.js';

const PAYMENTS: readonly Operation[] = ['recharge', 'card_payment'];

/** `statusOf` an order, in SQL. */
const STATUS = `case when state in ('open', 'review') then 'pending' when reversed_at is not null then 'reversed' else state end`;

/** Which orders; a caller's own key as orders hold it. */
export interface OrderSelection extends Omit<OrderFilter, 'clientRequestId'> {
  storedKey?: string | undefined;
  provider?: string | undefined;
}

/** Payments, listed and searched. */
export class OrderHistory {
  readonly #db: Queryable;
  readonly #search: OrderSearch;

  constructor(db: Queryable, search: OrderSearch) {
    this.#db = db;
    this.#search = search;
  }

  /**
   * Newest first. Errors: VALIDATION_FAILED for a page size or cursor that is none.
   *
   * @param of whose, and of which environment; all where nothing is said
   */
  async page(
    { developerId, environment }: { developerId?: DeveloperId | undefined; environment?: Environment | undefined },
    filter: OrderSelection,
    request: PageRequest,
  ): Promise<Page<StoredOrder>> {
    // newest first: what comes after an order in the list has a lower id
    const slice = sliceOf('orders', request, UUID);
    const values: unknown[] = [filter.kind ? [filter.kind] : PAYMENTS];
    const conditions = ['operation = any($1)'];
    const add = (value: unknown, condition: (parameter: string) => string): string | undefined => {
      if (value === undefined) return undefined;
      values.push(value);
      const parameter = `$${values.length}`;
      conditions.push(condition(parameter));
      return parameter;
    };
    // "any" keeps the planner to the index of developers: along that of ids alone it would read everybody's orders
    const owner = add(developerId, (id) => `developer_id = any(array[${id}::uuid])`);
    const world = add(environment, (name) => `environment = ${name}`);
    add(filter.provider, (name) => `provider = ${name}`);
    add(
      filter.apiRequestId,
      (text) => `id = any(array(select r.order_id from order_reference r where r.reference = ${text}))`,
    );
    // keys begin with whose they are
    const whose = `k.operation = any($1)${owner ? ` and k.developer_id = ${owner}` : ''}${world ? ` and k.environment = ${world}` : ''}`;
    add(
      filter.storedKey,
      (key) => `id = any(array(select k.order_id from order_key k where ${whose} and k.client_key = ${key}))`,
    );
    add(slice.after, (id) => `id < ${id}::uuid`);
    add(slice.before, (id) => `id > ${id}::uuid`);
    // ids begin with their time: they choose the months that are read at all
    add(filter.from, (at) => `id >= first_id_at(${at})`);
    add(filter.to, (at) => `id < first_id_at(${at})`);
    add(filter.status, (words) => `${STATUS} = any(${words})`);
    add(filter.amount, (paise) => `amount_paise = ${paise}::bigint`);
    // as an array: a join could walk through all orders to find the one
    for (const hash of this.#hashesOf(filter))
      add(hash, (bytes) => `id = any(array(select s.order_id from order_search s where s.hash = ${bytes}))`);
    const direction = slice.backwards ? 'asc' : 'desc';
    const { rows } = await this.#db.query<OrderRow>({
      text: `select ${ORDER_COLUMNS} from orders where ${conditions.join(' and ')}
        order by ${developerId === undefined ? '' : `orders.developer_id ${direction}, `}orders.id ${direction} limit ${slice.size + 1}`,
      values,
    });
    return pageOf(rows, slice, (row) => row.id, orderOf);
  }

  #hashesOf({ accountNumber, operatorRef, utr, providerTxnId }: OrderFilter): Buffer[] {
    return [
      ...(accountNumber === undefined ? [] : [this.#search.ofAccount(accountNumber)]),
      ...(operatorRef === undefined ? [] : [this.#search.of('operatorRef', operatorRef)]),
      ...(utr === undefined ? [] : [this.#search.of('utr', utr)]),
      ...(providerTxnId === undefined ? [] : [this.#search.of('providerTxnId', providerTxnId)]),
    ];
  }
}
