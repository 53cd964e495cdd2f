import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { maySeeAccount, type RequestContext } from '../../core/context.js';
import { AppError } from '../../core/errors.js';
import type { DeveloperId } from '../../core/principal.js';
import { developerIdOf, recordId } from '../../graphql-toolkit/node.js';
import { actorOf } from '../acting-user.js';
import {
  ApproveDeveloperInput,
  MoveToWhiteLabelInput,
  RejectDeveloperInput,
  RemoveFromWhiteLabelInput,
  ResetRateLimitInput,
  SetDuplicateGuardInput,
  SetRateLimitInput,
  SetServiceAccessInput,
  UnlockProductionInput,
} from './developer.inputs.js';
import type { DeveloperService } from './developer.service.js';
import { DeveloperPayload } from './developer.types.js';
import type { DevelopersReader } from './developers.reader.js';

const WHOSE = { description: 'Which developer.' };

/** What an admin decides about a developer. Each is one verb of the service; the answer is the account after it. */
@Resolver()
export class DeveloperAdminResolver {
  readonly #service: DeveloperService;
  readonly #developers: DevelopersReader;

  constructor(service: DeveloperService, developers: DevelopersReader) {
    this.#service = service;
    this.#developers = developers;
  }

  @Mutation(() => DeveloperPayload, {
    nullable: true,
    description:
      'Approves an account whose KYC is submitted: both wallets open, play money is in the UAT one, and the services that are named are enabled. One wrong service or fee, and nothing happens.',
  })
  approveDeveloper(
    @Arg('input', () => ApproveDeveloperInput, { description: 'Which developer, and what is enabled.' })
    { developerId, services }: ApproveDeveloperInput,
    @Ctx() context: RequestContext,
  ): Promise<DeveloperPayload> {
    const grants = services?.map(({ service, fee }) => ({ service, feePaise: fee }));
    return this.#after(developerId, (id) => this.#service.approve(id, actorOf(context), grants));
  }

  @Mutation(() => DeveloperPayload, { nullable: true, description: 'Refuses an account whose KYC is submitted.' })
  rejectDeveloper(
    @Arg('input', () => RejectDeveloperInput, { description: 'Which developer, and why.' })
    { developerId, reason }: RejectDeveloperInput,
    @Ctx() context: RequestContext,
  ): Promise<DeveloperPayload> {
    return this.#after(developerId, (id) => this.#service.reject(id, reason, actorOf(context)));
  }

  @Mutation(() => DeveloperPayload, { nullable: true, description: 'Live access for an approved account.' })
  unlockProduction(
    @Arg('input', () => UnlockProductionInput, WHOSE) { developerId }: UnlockProductionInput,
    @Ctx() context: RequestContext,
  ): Promise<DeveloperPayload> {
    return this.#after(developerId, (id) => this.#service.unlockProduction(id, actorOf(context)));
  }

  @Mutation(() => DeveloperPayload, {
    nullable: true,
    description: 'Switches one service of a developer and sets its fee; felt on the next request.',
  })
  setServiceAccess(
    @Arg('input', () => SetServiceAccessInput, { description: 'Which service, and how.' }) input: SetServiceAccessInput,
    @Ctx() context: RequestContext,
  ): Promise<DeveloperPayload> {
    const { service, enabled, fee } = input;
    return this.#after(input.developerId, (id) =>
      this.#service.setServiceAccess(id, service, enabled, fee, actorOf(context)),
    );
  }

  @Mutation(() => DeveloperPayload, {
    nullable: true,
    description: 'Puts a developer under a white label, whose provider counts from then on.',
  })
  moveToWhiteLabel(
    @Arg('input', () => MoveToWhiteLabelInput, { description: 'Which developer, and where to.' })
    { developerId, whiteLabelId }: MoveToWhiteLabelInput,
    @Ctx() context: RequestContext,
  ): Promise<DeveloperPayload> {
    const label = recordId(whiteLabelId, 'wlb', 'white label');
    return this.#after(developerId, (id) => this.#service.setWhiteLabel(id, label, actorOf(context)));
  }

  @Mutation(() => DeveloperPayload, {
    nullable: true,
    description: 'Puts a developer back on the platform: its own provider counts again.',
  })
  removeFromWhiteLabel(
    @Arg('input', () => RemoveFromWhiteLabelInput, WHOSE) { developerId }: RemoveFromWhiteLabelInput,
    @Ctx() context: RequestContext,
  ): Promise<DeveloperPayload> {
    return this.#after(developerId, (id) => this.#service.setWhiteLabel(id, null, actorOf(context)));
  }

  @Mutation(() => DeveloperPayload, {
    nullable: true,
    description: 'Another rate limit for one developer. Felt on the next request.',
  })
  setRateLimit(
    @Arg('input', () => SetRateLimitInput, { description: 'Which developer, and how much.' })
    { developerId, perMinute }: SetRateLimitInput,
    @Ctx() context: RequestContext,
  ): Promise<DeveloperPayload> {
    return this.#after(developerId, (id) => this.#service.setRateLimit(id, perMinute, actorOf(context)));
  }

  @Mutation(() => DeveloperPayload, {
    nullable: true,
    description: 'The usual rate limit for a developer again. Felt on the next request.',
  })
  resetRateLimit(
    @Arg('input', () => ResetRateLimitInput, WHOSE) { developerId }: ResetRateLimitInput,
    @Ctx() context: RequestContext,
  ): Promise<DeveloperPayload> {
    return this.#after(developerId, (id) => this.#service.setRateLimit(id, undefined, actorOf(context)));
  }

  @Mutation(() => DeveloperPayload, {
    nullable: true,
    description:
      'For how long a recharge without a key that repeats a performed one is refused: of one’s own account, or by an admin of any. Felt on the next request.',
  })
  setDuplicateGuard(
    @Arg('input', () => SetDuplicateGuardInput, { description: 'Whose, and how long.' })
    { developerId, seconds }: SetDuplicateGuardInput,
    @Ctx() context: RequestContext,
  ): Promise<DeveloperPayload> {
    return this.#after(developerId, (id) => {
      if (!maySeeAccount(context, id))
        throw new AppError('RECORD_NOT_FOUND', { message: 'There is no such developer.' });
      return this.#service.setDuplicateGuard(id, seconds, actorOf(context));
    });
  }

  /** The account as it is once the change is committed. */
  async #after(developerId: string, change: (id: DeveloperId) => Promise<unknown>): Promise<DeveloperPayload> {
    const id = developerIdOf(developerId);
    await change(id);
    return { developer: await this.#developers.byId(id), proposal: null };
  }
}
