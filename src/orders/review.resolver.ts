import { Arg, Args, Ctx, Extensions, Int, Mutation, Query, Resolver } from 'type-graphql';
import { actorOf } from '../accounts/acting-user.js';
import { type RequestContext, sessionOf } from '../core/context.js';
import type { OrderStore } from './order.store.js';
import { Order } from './order.types.js';
import { orderView } from './order.view.js';
import type { ReviewQueue } from './review.queue.js';
import type { ReviewService } from './review.service.js';
import { ResolveOrderArguments, ReviewOrderConnection } from './review.types.js';

@Resolver()
export class ReviewResolver {
  readonly #queue: ReviewQueue;
  readonly #service: ReviewService;
  readonly #store: OrderStore;

  constructor(queue: ReviewQueue, service: ReviewService, store: OrderStore) {
    this.#queue = queue;
    this.#service = service;
    this.#store = store;
  }

  @Query(() => ReviewOrderConnection, {
    nullable: true,
    description: 'Orders whose outcome nobody could find out, oldest first, with their evidence.',
  })
  reviewOrders(
    @Arg('first', () => Int, { description: 'Orders per page, 1 to 200.' }) first: number,
    @Arg('after', () => String, { nullable: true, description: 'endCursor of the page before.' }) after: string | null,
  ): Promise<ReviewOrderConnection> {
    return this.#queue.page(first, after);
  }

  @Mutation(() => Order, {
    nullable: true,
    description:
      'Decides an order in review. Above the configured amount the first decision is a proposal (the order stays PENDING) until a second admin decides the same.',
  })
  @Extensions({ arguments: ResolveOrderArguments })
  async resolveOrder(
    @Args(() => ResolveOrderArguments) decision: ResolveOrderArguments,
    @Ctx() context: RequestContext,
  ): Promise<Order> {
    const order = await this.#service.resolve({ ...decision, userId: sessionOf(context).userId }, actorOf(context));
    return orderView(order, this.#store, { walletBalance: null, masked: true });
  }
}
