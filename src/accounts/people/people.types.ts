import { Field, ID } from 'type-graphql';
import type { ActorKind } from '../../audit/actors.js';
import type { DeveloperId, Role } from '../../core/principal.js';
import { Output } from '../../graphql-toolkit/graphql-types.js';
import { NodeType } from '../../graphql-toolkit/node.js';
import { Input } from '../../graphql-toolkit/rules.js';
import { Instant } from '../../graphql-toolkit/scalars.js';
import { words } from '../../graphql-toolkit/words.js';
import { Reason } from '../account.changes.js';

const RoleEnum = words<Role>('Role', 'What a user of the console may be.', {
  admin: 'Decides about accounts, access and money.',
  support: 'Reads, and changes nothing but its own password and sessions.',
  developer: 'Sees and changes what belongs to its own account.',
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
