import { Field, ID, registerEnumType } from 'type-graphql';
import type { ActorKind } from '../../audit/actors.js';
import { type DeveloperId, type Role, roles } from '../../core/principal.js';
import { Output } from '../../graphql-toolkit/graphql-types.js';
import { NodeType } from '../../graphql-toolkit/node.js';
import { Input } from '../../graphql-toolkit/rules.js';
import { Instant } from '../../graphql-toolkit/scalars.js';
import { Reason } from '../account.changes.js';

const RoleEnum = Object.fromEntries(roles.map((role) => [role.toUpperCase(), role]));
registerEnumType(RoleEnum, {
  name: 'Role',
  description: 'What a user of the console may be.',
  valuesConfig: {
    ADMIN: { description: 'Decides about accounts, access and money.' },
    SUPPORT: { description: 'Reads, and changes nothing but its own password and sessions.' },
    DEVELOPER: { description: 'Sees and changes what belongs to its own account.' },
  },
});

@NodeType<User>('usr', { description: 'Somebody who may sign in to the console.' })
export class User {
  /** Whose account `developer` reads; null for the operator’s own people. */
  developerId!: DeveloperId | null;
  id!: string;

  @Field({ description: 'E-mail address.' })
  email!: string;

  @Field({ description: 'Display name.' })
  name!: string;

  @Field(() => RoleEnum, { description: 'What it may do.' })
  role!: Role;

  @Field(() => Instant, { description: 'When the user was made.' })
  createdAt!: Date;

  @Field(() => Instant, { nullable: true, description: 'Since when they may not sign in; null while they may.' })
  suspendedAt!: Date | null;
}

const ActorKindEnum = {
  USER: 'user',
  TOKEN: 'token',
  COMMAND: 'command',
  SYSTEM: 'system',
} as const satisfies Record<string, ActorKind>;
registerEnumType(ActorKindEnum, {
  name: 'ActorKind',
  description: 'Who can act.',
  valuesConfig: {
    USER: { description: 'A user of the console.' },
    TOKEN: { description: 'A program of an account, with a token of it.' },
    COMMAND: { description: 'A command that the operator ran.' },
    SYSTEM: { description: 'The service by itself, or somebody who was not signed in.' },
  },
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
}

@Input({ description: 'Somebody who may sign in again.' })
export class ReinstateUserInput extends OfUser {
  @Reason({ nullable: true })
  reason?: string;
}
