import { Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { Developer } from '../../accounts/developers/developer.types.js';
import type { DevelopersReader } from '../../accounts/developers/developers.reader.js';
import {
  canSee,
  canSeeOrder,
  developerOf,
  isClientToken,
  type RequestContext,
  recheckDeveloper,
  recheckSession,
  sessionOf,
} from '../../core/context.js';
import { AppError } from '../../core/errors.js';
import { isUuid } from '../../core/ids.js';
import type { DeveloperId } from '../../core/principal.js';
import type { LoadNode } from '../../core/room.js';
import { noteOrder } from '../../core/scope.js';
import { Arguments } from '../../graphql-toolkit/arguments.js';
import { type PageRequest, pageView } from '../../graphql-toolkit/connection.js';
import { developerIdOf, orderIdOf } from '../../graphql-toolkit/node.js';
import { describedCount, Entries, ExtraReads, READ_TOGETHER } from '../../graphql-toolkit/rows.js';
import { type ArchivedOrder, orderNotFound } from '../archived-orders.js';
import type { EarlierOrders } from '../earlier-orders.js';
import type { OrderStore } from '../order.store.js';
import { isPayment, statusOf } from '../states.js';
import type { StoredOrder } from '../stored-order.js';
import { Order, OrderArguments, type OrderIdentifiers } from './order.types.js';
import { maskingFor, orderView } from './order.view.js';
import type { OrderList } from './order-list.js';
import {
  ConsoleOrderArguments,
  type ConsoleOrderFilter,
  ConsoleOrdersArguments,
  MAX_KEYS,
  OrderConnection,
  OrdersArguments,
  OrdersByKeyArguments,
} from './order-list.types.js';
import type { OrderWaiters, WaitOptions } from './order-waiters.js';

type Owner = Parameters<EarlierOrders['byKey']>[0];

/** Finds payments by the references that callers use. */
export class OrderFinder {
  constructor(
    private readonly earlierOrders: Pick<EarlierOrders, 'byKey' | 'archivedByKey'>,
    private readonly store: OrderStore,
  ) {}

  /**
   * Finds a payment. Throws RECORD_NOT_FOUND if it does not exist or the caller may not see it, and ORDER_ARCHIVED if it is
   * archived.
   *
   * @param identifiers exactly one reference
   */
  async find(identifiers: OrderIdentifiers, context: RequestContext): Promise<StoredOrder> {
    const { developerId, environment } = developerOf(context);
    const owner = { developerId, environment };
    const { kind } = identifiers;
    const isMatch = (candidate: ArchivedOrder | StoredOrder): boolean =>
      isPayment(candidate.operation) &&
      canSeeOrder(context, candidate) &&
      (kind === undefined || candidate.operation === kind);
    const id = identifiers.id === undefined ? undefined : orderIdOf(identifiers.id, isClientToken(context));
    const lookup = { ...identifiers, id };
    const order = await this.#find(lookup, owner);
    if (!order || !isMatch(order)) throw orderNotFound(await this.#findArchived(lookup, owner), isMatch);
    return order;
  }

  #find({ id, kind, clientRequestId, apiRequestId }: OrderIdentifiers, owner: Owner): Promise<StoredOrder | undefined> {
    if (id !== undefined) return this.store.byId(owner.developerId, id);
    return clientRequestId === undefined
      ? this.store.byReference(owner.developerId, apiRequestId!)
      : this.earlierOrders.byKey(owner, kind!, clientRequestId);
  }

  #findArchived(
    { id, kind, clientRequestId, apiRequestId }: OrderIdentifiers,
    owner: Owner,
  ): Promise<ArchivedOrder | undefined> {
    if (id !== undefined) return this.store.archived.byId(id);
    return clientRequestId === undefined
      ? this.store.archived.byReference(apiRequestId!)
      : this.earlierOrders.archivedByKey(owner, kind!, clientRequestId);
  }
}

