import { Field, Int } from 'type-graphql';
import { Output } from '../../graphql-toolkit/graphql-types.js';
import { Email, Input, NewPassword, Text } from '../../graphql-toolkit/rules.js';
import { Viewer } from './session.types.js';

@Input({ description: 'A new password for the signed-in user.' })
export class ChangePasswordInput {
  @Field({ description: 'The present password.' })
  @Text(200)
  currentPassword!: string;

  @Field({ description: 'At least 12, at most 200 characters.' })
  @NewPassword()
  newPassword!: string;
}

@Output({ description: 'A password that was changed.' })
export class ChangePasswordPayload {
  @Field(() => Viewer, { description: 'Whose password it is.' })
  viewer!: Viewer;

  @Field(() => Int, { description: 'How many other sessions of the user ended.' })
  revokedSessions!: number;
}

@Input({ description: 'Asks for a link to set a new password.' })
export class RequestPasswordResetInput {
  @Field({ description: 'Email address of the user.' })
  @Email()
  email!: string;
}

@Output({ description: 'The answer to everybody who asks for a link.' })
export class RequestPasswordResetPayload {
  @Field({ description: 'Always true: it reveals nothing about the address. A user with the address gets an email.' })
  accepted!: boolean;
}

@Input({ description: 'A new password for the person who can open the mailed link.' })
export class ResetPasswordInput {
  @Field({ description: 'From the mailed link; good for an hour, once.' })
  @Text(200)
  token!: string;

  @Field({ description: 'At least 12, at most 200 characters.' })
  @NewPassword()
  newPassword!: string;
}

@Output({ description: 'A password that was set with a link. Every session of the user ended.' })
export class ResetPasswordPayload {
  @Field(() => Viewer, { description: 'Whose password it is. Signing in is a step of its own.' })
  viewer!: Viewer;
}
