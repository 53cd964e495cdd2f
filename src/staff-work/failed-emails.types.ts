import { Field, ID } from 'type-graphql';
import { connectionOf } from '../graphql-toolkit/connection-types.js';
import { Output } from '../graphql-toolkit/graphql-types.js';
import { Input } from '../graphql-toolkit/rules.js';
import { Instant } from '../graphql-toolkit/scalars.js';
import { words } from '../graphql-toolkit/words.js';
import { type EmailFailure, emailFailures } from '../mails/email-failure.js';

export const EmailFailureEnum = words<EmailFailure>(
  'EmailFailure',
  'Reason an email was not delivered.',
  emailFailures,
);

@Output({
  description:
    'Failed email: not delivered after about 12 hours of retries. Its text is never shown, because it may contain a link that grants access.',
})
export class FailedEmail {
  @Field(() => ID, {
    description: 'ID of the email, for `resendEmail`. Logs contain it as `emailId`. `node` does not accept it.',
  })
  id!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Recipient. Null if the encryption key of the email is missing.',
  })
  to!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Subject, which is the same for all emails of a kind. Null if the encryption key of the email is missing.',
  })
  subject!: string | null;

  @Field(() => Instant, { description: 'Time the email was created. It is deleted three days later.' })
  createdAt!: Date;

  @Field(() => Instant, { nullable: true, description: 'Time of the last failed attempt. Null if there was none.' })
  lastAttemptAt!: Date | null;

  @Field(() => EmailFailureEnum, {
    nullable: true,
    description: 'Reason the last attempt failed. Null if the process ended during the attempt.',
  })
  failure!: EmailFailure | null;

  @Field(() => String, {
    nullable: true,
    description: 'Codes of the mail server’s response, for example `550 5.1.1`. Null if there was no response.',
  })
  response!: string | null;

  @Field(() => Instant, {
    nullable: true,
    description:
      'Time the link in the email expires, after which the email cannot be resent. Null if it has no link that expires.',
  })
  linkExpiresAt!: Date | null;
}

@Output({ description: 'A page of failed emails, newest first.' })
export class FailedEmailConnection extends connectionOf('FailedEmail', FailedEmail, { singular: 'email' }) {}

@Input({ description: 'Failed email to retry.' })
export class ResendEmailInput {
  @Field(() => ID, { description: 'ID of the failed email.' })
  emailId!: string;
}

@Output({ description: 'The queued email.' })
export class ResendEmailPayload {
  @Field(() => ID, { description: 'ID of the email. `failedEmails` lists the email again if the attempt fails.' })
  emailId!: string;
}
