import { Field, ID } from 'type-graphql';
import type { Role, TeamRole } from '../../core/principal.js';
import { Output } from '../../graphql-toolkit/graphql-types.js';
import { Agrees, Email, Input, NewPassword, Text } from '../../graphql-toolkit/rules.js';
import { RoleEnum, TeamRoleEnum } from './people.types.js';
import { Viewer } from './session.types.js';

@Input({ description: 'User to invite, to staff or to an account.' })
export class InviteUserInput {
  @Field({ description: 'Email address that receives the link and that the user signs in with.' })
  @Email()
  email!: string;

  @Field({ description: 'Display name. The user can change it when accepting.' })
  @Text(100)
  name!: string;

  @Field(() => RoleEnum, {
    description:
      'Role of the user: DEVELOPER for a user of an account. All other roles are staff; only administrators can invite staff.',
  })
  role!: Role;

  @Field(() => TeamRoleEnum, {
    nullable: true,
    description: 'Role within the account. Required for DEVELOPER; not allowed for staff.',
  })
  @Agrees<InviteUserInput>(
    ({ role, teamRole }) => role === undefined || (role === 'developer') === (teamRole !== undefined),
    'Required for DEVELOPER. Not allowed for other roles.',
  )
  teamRole?: TeamRole;

  @Field(() => ID, {
    nullable: true,
    description:
      'ID of the account that a DEVELOPER joins. Optional for owners, who can invite users only to their own account.',
  })
  @Agrees<InviteUserInput>(
    ({ role, developerId }) => role === undefined || role === 'developer' || developerId === undefined,
    'Must not be set for staff.',
  )
  developerId?: string;
}

@Input({ description: 'Token from the emailed link, and the password and name of the new user.' })
export class AcceptInvitationInput {
  @Field({ description: 'Single-use token from the emailed link, valid for 72 hours.' })
  @Text(200)
  token!: string;

  @Field({ description: 'New password, 12 to 200 characters.' })
  @NewPassword()
  password!: string;

  @Field(() => String, { nullable: true, description: 'Display name. Defaults to the name in the invitation.' })
  @Text(100)
  name?: string;
}

@Output({ description: 'The user who joined.' })
export class AcceptInvitationPayload {
  @Field(() => Viewer, { description: 'User who joined. Sign in separately with `signIn`.' })
  viewer!: Viewer;
}
