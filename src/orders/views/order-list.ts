import type { Environment } from '../../core/environment.js';
import { isReference, isUuid, timeOfId, UUID } from '../../core/ids.js';
import { spKeysOf } from '../../core/operators.js';
import type { DeveloperId } from '../../core/principal.js';
import { canonicalJson } from '../../core/secret.js';
import { batchedLoader, type Loader } from '../../db/batched-loader.js';
import type { Queryable } from '../../db/pool.js';
import { type Page, type PageRequest, pageOf, type Slice, sliceOf } from '../../graphql-toolkit/connection.js';
import type { Operation } from '../../ledger/ledger.service.js';
import type { OrderSearch } from '../order.store.js';
import type { EarlierOrders } from '../repetition.js';
import { ORDER_COLUMNS, type OrderRow, orderOf, type StoredOrder } from '../stored-order.js';
import { bound, isNamed, isSifted, MAX_LOOKED_AT, type OrderFilter } from './order-list.types.js';

const PAYMENTS: readonly Operation[] = ['recharge', 'card_payment'];

/** A search hash as the table has it: its digits are those of a UUID. */
const hexOf = (hash: Buffer): string => hash.toString('hex');

/** `statusOf` an order, in SQL. */
const STATUS = `case when state in ('open', 'review') then 'pending' when reversed_at is not null then 'reversed' else state end`;

/** `Decline.reason` of an order, in SQL. */
const DECLINE = `case when state = 'failed' then coalesce(decline_reason, 'UNSPECIFIED') when reversed_at is not null then 'REVERSED_BY_' || upper(reversed_by) end`;

/**
 * Where the orders of a status that few have stand, in SQL: the books hold that a pending order is scheduled for a status check or in review,
 * and that a reversal is posted. Among a million orders of 92 days the few would be looked for one by one.
 */
const FEW: Readonly<Record<string, (owner: string) => string>> = {
  pending: (owner) =>
    `select w.order_id from order_due w where w.waited_for${owner} union all select w.order_id from order_review w where w.reason = 'review'${owner}`,
  // the predicate is that of the index
  reversed: (owner) =>
    `select w.subject_id from transfer w where w.kind = 'reversal' and w.kind not in ('hold', 'settle')${owner}`,
};

/** Which orders. */
export interface OrderSelection extends OrderFilter {
  provider?: string | undefined;
}

interface Asked {
  environment: Environment | undefined;
  filter: OrderSelection;
  slice: Slice;
}
interface AskedOfOne extends Asked {
  developerId: DeveloperId;
}
interface Place {
  id: string;
  /** Unknown where it is looked among everybody's. */
  developer_id?: DeveloperId;
}
interface ReadRows {
  rows: OrderRow[];
  /** From when on it was looked for, where nobody said it. */
  from: Date | undefined;
  /** Where looking ended before the page was full: the last order that was looked at, and the first that was not. */
  ends: Place[];
}

/** Orders that were accepted after the page was read move the end towards them: no order of this page is on the next one too. */
function endOf(rows: readonly OrderRow[], id: string, { backwards }: Slice): string {
  const last = rows.at(-1)?.id;
  return !backwards && last !== undefined && last < id ? last : id;
}

/** The end of a card, alone or as answers show it. */
const CARD_END = /^(?:xxxx)?(\d{4})$/i;

/** Payments, listed and searched. */
export class OrderList {
  readonly #ofOne: Loader<AskedOfOne, ReadRows>;

  constructor(
    private readonly db: Queryable,
    private readonly search: OrderSearch,
    private readonly keys: Pick<EarlierOrders, 'storedKeyOf'>,
    private readonly most = MAX_LOOKED_AT,
  ) {
    this.#ofOne = batchedLoader((asked) => this.#ofMany(asked));
  }

