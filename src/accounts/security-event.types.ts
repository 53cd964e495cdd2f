import { ArgsType, Field, ID, Int } from 'type-graphql';
import { connectionOf } from '../graphql-toolkit/connection-types.js';
import { Output } from '../graphql-toolkit/graphql-types.js';
import { PageArguments } from '../graphql-toolkit/page-arguments.js';
import { Agrees, Distinct, Input, Text } from '../graphql-toolkit/rules.js';
import { Instant } from '../graphql-toolkit/scalars.js';
import { words } from '../graphql-toolkit/words.js';
import type { AttemptKind } from './attempts.js';

export const SecurityEventKindEnum = words<AttemptKind>('SecurityEventKind', 'Kind of secret that was attempted.', {
  'sign-in': 'Password of a user, at sign-in.',
  exchange: 'Secret of an API key, in a token exchange.',
  'verify-email': 'Link that confirms an email address, or the password submitted with it.',
  'change-password': 'Current password of a signed-in user, in a password change.',
  'reset-password': 'Link that resets a password.',
  'second-factor': 'Second factor of a signed-in user, in step-up verification or enrollment.',
  'accept-invitation': 'Invitation link.',
  'confirm-email': 'Link that confirms a new email address.',
});

@Input({ description: 'Filter for security events. An event must match all given conditions.' })
export class SecurityEventFilter {
  @Field(() => [SecurityEventKindEnum], { nullable: true, description: 'Only events of these kinds.' })
  @Distinct(1, Object.keys(SecurityEventKindEnum).length)
  kind?: AttemptKind[];

  @Field(() => ID, { nullable: true, description: 'Only attempts at secrets of this user.' })
  userId?: string;

  @Field(() => String, {
    nullable: true,
    description: 'Only attempts from this address, in the form of `SecurityEvent.address`.',
  })
  @Text(100)
  address?: string;

  @Field(() => Instant, { nullable: true, description: 'Only events with a last attempt at or after this time.' })
  from?: Date;

  @Field(() => Instant, { nullable: true, description: 'Only events with a first attempt before this time.' })
  @Agrees<SecurityEventFilter>(({ from, to }) => !from || !to || from < to, 'Must be later than `from`.')
  to?: Date;
}

@ArgsType()
export class SecurityEventsArguments extends PageArguments {
  @Field(() => SecurityEventFilter, { nullable: true, description: 'Filter. Returns all events if omitted.' })
  filter?: SecurityEventFilter;
}

@Output({
  description: 'Failed attempts to use one secret from one IP address within 15 minutes. Kept for 400 days.',
})
export class SecurityEvent {
  /** User that the field `user` returns. */
  userId!: string | null;

  @Field(() => Instant, { description: 'Time of the first failed attempt.' })
  at!: Date;

  @Field(() => Instant, { description: 'Time of the last failed attempt.' })
  lastAt!: Date;

  @Field(() => Int, { description: 'Number of failed attempts.' })
  count!: number;

  @Field(() => SecurityEventKindEnum, { description: 'Kind of secret that was attempted.' })
  kind!: AttemptKind;

  @Field({
    description: 'Reason the last attempt failed, as in the log, for example `wrong password` or `too many attempts`.',
  })
  reason!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'Masked owner of the secret: an email address or a client ID. Null for links, and for attempts with several secrets that were rejected without a check.',
  })
  identifier!: string | null;

  @Field({ description: 'IP address of the attempts: an IPv4 address, or the /64 network of an IPv6 address.' })
  address!: string;

  @Field({ description: 'Request ID of the last attempt.' })
  requestId!: string;
}

@Output({ description: 'A page of security events, most recently started first.' })
export class SecurityEventConnection extends connectionOf('SecurityEvent', SecurityEvent, {
  singular: 'security event',
}) {}
