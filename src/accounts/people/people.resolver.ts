import { Arg, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { StoredApprovalRequest } from '../../approval-requests/approval-request.store.js';
import { ApprovalRequest, approvalRequestView } from '../../approval-requests/approval-request.types.js';
import { AuditEntry } from '../../audit/audit.types.js';
import { type RequestContext, sessionOf } from '../../core/context.js';
import { AppError } from '../../core/errors.js';
import { decidesMoney, type StaffRole, type UserId } from '../../core/principal.js';
import { recordId } from '../../graphql-toolkit/node.js';
import { Entries, READ_TOGETHER, RowsBeside } from '../../graphql-toolkit/rows.js';
import { Instant } from '../../graphql-toolkit/scalars.js';
import { actingUserOf, actorOf } from '../account.changes.js';
import type { AccountChangeService } from '../developers/account-change.service.js';
import { Developer } from '../developers/developer.types.js';
import type { DevelopersReader } from '../developers/developers.reader.js';
import type { InvitationService } from './invitation.service.js';
import { canSeeUser, type PeopleReader } from './people.reader.js';
import {
  Actor,
  ReinstateUserInput,
  RemoveUserInput,
  RemoveUserPayload,
  SetUserRoleInput,
  SuspendUserInput,
  User,
  UserPayload,
} from './people.types.js';
import { userSubject } from './user.state.js';

/** Whose user somebody is. */
@Resolver(() => User)
export class UserResolver {
  constructor(
    private readonly developers: DevelopersReader,
    private readonly people: PeopleReader,
  ) {}

  @FieldResolver(() => Instant, {
    nullable: true,
    description: 'When they signed in last; null for somebody who never did.',
  })
  @RowsBeside(READ_TOGETHER)
  lastSignInAt(@Root() { id }: User): Promise<Date | null> {
    return this.people.lastSignIn(id);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'Mobile number, for admins, the owners of the account and the user themselves; null for others, or where there is none.',
  })
  @RowsBeside(READ_TOGETHER)
  async mobile(@Root() user: User, @Ctx() context: RequestContext): Promise<string | null> {
    return seesMobile(context, user) ? this.people.mobile(user.id) : null;
  }

  @FieldResolver(() => Developer, {
    nullable: true,
    description: 'The account whose user it is; null for the operator’s own people.',
  })
  @RowsBeside(READ_TOGETHER)
  async developer(@Root() { developerId }: User): Promise<Developer | null> {
    return developerId === null ? null : this.developers.byId(developerId);
  }
}

function seesMobile({ principal }: RequestContext, { id, developerId }: User): boolean {
  if (principal?.kind !== 'session') return false;
  const { role, teamRole, userId } = principal;
  return userId === id || role === 'admin' || (teamRole === 'owner' && principal.developerId === developerId);
}

/** Who did what an entry of the audit log says. */
@Resolver(() => AuditEntry)
export class AuditActorResolver {
  constructor(private readonly people: PeopleReader) {}

  @FieldResolver(() => Actor, { description: 'Who did it.' })
  @RowsBeside(READ_TOGETHER)
  actor(@Root() { by }: AuditEntry, @Ctx() context: RequestContext): Promise<Actor> {
    return this.people.actor(by, context);
  }

  @FieldResolver(() => Actor, {
    nullable: true,
    description:
      'User who requested the approval that `actor` gave. Null without an approval request, and for users of an account.',
  })
  @RowsBeside(READ_TOGETHER)
  async requestedBy(@Root() { requester }: AuditEntry, @Ctx() context: RequestContext): Promise<Actor | null> {
    return requester === null ? null : this.people.actor(requester, context);
  }
}

/** The users of an approval request. */
@Resolver(() => ApprovalRequest)
export class ApprovalRequestPeopleResolver {
  constructor(private readonly people: PeopleReader) {}

  @FieldResolver(() => Actor, { description: 'User who requested approval.' })
  @RowsBeside(READ_TOGETHER)
  requestedBy(@Root() { requester }: ApprovalRequest, @Ctx() context: RequestContext): Promise<Actor> {
    return this.people.actor(userSubject(requester), context);
  }

  @FieldResolver(() => Actor, {
    nullable: true,
    description: 'User who approved or rejected the request; null for a pending or expired request.',
  })
  @RowsBeside(READ_TOGETHER)
  async resolvedBy(@Root() { resolverId }: ApprovalRequest, @Ctx() context: RequestContext): Promise<Actor | null> {
    return resolverId === null ? null : this.people.actor(userSubject(resolverId), context);
  }

  @FieldResolver(() => User, {
    nullable: true,
    description: 'User that the approval request would change; null when it is about none.',
  })
  @RowsBeside(READ_TOGETHER)
  async user(@Root() { subject }: ApprovalRequest): Promise<User | null> {
    if (!subject.startsWith(userSubject(''))) return null;
    return (await this.people.find(subject.slice(userSubject('').length))) ?? null;
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether the signed-in user can approve the request: it is pending, and another user, who can still request it, requested it.',
  })
  canApprove(@Root() approvalRequest: ApprovalRequest, @Ctx() context: RequestContext): boolean {
    const { state, requester, requesterActive, aboutMoney } = approvalRequest;
    const { role, userId } = sessionOf(context);
    return (
      state === 'pending' &&
      requesterActive &&
      (aboutMoney ? decidesMoney(role) : role === 'admin') &&
      requester !== userId
    );
  }
}

/** The people of an account, and those who decided about it. */
@Resolver(() => Developer)
export class DeveloperPeopleResolver {
  constructor(private readonly people: PeopleReader) {}

