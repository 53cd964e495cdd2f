import { Field } from 'type-graphql';
import { Output } from '../../graphql-toolkit/graphql-types.js';
import { Agrees, Email, IndianMobile, Input, Text } from '../../graphql-toolkit/rules.js';
import { Viewer } from './session.types.js';

@Input({ description: 'What the signed-in user changes of themselves; what is left out stays.' })
export class UpdateProfileInput {
  @Field(() => String, { nullable: true, description: 'Display name.' })
  @Text(100)
  @Agrees<UpdateProfileInput>(
    ({ name, mobile, email }) => [name, mobile, email].some((value) => value !== undefined),
    'Give at least one of name, mobile and email.',
  )
  name?: string;

  @Field(() => String, { nullable: true, description: 'Mobile number, 10 digits.' })
  @IndianMobile()
  mobile?: string;

  @Field(() => String, {
    nullable: true,
    description: 'Counts once the link that is mailed there is used; the former address gets an email, too.',
  })
  @Email()
  email?: string;

  @Field(() => String, { nullable: true, description: 'The present password; needed for a new email.' })
  @Text(200)
  @Agrees<UpdateProfileInput>(
    ({ email, currentPassword }) => email === undefined || currentPassword !== undefined,
    'Is needed for a new email.',
    'REQUIRED',
  )
  currentPassword?: string;
}

@Input({ description: 'Another address of a user, by the person who can open the email there.' })
export class ConfirmEmailInput {
  @Field({ description: 'From the mailed link; good for an hour, once.' })
  @Text(200)
  token!: string;
}

@Output({ description: 'An address that counts from now on.' })
export class ConfirmEmailPayload {
  @Field(() => Viewer, { description: 'Whose address it is.' })
  viewer!: Viewer;
}
