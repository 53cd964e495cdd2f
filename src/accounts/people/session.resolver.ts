import { Arg, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import { type RequestContext, sessionOf } from '../../core/context.js';
import { AppError } from '../../core/errors.js';
import type { DeveloperId, SessionPrincipal } from '../../core/principal.js';
import { sameBytes } from '../../core/secret.js';
import { bytesOf } from '../../db/orm.js';
import { recordId } from '../../graphql-toolkit/node.js';
import { Entries, ExtraReads, READ_TOGETHER } from '../../graphql-toolkit/rows.js';
import { actorOf } from '../account.changes.js';
import type { UserRow } from '../account.entities.js';
import { Developer } from '../developers/developer.types.js';
import type { DevelopersReader } from '../developers/developers.reader.js';
import { canSeeUser, type PeopleReader } from './people.reader.js';
import { User } from './people.types.js';
import type { OpenSession, SessionService } from './session.service.js';
import {
  RevokeSessionInput,
  RevokeSessionsInput,
  RevokeSessionsPayload,
  RevokeUserSessionsInput,
  RevokeUserSessionsPayload,
  Session,
  SignInInput,
  SignInPayload,
  SignOutPayload,
  Viewer,
} from './session.types.js';

/** Returns the viewer. A session that must enroll a second factor shows nothing of the account. */
export const viewerOf = ({ userId, developerId, role, teamRole, mustEnroll }: SessionPrincipal): Viewer => ({
  mustEnroll,
  userId,
  developerId: mustEnroll ? undefined : developerId,
  role,
  teamRole,
});

export const viewerOfUser = ({ id, developerId, role, teamRole }: UserRow, { mustEnroll = false } = {}): Viewer => ({
  mustEnroll,
  userId: id,
  developerId: mustEnroll ? undefined : ((developerId ?? undefined) as DeveloperId | undefined),
  role,
  teamRole: teamRole ?? undefined,
});

/** Returns the session as shown to its user and to others who can read the user's sessions. */
export function sessionView(row: OpenSession, context: RequestContext): Session {
  const { id, createdAt, lastUsedAt, expiresAt, address, agent, sessionHash } = row;
  return {
    id,
    createdAt,
    lastSeenAt: lastUsedAt,
    expiresAt,
    address: address ?? null,
    userAgent: agent ?? null,
    current: sameBytes(bytesOf(sessionHash), sessionOf(context).sessionHash),
  };
}

@Resolver(() => Viewer)
export class SessionResolver {
  constructor(
    private readonly sessionService: SessionService,
    private readonly developers: DevelopersReader,
    private readonly people: PeopleReader,
  ) {}

  @Query(() => Boolean, {
    nullable: true,
    description:
      'Whether the request has a valid session. A request that selects both `isSignedIn` and `viewer` returns status 200 even without a session.',
  })
  isSignedIn(@Ctx() { principal }: RequestContext): boolean {
    return principal?.kind === 'session';
  }

  @Query(() => Viewer, { nullable: true, description: 'The signed-in user.' })
  viewer(@Ctx() context: RequestContext): Viewer {
    return viewerOf(sessionOf(context));
  }

  @FieldResolver(() => User, { description: 'Details of the user.' })
  async user(@Root() { userId }: Viewer): Promise<User> {
    const user = await this.people.find(userId);
    if (!user) throw new AppError('RECORD_NOT_FOUND', { message: 'Unknown user.' });
    return user;
  }

  @FieldResolver(() => Developer, {
    nullable: true,
    description: 'Account of the user. Null for staff, and until the user has added a required second factor.',
  })
  async developer(@Root() { developerId }: Viewer): Promise<Developer | null> {
    return developerId === undefined ? null : this.developers.byId(developerId);
  }

  @Mutation(() => SignInPayload, {
    nullable: true,
    description: 'Opens a session: an HttpOnly cookie for browsers, and the same token for other clients.',
  })
  async signIn(
    @Arg('input', () => SignInInput, { description: 'Credentials.' }) input: SignInInput,
    @Ctx() context: RequestContext,
  ): Promise<SignInPayload> {
    const { token, expiresAt, user, mustEnroll } = await this.sessionService.signIn(input, context);
    context.setSession?.({ token, expiresAt });
    const viewer = viewerOfUser(user, { mustEnroll });
    context.signedIn = viewer;
    return { token, expiresAt, viewer, mustEnroll };
  }

  @Mutation(() => SignOutPayload, { nullable: true, description: 'Revokes the session of this request.' })
  async signOut(@Ctx() context: RequestContext): Promise<SignOutPayload> {
    await this.sessionService.signOut(sessionOf(context), actorOf(context));
    context.setSession?.('clear');
    return { signedOut: true };
  }

  @Mutation(() => RevokeSessionsPayload, {
    nullable: true,
    description: 'Revokes sessions of the signed-in user on all devices.',
  })
  async revokeSessions(
    @Arg('input', () => RevokeSessionsInput, { description: 'Scope of the sessions.' }) { scope }: RevokeSessionsInput,
    @Ctx() context: RequestContext,
  ): Promise<RevokeSessionsPayload> {
    const { sessionHash, userId } = sessionOf(context);
    const all = scope === 'all';
    const revokedSessions = await this.sessionService.revokeAll(
      userId,
      all ? undefined : sessionHash,
      actorOf(context),
    );
    if (all) context.setSession?.('clear');
    return { revokedSessions };
  }

  @FieldResolver(() => [Session], {
    nullable: true,
    description: 'Open sessions of the signed-in user, newest first; at most 200. Null in the response of a sign-in.',
  })
  @Entries(10)
  async sessions(@Root() { userId }: Viewer, @Ctx() context: RequestContext): Promise<Session[] | null> {
    if (context.principal?.kind !== 'session') return null;
    const rows = await this.sessionService.list(userId);
    return rows.map((row) => sessionView(row, context));
  }

  @Mutation(() => RevokeSessionsPayload, { nullable: true, description: 'Revokes one session of the signed-in user.' })
  async revokeSession(
    @Arg('input', () => RevokeSessionInput, { description: 'Session.' }) { sessionId }: RevokeSessionInput,
    @Ctx() context: RequestContext,
  ): Promise<RevokeSessionsPayload> {
    await this.sessionService.revoke(
      sessionOf(context).userId,
      recordId(sessionId, 'ses', 'session'),
      actorOf(context),
    );
    return { revokedSessions: 1 };
  }
}

/**
 * Whether the caller can see the sessions of a user. Users see their own, administrators see all, and support and owners see
 * those of accounts.
 */
export function seesSessions(context: RequestContext, user: User): boolean {
  const { principal } = context;
  if (principal?.kind !== 'session') return false;
  if (principal.userId === user.id || principal.role === 'admin') return true;
  const canRead = principal.role === 'support' || principal.teamRole === 'owner';
  return canRead && user.developerId !== null && canSeeUser(context, user);
}

/** Resolver for the sessions of other users, for staff and for owners of the account. */
@Resolver(() => User)
export class UserSessionsResolver {
  constructor(
    private readonly sessionService: SessionService,
    private readonly people: PeopleReader,
  ) {}

  @FieldResolver(() => [Session], {
    nullable: true,
    description:
      'Open sessions of the user, newest first; at most 200. Visible to administrators, owners of the account and support. Null for others, and for staff sessions read by support.',
  })
  @Entries(3)
  @ExtraReads(READ_TOGETHER)
  async sessions(@Root() user: User, @Ctx() context: RequestContext): Promise<Session[] | null> {
    if (!seesSessions(context, user)) return null;
    return (await this.sessionService.list(user.id)).map((row) => sessionView(row, context));
  }

  @Mutation(() => RevokeUserSessionsPayload, {
    nullable: true,
    description:
      'Revokes one or all sessions of another user. The user receives an email. Use `revokeSession` and `revokeSessions` for your own sessions.',
  })
  async revokeUserSessions(
    @Arg('input', () => RevokeUserSessionsInput, { description: 'User and session.' })
    { userId, sessionId, reason }: RevokeUserSessionsInput,
    @Ctx() context: RequestContext,
  ): Promise<RevokeUserSessionsPayload> {
    const { userId: own, role } = sessionOf(context);
    const user = await this.people.find(recordId(userId, 'usr', 'user'));
    if (!user || user.invitedUntil || !canSeeUser(context, user))
      throw new AppError('RECORD_NOT_FOUND', { message: 'Unknown user.' });
    if (user.id === own)
      throw new AppError('FORBIDDEN', {
        message: 'Revoke your own sessions with `revokeSession` or `revokeSessions`.',
      });
    const session = sessionId === undefined ? undefined : recordId(sessionId, 'ses', 'session');
    const by = { ...actorOf(context), who: role === 'developer' ? ('owner' as const) : ('staff' as const) };
    return {
      revokedSessions: await this.sessionService.revokeOf({ userId: user.id, sessionId: session, reason }, by),
      user,
    };
  }
}
