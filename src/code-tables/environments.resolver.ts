import { Ctx, Field, Query, Resolver } from 'type-graphql';
import type { RequestContext } from '../core/context.js';
import { type Environment, environments } from '../core/environment.js';
import { EnvironmentEnum, Output } from '../graphql-toolkit/graphql-types.js';
import { Entries, WITH_PARENT } from '../graphql-toolkit/rows.js';
import { Instant } from '../graphql-toolkit/scalars.js';
import type { Switches } from '../providers/switches.js';

@Output({ description: 'That staff hold new orders of an environment, such as for planned maintenance.' })
export class OrderHold {
  @Field({ description: 'What they say of it; callers whose orders are refused read it too.' })
  notice!: string;

  @Field(() => Instant, { description: 'Since when.' })
  since!: Date;
}

@Output({ description: 'Where the API of an environment is, and whether it takes orders.' })
export class EnvironmentInfo {
  @Field(() => EnvironmentEnum, { description: 'Which one.' })
  environment!: Environment;

  @Field({ description: 'What every path of REST begins with.' })
  baseUrl!: string;

  @Field({ description: 'Where GraphQL is sent to.' })
  graphqlUrl!: string;

  @Field({ description: 'Guides and references.' })
  docsUrl!: string;

  @Field(() => OrderHold, {
    nullable: true,
    description:
      'Staff hold new orders: they are refused with DEPENDENCY_DOWN before money moves, and open ones go on. Null while orders are taken.',
  })
  orderHold!: OrderHold | null;
}

/** What is known of an environment; of a request, which has come to a host. */
export function environmentInfo(
  environment: Environment,
  { urls }: RequestContext,
  switches: Pick<Switches, 'holdOf'>,
): EnvironmentInfo {
  const baseUrl = urls![environment];
  const orderHold = switches.holdOf(environment) ?? null;
  return { environment, baseUrl, graphqlUrl: `${baseUrl}/graphql`, docsUrl: `${baseUrl}/docs`, orderHold };
}

/** What a page about keys shows beside them, and every page where orders are held. */
@Resolver()
export class EnvironmentsResolver {
  constructor(private readonly switches: Switches) {}

  @Query(() => [EnvironmentInfo], {
    nullable: true,
    description:
      'UAT and Production: their addresses, for programs that are to call them, and whether they take orders.',
  })
  @Entries(WITH_PARENT)
  async environments(@Ctx() context: RequestContext): Promise<EnvironmentInfo[]> {
    await this.switches.refresh();
    return environments.map((environment) => environmentInfo(environment, context, this.switches));
  }
}
