import { Arg, Int, Query, Resolver } from 'type-graphql';
import type { ReviewQueue } from './review.queue.js';
import { ReviewOrderConnection } from './review.types.js';

@Resolver()
export class ReviewResolver {
  readonly #queue: ReviewQueue;

  constructor(queue: ReviewQueue) {
    this.#queue = queue;
  }

  @Query(() => ReviewOrderConnection, {
    nullable: true,
    description:
      'Orders whose outcome nobody could find out, or whose provider says the opposite of what was decided, oldest first, with their evidence.',
  })
  reviewOrders(
    @Arg('first', () => Int, { description: 'Orders per page, 1 to 200.' }) first: number,
    @Arg('after', () => String, { nullable: true, description: 'endCursor of the page before.' }) after: string | null,
  ): Promise<ReviewOrderConnection> {
    return this.#queue.page(first, after);
  }
}
