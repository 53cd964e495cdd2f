import { Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import type { DevelopersReader } from '../accounts/developers/developers.reader.js';
import type { RequestContext } from '../core/context.js';
import { Arguments } from '../graphql-toolkit/arguments.js';
import { developerIdOf, orderIdOf } from '../graphql-toolkit/node.js';
import { Entries } from '../graphql-toolkit/rows.js';
import { maskingFor } from '../orders/views/order.view.js';
import type { ReviewQueue } from './review.queue.js';
import {
  type ReviewFilter,
  ReviewOrderConnection,
  ReviewOrdersArguments,
  type ReviewSelection,
  ReviewTotal,
} from './review.types.js';

@Resolver(() => ReviewOrderConnection)
export class ReviewResolver {
  constructor(
    private readonly queue: ReviewQueue,
    private readonly developers: Pick<DevelopersReader, 'byId'>,
  ) {}

  @Query(() => ReviewOrderConnection, {
    nullable: true,
    description:
      'Review queue: orders without a known outcome, and orders whose provider reports a conflicting status. Oldest first, with their evidence.',
  })
  async reviewOrders(
    @Arguments(ReviewOrdersArguments) { filter, ...request }: ReviewOrdersArguments,
    @Ctx() context: RequestContext,
  ): Promise<ReviewOrderConnection> {
    const selection = selectionOf(filter ?? {});
    const page = await this.queue.page(selection, request, maskingFor(context));
    // an empty page would suggest that a nonexistent developer has no orders in review
    if (page.edges.length === 0 && selection.developerId !== undefined)
      await this.developers.byId(selection.developerId);
    return { ...page, selection };
  }

  @FieldResolver(() => [ReviewTotal], {
    nullable: true,
    description:
      'Totals of all matching orders on all pages, by provider. Providers without matching orders are omitted.',
  })
  @Entries(10)
  totals(@Root() { selection }: ReviewOrderConnection): Promise<ReviewTotal[]> {
    return this.queue.totals(selection);
  }

  @FieldResolver(() => Int, {
    nullable: true,
    description: 'Number of orders on all pages. Computed only if selected.',
  })
  totalCount(@Root() { selection }: ReviewOrderConnection): Promise<number> {
    return this.queue.count(selection);
  }
}

/** Returns the filter for the queue. Throws RECORD_NOT_FOUND for an invalid ID of a developer or order. */
const selectionOf = (filter: ReviewFilter): ReviewSelection => ({
  orderId: filter.orderId === undefined ? undefined : orderIdOf(filter.orderId),
  provider: filter.provider,
  developerId: filter.developerId === undefined ? undefined : developerIdOf(filter.developerId),
  environment: filter.environment,
  minAmountPaise: filter.minAmount,
  maxAmountPaise: filter.maxAmount,
  placedBefore: filter.olderThan,
  conflicting: filter.conflicting,
});
