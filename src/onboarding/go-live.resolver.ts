import { Arg, Ctx, FieldResolver, Mutation, Resolver, Root } from 'type-graphql';
import { actorOf } from '../accounts/account.changes.js';
import type { DeveloperService } from '../accounts/developers/developer.service.js';
import { Developer, DeveloperPayload } from '../accounts/developers/developer.types.js';
import type { DevelopersReader } from '../accounts/developers/developers.reader.js';
import { ownAccountOf, type RequestContext } from '../core/context.js';
import { Entries } from '../graphql-toolkit/rows.js';
import type { GoLive } from './go-live.js';
import { GoLiveStep, ProductionRequest, RequestProductionInput } from './go-live.types.js';

/** Resolver for the steps of an account to Production, and for its request for Production access. */
@Resolver(() => Developer)
export class GoLiveResolver {
  constructor(
    private readonly goLiveSteps: GoLive,
    private readonly developers: DeveloperService,
    private readonly reader: DevelopersReader,
  ) {}

  @FieldResolver(() => [GoLiveStep], {
    nullable: true,
    description: 'Steps from sign-up to the first credit in Production, in order.',
  })
  @Entries(7)
  goLive(@Root() developer: Developer): Promise<GoLiveStep[]> {
    return this.goLiveSteps.steps(developer);
  }

  @FieldResolver(() => ProductionRequest, {
    nullable: true,
    description: 'Pending request for Production access. Null if there is none or if access was granted.',
  })
  productionRequest(@Root() { requestedAt, requestMessage, productionUnlocked }: Developer): ProductionRequest | null {
    return requestedAt && !productionUnlocked ? { requestedAt, message: requestMessage } : null;
  }

  @Mutation(() => DeveloperPayload, {
    nullable: true,
    description: 'Requests Production access for an approved account. Only one request can be pending.',
  })
  async requestProduction(
    @Arg('input', () => RequestProductionInput, { description: 'Planned use of the service.' }) {
      message,
    }: RequestProductionInput,
    @Ctx() context: RequestContext,
  ): Promise<DeveloperPayload> {
    const developerId = ownAccountOf(context);
    await this.developers.requestProduction(developerId, message, actorOf(context));
    return { developer: await this.reader.byId(developerId), approvalRequest: null };
  }
}
