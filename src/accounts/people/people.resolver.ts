import { Arg, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { StoredApprovalRequest } from '../../approval-requests/approval-request.store.js';
import { ApprovalRequest, approvalRequestView } from '../../approval-requests/approval-request.types.js';
import { AuditEntry } from '../../audit/audit.types.js';
import { type RequestContext, sessionOf } from '../../core/context.js';
import { AppError } from '../../core/errors.js';
import { canManageMoney, type StaffRole, type UserId } from '../../core/principal.js';
import { recordId } from '../../graphql-toolkit/node.js';
import { Entries, ExtraReads, READ_TOGETHER } from '../../graphql-toolkit/rows.js';
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

@Resolver(() => User)
export class UserResolver {
  constructor(
    private readonly developers: DevelopersReader,
    private readonly people: PeopleReader,
  ) {}

  @FieldResolver(() => Instant, {
    nullable: true,
    description: 'Time of the last sign-in. Null if the user never signed in.',
  })
  @ExtraReads(READ_TOGETHER)
  lastSignInAt(@Root() { id }: User): Promise<Date | null> {
    return this.people.lastSignIn(id);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'Mobile number. Visible to administrators, owners of the account and the user. Null for others, or if there is none.',
  })
  @ExtraReads(READ_TOGETHER)
  async mobile(@Root() user: User, @Ctx() context: RequestContext): Promise<string | null> {
    return seesMobile(context, user) ? this.people.mobile(user.id) : null;
  }

  @FieldResolver(() => Developer, {
    nullable: true,
    description: 'Account of the user. Null for staff.',
  })
  @ExtraReads(READ_TOGETHER)
  async developer(@Root() { developerId }: User): Promise<Developer | null> {
    return developerId === null ? null : this.developers.byId(developerId);
  }
}

function seesMobile({ principal }: RequestContext, { id, developerId }: User): boolean {
  if (principal?.kind !== 'session') return false;
  const { role, teamRole, userId } = principal;
  return userId === id || role === 'admin' || (teamRole === 'owner' && principal.developerId === developerId);
}

@Resolver(() => AuditEntry)
export class AuditActorResolver {
  constructor(private readonly people: PeopleReader) {}

  @FieldResolver(() => Actor, { description: 'User, application, command or system that took the action.' })
  @ExtraReads(READ_TOGETHER)
  actor(@Root() { by }: AuditEntry, @Ctx() context: RequestContext): Promise<Actor> {
    return this.people.actor(by, context);
  }

  @FieldResolver(() => Actor, {
    nullable: true,
    description:
      'User who requested the approval that `actor` gave. Null without an approval request, and for users of an account.',
  })
  @ExtraReads(READ_TOGETHER)
  async requestedBy(@Root() { requester }: AuditEntry, @Ctx() context: RequestContext): Promise<Actor | null> {
    return requester === null ? null : this.people.actor(requester, context);
  }
}

@Resolver(() => ApprovalRequest)
export class ApprovalRequestPeopleResolver {
  constructor(private readonly people: PeopleReader) {}

  @FieldResolver(() => Actor, { description: 'User who requested approval.' })
  @ExtraReads(READ_TOGETHER)
  requestedBy(@Root() { requester }: ApprovalRequest, @Ctx() context: RequestContext): Promise<Actor> {
    return this.people.actor(userSubject(requester), context);
  }

  @FieldResolver(() => Actor, {
    nullable: true,
    description: 'User who approved or rejected the approval request. Null if it is pending or expired.',
  })
  @ExtraReads(READ_TOGETHER)
  async resolvedBy(@Root() { resolverId }: ApprovalRequest, @Ctx() context: RequestContext): Promise<Actor | null> {
    return resolverId === null ? null : this.people.actor(userSubject(resolverId), context);
  }

  @FieldResolver(() => User, {
    nullable: true,
    description: 'User that the approval request would change. Null if the approval request does not concern a user.',
  })
  @ExtraReads(READ_TOGETHER)
  async user(@Root() { subject }: ApprovalRequest): Promise<User | null> {
    if (!subject.startsWith(userSubject(''))) return null;
    return (await this.people.find(subject.slice(userSubject('').length))) ?? null;
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether the signed-in user can approve the approval request. The approval request must be pending, and its requester must be another user who is still permitted to request it.',
  })
  canApprove(@Root() approvalRequest: ApprovalRequest, @Ctx() context: RequestContext): boolean {
    const { state, requester, requesterActive, aboutMoney } = approvalRequest;
    const { role, userId } = sessionOf(context);
    return (
      state === 'pending' &&
      requesterActive &&
      (aboutMoney ? canManageMoney(role) : role === 'admin') &&
      requester !== userId
    );
  }
}

/** Resolver for the users of an account, and the user who approved it. */
@Resolver(() => Developer)
export class DeveloperPeopleResolver {
  constructor(private readonly people: PeopleReader) {}

  @FieldResolver(() => [User], { nullable: true, description: 'Users of the account; at most 200.' })
  @Entries(5)
  users(@Root() { id }: Developer): Promise<User[]> {
    return this.people.ofAccount(id);
  }

