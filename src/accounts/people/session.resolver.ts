import { Arg, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import { type RequestContext, sessionOf } from '../../core/context.js';
import { AppError } from '../../core/errors.js';
import type { DeveloperId, SessionPrincipal, UserId } from '../../core/principal.js';
import { sameBytes } from '../../core/secret.js';
import { bytesOf } from '../../db/orm.js';
import { recordId } from '../../graphql-toolkit/node.js';
import { Entries } from '../../graphql-toolkit/rows.js';
import { actorOf } from '../account.changes.js';
import type { SessionRow, UserRow } from '../account.entities.js';
import { Developer } from '../developers/developer.types.js';
import type { DevelopersReader } from '../developers/developers.reader.js';
import type { PeopleReader } from './people.reader.js';
import { User } from './people.types.js';
import type { SessionService } from './session.service.js';
import {
  EndSessionInput,
  EndSessionsInput,
  EndSessionsPayload,
  Session,
  SignInInput,
  SignInPayload,
  SignOutPayload,
  Viewer,
} from './session.types.js';

/** What a session does not open, nobody is shown of the account. */
export const viewerOf = ({ userId, developerId, role, teamRole, mustEnrol }: SessionPrincipal): Viewer => ({
  mustEnrol,
  userId,
  developerId: mustEnrol ? undefined : developerId,
  role,
  teamRole,
});

export const viewerOfUser = ({ id, developerId, role, teamRole }: UserRow, { mustEnrol = false } = {}): Viewer => ({
  mustEnrol,
  userId: id,
  developerId: mustEnrol ? undefined : ((developerId ?? undefined) as DeveloperId | undefined),
  role,
  teamRole: teamRole ?? undefined,
});

/** A session as its user sees it. */
export function sessionView(row: SessionRow, context: RequestContext): Session {
  const { id, createdAt, lastUsedAt, expiresAt, address, agent, sessionHash } = row;
  return {
    id,
    createdAt,
    lastSeenAt: lastUsedAt,
    expiresAt,
    address: address ?? null,
    agent: agent ?? null,
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
    description:
      'The account of a developer’s user; null for staff, and before a second factor that the user must have.',
  })
  async developer(@Root() { developerId }: Viewer): Promise<Developer | null> {
    return developerId === undefined ? null : this.developers.byId(developerId);
  }

  @Mutation(() => SignInPayload, {
    nullable: true,
    description: 'Opens a session: an HttpOnly cookie for browsers, and the same token for other clients.',
  })
  async signIn(
    @Arg('input', () => SignInInput, { description: 'Who signs in.' }) input: SignInInput,
    @Ctx() context: RequestContext,
  ): Promise<SignInPayload> {
    const { token, expiresAt, user, mustEnrol } = await this.sessionService.signIn(input, context);
    context.setSession?.({ token, expiresAt });
    const viewer = viewerOfUser(user, { mustEnrol });
    context.signedIn = viewer;
    return { token, expiresAt, viewer, mustEnrol };
  }

  @Mutation(() => SignOutPayload, { nullable: true, description: 'Ends the session of this request.' })
  async signOut(@Ctx() context: RequestContext): Promise<SignOutPayload> {
    await this.sessionService.signOut(sessionOf(context), actorOf(context));
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
    const endedSessions = await this.sessionService.endAll(userId, all ? undefined : sessionHash, actorOf(context));
    if (all) context.setSession?.('clear');
    return { endedSessions };
  }

  @FieldResolver(() => [Session], {
    nullable: true,
    description: 'The open sessions of the signed-in user, newest first; at most 200. Null where somebody signs in.',
  })
  @Entries(10)
  async sessions(@Root() { userId }: Viewer, @Ctx() context: RequestContext): Promise<Session[] | null> {
    if (context.principal?.kind !== 'session') return null;
    const rows = await this.sessionService.list(userId as UserId);
    return rows.map((row) => sessionView(row, context));
  }

  @Mutation(() => EndSessionsPayload, { nullable: true, description: 'Ends one session of the signed-in user.' })
  async endSession(
    @Arg('input', () => EndSessionInput, { description: 'Which one.' }) { sessionId }: EndSessionInput,
    @Ctx() context: RequestContext,
  ): Promise<EndSessionsPayload> {
    await this.sessionService.end(sessionOf(context).userId, recordId(sessionId, 'ses', 'session'), actorOf(context));
    return { endedSessions: 1 };
  }
}
