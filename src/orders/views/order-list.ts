import type { Environment } from '../../core/environment.js';
import { isReference, isUuid, timeOfId, UUID } from '../../core/ids.js';
import { spKeysOf } from '../../core/operators.js';
import type { DeveloperId } from '../../core/principal.js';
import { canonicalJson } from '../../core/secret.js';
import { batchedLoader, type Loader } from '../../db/batched-loader.js';
import type { Queryable } from '../../db/pool.js';
import { type Page, type PageRequest, pageOf, type Slice, sliceOf } from '../../graphql-toolkit/connection.js';
import type { Operation } from '../../ledger/ledger.service.js';
import type { EarlierOrders } from '../earlier-orders.js';
import type { OrderSearch } from '../order.store.js';
import { ORDER_COLUMNS, type OrderRow, orderOf, type StoredOrder } from '../stored-order.js';
import { earliestStart, hasIdentifier, isUnindexed, MAX_SCANNED, type OrderFilter } from './order-list.types.js';

const PAYMENTS: readonly Operation[] = ['recharge', 'card_payment'];

/** Returns a search hash as the table stores it: a UUID with the same hex digits. */
const hexOf = (hash: Buffer): string => hash.toString('hex');

/** SQL equivalent of `statusOf`. */
const STATUS = `case when state in ('open', 'review') then 'pending' when reversed_at is not null then 'reversed' else state end`;

/** SQL equivalent of `Decline.reason`. */
const DECLINE = `case when state = 'failed' then coalesce(decline_reason, 'UNSPECIFIED') when reversed_at is not null then 'REVERSED_BY_' || upper(reversed_by) end`;

/**
 * SQL sources for rare statuses. Pending orders are in the queue of status checks or in review, and reversals are posted.
 * Without these sources, a million orders of 92 days would be scanned to find a few.
 */
const RARE_STATUS_SOURCES: Readonly<Record<string, (owner: string) => string>> = {
  pending: (owner) =>
    `select w.order_id from order_due w where w.waited_for${owner} union all select w.order_id from order_review w where w.reason = 'review'${owner}`,
  // the predicate must be identical to that of the index
  reversed: (owner) =>
    `select w.subject_id from transfer w where w.kind = 'reversal' and w.kind not in ('hold', 'settle')${owner}`,
};

/** Filters of a list of orders. */
export interface OrderSelection extends OrderFilter {
  provider?: string | undefined;
}

interface PageQuery {
  environment: Environment | undefined;
  filter: OrderSelection;
  slice: Slice;
}
interface AccountPageQuery extends PageQuery {
  developerId: DeveloperId;
}
interface ScanPosition {
  id: string;
  /** Account of the orders. Undefined if the orders of all accounts are scanned. */
  developer_id?: DeveloperId;
}
interface ReadRows {
  rows: OrderRow[];
  /** Start of the scanned range if the filter does not set one. */
  from: Date | undefined;
  /** Positions where the scan ended before the page was full: the last order that was scanned, and the first that was not. */
  ends: ScanPosition[];
}

/**
 * Returns the end of the scan. Orders accepted after the page was read shift the scan limit, so the position ensures that an
 * order of this page does not appear on the next page as well.
 */
function endOf(rows: readonly OrderRow[], id: string, { backwards }: Slice): string {
  const last = rows.at(-1)?.id;
  return !backwards && last !== undefined && last < id ? last : id;
}

/** Format of the last four digits of a card, with or without the prefix of responses. */
const CARD_END = /^(?:xxxx)?(\d{4})$/i;

/** Lists and searches payments. */
export class OrderList {
  readonly #accountPages: Loader<AccountPageQuery, ReadRows>;

  constructor(
    private readonly db: Queryable,
    private readonly search: OrderSearch,
    private readonly keys: Pick<EarlierOrders, 'storedKeyOf'>,
    private readonly scanLimits = MAX_SCANNED,
  ) {
    this.#accountPages = batchedLoader((queries) => this.#readMany(queries));
  }

  /**
   * Returns a page, newest first. A filter without an indexed field scans a limited range of days and, for each page, a
   * limited number of orders. `searchedFrom` is the end of the scan, and a page that ends there has a cursor for the remaining
   * orders. Identical pages of several developers that are requested in one event loop turn are read with one statement.
   * Throws VALIDATION_FAILED for an invalid page size or cursor.
   *
   * @param scope account and environment. Undefined for all.
   */
  async page(
    { developerId, environment }: { developerId?: DeveloperId | undefined; environment?: Environment | undefined },
    filter: OrderSelection,
    request: PageRequest,
  ): Promise<Page<StoredOrder> & { searchedFrom: Date | null }> {
    // the newest order comes first, so the next order in the list has a lower ID
    const slice = sliceOf('orders', request, UUID);
    const query = { environment, filter, slice };
    const { rows, from, ends } =
      developerId === undefined
        ? await this.#read(query, [])
        : await this.#accountPages.load({ ...query, developerId });
    const end = rows.length <= slice.size && ends.length > 1 ? endOf(rows, ends[0]!.id, slice) : undefined;
    return {
      ...pageOf(rows, slice, (row) => row.id, orderOf, end),
      searchedFrom: (end !== undefined && !slice.backwards ? timeOfId(end) : from) ?? null,
    };
  }

