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

export const AuditActionEnum = words('AuditAction', 'Action of an audit entry.', {
  ...auditActions,
  [OTHER_ACTION]: 'Action of an entry that was written by another version of the service.',
});

@Input({ description: 'Filter for the audit log. An entry must match all given conditions.' })
export class AuditFilter {
  @Field(() => ID, {
    nullable: true,
    description:
      'Only entries about this developer, user, order, wallet, white label or webhook endpoint, including its child records.',
  })
  subjectId?: string;

  @Field(() => ID, {
    nullable: true,
    description:
      'Only entries of this user, of applications of this developer, or of a command such as `system:archive`.',
  })
  actorId?: string;

  @Field(() => [AuditActionEnum], { nullable: true, description: 'Only entries with one of these actions.' })
  @Distinct(1, Object.keys(AuditActionEnum).length)
  action?: string[];

  @Field(() => String, { nullable: true, description: 'Only entries of this request.' })
  @Text(100)
  requestId?: string;

  @Field(() => Instant, { nullable: true, description: 'Only entries written at or after this time.' })
  from?: Date;

  @Field(() => Instant, { nullable: true, description: 'Only entries written before this time.' })
  @Agrees<AuditFilter>(({ from, to }) => !from || !to || from < to, 'Must be later than `from`.')
  to?: Date;
}

@ArgsType()
export class AuditLogArguments extends PageArguments {
  @Field(() => AuditFilter, { nullable: true, description: 'Filter. Returns all entries if omitted.' })
  filter?: AuditFilter;
}

@Output({ description: 'Value that an audit entry changed.' })
export class AuditChange {
  @Field({ description: 'Name of the field, such as `onboardingStatus`.' })
  field!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Previous value. Null if there was none. Amounts are in rupees; lists and objects are JSON.',
  })
  before!: string | null;

  @Field(() => String, { nullable: true, description: 'New value. Null if the value was removed.' })
  after!: string | null;
}

@NodeType<AuditEntry>('aud', {
  description: 'Entry of the audit log: one action of a user, an application, a command or the service.',
})
export class AuditEntry {
  /** Stored actor, which the field `actor` displays. */
  by!: string;
  /** Stored actor who requested approval, which the field `requestedBy` displays. */
  requester!: string | null;
  id!: string;

  @Field(() => SafeInt, { description: 'Sequence number in the audit log, without gaps.' })
  number!: number;

  @Field(() => Instant, { description: 'Time of the action.' })
  at!: Date;

  @Field(() => AuditActionEnum, { description: 'Action that was taken.' })
  action!: AuditAction | typeof OTHER_ACTION;

  @Field({ description: 'Subject of the action, as stored in the audit log, for example `developer:<id>/production`.' })
  subjectText!: string;

  @Field(() => [AuditChange], { description: 'Changed values. Empty if nothing changed, for example for a read.' })
  @Entries(WITH_PARENT)
  changes!: AuditChange[];

  @Field(() => String, {
    nullable: true,
    description: 'Reason that the actor gave. Null if none was given.',
  })
  reason!: string | null;

  @Field({ description: 'ID of the request that made the change.' })
  requestId!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'IP address of the request: an IPv4 address, or the /64 network of an IPv6 address. Null for commands and for actions of the service.',
  })
  address!: string | null;
}

@Output({ description: 'A page of the audit log, newest first.' })
export class AuditConnection extends connectionOf('Audit', AuditEntry, { singular: 'entry', plural: 'entries' }) {}
