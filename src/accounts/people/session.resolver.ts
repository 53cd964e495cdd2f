import { Arg, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import { type RequestContext, sessionOf } from '../../core/context.js';
import { AppError } from '../../core/errors.js';
import type { DeveloperId, SessionPrincipal } from '../../core/principal.js';
import { actorOf } from '../account.changes.js';
import type { UserRow } from '../account.entities.js';
import { Developer } from '../developers/developer.types.js';
import type { DevelopersReader } from '../developers/developers.reader.js';
import type { PeopleReader } from './people.reader.js';
import { User } from './people.types.js';
import {
  EndSessionsInput,
  EndSessionsPayload,
  SignInInput,
  SignInPayload,
  SignOutPayload,
  Viewer,
} from './session.types.js';
import type { UserService } from './user.service.js';

export const viewerOf = ({ userId, developerId, role, teamRole }: SessionPrincipal): Viewer => ({
  userId,
  developerId,
  role,
  teamRole,
});

export const viewerOfUser = ({ id, developerId, role, teamRole }: UserRow): Viewer => ({
  userId: id,
  developerId: (developerId ?? undefined) as DeveloperId | undefined,
  role,
  teamRole: teamRole ?? undefined,
});

@Resolver(() => Viewer)
export class SessionResolver {
  constructor(
    private readonly users: UserService,
    private readonly developers: DevelopersReader,
    private readonly people: PeopleReader,
  ) {}

  @Query(() => Viewer, { nullable: true, description: 'Who is signed in.' })
  viewer(@Ctx() context: RequestContext): Viewer {
    return viewerOf(sessionOf(context));
  }

  @FieldResolver(() => User, { description: 'Who it is.' })
  async user(@Root() { userId }: Viewer): Promise<User> {
    const user = await this.people.find(userId);
    if (!user) throw new AppError('RECORD_NOT_FOUND', { message: 'There is no such user.' });
    return user;
  }

  @FieldResolver(() => Developer, {
    nullable: true,
    description: 'The account of a developer’s user; null for staff.',
  })
  async developer(@Root() { developerId }: Viewer): Promise<Developer | null> {
    return developerId === undefined ? null : this.developers.byId(developerId);
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
    const { token, expiresAt, user } = await this.users.signIn(email, password, addressKey, requestId);
    context.setSession?.({ token, expiresAt });
    const viewer = viewerOfUser(user);
    context.signedIn = viewer;
    return { token, expiresAt, viewer };
  }

  @Mutation(() => SignOutPayload, { nullable: true, description: 'Ends the session of this request.' })
  async signOut(@Ctx() context: RequestContext): Promise<SignOutPayload> {
    const { sessionHash, userId } = sessionOf(context);
    await this.users.signOut(sessionHash, userId, actorOf(context));
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
    const endedSessions = await this.users.endSessions(userId, all ? undefined : sessionHash, actorOf(context));
    if (all) context.setSession?.('clear');
    return { endedSessions };
  }
}