  /**
   * Newest first. What is sifted one by one without a beginning is looked for in the last days alone, and a page in so many orders:
   * `searchedFrom` says how far, and a page that ends there has a cursor for what follows. Equal pages of several developers that
   * are asked for in one turn are read with one statement. Errors: VALIDATION_FAILED for a page size or cursor that is none.
   *
   * @param of whose, and of which environment; all where nothing is said
   */
  async page(
    { developerId, environment }: { developerId?: DeveloperId | undefined; environment?: Environment | undefined },
    filter: OrderSelection,
    request: PageRequest,
  ): Promise<Page<StoredOrder> & { searchedFrom: Date | null }> {
    // newest first: what comes after an order in the list has a lower id
    const slice = sliceOf('orders', request, UUID);
    const asked = { environment, filter, slice };
    const { rows, from, ends } =
      developerId === undefined ? await this.#read(asked, []) : await this.#ofOne.load({ ...asked, developerId });
    const end = rows.length <= slice.size && ends.length > 1 ? endOf(rows, ends[0]!.id, slice) : undefined;
    return {
      ...pageOf(rows, slice, (row) => row.id, orderOf, end),
      searchedFrom: (end !== undefined && !slice.backwards ? timeOfId(end) : from) ?? null,
    };
  }

  /** The pages of developers, in the order of the keys. */
  async #ofMany(keys: readonly AskedOfOne[]): Promise<ReadRows[]> {
    const equal = Map.groupBy(keys, ({ developerId: _, ...asked }) => canonicalJson(asked));
    const read = await Promise.all(
      [...equal.values()].map(async (group) => {
        const owners = [...new Set(group.map(({ developerId }) => developerId))];
        const { rows, from, ends } = await this.#read(group[0]!, owners);
        const rowsOf = Map.groupBy(rows, ({ developer_id }) => developer_id);
        const endsOf = Map.groupBy(ends, ({ developer_id }) => developer_id);
        return group.map((key) => {
          const of = key.developerId;
          return [key, { rows: rowsOf.get(of) ?? [], from, ends: endsOf.get(of) ?? [] }] as const;
        });
      }),
    );
    const found = new Map(read.flat());
    return keys.map((key) => found.get(key)!);
  }

  /** @param owners whose, each so many; everybody's where there is none */
  async #read({ environment, filter, slice }: Asked, owners: readonly DeveloperId[]): Promise<ReadRows> {
    const from = filter.from === undefined && isSifted(filter) ? bound(filter) : undefined;
    const direction = slice.backwards ? 'asc' : 'desc';
    const values: unknown[] = [];
    const adds =
      (conditions: string[]) =>
      (value: unknown, condition: (parameter: string) => string): string | undefined => {
        if (value === undefined) return undefined;
        const parameter = `$${values.push(value)}`;
        conditions.push(condition(parameter));
        return parameter;
      };
    const [only, ...others] = owners;
    const parameter = only && `$${values.push(others.length > 0 ? owners : only)}`;
    const owner = others.length > 0 ? 'k.owner' : parameter;
    const ofEach = (select: string): string =>
      others.length === 0
        ? select
        : `select o.* from unnest(${parameter}::uuid[]) k(owner) cross join lateral (${select}) o order by o.id ${direction}`;

    // among which orders is looked: what an index knows
    const among = ['true'];
    const limits = adds(among);
    // "any" keeps the planner to the index of developers: along that of ids alone it would read everybody's orders
    if (owner) among.push(`developer_id = any(array[${owner}::uuid])`);
    limits(slice.after, (id) => `id < ${id}::uuid`);
    limits(slice.before, (id) => `id > ${id}::uuid`);
    // ids begin with their time: they choose the months that are read at all
    limits(filter.from ?? from, (at) => `id >= first_id_at(${at})`);
    limits(filter.to, (at) => `id < first_id_at(${at})`);
    const inThis = (name: string): string => `environment = ${name}`;
    const ofOwner = owner && limits(environment, inThis);
    const range = `orders where ${among.join(' and ')}`;
    const order = `order by ${owner ? `orders.developer_id ${direction}, ` : ''}orders.id ${direction}`;
    const rangeValues = [...values];

    const conditions: string[] = [];
    const add = adds(conditions);
    const inEnvironment = ofOwner ?? add(owner ? undefined : environment, inThis);
    const kinds = add(filter.kind ? [filter.kind] : PAYMENTS, (names) => `operation = any(${names})`);
    add(filter.provider, (name) => `provider = ${name}`);
    add(
      filter.apiRequestId,
      (text) => `id = any(array(select r.order_id from order_reference r where r.reference = ${text}))`,
    );
    // keys begin with whose they are: of one developer, or of all wallets that ever paid
    const wallets = owner
      ? `(select ${owner}::uuid as developer_id, e.name as environment from unnest(array['uat', 'production']) e(name))`
      : `(select developer_id, environment from wallet where last_order_at is not null)`;
    const withKey = (key: string): string => `
      select k.order_id from ${wallets} w cross join unnest(${kinds}::text[]) o(name) cross join lateral (
        select x.order_id from order_key x where x.developer_id = w.developer_id and x.environment = w.environment
          and x.operation = o.name and x.client_key = ${key} limit 1) k${inEnvironment ? ` where w.environment = ${inEnvironment}` : ''}`;
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
    const few = filter.status?.map((status) => FEW[status]?.(owner ? ` and w.developer_id = ${owner}` : ''));
    const areFew = few?.every((source) => source !== undefined) ?? false;
    if (areFew) conditions.push(`id = any(array(${few!.join(' union all ')}))`);
    add(filter.amount, (paise) => `amount_paise = ${paise}::bigint`);
    add(filter.minAmount, (paise) => `amount_paise >= ${paise}::bigint`);
    add(filter.maxAmount, (paise) => `amount_paise <= ${paise}::bigint`);
    add(filter.operatorSpKey && spKeysOf(filter.operatorSpKey), (keys) => `operator_sp_key = any(${keys})`);
    add(filter.declineReason, (reasons) => `${DECLINE} = any(${reasons})`);
    // as an array: a join could walk through all orders to find the one
    for (const hash of this.#hashesOf(filter))
      add(hexOf(hash), (hex) => `id = any(array(${hashed(`s.hash = ${hex}::uuid`)}))`);
    // the list of an account that is sifted by nothing needs no limit: each order is on the page
    const ofSifted = owner ? (isSifted(filter) ? this.most.ofOne : undefined) : this.most.ofEverybody;
    const most = areFew || isNamed(filter) ? undefined : ofSifted;
    const source = most ? `(select * from ${range} ${order} limit ${most}) orders where` : `${range} and`;
    const page = `select ${ORDER_COLUMNS} from ${source} ${conditions.join(' and ')} ${order} limit ${slice.size + 1}`;
    const { rows } = await this.db.query<OrderRow>({ text: ofEach(page), values });
    const isFull = rows.length === Math.max(1, owners.length) * (slice.size + 1);
    if (most === undefined || isFull) return { rows, from, ends: [] };
    const end = `select ${owner ? 'developer_id, ' : ''}id from ${range} ${order} offset ${most - 1} limit 2`;
    const { rows: ends } = await this.db.query<Place>({ text: ofEach(end), values: rangeValues });
    return { rows, from, ends };
  }

  /** Where the order of a reference stands, whichever it is, each place with the value that it needs. */
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
    const ours = reference.toUpperCase();
    // a page reports the ID that its client token read
    const id = reference.toLowerCase().replace(/^o(?:rd|ct)_/, '');
    const sources: { mayBe?: boolean; value: unknown; in: (parameter: string) => string }[] = [
      { value: this.keys.storedKeyOf(reference), in: withKey },
      { value: hashes.map(hexOf), in: (hex) => hashed(`s.hash = any(${hex}::uuid[])`) },
      {
        mayBe: isReference(ours),
        value: ours,
        in: (text) => `select r.order_id from order_reference r where r.reference = ${text}`,
      },
      { mayBe: isUuid(id), value: id, in: (key) => `select ${key}::uuid` },
    ];
    return sources.filter(({ mayBe = true }) => mayBe).map((source) => [source.value, source.in]);
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