/** Cost of the argument, one row per key. A request with too many keys is rejected. */
const byKey = describedCount('a row for each key', ({ clientRequestIds: keys }) => {
  const count = Array.isArray(keys) ? keys.length : 1;
  return count <= MAX_KEYS ? count : 0;
});

export interface OrderResolverParts {
  orderFinder: OrderFinder;
  list: OrderList;
  earlierOrders: Pick<EarlierOrders, 'storedKeyOf'>;
  store: OrderStore;
  waiters: OrderWaiters;
}

interface ConsoleOrderParts extends Pick<OrderResolverParts, 'list' | 'store' | 'waiters'> {
  developers: Pick<DevelopersReader, 'byId'>;
}

/** Resolver for payments of the caller. */
@Resolver()
export class OrderResolver {
  constructor(private readonly parts: OrderResolverParts) {}

  @Query(() => Order, {
    nullable: true,
    description: 'Returns a recharge or card bill payment of the caller by ID, `api_request_id` or idempotency key.',
  })
  async order(@Arguments(OrderArguments) args: OrderArguments, @Ctx() context: RequestContext): Promise<Order> {
    const { orderFinder, store, waiters } = this.parts;
    const { waitMs = 0 } = args;
    const caller = developerOf(context);
    const order = await orderFinder.find(args, context);
    noteOrder(order);
    const masking = maskingFor(context);
    if (!(await waitForFinalStatus(order, waitMs, waiters, caller, context))) return orderView(order, store, masking);
    await recheckDeveloper(context);
    return orderView((await store.byId(caller.developerId, order.id)) ?? order, store, masking);
  }

  @Query(() => OrderConnection, {
    nullable: true,
    description: 'Recharges and card bill payments of the caller in this environment, newest first.',
  })
  async orders(
    @Arguments(OrdersArguments) { filter = {}, ...request }: OrdersArguments,
    @Ctx() context: RequestContext,
  ): Promise<OrderConnection> {
    return pageView(await this.parts.list.page(developerOf(context), filter, request), (order) => this.#view(order));
  }

  @Query(() => [Order], {
    // list items are nullable, because an item is null if no order has the key
    nullable: 'itemsAndList',
    description:
      'Returns orders by idempotency key, in the same sequence as the keys. An item is null if no order has the key; for an archived order it is null with the error ORDER_ARCHIVED. The query counts as one call toward the rate limit.',
  })
  @Entries(byKey)
  async ordersByKey(
    @Arguments(OrdersByKeyArguments) { kind, clientRequestIds }: OrdersByKeyArguments,
    @Ctx() context: RequestContext,
  ): Promise<(Order | AppError | null)[]> {
    const { earlierOrders, store } = this.parts;
    const { developerId, environment } = developerOf(context);
    return Promise.all(
      clientRequestIds.map(async (key) => {
        const storedKey = earlierOrders.storedKeyOf(key);
        const order = await store.byStoredKey(developerId, environment, kind, storedKey);
        if (order) {
          noteOrder(order);
          return this.#view(order);
        }
        const archived = await store.archived.byKey({ developerId, environment, operation: kind, storedKey });
        // the error is returned instead of thrown, so that the other list items are still returned
        return archived ? orderNotFound(archived) : null;
      }),
    );
  }

  #view(order: StoredOrder): Order {
    return orderView(order, this.parts.store, { masked: false });
  }
}

/** Resolver for orders in the console. Staff see all orders; users of a developer account see those of their account. */
@Resolver(() => Developer)
export class ConsoleOrderResolver {
  constructor(private readonly parts: ConsoleOrderParts) {}

