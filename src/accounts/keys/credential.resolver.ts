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

/**
 * Resolver for API keys. An account creates its own; administrators revoke or suspend any. Mutations return the API key as
 * committed.
 */
@Resolver()
export class CredentialResolver {
  constructor(
    private readonly credentials: CredentialService,
    private readonly developers: DevelopersReader,
  ) {}

  @Mutation(() => CreateCredentialPayload, {
    nullable: true,
    description:
      'Creates an API key for the account of the signed-in user. At most two API keys per environment can be active, not counting rotated ones.',
  })
  async createCredential(
    @Arg('input', () => CreateCredentialInput, { description: 'Environment and label of the API key.' })
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
      'Revokes an API key and all its tokens immediately, and disables its webhook endpoints if `endpoints` is DISABLE. An administrator can revoke any API key.',
  })
  async revokeCredential(
    @Arg('input', () => RevokeCredentialInput, { description: 'API key to revoke.' })
    { clientId, endpoints }: RevokeCredentialInput,
    @Ctx() context: RequestContext,
  ): Promise<CredentialPayload> {
    const key = { clientId, developerId: ownerFor(context) };
    return this.#shown(await this.credentials.revoke(key, endpoints, actorOf(context)), clientId);
  }

  @Mutation(() => CreateCredentialPayload, {
    nullable: true,
    description:
      'Replaces an API key with a new one that has the same label and webhook endpoints. The old API key and its tokens work until the overlap ends. Only users of the account can rotate an API key, because staff never see its secret.',
  })
  async rotateCredential(
    @Arg('input', () => RotateCredentialInput, { description: 'API key to rotate, and the overlap.' })
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
      'Cancels an API key before its start time. The API key that it would have replaced remains active. Only owners of the account can do this.',
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
    description: 'Suspends an API key and all its tokens. Takes effect on the next request.',
  })
  async suspendCredential(
    @Arg('input', () => SuspendCredentialInput, { description: 'API key to suspend, and the reason.' })
    { clientId, reason }: SuspendCredentialInput,
    @Ctx() context: RequestContext,
  ): Promise<CredentialPayload> {
    return this.#shown(await this.credentials.suspend(clientId, reason, actorOf(context)), clientId);
  }

  @Mutation(() => CredentialPayload, { nullable: true, description: 'Reinstates a suspended API key and its tokens.' })
  async reinstateCredential(
    @Arg('input', () => ReinstateCredentialInput, { description: 'API key to reinstate.' })
    { clientId, reason }: ReinstateCredentialInput,
    @Ctx() context: RequestContext,
  ): Promise<CredentialPayload> {
    return this.#shown(await this.credentials.reinstate(clientId, reason, actorOf(context)), clientId);
  }

  /** Returns the current state of an API key and its account. API keys are never deleted. */
  async #shown(developerId: DeveloperId, clientId: string): Promise<CredentialPayload> {
    const [developer, credentials] = await Promise.all([
      this.developers.byId(developerId),
      this.developers.credentials(developerId),
    ]);
    return { developer, credential: credentials.find((credential) => credential.clientId === clientId)! };
  }
}

/**
 * Returns the account whose API keys the caller can revoke, or undefined for any account. Throws FORBIDDEN for a user without
 * an account.
 */
function ownerFor(context: RequestContext): DeveloperId | undefined {
  return sessionOf(context).role === 'admin' ? undefined : ownAccountOf(context);
}
