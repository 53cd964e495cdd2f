import { Field, ID } from 'type-graphql';
import type { Role } from '../core/principal.js';
import { Output } from '../graphql-toolkit/graphql-types.js';
import { Instant } from '../graphql-toolkit/scalars.js';
import { RoleEnum } from './session.types.js';

@Output({ description: 'Somebody who may sign in to the console.' })
export class ConsoleUser {
  @Field(() => ID, { description: 'Id of the user, as the audit trail names it.' })
  id!: string;

  @Field({ description: 'Display name.' })
  name!: string;

  @Field({ description: 'E-mail address.' })
  email!: string;

  @Field(() => RoleEnum, { description: 'What it may do.' })
  role!: Role;

  @Field(() => ID, {
    nullable: true,
    description: 'Id of the developer whose user it is; null for the operator’s own.',
  })
  developerId!: string | null;

  @Field(() => Instant, { description: 'When the user was made.' })
  createdAt!: Date;

  @Field(() => Instant, { nullable: true, description: 'Since when they may not sign in; null while they may.' })
  suspendedAt!: Date | null;
}

@Output({ description: 'A decision about a user.' })
export class UserPayload {
  @Field(() => ConsoleUser, { description: 'The user as it is now.' })
  user!: ConsoleUser;
}
