import { Field, Int } from 'type-graphql';
import type { Paise } from '../core/money.js';
import { Output } from '../graphql-toolkit/graphql-types.js';
import { Instant, Rupees } from '../graphql-toolkit/scalars.js';
import { words } from '../graphql-toolkit/words.js';
import { type WorkKind, workKinds } from './work.table.js';

export const ALL_KINDS = Object.keys(workKinds) as WorkKind[];

export const WorkKindEnum = words<WorkKind>(
  'WorkKind',
  'Kind of work for staff.',
  Object.fromEntries(ALL_KINDS.map((kind) => [kind, workKinds[kind].description])) as Record<WorkKind, string>,
);

@Output({ description: 'Work items of one kind.' })
export class WorkItem {
  @Field(() => WorkKindEnum, { description: 'Kind of work.' })
  kind!: WorkKind;

  @Field(() => Int, { description: 'Number of items; 0 if there are none.' })
  count!: number;

  @Field(() => Int, { description: 'Number of items in UAT, where no real money is involved.' })
  uatCount!: number;

  @Field(() => Rupees, {
    nullable: true,
    description: 'Production amount of the items, in rupees. Null for kinds without an amount.',
  })
  amount!: Paise | null;

  @Field(() => Instant, { nullable: true, description: 'Time the oldest item was added. Null if there are none.' })
  oldestAt!: Date | null;
}
