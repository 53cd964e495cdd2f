import { Arg, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import { type RequestContext, sessionOf } from '../core/context.js';
import type { DeveloperId, SessionPrincipal, UserId } from '../core/principal.js';
import type { UserRow } from './account.entities.js';
import { actorOf } from './acting-user.js';
import { Developer } from './developer.types.js';
import type { DevelopersReader } from './developers.reader.js';
import {
  EndSessionsInput,
  EndSessionsPayload,
  SignInInput,
  SignInPayload,
  SignOutPayload,
  Viewer,
} from './session.types.js';
import type { UserService } from './user.service.js';

export const viewerOf = ({ userId, name, email, role, developerId }: SessionPrincipal): Viewer => ({
  id: userId,
  name,
  email,
  role,
  developerId,
});

export const viewerOfUser = ({ id, name, email, role, developerId }: UserRow): Viewer => ({
  id: id as UserId,
  name,
  email,
  role,
  developerId: (developerId ?? undefined) as DeveloperId | undefined,
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
    description: 'The account of a developer’s user; null for staff.',
  })
  async developer(@Root() { developerId }: Viewer): Promise<Developer | null> {
    return developerId === undefined ? null : this.#developers.byId(developerId);
  }

  @Mutation(() => SignInPayload, {
    nullable: true,
    description: 'Opens a session: an HttpOnly cookie for browsers, and the same token for other clients.',
  })
  async signIn(
    @Arg('input', () => SignInInput, { description: 'Who signs in.' }) { email, password }: SignInInput,
    @Ctx() context: RequestContext,
  ): Promise<SignInPayload> {
    const { addressKey, requestId } = context;
    const { token, expiresAt, user } = await this.#users.signIn(email, password, addressKey, requestId);
    context.setSession?.({ token, expiresAt });
    return { token, expiresAt, viewer: viewerOfUser(user) };
  }

  @Mutation(() => SignOutPayload, { nullable: true, description: 'Ends the session of this request.' })
  async signOut(@Ctx() context: RequestContext): Promise<SignOutPayload> {
    const { sessionHash, userId } = sessionOf(context);
    await this.#users.signOut(sessionHash, userId, actorOf(context));
    context.setSession?.('clear');
    return { signedOut: true };
  }

  @Mutation(() => EndSessionsPayload, {
    nullable: true,
    description: 'Ends sessions of the signed-in user, on every device.',
  })
  async endSessions(
    @Arg('input', () => EndSessionsInput, { description: 'Which ones.' }) { which }: EndSessionsInput,
    @Ctx() context: RequestContext,
  ): Promise<EndSessionsPayload> {
    const { sessionHash, userId } = sessionOf(context);
    const all = which === 'all';
    const endedSessions = await this.#users.endSessions(userId, all ? undefined : sessionHash, actorOf(context));
    if (all) context.setSession?.('clear');
    return { endedSessions };
  }
}
