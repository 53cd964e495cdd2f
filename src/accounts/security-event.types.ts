import { ArgsType, Field, ID, Int } from 'type-graphql';
import { connectionOf } from '../graphql-toolkit/connection-types.js';
import { Output } from '../graphql-toolkit/graphql-types.js';
import { PageArguments } from '../graphql-toolkit/page-arguments.js';
import { Agrees, Distinct, Input, Text } from '../graphql-toolkit/rules.js';
import { Instant } from '../graphql-toolkit/scalars.js';
import { words } from '../graphql-toolkit/words.js';
import type { AttemptKind } from './attempts.js';

export const SecurityEventKindEnum = words<AttemptKind>('SecurityEventKind', 'Which secret was tried.', {
  'sign-in': 'The password of a user, to sign in.',
  exchange: 'The secret of a key, for a token.',
  'verify-email': 'A link that confirms an email address, or the password with it.',
  'change-password': 'The present password of a signed-in user, to change it.',
  'reset-password': 'A link that resets a password.',
  'second-factor': 'A second factor of a signed-in user, to show it again or to add it.',
  'accept-invitation': 'A link that invites somebody.',
  'confirm-email': 'A link that confirms a new email address.',
});

@Input({ description: 'Which events are listed: those that fit everything that is given.' })
export class SecurityEventFilter {
  @Field(() => [SecurityEventKindEnum], { nullable: true, description: 'Only these.' })
  @Distinct(1, Object.keys(SecurityEventKindEnum).length)
  kind?: AttemptKind[];

  @Field(() => ID, { nullable: true, description: 'Only attempts at the secrets of this user.' })
  userId?: string;

  @Field(() => String, { nullable: true, description: 'Only from this address, as an event names it.' })
  @Text(100)
  address?: string;

  @Field(() => Instant, { nullable: true, description: 'The last attempt was at this instant or later.' })
  from?: Date;

  @Field(() => Instant, { nullable: true, description: 'The first attempt was before this instant.' })
  @Agrees<SecurityEventFilter>(({ from, to }) => !from || !to || from < to, 'Must be later than `from`.')
  to?: Date;
}

@ArgsType()
export class SecurityEventsArguments extends PageArguments {
  @Field(() => SecurityEventFilter, { nullable: true, description: 'Which events; without it all.' })
  filter?: SecurityEventFilter;
}

@Output({
  description:
    'Failed attempts at one secret from one address in a quarter of an hour. They are kept for 400 days, beside the audit log.',
})
export class SecurityEvent {
  /** Whom `user` shows. */
  userId!: string | null;

  @Field(() => Instant, { description: 'When the first of them failed.' })
  at!: Date;

  @Field(() => Instant, { description: 'When the last of them failed.' })
  lastAt!: Date;

  @Field(() => Int, { description: 'How many there were.' })
  count!: number;

  @Field(() => SecurityEventKindEnum, { description: 'Which secret was tried.' })
  kind!: AttemptKind;

  @Field({
    description: 'Why the last one failed, in the words of the log, such as `wrong password` or `too many attempts`.',
  })
  reason!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'Whose secret it was, masked: an email address or a client id. Null of links, and where attempts at many were refused unseen.',
  })
  identifier!: string | null;

  @Field({ description: 'Where they came from: an IPv4 address, or the network of 64 bits of an IPv6 one.' })
  address!: string;

  @Field({ description: 'The request of the last one.' })
  requestId!: string;
}

@Output({ description: 'A page of security events, those that began last first.' })
export class SecurityEventConnection extends connectionOf('SecurityEvent', SecurityEvent, {
  one: 'security event',
}) {}
