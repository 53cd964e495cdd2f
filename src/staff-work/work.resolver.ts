import { Ctx, Query, Resolver, Root, Subscription } from 'type-graphql';
import { instantOrNull } from '../core/clock.js';
import { type RequestContext, requireSessionStill, sessionOf } from '../core/context.js';
import { AppError } from '../core/errors.js';
import { paise } from '../core/money.js';
import type { StaffRole } from '../core/principal.js';
import type { Source } from '../core/room.js';
import type { Queryable } from '../db/pool.js';
import { Entries } from '../graphql-toolkit/rows.js';
import type { WorkFeed, WorkStream } from './work.feed.js';
import { kindsSeenBy, type WorkKind, workStatement } from './work.table.js';
import { ALL_KINDS, WorkItem } from './work.types.js';

interface Row {
  kind: WorkKind;
  count: number;
  uat_count: number;
  amount_paise: string | null;
  oldest_at: string | null;
}

/** How much waits now. */
export class WorkReader {
  constructor(private readonly db: Queryable) {}

  /** Of these kinds, in the order of the table, with one statement. */
  async of(wanted: readonly WorkKind[] = ALL_KINDS): Promise<WorkItem[]> {
    const { rows } = await this.db.query<Row>({ text: workStatement(wanted) });
    return rows.map(({ kind, count, uat_count, amount_paise, oldest_at }) => ({
      kind,
      count,
      uatCount: uat_count,
      amount: amount_paise === null ? null : paise(amount_paise),
      oldestAt: instantOrNull(oldest_at),
    }));
  }
}

/** What waits for people, of all accounts. */
@Resolver()
export class WorkResolver {
  constructor(private readonly reader: WorkReader) {}

  @Query(() => [WorkItem], {
    nullable: true,
    description: 'What waits for staff: each kind whose work one may open, also where nothing waits.',
  })
  @Entries(ALL_KINDS.length)
  work(@Ctx() context: RequestContext): Promise<WorkItem[]> {
    return this.reader.of(kindsSeenBy(sessionOf(context).role as StaffRole));
  }
}

/** The same, streamed when it changes. */
@Resolver()
export class WorkChangesResolver {
  constructor(private readonly feed: WorkFeed) {}

  @Subscription(() => [WorkItem], {
    subscribe: fedByItsSource,
    description:
      'What waits for staff, each kind whose work one may open: as it is now first, then the whole list whenever it changes, at most every two seconds. It ends with the error STREAM_ENDED after a quarter of an hour and when the process ends: subscribe again. An open stream is no use of the session. Over POST with Accept: text/event-stream or multipart/mixed;subscriptionSpec=1.0.',
  })
  @Entries(ALL_KINDS.length)
  workChanged(@Root() work: WorkItem[]): WorkItem[] {
    return work;
  }

  readonly sources = {
    /** Errors: RATE_LIMITED, STREAM_ENDED. */
    workChanged: async (_args, context) => {
      const stream = this.feed.open(sessionOf(context), context.gone?.());
      context.leaveAdmission?.();
      return this.#stream(stream, context);
    },
  } satisfies Record<string, Source>;

  async *#stream(stream: WorkStream, context: RequestContext): AsyncGenerator<WorkItem[]> {
    try {
      for (let work = await stream.next(); work; work = await stream.next()) {
        // which kinds these are goes by the role at the beginning
        await requireSessionStill(context);
        yield work;
      }
      if (!context.gone?.().aborted)
        throw new AppError('STREAM_ENDED', { message: 'This stream ends here: subscribe again.' });
    } finally {
      stream.end();
    }
  }
}

/** The schema puts the source of the room here, behind the checks of the policy table. */
function fedByItsSource(): never {
  throw new Error('A subscription without a source.');
}
