import { ArgsType, Field, ID } from 'type-graphql';
import { connectionOf } from '../graphql-toolkit/connection-types.js';
import { Output } from '../graphql-toolkit/graphql-types.js';
import { NodeType } from '../graphql-toolkit/node.js';
import { PageArguments } from '../graphql-toolkit/page-arguments.js';
import { Entries, WITH_PARENT } from '../graphql-toolkit/rows.js';
import { Agrees, Distinct, Input, Text } from '../graphql-toolkit/rules.js';
import { Instant, SafeInt } from '../graphql-toolkit/scalars.js';
import { words } from '../graphql-toolkit/words.js';
import { type AuditAction, auditActions, OTHER_ACTION } from './audit-actions.js';

export const AuditActionEnum = words('AuditAction', 'What was done.', {
  ...auditActions,
  [OTHER_ACTION]: 'Written by another version of the service.',
});

@Input({ description: 'Which entries are listed: those that fit everything that is given.' })
export class AuditFilter {
  @Field(() => ID, {
    nullable: true,
    description:
      'Only what was done to this, and to what is below it: a developer, user, order, wallet, white label or webhook endpoint.',
  })
  subjectId?: string;

  @Field(() => ID, {
    nullable: true,
    description:
      'Only what this user did, what programs of this developer did with tokens, or a command such as system:archive.',
  })
  actorId?: string;

  @Field(() => [AuditActionEnum], { nullable: true, description: 'Only these.' })
  @Distinct(1, Object.keys(AuditActionEnum).length)
  action?: string[];

  @Field(() => String, { nullable: true, description: 'Only what this request did.' })
  @Text(100)
  requestId?: string;

  @Field(() => Instant, { nullable: true, description: 'Written at this instant or later.' })
  from?: Date;

  @Field(() => Instant, { nullable: true, description: 'Written before this instant.' })
  @Agrees<AuditFilter>(({ from, to }) => !from || !to || from < to, 'Must be later than `from`.')
  to?: Date;
}

@ArgsType()
export class AuditLogArguments extends PageArguments {
  @Field(() => AuditFilter, { nullable: true, description: 'Which entries; without it all.' })
  filter?: AuditFilter;
}

@Output({ description: 'One value that an entry of the audit log changed.' })
export class AuditChange {
  @Field({ description: 'Its name, such as onboardingStatus.' })
  field!: string;

  @Field(() => String, {
    nullable: true,
    description: 'What it was; null when it was not there. Amounts in rupees, lists and objects as JSON.',
  })
  before!: string | null;

  @Field(() => String, { nullable: true, description: 'What it became; null when it is there no more.' })
  after!: string | null;
}

@NodeType<AuditEntry>('aud', { description: 'One thing that a person, a program or a command did.' })
export class AuditEntry {
  /** Whom `actor` shows, as the audit log names them. */
  by!: string;
  /** Actor for `requestedBy`: the user who requested approval. */
  requester!: string | null;
  id!: string;

  @Field(() => SafeInt, { description: 'Number in the chain, without gaps.' })
  number!: number;

  @Field(() => Instant, { description: 'When.' })
  at!: Date;

  @Field(() => AuditActionEnum, { description: 'What was done.' })
  action!: AuditAction | typeof OTHER_ACTION;

  @Field({ description: 'What it was done to, as the audit log names it, such as developer:<id>/production.' })
  subjectText!: string;

  @Field(() => [AuditChange], { description: 'What it changed; empty where nothing did, as of a reading.' })
  @Entries(WITH_PARENT)
  changes!: AuditChange[];

  @Field(() => String, {
    nullable: true,
    description: 'Why, in the words of the person who did it; null when they gave none.',
  })
  reason!: string | null;

  @Field({ description: 'The request that did it.' })
  requestId!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'Where that request came from: an IPv4 address, or the network of 64 bits of an IPv6 one. Null for commands and for what the service did by itself.',
  })
  address!: string | null;
}

@Output({ description: 'A page of the audit log, newest first.' })
export class AuditConnection extends connectionOf('Audit', AuditEntry, { one: 'entry', many: 'entries' }) {}