  @FieldResolver(() => Actor, {
    nullable: true,
    description: 'Actor who approved the account. Null if it was not approved.',
  })
  @ExtraReads(READ_TOGETHER)
  async approvedBy(@Root() { approver }: Developer, @Ctx() context: RequestContext): Promise<Actor | null> {
    return approver === null ? null : this.people.actor(approver, context);
  }
}

/** Resolver for console users and their access. */
@Resolver()
export class UserAdminResolver {
  constructor(
    private readonly people: PeopleReader,
    private readonly invitations: InvitationService,
    private readonly accountChanges: AccountChangeService,
  ) {}

  @Query(() => [User], {
    nullable: true,
    description: 'Staff users, including invited ones; at most 200. For users of an account, use `Developer.users`.',
  })
  @Entries(50)
  users(): Promise<User[]> {
    return this.people.staff();
  }

  @Mutation(() => UserPayload, {
    nullable: true,
    description:
      'Suspends a user and revokes all their sessions immediately. You cannot suspend yourself or the last administrator. If role changes require a second person, suspending an administrator requires approval unless `emergency` is true; another administrator confirms an emergency suspension with the same mutation.',
  })
  async suspendUser(
    @Arg('input', () => SuspendUserInput, { description: 'User to suspend, and the reason.' })
    { userId, reason, emergency = false }: SuspendUserInput,
    @Ctx() context: RequestContext,
  ): Promise<UserPayload> {
    const id = recordId(userId, 'usr', 'user');
    // only another administrator or the command line could undo this
    if (id === sessionOf(context).userId) throw new AppError('FORBIDDEN', { message: 'You cannot suspend yourself.' });
    return this.#changed(
      id,
      await this.accountChanges.suspendUser(id as UserId, reason, emergency, actingUserOf(context)),
    );
  }

  @Mutation(() => UserPayload, {
    nullable: true,
    description:
      'Reinstates a suspended user, with the same password. If role changes require a second person, reinstating staff above SUPPORT requires approval, unless it undoes an emergency suspension.',
  })
  async reinstateUser(
    @Arg('input', () => ReinstateUserInput, { description: 'User to reinstate.' }) {
      userId,
      reason,
    }: ReinstateUserInput,
    @Ctx() context: RequestContext,
  ): Promise<UserPayload> {
    const id = recordId(userId, 'usr', 'user');
    return this.#changed(id, await this.accountChanges.reinstateUser(id as UserId, reason, actingUserOf(context)));
  }

  @Mutation(() => UserPayload, {
    nullable: true,
    description:
      'Changes the role of a user. Takes effect on the next request of each session. The role of the last administrator or of the last owner of an account cannot be changed. Changes of staff roles require approval if TWO_PEOPLE includes `roles`. Administrators can change a role in an account only if it has no active owner, and another administrator must approve it.',
  })
  async setUserRole(
    @Arg('input', () => SetUserRoleInput, { description: 'User, and the new role.' })
    { userId, role, teamRole }: SetUserRoleInput,
    @Ctx() context: RequestContext,
  ): Promise<UserPayload> {
    const { id, invitedUntil } = await this.#inReach(userId, context);
    if (invitedUntil)
      throw new AppError('CONFLICT', {
        message: 'This user has not joined yet. Invite the user again with the new role.',
      });
    if (role !== undefined && sessionOf(context).role !== 'admin')
      throw new AppError('FORBIDDEN', { message: 'Only administrators can change the role of staff.' });
    const next = role === undefined ? { teamRole: teamRole! } : { role: role as StaffRole };
    const isStaff = sessionOf(context).role === 'admin';
    return this.#changed(id, await this.accountChanges.setRole(id as UserId, next, actingUserOf(context), isStaff));
  }

  @Mutation(() => RemoveUserPayload, {
    nullable: true,
    description:
      'Removes a user and revokes all their sessions and emailed links, or withdraws an invitation. You cannot remove yourself, the last administrator or the last owner of an account. If role changes require a second person, removing an administrator requires approval.',
  })
  async removeUser(
    @Arg('input', () => RemoveUserInput, { description: 'User to remove, and the reason.' }) {
      userId,
      reason,
    }: RemoveUserInput,
    @Ctx() context: RequestContext,
  ): Promise<RemoveUserPayload> {
    const { id, invitedUntil } = await this.#inReach(userId, context);
    if (id === sessionOf(context).userId) throw new AppError('FORBIDDEN', { message: 'You cannot remove yourself.' });
    const withdrawn = invitedUntil && (await this.invitations.withdraw(id, reason, actorOf(context)));
    // there is no invitation to withdraw if the user has just joined
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

  /**
   * Returns the user if the caller can manage it: an administrator can manage any user, an owner the users of the account.
   * Throws RECORD_NOT_FOUND.
   */
  async #inReach(userId: string, context: RequestContext): Promise<User> {
    const user = await this.people.find(recordId(userId, 'usr', 'user'));
    if (!user || !canSeeUser(context, user)) throw new AppError('RECORD_NOT_FOUND', { message: 'Unknown user.' });
    return user;
  }
}
