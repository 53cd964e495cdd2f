import { Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { Developer } from '../accounts/developers/developer.types.js';
import type { DevelopersReader } from '../accounts/developers/developers.reader.js';
import { maySee, type RequestContext, requireSessionStill, seesMasked, sessionOf } from '../core/context.js';
import { AppError } from '../core/errors.js';
import type { DeveloperId } from '../core/principal.js';
import { noteOrder } from '../core/scope.js';
import { Arguments } from '../graphql-toolkit/arguments.js';
import type { PageRequest } from '../graphql-toolkit/connection.js';
import { developerIdOf, orderIdOf } from '../graphql-toolkit/node.js';
import { READ_TOGETHER, RowsBeside } from '../graphql-toolkit/rows.js';
import { noOrder } from '../orders/archived-orders.js';
import type { OrderStore } from '../orders/order.store.js';
import { statusOf } from '../orders/states.js';
import { Order } from './order.types.js';
import { orderView } from './order.view.js';
import type { OrderList } from './order-list.js';
import {
  ConsoleOrderArguments,
  type ConsoleOrderFilter,
  ConsoleOrdersArguments,
  OrderConnection,
} from './order-list.types.js';
import type { OrderWaiters } from './order-waiters.js';

/** Orders as people see them: all of them for staff, one's own for a developer's user. */
@Resolver(() => Developer)
export class ConsoleOrdersResolver {
  readonly #history: OrderList;
  readonly #store: OrderStore;
  readonly #waiters: OrderWaiters;
  readonly #developers: Pick<DevelopersReader, 'byId'>;

  constructor(
    history: OrderList,
    store: OrderStore,
    waiters: OrderWaiters,
    developers: Pick<DevelopersReader, 'byId'>,
  ) {
    this.#history = history;
    this.#store = store;
    this.#waiters = waiters;
    this.#developers = developers;
  }

  @Query(() => Order, { nullable: true, description: 'One recharge or card payment, by its id or by api_request_id.' })
  async order(
    @Arguments(ConsoleOrderArguments) { id, apiRequestId, waitMs = 0 }: ConsoleOrderArguments,
    @Ctx() context: RequestContext,
  ): Promise<Order> {
    const order = await (id === undefined
      ? this.#store.paymentOfReference(apiRequestId!)
      : this.#store.payment(orderIdOf(id)));
    if (!order || !maySee(context, order)) {
      const { archived } = this.#store;
      const left = await (id === undefined ? archived.byReference(apiRequestId!) : archived.byId(orderIdOf(id)));
      throw noOrder(left, (one) => maySee(context, one));
    }
    noteOrder(order);
    const masked = seesMasked(context);
    if (waitMs === 0 || statusOf(order) !== 'pending') return orderView(order, this.#store, { masked });
    // it does no work meanwhile
    context.leaveAdmission?.();
    await this.#waiters.wait(order, waitMs, { caller: sessionOf(context), gone: context.gone });
    await requireSessionStill(context);
    return orderView((await this.#store.payment(order.id)) ?? order, this.#store, { masked });
  }

  @Query(() => OrderConnection, {
    name: 'orders',
    nullable: true,
    description:
      'Recharges and card payments, newest first: of all developers for staff, of one’s own for a developer.',
  })
  async allOrders(
    @Arguments(ConsoleOrdersArguments) { filter = {}, ...request }: ConsoleOrdersArguments,
    @Ctx() context: RequestContext,
  ): Promise<OrderConnection> {
    return this.#page(ownAccount(context), filter, request, context);
  }

  @FieldResolver(() => OrderConnection, {
    nullable: true,
    description: 'Its recharges and card payments, newest first.',
  })
  @RowsBeside(READ_TOGETHER)
  async orders(
    @Root() { id }: Developer,
    @Arguments(ConsoleOrdersArguments) { filter = {}, ...request }: ConsoleOrdersArguments,
    @Ctx() context: RequestContext,
  ): Promise<OrderConnection> {
    return this.#page(id, filter, request, context);
  }

  /** @param owner whose orders alone; all of them where it is undefined */
  async #page(
    owner: DeveloperId | undefined,
    { developerId, environment, ...filter }: ConsoleOrderFilter,
    request: PageRequest,
    context: RequestContext,
  ): Promise<OrderConnection> {
    const named = developerId === undefined ? undefined : developerIdOf(developerId);
    if (owner !== undefined && named !== undefined && named !== owner)
      throw new AppError('RECORD_NOT_FOUND', { message: 'There is no such developer.' });
    const scope = { developerId: owner ?? named, environment };
    const { edges, pageInfo, searchedFrom } = await this.#history.page(scope, filter, request);
    // an empty page would read as "nothing happened"
    if (edges.length === 0 && named !== undefined) await this.#developers.byId(named);
    const masked = seesMasked(context);
    return {
      pageInfo,
      searchedFrom,
      edges: edges.map(({ cursor, node }) => ({ cursor, node: orderView(node, this.#store, { masked }) })),
    };
  }
}

/** Undefined for staff, who see everybody's. Errors: FORBIDDEN. */
function ownAccount(context: RequestContext): DeveloperId | undefined {
  const { role, developerId } = sessionOf(context);
  if (role !== 'developer') return undefined;
  if (developerId === undefined) throw new AppError('FORBIDDEN');
  return developerId;
}
