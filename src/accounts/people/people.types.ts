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

export const RoleEnum = words<Role>('Role', 'What a user of the console may be.', {
  admin: 'Decides about accounts, access, people and money.',
  finance: 'Decides about money: credits, debits, corrections, reviews and approval requests. Nothing about access.',
  reviewer: 'Reads developers and their KYC, and approves or rejects them. Nothing about money.',
  support: 'Reads, and changes nothing but its own profile, password and sessions.',
  developer: 'One of a developer’s people: the team role says what they may do within their own account.',
});

export const TeamRoleEnum = words<TeamRole>('TeamRole', 'What a developer’s user may be within the own account.', {
  owner: 'Everything, the people of the account and its KYC included. Each account has at least one.',
  builder: 'Keys, webhooks and the duplicate guard, and reads the rest; nothing about people.',
  finance: 'Reads orders, wallets and statements.',
  reader: 'Reads orders, wallets, statements, keys and webhooks.',
});

@NodeType<User>('usr', { description: 'Somebody who may sign in to the console.' })
export class User {
  /** Whose account `developer` reads; null for the operator’s own people. */
  developerId!: DeveloperId | null;
  id!: string;

  @Field({ description: 'Email address.' })
  email!: string;

  @Field({ description: 'Display name.' })
  name!: string;

  @Field(() => RoleEnum, { description: 'What it may do.' })
  role!: Role;

  @Field(() => TeamRoleEnum, {
    nullable: true,
    description: 'What a developer’s user may do within the account; null for the operator’s own people.',
  })
  teamRole!: TeamRole | null;

  @Field(() => Instant, { description: 'When the user was made.' })
  createdAt!: Date;

  @Field(() => Instant, { nullable: true, description: 'Since when they may not sign in; null while they may.' })
  suspendedAt!: Date | null;

  @Field(() => Boolean, {
    description:
      'Whether one administrator suspended this one in an emergency, and no other administrator has confirmed or undone it.',
  })
  emergencySuspension!: boolean;

  @Field(() => Instant, {
    nullable: true,
    description: 'Until when somebody who was invited may join; null for everybody who has.',
  })
  invitedUntil!: Date | null;
}

const ActorKindEnum = words<ActorKind>('ActorKind', 'Who can act.', {
  user: 'A user of the console.',
  token: 'A program of an account, with a token of it.',
  command: 'A command that the operator ran.',
  system: 'The service by itself, or somebody who was not signed in.',
});

@Output({ description: 'Who did something.' })
export class Actor {
  @Field(() => ActorKindEnum, { description: 'A person, a program, a command or the service.' })
  kind!: ActorKind;

  @Field({ description: 'The name to show. The operator’s own people are "Staff" to users of developers.' })
  name!: string;

  @Field(() => User, {
    nullable: true,
    description: 'The person; null for all others, and for staff where a developer’s user asks.',
  })
  user!: User | null;
}

@Output({ description: 'A decision about a user.' })
export class UserPayload {
  @Field(() => User, { description: 'The user as it is now.' })
  user!: User;

  @Field(() => ApprovalRequest, {
    nullable: true,
    description: 'Approval request for the change; null when the change is made.',
  })
  approvalRequest!: ApprovalRequest | null;
}

@Input({ description: 'Which user.' })
class OfUser {
  @Field(() => ID, { description: 'Id of the user.' })
  userId!: string;
}

@Input({ description: 'Somebody who may not sign in any more.' })
export class SuspendUserInput extends OfUser {
  @Reason()
  reason!: string;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'True: an administrator is suspended at once, without a second person. Every administrator gets an email, and you cannot change people until another administrator confirms or undoes it. Without effect where one person is enough.',
  })
  emergency?: boolean;
}

@Input({ description: 'Somebody who may sign in again.' })
export class ReinstateUserInput extends OfUser {
  @Reason({ nullable: true })
  reason?: string;
}

@Input({ description: 'Another role of somebody: exactly one of role and teamRole.' })
export class SetUserRoleInput extends OfUser {
  @Field(() => RoleEnum, {
    nullable: true,
    description: 'For one of the operator’s people, by an admin. Not DEVELOPER: nobody changes sides.',
  })
  @Agrees<SetUserRoleInput>(({ role }) => role !== 'developer', 'Staff can be anything but DEVELOPER.', 'ENUM')
  role?: Role;

  @Field(() => TeamRoleEnum, {
    nullable: true,
    description: 'For one of a developer’s people, by an owner of the account or an admin.',
  })
  @Agrees<SetUserRoleInput>(
    ({ role, teamRole }) => (role === undefined) !== (teamRole === undefined),
    'Give exactly one of role and teamRole.',
  )
  teamRole?: TeamRole;
}

@Input({ description: 'Somebody who is to be a user no more.' })
export class RemoveUserInput extends OfUser {
  @Reason()
  reason!: string;
}

@Output({ description: 'Somebody who was removed. What they did still stands in the audit log under their name.' })
export class RemoveUserPayload {
  @Field(() => ID, { description: 'The id that the user has in the audit log.' })
  removedUserId!: string;

  @Field(() => ApprovalRequest, { nullable: true, description: 'Approval request; null when the user is removed.' })
  approvalRequest!: ApprovalRequest | null;
}
