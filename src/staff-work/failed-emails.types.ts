import { Field, ID } from 'type-graphql';
import { connectionOf } from '../graphql-toolkit/connection-types.js';
import { Output } from '../graphql-toolkit/graphql-types.js';
import { Input } from '../graphql-toolkit/rules.js';
import { Instant } from '../graphql-toolkit/scalars.js';
import { words } from '../graphql-toolkit/words.js';
import { type EmailFailure, emailFailures } from '../mails/email-failure.js';

export const EmailFailureEnum = words<EmailFailure>('EmailFailure', 'Why an email was not delivered.', emailFailures);

@Output({
  description:
    'Email that was not delivered after half a day of retries. Its text is never shown: it can hold a link that grants access.',
})
export class FailedEmail {
  @Field(() => ID, {
    description: 'For resendEmail, and for the log, which calls it emailId. `node` does not read it.',
  })
  id!: string;

  @Field(() => String, { nullable: true, description: 'Whom it is for; null where its key is gone.' })
  to!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'What it is about: its subject, the same for all emails of a kind. Null where its key is gone.',
  })
  subject!: string | null;

  @Field(() => Instant, { description: 'When it was written. Three days later it is forgotten.' })
  createdAt!: Date;

  @Field(() => Instant, { nullable: true, description: 'When the last attempt failed.' })
  lastAttemptAt!: Date | null;

  @Field(() => EmailFailureEnum, {
    nullable: true,
    description: 'Why the last attempt failed; null when the process ended while it sent.',
  })
  failure!: EmailFailure | null;

  @Field(() => String, {
    nullable: true,
    description: 'Response of the mail server, only its codes, for example `550 5.1.1`; null when it did not answer.',
  })
  response!: string | null;

  @Field(() => Instant, {
    nullable: true,
    description: 'When the link in it ends: after that it is not sent again. Null where it has none that ends.',
  })
  linkExpiresAt!: Date | null;
}

@Output({ description: 'A page of failed emails, newest first.' })
export class FailedEmailConnection extends connectionOf('FailedEmail', FailedEmail, { one: 'email' }) {}

@Input({ description: 'An email that is to be sent again.' })
export class ResendEmailInput {
  @Field(() => ID, { description: 'The mail.' })
  emailId!: string;
}

@Output({ description: 'What is sent again.' })
export class ResendEmailPayload {
  @Field(() => ID, { description: 'ID of the email. `failedEmails` lists the email again if the attempt fails.' })
  emailId!: string;
}
