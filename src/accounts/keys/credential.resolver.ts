import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { ownAccountOf, type RequestContext, sessionOf } from '../../core/context.js';
import type { DeveloperId } from '../../core/principal.js';
import { actorOf } from '../account.changes.js';
import type { DevelopersReader } from '../developers/developers.reader.js';
import type { CredentialService } from './credential.service.js';
import {
  CancelCredentialInput,
  CreateCredentialInput,
  CreateCredentialPayload,
  CredentialPayload,
  ReinstateCredentialInput,
  RevokeCredentialInput,
  RotateCredentialInput,
  SuspendCredentialInput,
} from './credential.types.js';

/** API keys: an account makes its own, and admins stop any. The answer is the key as it is once the change is committed. */
@Resolver()
export class CredentialResolver {
  constructor(
    private readonly credentials: CredentialService,
    private readonly developers: DevelopersReader,
  ) {}

  @Mutation(() => CreateCredentialPayload, {
    nullable: true,
    description:
      'A new key of the signed-in developer. At most two per environment are live, beside those that were rotated.',
  })
  async createCredential(
    @Arg('input', () => CreateCredentialInput, { description: 'Where it works.' })
    { environment, label }: CreateCredentialInput,
    @Ctx() context: RequestContext,
  ): Promise<CreateCredentialPayload> {
    const developerId = ownAccountOf(context);
    const { clientId, apiSecret } = await this.credentials.create(developerId, environment, label, actorOf(context));
    return { ...(await this.#shown(developerId, clientId)), apiSecret };
  }

  @Mutation(() => CredentialPayload, {
    nullable: true,
    description:
      'Ends a key and every token that came from it, at once, and its webhook endpoints where that is said. An admin may end any key.',
  })
  async revokeCredential(
    @Arg('input', () => RevokeCredentialInput, { description: 'Which key.' })
    { clientId, endpoints }: RevokeCredentialInput,
    @Ctx() context: RequestContext,
  ): Promise<CredentialPayload> {
    const key = { clientId, developerId: ownerFor(context) };
    return this.#shown(await this.credentials.revoke(key, endpoints, actorOf(context)), clientId);
  }

  @Mutation(() => CreateCredentialPayload, {
    nullable: true,
    description:
      'A new key in the place of one, with its label and webhook endpoints. The old one and its tokens work until the overlap is over. Staff see no secret of an account: its own people rotate.',
  })
  async rotateCredential(
    @Arg('input', () => RotateCredentialInput, { description: 'Which key, and how long both work.' })
    { clientId, overlapHours }: RotateCredentialInput,
    @Ctx() context: RequestContext,
  ): Promise<CreateCredentialPayload> {
    const key = { clientId, developerId: ownAccountOf(context) };
    const issued = await this.credentials.rotate(key, overlapHours, actorOf(context));
    return { ...(await this.#shown(issued.developerId, issued.clientId)), apiSecret: issued.apiSecret };
  }

  @Mutation(() => CredentialPayload, {
    nullable: true,
    description:
      'Cancels an API key of the account that has not started. The API key that it would replace does not end. Owners only.',
  })
  async cancelCredential(
    @Arg('input', () => CancelCredentialInput, { description: 'API key to cancel.' })
    { clientId }: CancelCredentialInput,
    @Ctx() context: RequestContext,
  ): Promise<CredentialPayload> {
    const key = { clientId, developerId: ownAccountOf(context) };
    return this.#shown(await this.credentials.cancel(key, actorOf(context)), clientId);
  }

  @Mutation(() => CredentialPayload, {
    nullable: true,
    description: 'Stops one key and every token that came from it, from the next request on.',
  })
  async suspendCredential(
    @Arg('input', () => SuspendCredentialInput, { description: 'Which key, and why.' })
    { clientId, reason }: SuspendCredentialInput,
    @Ctx() context: RequestContext,
  ): Promise<CredentialPayload> {
    return this.#shown(await this.credentials.suspend(clientId, reason, actorOf(context)), clientId);
  }

  @Mutation(() => CredentialPayload, { nullable: true, description: 'A suspended key and its tokens work again.' })
  async reinstateCredential(
    @Arg('input', () => ReinstateCredentialInput, { description: 'Which key.' })
    { clientId, reason }: ReinstateCredentialInput,
    @Ctx() context: RequestContext,
  ): Promise<CredentialPayload> {
    return this.#shown(await this.credentials.reinstate(clientId, reason, actorOf(context)), clientId);
  }

  /** A key and its developer as they are now. Keys are never deleted. */
  async #shown(developerId: DeveloperId, clientId: string): Promise<CredentialPayload> {
    const [developer, credentials] = await Promise.all([
      this.developers.byId(developerId),
      this.developers.credentials(developerId),
    ]);
    return { developer, credential: credentials.find((credential) => credential.clientId === clientId)! };
  }
}

/** Whose keys somebody may end; undefined: everybody's. Errors: FORBIDDEN for a user without an account. */
function ownerFor(context: RequestContext): DeveloperId | undefined {
  return sessionOf(context).role === 'admin' ? undefined : ownAccountOf(context);
}
