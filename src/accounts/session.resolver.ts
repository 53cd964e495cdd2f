import { Arg, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import { type RequestContext, sessionOf } from '../core/context.js';
import type { DeveloperId, SessionPrincipal, UserId } from '../core/principal.js';
import { actorOf } from './acting-user.js';
import { Developer } from './developer.types.js';
import type { DevelopersReader } from './developers.reader.js';
import { Session, SignInInput, Viewer } from './session.types.js';
import type { UserService } from './user.service.js';

export const viewerOf = ({ userId, name, email, role, developerId }: SessionPrincipal): Viewer => ({
  id: userId,
  name,
  email,
  role,
  developerId,
});

@Resolver(() => Viewer)
export class SessionResolver {
  readonly #users: UserService;
  readonly #developers: DevelopersReader;

  constructor(users: UserService, developers: DevelopersReader) {
    this.#users = users;
    this.#developers = developers;
  }

  @Query(() => Viewer, { nullable: true, description: 'Who is signed in.' })
  viewer(@Ctx() context: RequestContext): Viewer {
    return viewerOf(sessionOf(context));
  }

  @FieldResolver(() => Developer, {
    nullable: true,
    description: 'The account of a developer’s user; null for the operator’s own people.',
  })
  async developer(@Root() { developerId }: Viewer): Promise<Developer | null> {
    return developerId === undefined ? null : this.#developers.byId(developerId);
  }

  @Mutation(() => Session, {
    nullable: true,
    description: 'Opens a session: an HttpOnly cookie for browsers, and the same token for other clients.',
  })
  async signIn(
    @Arg('input', () => SignInInput, { description: 'Who signs in.' }) { email, password }: SignInInput,
    @Ctx() context: RequestContext,
  ): Promise<Session> {
    const { token, expiresAt, user } = await this.#users.signIn(email, password, context.addressKey, context.requestId);
    context.setSession?.({ token, expiresAt });
    const developerId = (user.developerId ?? undefined) as DeveloperId | undefined;
    const viewer = { id: user.id as UserId, name: user.name, email: user.email, role: user.role, developerId };
    return { token, expiresAt, viewer };
  }

  @Mutation(() => Boolean, { nullable: true, description: 'Ends the session of this request. Always true.' })
  async signOut(@Ctx() context: RequestContext): Promise<boolean> {
    await this.#users.signOut(sessionOf(context).sessionHash, actorOf(context));
    context.setSession?.('clear');
    return true;
  }
}
