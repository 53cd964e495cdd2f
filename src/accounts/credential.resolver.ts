import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { type RequestContext, sessionOf } from '../core/context.js';
import { AppError } from '../core/errors.js';
import { Arguments } from '../graphql-toolkit/arguments.js';
import { actorOf } from './acting-user.js';
import type { CredentialService } from './credential.service.js';
import { CreateCredentialArguments } from './developer.inputs.js';
import { IssuedCredential } from './developer.types.js';
import { viewerOf } from './session.resolver.js';
import { Viewer } from './session.types.js';

/** API keys in the developer panel. */
@Resolver()
export class CredentialResolver {
  readonly #credentials: CredentialService;

  constructor(credentials: CredentialService) {
    this.#credentials = credentials;
  }

  @Mutation(() => IssuedCredential, {
    nullable: true,
    description:
      'A new key of the signed-in developer. At most two per environment are live, so that a rotation overlaps.',
  })
  async createCredential(
    @Arguments(CreateCredentialArguments) { environment, label }: CreateCredentialArguments,
    @Ctx() context: RequestContext,
  ): Promise<IssuedCredential> {
    const { developerId } = sessionOf(context);
    if (developerId === undefined) throw new AppError('FORBIDDEN');
    return this.#credentials.create(developerId, environment, label, actorOf(context));
  }

  @Mutation(() => Viewer, {
    nullable: true,
    description: 'Ends a key and every token that came from it, at once. An admin may end any key.',
  })
  async revokeCredential(
    @Arg('clientId', { description: 'The key.' }) clientId: string,
    @Ctx() context: RequestContext,
  ): Promise<Viewer> {
    const session = sessionOf(context);
    const owner = session.role === 'admin' ? undefined : session.developerId;
    if (session.role !== 'admin' && owner === undefined) throw new AppError('FORBIDDEN');
    await this.#credentials.revoke(owner, clientId, actorOf(context));
    return viewerOf(session);
  }
}
