import { Arg, Ctx, FieldResolver, Mutation, Resolver, Root } from 'type-graphql';
import { actorOf } from '../accounts/account.changes.js';
import type { DeveloperService } from '../accounts/developers/developer.service.js';
import { Developer, DeveloperPayload } from '../accounts/developers/developer.types.js';
import type { DevelopersReader } from '../accounts/developers/developers.reader.js';
import { ownAccountOf, type RequestContext } from '../core/context.js';
import { Entries } from '../graphql-toolkit/rows.js';
import type { GoLive } from './go-live.js';
import { GoLiveStep, ProductionRequest, RequestProductionInput } from './go-live.types.js';

/** The way of an account to live keys, and how its people ask for them. */
@Resolver(() => Developer)
export class GoLiveResolver {
  constructor(
    private readonly way: GoLive,
    private readonly developers: DeveloperService,
    private readonly reader: DevelopersReader,
  ) {}

  @FieldResolver(() => [GoLiveStep], {
    nullable: true,
    description: 'Every step from the sign-up to the first credit in Production, in the order in which they are taken.',
  })
  @Entries(7)
  goLive(@Root() developer: Developer): Promise<GoLiveStep[]> {
    return this.way.steps(developer);
  }

  @FieldResolver(() => ProductionRequest, {
    nullable: true,
    description: 'Asked for live access, while nobody has decided; null before, and once it is unlocked.',
  })
  productionRequest(@Root() { requestedAt, requestMessage, productionUnlocked }: Developer): ProductionRequest | null {
    return requestedAt && !productionUnlocked ? { requestedAt, message: requestMessage } : null;
  }

  @Mutation(() => DeveloperPayload, {
    nullable: true,
    description: 'Asks an admin for live access, once the account is approved and until somebody has decided.',
  })
  async requestProduction(
    @Arg('input', () => RequestProductionInput, { description: 'What it is for.' }) { message }: RequestProductionInput,
    @Ctx() context: RequestContext,
  ): Promise<DeveloperPayload> {
    const developerId = ownAccountOf(context);
    await this.developers.requestProduction(developerId, message, actorOf(context));
    return { developer: await this.reader.byId(developerId), approvalRequest: null };
  }
}
