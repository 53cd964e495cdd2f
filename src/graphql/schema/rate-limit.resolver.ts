import { Ctx, Field, Int, Query, Resolver } from 'type-graphql';
import type { CountedUse, RequestContext } from '../../core/context.js';
import { Output } from '../../graphql-toolkit/graphql-types.js';
import { Entries, WITH_PARENT } from '../../graphql-toolkit/rows.js';
import { Instant } from '../../graphql-toolkit/scalars.js';
import { isTighter, type RateLimits } from './limits.js';

@Output({ description: 'Rate limit of an endpoint that the document uses.' })
class EndpointRateLimit {
  @Field({ description: 'Name of the endpoint, as in the header `RateLimit`. Includes REST calls to the endpoint.' })
  endpoint!: string;

  @Field(() => Int, { description: 'Number of times this document used the endpoint. Includes rejected uses.' })
  cost!: number;

  @Field(() => Int, { description: 'Maximum number of uses per minute.' })
  limit!: number;

  @Field(() => Int, { description: 'Number of uses that remain until `resetAt`.' })
  remaining!: number;

  @Field(() => Instant, { description: 'Time the count is reset.' })
  resetAt!: Date;
}

@Output({ description: 'Rate limits of the caller after all other fields of the document have run.' })
class RateLimit {
  @Field(() => Int, { description: 'Total number of times this document used any endpoint.' })
  cost!: number;

  @Field(() => Int, {
    description:
      'Maximum number of uses per minute of the endpoint with the fewest uses left. If the document uses no endpoint, the limit of the caller for each endpoint.',
  })
  limit!: number;

  @Field(() => Int, {
    nullable: true,
    description: 'Remaining uses of the endpoint with the fewest uses left. Null if the document uses no endpoint.',
  })
  remaining!: number | null;

  @Field(() => Instant, {
    nullable: true,
    description:
      'Time the count of the endpoint with the fewest uses left is reset. Null if the document uses no endpoint.',
  })
  resetAt!: Date | null;

  @Field(() => [EndpointRateLimit], {
    description: 'Rate limits of the endpoints that the document uses, the one with the fewest uses left first.',
  })
  @Entries(WITH_PARENT)
  endpoints!: EndpointRateLimit[];
}

/**
 * Name of the field that returns the rate limit. The executor reads this field again after all other fields; see
 * execution/executor.ts.
 */
export const RATE_LIMIT = 'rateLimit';

@Resolver()
export class RateLimitResolver {
  constructor(private readonly limits: Pick<RateLimits, 'limitOf'>) {}

  @Query(() => RateLimit, {
    name: RATE_LIMIT,
    nullable: true,
    description:
      'Rate limits of the caller for the endpoints that this document uses. The field itself does not count.',
  })
  read(@Ctx() context: RequestContext): RateLimit {
    const endpoints = [...Map.groupBy(context.uses?.values() ?? [], ({ state }) => state.endpoint).values()]
      .map(limitView)
      .toSorted((first, second) => first.remaining - second.remaining || first.endpoint.localeCompare(second.endpoint));
    const [tightest] = endpoints;
    return {
      cost: endpoints.reduce((sum, { cost }) => sum + cost, 0),
      limit: tightest?.limit ?? this.limits.limitOf(context),
      remaining: tightest?.remaining ?? null,
      resetAt: tightest?.resetAt ?? null,
      endpoints,
    };
  }
}

/**
 * Returns the view of a rate limit.
 * @param uses all uses of one endpoint
 */
function limitView(uses: readonly CountedUse[]): EndpointRateLimit {
  const { state, resetAtMs } = uses.reduce((tightest, use) => (isTighter(use.state, tightest.state) ? use : tightest));
  return {
    endpoint: state.endpoint,
    cost: uses.length,
    limit: state.limit,
    remaining: state.remaining,
    resetAt: new Date(resetAtMs),
  };
}
