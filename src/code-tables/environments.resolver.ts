import { Ctx, Field, Query, Resolver } from 'type-graphql';
import type { RequestContext } from '../core/context.js';
import { type Environment, environments } from '../core/environment.js';
import { EnvironmentEnum, Output } from '../graphql-toolkit/graphql-types.js';
import { Entries, WITH_PARENT } from '../graphql-toolkit/rows.js';
import { Instant } from '../graphql-toolkit/scalars.js';
import type { Switches } from '../providers/switches.js';

@Output({ description: 'Pause of new orders in an environment, for example for planned maintenance.' })
export class OrderPause {
  @Field({ description: 'Notice of staff. Callers whose orders are rejected receive it in the error message.' })
  notice!: string;

  @Field(() => Instant, { description: 'Time orders were paused.' })
  since!: Date;
}

@Output({ description: 'API URLs of an environment and, if its orders are paused, the details of the pause.' })
export class EnvironmentInfo {
  @Field(() => EnvironmentEnum, { description: 'Environment.' })
  environment!: Environment;

  @Field({ description: 'Base URL of all REST paths.' })
  baseUrl!: string;

  @Field({ description: 'URL of the GraphQL endpoint.' })
  graphqlUrl!: string;

  @Field({ description: 'URL of the guides and references.' })
  docsUrl!: string;

  @Field(() => OrderPause, {
    nullable: true,
    description:
      'Pause of new orders. While orders are paused, new orders are rejected with DEPENDENCY_DOWN before money moves, and open orders continue. Null while orders are accepted.',
  })
  orderPause!: OrderPause | null;
}

/** Returns the environment as the API returns it. This requires a request that was received on a host. */
export function environmentInfo(
  environment: Environment,
  { urls }: RequestContext,
  switches: Pick<Switches, 'pauseOf'>,
): EnvironmentInfo {
  const baseUrl = urls![environment];
  const orderPause = switches.pauseOf(environment) ?? null;
  return { environment, baseUrl, graphqlUrl: `${baseUrl}/graphql`, docsUrl: `${baseUrl}/docs`, orderPause };
}

/** Resolver for the environments, which the portal displays on the API keys page, and on every page while orders are paused. */
@Resolver()
export class EnvironmentsResolver {
  constructor(private readonly switches: Switches) {}

  @Query(() => [EnvironmentInfo], {
    nullable: true,
    description: 'UAT and Production, with the addresses for integrations and the pause of orders.',
  })
  @Entries(WITH_PARENT)
  async environments(@Ctx() context: RequestContext): Promise<EnvironmentInfo[]> {
    await this.switches.refresh();
    return environments.map((environment) => environmentInfo(environment, context, this.switches));
  }
}