  @FieldResolver(() => [User], { nullable: true, description: 'Who may sign in for the account; at most 200.' })
  @Entries(5)
  users(@Root() { id }: Developer): Promise<User[]> {
    return this.people.ofAccount(id);
  }

  @FieldResolver(() => Actor, { nullable: true, description: 'Who approved it; null before that.' })
  @RowsBeside(READ_TOGETHER)
  async approvedBy(@Root() { approver }: Developer, @Ctx() context: RequestContext): Promise<Actor | null> {
    return approver === null ? null : this.people.actor(approver, context);
  }
}

/** The people of the console, and who of them may sign in. */
@Resolver()
export class UserAdminResolver {
  constructor(
    private readonly people: PeopleReader,
    private readonly invitations: InvitationService,
    private readonly accountChanges: AccountChangeService,
  ) {}

  @Query(() => [User], {
    nullable: true,
    description:
      'The operator’s own people, those who are invited included; at most 200. Those of an account are its `users`.',
  })
  @Entries(50)
  users(): Promise<User[]> {
    return this.people.staff();
  }

  @Mutation(() => UserPayload, {
    nullable: true,
    description:
      'Suspends a user: nobody signs in as them, and every session ends at once. Not for oneself, nor for the last administrator. Of an administrator it takes a second administrator where roles do, unless `emergency` is true. Another administrator confirms an emergency suspension with the same mutation.',
  })
  async suspendUser(
    @Arg('input', () => SuspendUserInput, { description: 'Who, and why.' })
    { userId, reason, emergency = false }: SuspendUserInput,
    @Ctx() context: RequestContext,
  ): Promise<UserPayload> {
    const id = recordId(userId, 'usr', 'user');
    // a slip that only another admin, or the command line, could mend
    if (id === sessionOf(context).userId) throw new AppError('FORBIDDEN', { message: 'You cannot suspend yourself.' });
    return this.#changed(
      id,
      await this.accountChanges.suspendUser(id as UserId, reason, emergency, actingUserOf(context)),
    );
  }

  @Mutation(() => UserPayload, {
    nullable: true,
    description:
      'Reinstates a suspended user, with the same password. Of staff above SUPPORT it takes a second administrator where roles do, unless it undoes an emergency suspension.',
  })
  async reinstateUser(
    @Arg('input', () => ReinstateUserInput, { description: 'Who.' }) { userId, reason }: ReinstateUserInput,
    @Ctx() context: RequestContext,
  ): Promise<UserPayload> {
    const id = recordId(userId, 'usr', 'user');
    return this.#changed(id, await this.accountChanges.reinstateUser(id as UserId, reason, actingUserOf(context)));
  }

  @Mutation(() => UserPayload, {
    nullable: true,
    description:
      'Another role, felt on the next request of every session. Never the last admin, nor the last owner of an account. Of staff it waits for a second admin where TWO_PEOPLE says so. Administrators change roles in an account only when it has no active owner, and another administrator has to approve it.',
  })
  async setUserRole(
    @Arg('input', () => SetUserRoleInput, { description: 'Who, and what they are to be.' })
    { userId, role, teamRole }: SetUserRoleInput,
    @Ctx() context: RequestContext,
  ): Promise<UserPayload> {
    const { id, invitedUntil } = await this.#inReach(userId, context);
    if (invitedUntil)
      throw new AppError('CONFLICT', { message: 'Not joined yet: invite them again, with the other role.' });
    if (role !== undefined && sessionOf(context).role !== 'admin')
      throw new AppError('FORBIDDEN', { message: 'Only an admin gives staff another role.' });
    const next = role === undefined ? { teamRole: teamRole! } : { role: role as StaffRole };
    const isStaff = sessionOf(context).role === 'admin';
    return this.#changed(id, await this.accountChanges.setRole(id as UserId, next, actingUserOf(context), isStaff));
  }

  @Mutation(() => RemoveUserPayload, {
    nullable: true,
    description:
      'Ends every session and mailed link of a user for good, or takes an invitation back. Not for oneself, the last admin or the last owner of an account. Of an administrator it takes a second administrator where roles do.',
  })
  async removeUser(
    @Arg('input', () => RemoveUserInput, { description: 'Who, and why.' }) { userId, reason }: RemoveUserInput,
    @Ctx() context: RequestContext,
  ): Promise<RemoveUserPayload> {
    const { id, invitedUntil } = await this.#inReach(userId, context);
    if (id === sessionOf(context).userId) throw new AppError('FORBIDDEN', { message: 'You cannot remove yourself.' });
    const withdrawn = invitedUntil && (await this.invitations.withdraw(id, reason, actorOf(context)));
    // whoever has joined at this moment is a user
    const decided = withdrawn
      ? undefined
      : await this.accountChanges.removeUser(id as UserId, reason, actingUserOf(context));
    return {
      removedUserId: `usr_${id}`,
      approvalRequest: decided?.approvalRequest ? approvalRequestView(decided.approvalRequest) : null,
    };
  }

  async #changed(
    id: string,
    { approvalRequest }: { approvalRequest?: StoredApprovalRequest | undefined },
  ): Promise<UserPayload> {
    return {
      user: (await this.people.find(id))!,
      approvalRequest: approvalRequest ? approvalRequestView(approvalRequest) : null,
    };
  }

  /** Whom the caller decides about: an admin about everybody, an owner about the people of the account. Errors: RECORD_NOT_FOUND. */
  async #inReach(userId: string, context: RequestContext): Promise<User> {
    const user = await this.people.find(recordId(userId, 'usr', 'user'));
    if (!user || !canSeeUser(context, user))
      throw new AppError('RECORD_NOT_FOUND', { message: 'There is no such user.' });
    return user;
  }
}
