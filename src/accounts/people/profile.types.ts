import { Field } from 'type-graphql';
import { Output } from '../../graphql-toolkit/graphql-types.js';
import { Agrees, Email, IndianMobile, Input, Text } from '../../graphql-toolkit/rules.js';
import { Viewer } from './session.types.js';

@Input({ description: 'Changes to the profile of the signed-in user. Omitted fields stay unchanged.' })
export class UpdateProfileInput {
  @Field(() => String, { nullable: true, description: 'Display name.' })
  @Text(100)
  @Agrees<UpdateProfileInput>(
    ({ name, mobile, email }) => [name, mobile, email].some((value) => value !== undefined),
    'Set at least one of `name`, `mobile` and `email`.',
  )
  name?: string;

  @Field(() => String, { nullable: true, description: 'Mobile number, 10 digits.' })
  @IndianMobile()
  mobile?: string;

  @Field(() => String, {
    nullable: true,
    description:
      'New email address. Takes effect when the user opens the link sent to it. The current address also receives an email.',
  })
  @Email()
  email?: string;

  @Field(() => String, { nullable: true, description: 'Current password. Required to change the email address.' })
  @Text(200)
  @Agrees<UpdateProfileInput>(
    ({ email, currentPassword }) => email === undefined || currentPassword !== undefined,
    'Required to change the email address.',
    'REQUIRED',
  )
  currentPassword?: string;
}

@Input({ description: 'Token from the email sent to the new address.' })
export class ConfirmEmailInput {
  @Field({ description: 'Single-use token from the emailed link, valid for one hour.' })
  @Text(200)
  token!: string;
}

@Output({ description: 'Result of confirming a new email address.' })
export class ConfirmEmailPayload {
  @Field(() => Viewer, { description: 'User whose email address was changed.' })
  viewer!: Viewer;
}
