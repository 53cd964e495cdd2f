import { Field, Int } from 'type-graphql';
import { Output } from '../../graphql-toolkit/graphql-types.js';
import { Email, Input, NewPassword, Text } from '../../graphql-toolkit/rules.js';
import { Viewer } from './session.types.js';

@Input({ description: 'Current and new password of the signed-in user.' })
export class ChangePasswordInput {
  @Field({ description: 'Current password.' })
  @Text(200)
  currentPassword!: string;

  @Field({ description: 'New password, 12 to 200 characters.' })
  @NewPassword()
  newPassword!: string;
}

@Output({ description: 'Result of a password change.' })
export class ChangePasswordPayload {
  @Field(() => Viewer, { description: 'User whose password was changed.' })
  viewer!: Viewer;

  @Field(() => Int, { description: 'Number of other sessions that were revoked.' })
  revokedSessions!: number;
}

@Input({ description: 'Email address for a password reset.' })
export class RequestPasswordResetInput {
  @Field({ description: 'Email address of the user.' })
  @Email()
  email!: string;
}

@Output({ description: 'Result of a password reset request. The same for every email address.' })
export class RequestPasswordResetPayload {
  @Field({
    description:
      'Always true, so that the response does not reveal whether the address has a user. If it has one, the user receives an email.',
  })
  accepted!: boolean;
}

@Input({ description: 'Token from the emailed link, and the new password.' })
export class ResetPasswordInput {
  @Field({ description: 'Single-use token from the emailed link, valid for one hour.' })
  @Text(200)
  token!: string;

  @Field({ description: 'New password, 12 to 200 characters.' })
  @NewPassword()
  newPassword!: string;
}

@Output({ description: 'Result of a password reset. All sessions of the user were revoked.' })
export class ResetPasswordPayload {
  @Field(() => Viewer, { description: 'User whose password was set. Sign in separately with `signIn`.' })
  viewer!: Viewer;
}
