import { Field, ID } from 'type-graphql';
import { ApprovalRequest } from '../../approval-requests/approval-request.types.js';
import type { ActorKind } from '../../audit/actors.js';
import type { DeveloperId, Role, TeamRole } from '../../core/principal.js';
import { Output } from '../../graphql-toolkit/graphql-types.js';
import { NodeType } from '../../graphql-toolkit/node.js';
import { Agrees, Input } from '../../graphql-toolkit/rules.js';
import { Instant } from '../../graphql-toolkit/scalars.js';
import { words } from '../../graphql-toolkit/words.js';
import { Reason } from '../account.changes.js';

export const RoleEnum = words<Role>('Role', 'Role of a console user.', {
  admin: 'Administrator: manages accounts, access, users and money.',
  finance: 'Manages money: credits, debits, corrections, reviews and approval requests. Cannot manage access.',
  reviewer: 'Reads developers and their KYC, and approves or rejects them. Cannot manage money.',
  support: 'Read-only access. Can change only their own profile, password and sessions.',
  developer: 'User of a developer account. The team role sets the permissions within the account.',
});

export const TeamRoleEnum = words<TeamRole>('TeamRole', 'Role of a user within a developer account.', {
  owner: 'Full access, including users and KYC. Each account has at least one owner.',
  builder: 'Manages API keys, webhooks and the duplicate guard, and can read everything else. Cannot manage users.',
  finance: 'Reads orders, wallets and statements.',
  reader: 'Reads orders, wallets, statements, API keys and webhooks.',
});

@NodeType<User>('usr', { description: 'User who can sign in to the console.' })
export class User {
  /** Account that the field `developer` returns. Null for staff. */
  developerId!: DeveloperId | null;
  id!: string;

  @Field({ description: 'Email address.' })
  email!: string;

  @Field({ description: 'Display name.' })
  name!: string;

  @Field(() => RoleEnum, { description: 'Role of the user.' })
  role!: Role;

  @Field(() => TeamRoleEnum, {
    nullable: true,
    description: 'Role within the account. Null for staff.',
  })
  teamRole!: TeamRole | null;

  @Field(() => Instant, { description: 'Time the user was created.' })
  createdAt!: Date;

  @Field(() => Instant, {
    nullable: true,
    description: 'Time the user was suspended. Null if the user is not suspended.',
  })
  suspendedAt!: Date | null;

  @Field(() => Boolean, {
    description:
      'Whether an administrator suspended this administrator in an emergency and no other administrator has confirmed or undone the suspension.',
  })
  emergencySuspension!: boolean;

  @Field(() => Instant, {
    nullable: true,
    description: 'Time the invitation expires. Null if the user has joined.',
  })
  invitedUntil!: Date | null;
}

const ActorKindEnum = words<ActorKind>('ActorKind', 'Kind of an actor.', {
  user: 'User of the console.',
  token: 'Application of an account, with one of its tokens.',
  command: 'Command run by an administrator on the server.',
  system: 'The service itself, or an anonymous caller.',
});

@Output({ description: 'Actor of an action.' })
export class Actor {
  @Field(() => ActorKindEnum, { description: 'Kind of the actor: user, token, command or system.' })
  kind!: ActorKind;

  @Field({ description: 'Display name. Users of a developer account see "Staff" for staff.' })
  name!: string;

  @Field(() => User, {
    nullable: true,
    description:
      'User, if the actor is one. Null for other kinds of actor, and for staff if a user of a developer account reads it.',
  })
  user!: User | null;
}

@Output({ description: 'The updated user, or the approval request for the change.' })
export class UserPayload {
  @Field(() => User, { description: 'The user after the change.' })
  user!: User;

  @Field(() => ApprovalRequest, {
    nullable: true,
    description: 'Approval request for the change. Null if the change was made.',
  })
  approvalRequest!: ApprovalRequest | null;
}

@Input({ description: 'User.' })
class UserInput {
  @Field(() => ID, { description: 'ID of the user.' })
  userId!: string;
}

@Input({ description: 'User to suspend.' })
export class SuspendUserInput extends UserInput {
  @Reason()
  reason!: string;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether to suspend an administrator immediately, without a second person. All administrators receive an email, and you cannot manage users until another administrator confirms or undoes the suspension. No effect if one person is enough.',
  })
  emergency?: boolean;
}

@Input({ description: 'User to reinstate.' })
export class ReinstateUserInput extends UserInput {
  @Reason({ nullable: true })
  reason?: string;
}

@Input({ description: 'New role of a user. Set exactly one of `role` and `teamRole`.' })
export class SetUserRoleInput extends UserInput {
  @Field(() => RoleEnum, {
    nullable: true,
    description: 'New role of a staff user. Only administrators can set it. DEVELOPER is not allowed.',
  })
  @Agrees<SetUserRoleInput>(({ role }) => role !== 'developer', 'Staff cannot have the role DEVELOPER.', 'ENUM')
  role?: Role;

  @Field(() => TeamRoleEnum, {
    nullable: true,
    description:
      'New team role of a user of a developer account. Only owners of the account and administrators can set it.',
  })
  @Agrees<SetUserRoleInput>(
    ({ role, teamRole }) => (role === undefined) !== (teamRole === undefined),
    'Set exactly one of `role` and `teamRole`.',
  )
  teamRole?: TeamRole;
}

@Input({ description: 'User to remove.' })
export class RemoveUserInput extends UserInput {
  @Reason()
  reason!: string;
}

@Output({ description: 'The removed user. The audit log keeps their actions under their name.' })
export class RemoveUserPayload {
  @Field(() => ID, { description: 'ID of the removed user, as in the audit log.' })
  removedUserId!: string;

  @Field(() => ApprovalRequest, {
    nullable: true,
    description: 'Approval request for the removal. Null if the user was removed.',
  })
  approvalRequest!: ApprovalRequest | null;
}
