import { Field, ID } from 'type-graphql';
import type { Role, TeamRole } from '../../core/principal.js';
import { Output } from '../../graphql-toolkit/graphql-types.js';
import { Agrees, Email, Input, NewPassword, Text } from '../../graphql-toolkit/rules.js';
import { RoleEnum, TeamRoleEnum } from './people.types.js';
import { Viewer } from './session.types.js';

@Input({ description: 'Somebody who is asked to join the operator’s people, or those of an account.' })
export class InviteUserInput {
  @Field({ description: 'Where the link is mailed to, and what they sign in with.' })
  @Email()
  email!: string;

  @Field({ description: 'Display name; the person may write it otherwise.' })
  @Text(100)
  name!: string;

  @Field(() => RoleEnum, {
    description: 'DEVELOPER for the people of an account; any other one is staff, whom admins alone invite.',
  })
  role!: Role;

  @Field(() => TeamRoleEnum, { nullable: true, description: 'What a DEVELOPER may do; for nobody else.' })
  @Agrees<InviteUserInput>(
    ({ role, teamRole }) => role === undefined || (role === 'developer') === (teamRole !== undefined),
    'Must be given for a DEVELOPER, and for nobody else.',
  )
  teamRole?: TeamRole;

  @Field(() => ID, {
    nullable: true,
    description: 'The account that a DEVELOPER joins. An owner invites to the own account and may leave it out.',
  })
  @Agrees<InviteUserInput>(
    ({ role, developerId }) => role === undefined || role === 'developer' || developerId === undefined,
    'Must be left out for staff.',
  )
  developerId?: string;
}

@Input({ description: 'What somebody joins with who can open the mailed link.' })
export class AcceptInvitationInput {
  @Field({ description: 'From the mailed link; good for 72 hours, once.' })
  @Text(200)
  token!: string;

  @Field({ description: 'At least 12, at most 200 characters.' })
  @NewPassword()
  password!: string;

  @Field(() => String, { nullable: true, description: 'Display name; left out, it is the one of the invitation.' })
  @Text(100)
  name?: string;
}

@Output({ description: 'Somebody who has joined.' })
export class AcceptInvitationPayload {
  @Field(() => Viewer, { description: 'Who it is. Signing in is a step of its own.' })
  viewer!: Viewer;
}
