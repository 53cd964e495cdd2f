import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import type { RequestContext } from '../../core/context.js';
import type { DeveloperId } from '../../core/principal.js';
import { developerIdOf } from '../../graphql-toolkit/node.js';
import { actorOf } from '../acting-user.js';
import type { CredentialService } from '../keys/credential.service.js';
import { CredentialPayload, DeveloperPayload } from './developer.types.js';
import type { DevelopersReader } from './developers.reader.js';
import {
  LockProductionInput,
  ReinstateCredentialInput,
  ReinstateDeveloperInput,
  SuspendCredentialInput,
  SuspendDeveloperInput,
} from './suspension.inputs.js';
import type { SuspensionService } from './suspension.service.js';

interface Parts {
  suspensions: SuspensionService;
  credentials: CredentialService;
  developers: DevelopersReader;
}

/** Stops accounts and keys, and lets them go on again. */
@Resolver()
export class SuspensionResolver {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  @Mutation(() => DeveloperPayload, {
    nullable: true,
    description:
      'Stops every key and token of an account, from the next request on. Its people may still sign in and read; orders that were accepted before run to their end, and their webhooks go out.',
  })
  suspendDeveloper(
    @Arg('input', () => SuspendDeveloperInput, { description: 'Which account, and why.' })
    { developerId, reason }: SuspendDeveloperInput,
    @Ctx() context: RequestContext,
  ): Promise<DeveloperPayload> {
    return this.#developer(developerId, (id) => this.#parts.suspensions.suspend(id, reason, actorOf(context)));
  }

  @Mutation(() => DeveloperPayload, {
    nullable: true,
    description: 'Keys and tokens of a suspended account work again.',
  })
  reinstateDeveloper(
    @Arg('input', () => ReinstateDeveloperInput, { description: 'Which account.' })
    { developerId, reason }: ReinstateDeveloperInput,
    @Ctx() context: RequestContext,
  ): Promise<DeveloperPayload> {
    return this.#developer(developerId, (id) => this.#parts.suspensions.reinstate(id, reason, actorOf(context)));
  }

  @Mutation(() => DeveloperPayload, {
    nullable: true,
    description: 'Ends live access, from the next request on: the opposite of unlockProduction. UAT goes on.',
  })
  lockProduction(
    @Arg('input', () => LockProductionInput, { description: 'Which account, and why.' })
    { developerId, reason }: LockProductionInput,
    @Ctx() context: RequestContext,
  ): Promise<DeveloperPayload> {
    return this.#developer(developerId, (id) => this.#parts.suspensions.lockProduction(id, reason, actorOf(context)));
  }

  @Mutation(() => CredentialPayload, {
    nullable: true,
    description: 'Stops one key and every token that came from it, from the next request on.',
  })
  suspendCredential(
    @Arg('input', () => SuspendCredentialInput, { description: 'Which key, and why.' })
    { clientId, reason }: SuspendCredentialInput,
    @Ctx() context: RequestContext,
  ): Promise<CredentialPayload> {
    return this.#credential(clientId, this.#parts.credentials.suspend(clientId, reason, actorOf(context)));
  }

  @Mutation(() => CredentialPayload, { nullable: true, description: 'A suspended key and its tokens work again.' })
  reinstateCredential(
    @Arg('input', () => ReinstateCredentialInput, { description: 'Which key.' })
    { clientId, reason }: ReinstateCredentialInput,
    @Ctx() context: RequestContext,
  ): Promise<CredentialPayload> {
    return this.#credential(clientId, this.#parts.credentials.reinstate(clientId, reason, actorOf(context)));
  }

  /** The account as it is once the change is committed. */
  async #developer(developerId: string, change: (id: DeveloperId) => Promise<void>): Promise<DeveloperPayload> {
    const id = developerIdOf(developerId);
    await change(id);
    return { developer: await this.#parts.developers.byId(id), proposal: null };
  }

  /** The key as it is once the change is committed. */
  async #credential(clientId: string, changed: Promise<DeveloperId>): Promise<CredentialPayload> {
    const { developers } = this.#parts;
    const owner = await changed;
    const [developer, keys] = await Promise.all([developers.byId(owner), developers.credentials(owner)]);
    // keys are never deleted
    return { credential: keys.find((key) => key.clientId === clientId)!, developer };
  }
}
