import { Ctx, Field, Query, Resolver } from 'type-graphql';
import type { RequestContext } from '../core/context.js';
import type { Environment } from '../core/environment.js';
import { EnvironmentEnum, Output } from '../graphql-toolkit/graphql-types.js';
import { Entries, WITH_PARENT } from '../graphql-toolkit/rows.js';

@Output({ description: 'Where the API of an environment is.' })
class EnvironmentInfo {
  @Field(() => EnvironmentEnum, { description: 'Which one.' })
  environment!: Environment;

  @Field({ description: 'What every path of REST begins with.' })
  baseUrl!: string;

  @Field({ description: 'Where GraphQL is sent to.' })
  graphqlUrl!: string;

  @Field({ description: 'Guides and references.' })
  docsUrl!: string;
}

/** What a page about keys shows beside them. */
@Resolver()
export class EnvironmentsResolver {
  @Query(() => [EnvironmentInfo], {
    nullable: true,
    description: 'The addresses of UAT and of Production, for programs that are to call them.',
  })
  @Entries(WITH_PARENT)
  environments(@Ctx() context: RequestContext): EnvironmentInfo[] {
    const urls = context.urls!; // of a request, which has come to a host
    return (['uat', 'production'] as const).map((environment) => ({
      environment,
      baseUrl: urls[environment],
      graphqlUrl: `${urls[environment]}/graphql`,
      docsUrl: `${urls[environment]}/docs`,
    }));
  }
}
