import { Field, Int } from 'type-graphql';
import type { Paise } from '../core/money.js';
import { Output } from '../graphql-toolkit/graphql-types.js';
import { Instant, Rupees } from '../graphql-toolkit/scalars.js';
import { words } from '../graphql-toolkit/words.js';
import { type WorkKind, workKinds } from './work.table.js';

export const ALL_KINDS = Object.keys(workKinds) as WorkKind[];

export const WorkKindEnum = words<WorkKind>(
  'WorkKind',
  'What waits for staff.',
  Object.fromEntries(ALL_KINDS.map((kind) => [kind, workKinds[kind].description])) as Record<WorkKind, string>,
);

@Output({ description: 'How much of one kind waits for staff.' })
export class WorkItem {
  @Field(() => WorkKindEnum, { description: 'What waits.' })
  kind!: WorkKind;

  @Field(() => Int, { description: 'How many; 0 when nothing waits.' })
  count!: number;

  @Field(() => Int, { description: 'How many of them are about UAT, where all is play.' })
  uatCount!: number;

  @Field(() => Rupees, {
    nullable: true,
    description: 'The real money that they are about; null for a kind that is about none.',
  })
  amount!: Paise | null;

  @Field(() => Instant, { nullable: true, description: 'Since when the oldest one waits; null when nothing waits.' })
  oldestAt!: Date | null;
}