  /** Returns pages of several developers, in the order of the keys. */
  async #readMany(keys: readonly AccountPageQuery[]): Promise<ReadRows[]> {
    const groups = Map.groupBy(keys, ({ developerId: _, ...query }) => canonicalJson(query));
    const results = await Promise.all(
      [...groups.values()].map(async (group) => {
        const owners = [...new Set(group.map(({ developerId }) => developerId))];
        const { rows, from, ends } = await this.#read(group[0]!, owners);
        const rowsOf = Map.groupBy(rows, ({ developer_id }) => developer_id);
        const endsOf = Map.groupBy(ends, ({ developer_id }) => developer_id);
        return group.map((key) => {
          const developerId = key.developerId;
          return [key, { rows: rowsOf.get(developerId) ?? [], from, ends: endsOf.get(developerId) ?? [] }] as const;
        });
      }),
    );
    const found = new Map(results.flat());
    return keys.map((key) => found.get(key)!);
  }

  /**
   * Reads the pages of several accounts, or a page of all accounts.
   *
   * @param owners accounts, each with its own page. Empty for all accounts.
   */
  async #read({ environment, filter, slice }: PageQuery, owners: readonly DeveloperId[]): Promise<ReadRows> {
    const from = filter.from === undefined && isUnindexed(filter) ? earliestStart(filter) : undefined;
    const direction = slice.backwards ? 'asc' : 'desc';
    const values: unknown[] = [];
    const conditionAdder =
      (conditions: string[]) =>
      (value: unknown, condition: (parameter: string) => string): string | undefined => {
        if (value === undefined) return undefined;
        const parameter = `$${values.push(value)}`;
        conditions.push(condition(parameter));
        return parameter;
      };
    const [firstOwner, ...otherOwners] = owners;
    const parameter = firstOwner && `$${values.push(otherOwners.length > 0 ? owners : firstOwner)}`;
    const owner = otherOwners.length > 0 ? 'k.owner' : parameter;
    const forEachOwner = (select: string): string =>
      otherOwners.length === 0
        ? select
        : `select o.* from unnest(${parameter}::uuid[]) k(owner) cross join lateral (${select}) o order by o.id ${direction}`;

    // these conditions limit the scanned range, and an index must cover them
    const rangeConditions = ['true'];
    const addLimit = conditionAdder(rangeConditions);
    // "any" makes the planner use the developer index. With the ID index, it would read the orders of all developers.
    if (owner) rangeConditions.push(`developer_id = any(array[${owner}::uuid])`);
    addLimit(slice.after, (id) => `id < ${id}::uuid`);
    addLimit(slice.before, (id) => `id > ${id}::uuid`);
    // IDs start with their time, so these conditions limit the months that are read
    addLimit(filter.from ?? from, (at) => `id >= first_id_at(${at})`);
    addLimit(filter.to, (at) => `id < first_id_at(${at})`);
    const environmentIs = (name: string): string => `environment = ${name}`;
    const ownerEnvironment = owner && addLimit(environment, environmentIs);
    const range = `orders where ${rangeConditions.join(' and ')}`;
    const order = `order by ${owner ? `orders.developer_id ${direction}, ` : ''}orders.id ${direction}`;
    const rangeValues = [...values];

    const conditions: string[] = [];
    const add = conditionAdder(conditions);
    const environmentParameter = ownerEnvironment ?? add(owner ? undefined : environment, environmentIs);
    const kinds = add(filter.kind ? [filter.kind] : PAYMENTS, (names) => `operation = any(${names})`);
    add(filter.provider, (name) => `provider = ${name}`);
    add(
      filter.apiRequestId,
      (text) => `id = any(array(select r.order_id from order_reference r where r.reference = ${text}))`,
    );
    // idempotency keys are stored per wallet, so this searches those of one developer, or of all wallets that have ever paid
    const wallets = owner
      ? `(select ${owner}::uuid as developer_id, e.name as environment from unnest(array['uat', 'production']) e(name))`
      : `(select developer_id, environment from wallet where last_order_at is not null)`;
    const withKey = (key: string): string => `
      select k.order_id from ${wallets} w cross join unnest(${kinds}::text[]) o(name) cross join lateral (
        select x.order_id from order_key x where x.developer_id = w.developer_id and x.environment = w.environment
          and x.operation = o.name and x.client_key = ${key} limit 1) k${environmentParameter ? ` where w.environment = ${environmentParameter}` : ''}`;
    const hashed = (condition: string): string => `select s.order_id from order_search s where ${condition}`;
    const { clientRequestId } = filter;
    const storedKey = clientRequestId === undefined ? undefined : this.keys.storedKeyOf(clientRequestId);
    add(storedKey, (key) => `id = any(array(${withKey(key)}))`);
    if (filter.reference !== undefined) {
      const sources = this.#sourcesOf(filter.reference, { withKey, hashed }).map(([value, source]) =>
        source(`$${values.push(value)}`),
      );
      conditions.push(`id = any(array(${sources.join(' union all ')}))`);
    }
    add(filter.status, (words) => `${STATUS} = any(${words})`);
    const rareSources = filter.status?.map((status) =>
      RARE_STATUS_SOURCES[status]?.(owner ? ` and w.developer_id = ${owner}` : ''),
    );
    const isRare = rareSources?.every((source) => source !== undefined) ?? false;
    if (isRare) conditions.push(`id = any(array(${rareSources!.join(' union all ')}))`);
    add(filter.amount, (paise) => `amount_paise = ${paise}::bigint`);
    add(filter.minAmount, (paise) => `amount_paise >= ${paise}::bigint`);
    add(filter.maxAmount, (paise) => `amount_paise <= ${paise}::bigint`);
    add(filter.operatorSpKey && spKeysOf(filter.operatorSpKey), (keys) => `operator_sp_key = any(${keys})`);
    add(filter.declineReason, (reasons) => `${DECLINE} = any(${reasons})`);
    // hashes are passed as an array, because with a join the planner could scan all orders to find one
    for (const hash of this.#hashesOf(filter))
      add(hexOf(hash), (hex) => `id = any(array(${hashed(`s.hash = ${hex}::uuid`)}))`);
    // an unfiltered list of one account needs no scan limit, because every scanned order is on the page
    const unindexedLimit = owner
      ? isUnindexed(filter)
        ? this.scanLimits.ofAccount
        : undefined
      : this.scanLimits.ofAllAccounts;
    const scanLimit = isRare || hasIdentifier(filter) ? undefined : unindexedLimit;
    const source = scanLimit ? `(select * from ${range} ${order} limit ${scanLimit}) orders where` : `${range} and`;
    const page = `select ${ORDER_COLUMNS} from ${source} ${conditions.join(' and ')} ${order} limit ${slice.size + 1}`;
    const { rows } = await this.db.query<OrderRow>({ text: forEachOwner(page), values });
    const isFull = rows.length === Math.max(1, owners.length) * (slice.size + 1);
    if (scanLimit === undefined || isFull) return { rows, from, ends: [] };
    const end = `select ${owner ? 'developer_id, ' : ''}id from ${range} ${order} offset ${scanLimit - 1} limit 2`;
    const { rows: ends } = await this.db.query<ScanPosition>({ text: forEachOwner(end), values: rangeValues });
    return { rows, from, ends };
  }

  /** Returns the sources that can contain the order for a reference of unknown type, each with the value to search for. */
  #sourcesOf(
    reference: string,
    { withKey, hashed }: Record<'withKey' | 'hashed', (parameter: string) => string>,
  ): [value: unknown, source: (parameter: string) => string][] {
    const kinds = ['operatorRef', 'utr', 'providerTxnId'] as const;
    const [, last4] = CARD_END.exec(reference) ?? [];
    const hashes = [
      this.search.ofAccount(reference),
      ...kinds.map((kind) => this.search.of(kind, reference)),
      ...(last4 === undefined ? [] : [this.search.of('cardLast4', last4)]),
    ];
    const ownReference = reference.toUpperCase();
    // pages display the order ID that their client token returned
    const id = reference.toLowerCase().replace(/^o(?:rd|ct)_/, '');
    const sources: { isPossible?: boolean; value: unknown; in: (parameter: string) => string }[] = [
      { value: this.keys.storedKeyOf(reference), in: withKey },
      { value: hashes.map(hexOf), in: (hex) => hashed(`s.hash = any(${hex}::uuid[])`) },
      {
        isPossible: isReference(ownReference),
        value: ownReference,
        in: (text) => `select r.order_id from order_reference r where r.reference = ${text}`,
      },
      { isPossible: isUuid(id), value: id, in: (key) => `select ${key}::uuid` },
    ];
    return sources.filter(({ isPossible = true }) => isPossible).map((source) => [source.value, source.in]);
  }

  #hashesOf({ accountNumber, operatorRef, utr, providerTxnId, cardLast4 }: OrderFilter): Buffer[] {
    return [
      ...(accountNumber === undefined ? [] : [this.search.ofAccount(accountNumber)]),
      ...(operatorRef === undefined ? [] : [this.search.of('operatorRef', operatorRef)]),
      ...(utr === undefined ? [] : [this.search.of('utr', utr)]),
      ...(providerTxnId === undefined ? [] : [this.search.of('providerTxnId', providerTxnId)]),
      ...(cardLast4 === undefined ? [] : [this.search.of('cardLast4', cardLast4)]),
    ];
  }
}
