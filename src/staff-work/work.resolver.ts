import { Ctx, Field, Int, Query, Resolver } from 'type-graphql';
import { instantOrNull } from '../core/clock.js';
import { type RequestContext, sessionOf } from '../core/context.js';
import { type Paise, paise } from '../core/money.js';
import type { StaffRole } from '../core/principal.js';
import type { Queryable } from '../db/pool.js';
import { Output } from '../graphql-toolkit/graphql-types.js';
import { Entries } from '../graphql-toolkit/rows.js';
import { Instant, Rupees } from '../graphql-toolkit/scalars.js';
import { words } from '../graphql-toolkit/words.js';
import { kindsSeenBy, type WorkKind, workKinds, workStatement } from './work.table.js';

const ALL = Object.keys(workKinds) as WorkKind[];

export const WorkKindEnum = words<WorkKind>(
  'WorkKind',
  'What waits for staff.',
  Object.fromEntries(ALL.map((kind) => [kind, workKinds[kind].description])) as Record<WorkKind, string>,
);

@Output({ description: 'How much of one kind waits for staff.' })
export class WorkItem {
  @Field(() => WorkKindEnum, { description: 'What waits.' })
  kind!: WorkKind;

  @Field(() => Int, { description: 'How many; 0 when nothing waits.' })
  count!: number;

  @Field(() => Int, { description: 'How many of them are about UAT, where all is play.' })
  inUat!: number;

  @Field(() => Rupees, {
    nullable: true,
    description: 'The real money that they are about; null for a kind that is about none.',
  })
  amount!: Paise | null;

  @Field(() => Instant, { nullable: true, description: 'Since when the oldest one waits; null when nothing waits.' })
  oldestAt!: Date | null;
}

interface Row {
  kind: WorkKind;
  count: number;
  in_uat: number;
  amount_paise: string | null;
  oldest_at: string | null;
}

/** What waits for people, of all accounts. */
@Resolver()
export class WorkResolver {
  constructor(private readonly db: Queryable) {}

  @Query(() => [WorkItem], {
    nullable: true,
    description: 'What waits for staff: each kind whose work one may open, also where nothing waits.',
  })
  @Entries(ALL.length)
  async work(@Ctx() context: RequestContext): Promise<WorkItem[]> {
    const wanted = kindsSeenBy(sessionOf(context).role as StaffRole);
    const { rows } = await this.db.query<Row>({ text: workStatement(wanted) });
    return rows.map(({ kind, count, in_uat, amount_paise, oldest_at }) => ({
      kind,
      count,
      inUat: in_uat,
      amount: amount_paise === null ? null : paise(amount_paise),
      oldestAt: instantOrNull(oldest_at),
    }));
  }
}
