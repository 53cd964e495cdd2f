import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import type { RequestContext } from '../core/context.js';
import type { DeveloperId } from '../core/principal.js';
import { Arguments } from '../graphql-toolkit/arguments.js';
import { developerIdOf, recordId } from '../graphql-toolkit/record-id.js';
import { actorOf } from './acting-user.js';
import { RejectDeveloperArguments, SetRateLimitArguments, SetServiceAccessInput } from './developer.inputs.js';
import type { DeveloperService } from './developer.service.js';
import { Developer } from './developer.types.js';
import type { DevelopersReader } from './developers.reader.js';

const DEVELOPER_ID = { description: 'Id of the developer.' };

/** What an admin decides about a developer. Each is one verb of the service; the answer is the account after it. */
@Resolver()
export class DeveloperAdminResolver {
  readonly #service: DeveloperService;
  readonly #developers: DevelopersReader;

  constructor(service: DeveloperService, developers: DevelopersReader) {
    this.#service = service;
    this.#developers = developers;
  }

  @Mutation(() => Developer, {
    nullable: true,
    description: 'Lets an account in whose KYC is submitted: both wallets open, play money is in the UAT one.',
  })
  approveDeveloper(
    @Arg('developerId', () => ID, DEVELOPER_ID) developerId: string,
    @Ctx() context: RequestContext,
  ): Promise<Developer> {
    return this.#after(developerId, (id) => this.#service.approve(id, actorOf(context)));
  }

  @Mutation(() => Developer, { nullable: true, description: 'Refuses an account whose KYC is submitted.' })
  rejectDeveloper(
    @Arguments(RejectDeveloperArguments) { developerId, reason }: RejectDeveloperArguments,
    @Ctx() context: RequestContext,
  ): Promise<Developer> {
    return this.#after(developerId, (id) => this.#service.reject(id, reason, actorOf(context)));
  }

  @Mutation(() => Developer, { nullable: true, description: 'Live access for an approved account.' })
  unlockProduction(
    @Arg('developerId', () => ID, DEVELOPER_ID) developerId: string,
    @Ctx() context: RequestContext,
  ): Promise<Developer> {
    return this.#after(developerId, (id) => this.#service.unlockProduction(id, actorOf(context)));
  }

  @Mutation(() => Developer, {
    nullable: true,
    description: 'Switches one service of a developer and sets its fee; felt on the next request.',
  })
  setServiceAccess(
    @Arg('input', () => SetServiceAccessInput, { description: 'Which service, and how.' }) input: SetServiceAccessInput,
    @Ctx() context: RequestContext,
  ): Promise<Developer> {
    const { service, enabled, fee } = input;
    return this.#after(input.developerId, (id) =>
      this.#service.setServiceAccess(id, service, enabled, fee, actorOf(context)),
    );
  }

  @Mutation(() => Developer, {
    nullable: true,
    description: 'Puts a developer under a white label, or back on the platform when none is given.',
  })
  setWhiteLabel(
    @Arg('developerId', () => ID, DEVELOPER_ID) developerId: string,
    @Arg('whiteLabelId', () => ID, { nullable: true, description: 'The white label; null for none.' })
    whiteLabelId: string | undefined,
    @Ctx() context: RequestContext,
  ): Promise<Developer> {
    const label = whiteLabelId === undefined ? null : recordId(whiteLabelId, 'white label');
    return this.#after(developerId, (id) => this.#service.setWhiteLabel(id, label, actorOf(context)));
  }

  @Mutation(() => Developer, {
    nullable: true,
    description: 'Another rate limit for one developer; null restores the usual one. Felt on the next request.',
  })
  setRateLimit(
    @Arguments(SetRateLimitArguments) { developerId, perMinute }: SetRateLimitArguments,
    @Ctx() context: RequestContext,
  ): Promise<Developer> {
    return this.#after(developerId, (id) => this.#service.setRateLimit(id, perMinute, actorOf(context)));
  }

  /** The account as it is once the change is committed. */
  async #after(developerId: string, change: (id: DeveloperId) => Promise<unknown>): Promise<Developer> {
    const id = developerIdOf(developerId);
    await change(id);
    return this.#developers.byId(id);
  }
}
