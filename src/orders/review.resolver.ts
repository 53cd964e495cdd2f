import { Arg, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import { developerIdOf } from '../graphql-toolkit/record-id.js';
import type { ReviewQueue, ReviewSelection } from './review.queue.js';
import { ReviewFilter, ReviewOrderConnection, ReviewTotal } from './review.types.js';

const FIRST = 50;

@Resolver(() => ReviewOrderConnection)
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
  async reviewOrders(
    @Arg('filter', () => ReviewFilter, { nullable: true, description: 'Which of them; all when left out.' })
    filter: ReviewFilter | undefined,
    @Arg('first', () => Int, { nullable: true, description: 'Orders per page, 1 to 200; 50 when left out.' })
    first: number | undefined,
    @Arg('after', () => String, { nullable: true, description: 'endCursor of the page before.' })
    after: string | undefined,
  ): Promise<ReviewOrderConnection> {
    const selection = selectionOf(filter ?? {});
    return { ...(await this.#queue.page(selection, first ?? FIRST, after)), selection };
  }

  @FieldResolver(() => [ReviewTotal], {
    nullable: true,
    description: 'What the filter finds on all pages, by provider; none for a provider that has nothing in it.',
  })
  totals(@Root() { selection }: ReviewOrderConnection): Promise<ReviewTotal[]> {
    return this.#queue.totals(selection);
  }
}

/** Errors: RECORD_NOT_FOUND for a developer that cannot be. */
const selectionOf = (filter: ReviewFilter): ReviewSelection => ({
  provider: filter.provider,
  developerId: filter.developerId === undefined ? undefined : developerIdOf(filter.developerId),
  environment: filter.environment,
  minAmountPaise: filter.minAmount,
  maxAmountPaise: filter.maxAmount,
  placedBefore: filter.olderThan,
  contradicted: filter.contradicted,
});
