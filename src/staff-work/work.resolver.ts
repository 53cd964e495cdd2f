import { Ctx, Query, Resolver, Root, Subscription } from 'type-graphql';
import { instantOrNull } from '../core/clock.js';
import { type RequestContext, recheckSession, sessionOf } from '../core/context.js';
import { AppError } from '../core/errors.js';
import { paise } from '../core/money.js';
import type { StaffRole } from '../core/principal.js';
import type { Source } from '../core/room.js';
import type { Queryable } from '../db/pool.js';
import { Entries } from '../graphql-toolkit/rows.js';
import type { WorkFeed, WorkStream } from './work.feed.js';
import { kindsVisibleTo, type WorkKind, workStatement } from './work.table.js';
import { ALL_KINDS, WorkItem } from './work.types.js';

interface Row {
  kind: WorkKind;
  count: number;
  uat_count: number;
  amount_paise: string | null;
  oldest_at: string | null;
}

/** Reads the current work. */
export class WorkReader {
  constructor(private readonly db: Queryable) {}

  /** Returns work of the given kinds with one statement, in the order of the table. */
  async of(requested: readonly WorkKind[] = ALL_KINDS): Promise<WorkItem[]> {
    const { rows } = await this.db.query<Row>({ text: workStatement(requested) });
    return rows.map(({ kind, count, uat_count, amount_paise, oldest_at }) => ({
      kind,
      count,
      uatCount: uat_count,
      amount: amount_paise === null ? null : paise(amount_paise),
      oldestAt: instantOrNull(oldest_at),
    }));
  }
}

/** Resolver for the work of staff, over all accounts. */
@Resolver()
export class WorkResolver {
  constructor(private readonly reader: WorkReader) {}

  @Query(() => [WorkItem], {
    nullable: true,
    description: 'Work for staff: one item for each kind that the user can open, including kinds with a count of 0.',
  })
  @Entries(ALL_KINDS.length)
  work(@Ctx() context: RequestContext): Promise<WorkItem[]> {
    return this.reader.of(kindsVisibleTo(sessionOf(context).role as StaffRole));
  }
}

/** Resolver for the stream of work list changes. */
@Resolver()
export class WorkChangesResolver {
  constructor(private readonly feed: WorkFeed) {}

  @Subscription(() => [WorkItem], {
    subscribe: fedByItsSource,
    description:
      'Streams the work list for staff: the current list first, then the whole list after each change, at most every 2 seconds. Ends with the error STREAM_ENDED after 15 minutes or when the process stops; then subscribe again. An open stream does not keep the session active. Send a POST request with `Accept: text/event-stream` or `multipart/mixed;subscriptionSpec=1.0`.',
  })
  @Entries(ALL_KINDS.length)
  workChanged(@Root() work: WorkItem[]): WorkItem[] {
    return work;
  }

  readonly sources = {
    /** Opens the stream. Throws RATE_LIMITED and STREAM_ENDED. */
    workChanged: async (_args, context) => {
      const stream = this.feed.open(sessionOf(context), context.disconnectSignal?.());
      context.leaveAdmission?.();
      return this.#stream(stream, context);
    },
  } satisfies Record<string, Source>;

  async *#stream(stream: WorkStream, context: RequestContext): AsyncGenerator<WorkItem[]> {
    try {
      for (let work = await stream.next(); work; work = await stream.next()) {
        // the visible kinds depend on the role when the stream was opened
        await recheckSession(context);
        yield work;
      }
      if (!context.disconnectSignal?.().aborted)
        throw new AppError('STREAM_ENDED', { message: 'This stream has ended. Subscribe again.' });
    } finally {
      stream.end();
    }
  }
}

/**
 * Placeholder resolver. The schema replaces it with the source of the module, which runs after the checks of the policy table.
 */
function fedByItsSource(): never {
  throw new Error('A subscription without a source.');
}