  @Query(() => Order, {
    nullable: true,
    description: 'Returns a recharge or card bill payment by ID or `api_request_id`.',
  })
  async order(
    @Arguments(ConsoleOrderArguments) { id, apiRequestId, waitMs = 0 }: ConsoleOrderArguments,
    @Ctx() context: RequestContext,
  ): Promise<Order> {
    const { store, waiters } = this.parts;
    const order = await (id === undefined ? store.paymentOfReference(apiRequestId!) : store.payment(orderIdOf(id)));
    if (!order || !canSee(context, order)) {
      const { archived } = store;
      const archivedOrder = await (id === undefined
        ? archived.byReference(apiRequestId!)
        : archived.byId(orderIdOf(id)));
      throw orderNotFound(archivedOrder, (candidate) => canSee(context, candidate));
    }
    noteOrder(order);
    const masking = maskingFor(context);
    if (!(await waitForFinalStatus(order, waitMs, waiters, sessionOf(context), context)))
      return orderView(order, store, masking);
    await recheckSession(context);
    return orderView((await store.payment(order.id)) ?? order, store, masking);
  }

  @Query(() => OrderConnection, {
    name: 'orders',
    nullable: true,
    description:
      'Recharges and card bill payments, newest first. Staff see the orders of all developers; users of a developer see the orders of their own account.',
  })
  async allOrders(
    @Arguments(ConsoleOrdersArguments) { filter = {}, ...request }: ConsoleOrdersArguments,
    @Ctx() context: RequestContext,
  ): Promise<OrderConnection> {
    return this.#page(ownAccount(context), filter, request, context);
  }

  @FieldResolver(() => OrderConnection, {
    nullable: true,
    description: 'Recharges and card bill payments of the developer, newest first.',
  })
  @ExtraReads(READ_TOGETHER)
  async orders(
    @Root() { id }: Developer,
    @Arguments(ConsoleOrdersArguments) { filter = {}, ...request }: ConsoleOrdersArguments,
    @Ctx() context: RequestContext,
  ): Promise<OrderConnection> {
    return this.#page(id, filter, request, context);
  }

  /** @param owner account whose orders are listed. Undefined for all accounts. */
  async #page(
    owner: DeveloperId | undefined,
    { developerId, environment, ...filter }: ConsoleOrderFilter,
    request: PageRequest,
    context: RequestContext,
  ): Promise<OrderConnection> {
    const { list, store, developers } = this.parts;
    const filterDeveloperId = developerId === undefined ? undefined : developerIdOf(developerId);
    if (owner !== undefined && filterDeveloperId !== undefined && filterDeveloperId !== owner)
      throw new AppError('RECORD_NOT_FOUND', { message: 'Unknown developer.' });
    const scope = { developerId: owner ?? filterDeveloperId, environment };
    const page = await list.page(scope, filter, request);
    // without this check, an unknown developer would look like one without orders
    if (page.nodes.length === 0 && filterDeveloperId !== undefined) await developers.byId(filterDeveloperId);
    const masking = maskingFor(context);
    return pageView(page, (order) => orderView(order, store, masking));
  }
}

/** Node loader for orders. Throws ORDER_ARCHIVED. */
export const orderNode =
  (store: OrderStore): LoadNode =>
  async (key, context) => {
    if (!isUuid(key)) return undefined;
    const order = await store.payment(key);
    if (order) return canSeeOrder(context, order) ? orderView(order, store, maskingFor(context)) : undefined;
    const archived = await store.archived.byId(key);
    if (archived && canSeeOrder(context, archived)) throw orderNotFound(archived);
    return undefined;
  };

/** Waits for the final status of a pending order if the caller requests it. Returns false if the caller did not wait. */
async function waitForFinalStatus(
  order: StoredOrder,
  waitMs: number,
  waiters: OrderWaiters,
  caller: WaitOptions['caller'],
  context: RequestContext,
): Promise<boolean> {
  if (waitMs === 0 || statusOf(order) !== 'pending') return false;
  // waiting requests do no work, so they do not count toward the limit of running requests
  context.leaveAdmission?.();
  await waiters.wait(order, waitMs, { caller, disconnectSignal: context.disconnectSignal });
  return true;
}

/** Returns the account of the user, or undefined for staff, who can see all accounts. Throws FORBIDDEN. */
function ownAccount(context: RequestContext): DeveloperId | undefined {
  const { role, developerId } = sessionOf(context);
  if (role !== 'developer') return undefined;
  if (developerId === undefined) throw new AppError('FORBIDDEN');
  return developerId;
}
