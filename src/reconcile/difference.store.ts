import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { instantOrNull } from '../core/clock.js';
import { newId, UUID } from '../core/ids.js';
import { type Paise, paise } from '../core/money.js';
import type { EntityManager } from '../db/orm.js';
import type { PatientQuery } from '../db/patience.js';
import type { Queryable } from '../db/pool.js';
import { type Page, type PageRequest, pageOf, sliceOf } from '../graphql-toolkit/connection.js';
import type { OrderState } from '../orders/states.js';
import type { StatementStatus } from '../providers/provider.js';
import type { Comparison, Difference, DifferenceKind, Period } from './compare.js';
import { agrees, type OurOrder } from './matching.js';

/** Status of our order in a difference: an order that is open or in review is pending. */
export type OurStatus = 'success' | 'failed' | 'pending' | 'reversed';
/** `staff`: a user resolved the difference, with a reason. `later_run`: a later run of `gateway reconcile` no longer found it. */
export type DifferenceResolution = 'staff' | 'later_run';

export interface StoredDifference {
  id: string;
  provider: string;
  kind: DifferenceKind;
  runId: string;
  runAt: Date;
  /** SHA-256 of the statement, hexadecimal. */
  fileHash: string;
  orderId: string | null;
  ourStatus: OurStatus | null;
  ourAmount: Paise | null;
  line: number | null;
  reference: string;
  account: string | null;
  theirStatus: StatementStatus | null;
  theirAmount: Paise | null;
  occurredAt: Date;
  foundAt: Date;
  resolution: DifferenceResolution | null;
  resolvedAt: Date | null;
  resolvedBy: string | null;
  resolvedRunId: string | null;
  reason: string | null;
}

/** Changes of one run. */
export interface KeptDifferences {
  /** Differences that no earlier run reported. */
  added: number;
  /** Differences that this run no longer finds. */
  resolved: number;
}

export interface KeptRun {
  id: string;
  provider: string;
  period: Period;
  comparison: Pick<Comparison, 'lines' | 'differences' | 'matchedOrders'>;
}

const ROWS_PER_STATEMENT = 500;
/** Advisory lock, combined with the provider, that serializes the runs of a provider. */
const RUN_LOCK = 7_401_253;

const orderStatusOf = (state: OurOrder['state']): OurStatus =>
  state === 'open' || state === 'review' ? 'pending' : state;

interface NewRow {
  id: string;
  fingerprint: string;
  kind: DifferenceKind;
  developerId: string | null;
  orderId: string | null;
  ourStatus: OurStatus | null;
  ourAmount: string | null;
  line: number | null;
  reference: string;
  account: string | null;
  theirStatus: StatementStatus | null;
  theirAmount: string | null;
  occurredAt: string;
}

function* rowsOf(provider: string, differences: readonly Difference[]): Generator<NewRow> {
  /** Count of identical lines, for example of a payment that is listed twice. Each line is a separate difference. */
  const counts = new Map<string, number>();
  for (const { kind, ours, theirs } of differences) {
    const line = theirs && [theirs.status, String(theirs.amountPaise)];
    const identity = ours
      ? [ours.id, orderStatusOf(ours.state), String(ours.amountPaise), ...(line ?? [])]
      : [theirs!.reference, theirs!.account, theirs!.at.toISOString(), ...line!];
    const fingerprintOf = (n: number): string =>
      createHash('sha256')
        .update(JSON.stringify([provider, kind, ...identity, n]))
        .digest('hex');
    const first = fingerprintOf(0);
    const count = ours ? 0 : (counts.get(first) ?? 0);
    if (!ours) counts.set(first, count + 1);
    yield {
      id: newId(),
      fingerprint: count === 0 ? first : fingerprintOf(count),
      kind,
      developerId: ours?.developerId ?? null,
      orderId: ours?.id ?? null,
      ourStatus: ours ? orderStatusOf(ours.state) : null,
      ourAmount: ours ? String(ours.amountPaise) : null,
      line: theirs?.line ?? null,
      reference: (ours?.reference ?? theirs!.reference).slice(0, 100),
      account: theirs?.account.slice(0, 100) ?? null,
      theirStatus: theirs?.status ?? null,
      theirAmount: theirs ? String(theirs.amountPaise) : null,
      occurredAt: (ours ?? theirs!).at.toISOString(),
    };
  }
}

/**
 * Returns the statement that adds rows. `xmax` is 0 in a new row. A difference that a later run resolved is open again. A
 * difference that a user resolved remains resolved.
 */
const insertDifferences = (rows: readonly NewRow[], { id, provider }: KeptRun) => sql<{ added: number }>`
  with kept as (
    insert into reconcile_difference as d (id, provider, fingerprint, kind, run_id, developer_id, order_id, our_status, our_amount_paise, line,
      reference, account, their_status, their_amount_paise, occurred_at)
    select g.id, ${provider}, decode(g.fingerprint, 'hex'), g.kind, ${id}::uuid, g."developerId", g."orderId", g."ourStatus", g."ourAmount", g.line,
      g.reference, g.account, g."theirStatus", g."theirAmount", g."occurredAt"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g (id uuid, fingerprint text, kind text, "developerId" uuid, "orderId" uuid,
      "ourStatus" text, "ourAmount" bigint, line integer, reference text, account text, "theirStatus" text, "theirAmount" bigint,
      "occurredAt" timestamptz)
    on conflict (fingerprint) do update set run_id = excluded.run_id, line = excluded.line,
      resolution = nullif(d.resolution, 'later_run'), resolved_run_id = null,
      resolved_at = case when d.resolution = 'staff' then d.resolved_at end
    returning d.xmax = 0 as added)
  select count(*) filter (where added)::integer as added from kept`;

interface OpenRow {
  id: string;
  kind: DifferenceKind;
  order_id: string | null;
  their_status: StatementStatus | null;
  state: OrderState | null;
  reversed: boolean | null;
  in_period: boolean;
  covered: boolean;
}

/**
 * Stores each difference of a run, in the transaction of the caller, and resolves differences of earlier runs that the run no
 * longer finds. A file may be incomplete, so a missing line resolves nothing. An earlier difference with a line is resolved in
 * two cases: this file also has a line of the order, or it covers the days of the earlier file with at least as many lines. A
 * difference of other days is resolved if this file has a line that agrees with its order. A difference of statuses is also
 * resolved if its order now has the status of the line.
 */
export async function keepDifferences(run: KeptRun, tx: EntityManager): Promise<KeptDifferences> {
  const db = tx.getKysely();
  const { id, provider, period, comparison } = run;
  await sql`select pg_advisory_xact_lock(${RUN_LOCK}::integer, hashtext(${provider}))`.execute(db);
  let added = 0;
  let batch: NewRow[] = [];
  const flush = async (): Promise<void> => {
    if (batch.length > 0) added += (await insertDifferences(batch, run).execute(db)).rows[0]!.added;
    batch = [];
  };
  for (const row of rowsOf(provider, comparison.differences)) if (batch.push(row) >= ROWS_PER_STATEMENT) await flush();
  await flush();

  const [from, to] = [period.from.toISOString(), period.to.toISOString()];
  const { rows } = await sql<OpenRow>`
    select d.id, d.kind, d.order_id, d.their_status, o.state, o.reversed_at is not null as reversed,
      d.occurred_at >= ${from}::timestamptz and d.occurred_at < ${to}::timestamptz as in_period,
      r.period_from >= ${from}::timestamptz and r.period_to <= ${to}::timestamptz and r.lines <= ${comparison.lines} as covered
    from reconcile_difference d join reconcile_run r on r.id = d.run_id
    left join orders o on o.developer_id = d.developer_id and o.id = d.order_id
    where d.provider = ${provider} and d.resolution is null and d.run_id <> ${id}::uuid`.execute(db);
  const resolvedIds = rows.filter((row) => isResolved(row, comparison)).map((row) => row.id);
  for (let index = 0; index < resolvedIds.length; index += ROWS_PER_STATEMENT)
    await sql`update reconcile_difference set resolution = 'later_run', resolved_at = now(), resolved_run_id = ${id}::uuid
      where id = any(${resolvedIds.slice(index, index + ROWS_PER_STATEMENT)}::uuid[])`.execute(db);
  return { added, resolved: resolvedIds.length };
}

function isResolved(
  { kind, order_id, their_status, state, reversed, in_period, covered }: OpenRow,
  { matchedOrders }: Pick<Comparison, 'matchedOrders'>,
): boolean {
  const matched = order_id === null ? undefined : matchedOrders.get(order_id);
  if (in_period) return their_status === null || covered || matched !== undefined;
  if (matched || kind !== 'status_differs' || state === null || their_status === null) return matched === true;
  return agrees({ order: { state: reversed ? 'reversed' : state }, line: { status: their_status } });
}

/** Selection of differences; an undefined field selects all values. */
export interface DifferenceSelection {
  provider?: string | undefined;
  kinds?: readonly DifferenceKind[] | undefined;
  resolved?: boolean | undefined;
  orderId?: string | undefined;
  foundFrom?: Date | undefined;
  foundBefore?: Date | undefined;
}

const COLUMNS = `d.id, d.provider, d.kind, d.run_id as "runId", r.created_at as "runAt", encode(r.file_hash, 'hex') as "fileHash",
  d.order_id as "orderId", d.our_status as "ourStatus", d.our_amount_paise::text as "ourAmount", d.line, d.reference, d.account,
  d.their_status as "theirStatus", d.their_amount_paise::text as "theirAmount", d.occurred_at as "occurredAt", d.found_at as "foundAt",
  d.resolution, d.resolved_at as "resolvedAt", d.resolved_by as "resolvedBy", d.resolved_run_id as "resolvedRunId", d.reason`;
const FROM = 'reconcile_difference d join reconcile_run r on r.id = d.run_id';
const PAGE = `select ${COLUMNS} from ${FROM} where d.id < $1::uuid and d.id > $2::uuid
    and ($3::text is null or d.provider = $3) and ($4::text[] is null or d.kind = any($4))
    and ($5::boolean is null or $5 = (d.resolution is not null)) and ($6::uuid is null or d.order_id = $6)
    and ($7::timestamptz is null or d.found_at >= $7) and ($8::timestamptz is null or d.found_at < $8)
  order by d.id`;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

type Instants = 'runAt' | 'occurredAt' | 'foundAt';
type Row = Omit<StoredDifference, Instants | 'resolvedAt' | 'ourAmount' | 'theirAmount'> &
  Record<Instants, string> & { resolvedAt: string | null; ourAmount: string | null; theirAmount: string | null };

const storedOf = ({
  runAt,
  occurredAt,
  foundAt,
  resolvedAt,
  ourAmount,
  theirAmount,
  ...row
}: Row): StoredDifference => ({
  ...row,
  runAt: new Date(runAt),
  occurredAt: new Date(occurredAt),
  foundAt: new Date(foundAt),
  resolvedAt: instantOrNull(resolvedAt),
  ourAmount: ourAmount === null ? null : paise(ourAmount),
  theirAmount: theirAmount === null ? null : paise(theirAmount),
});

/** Reads and resolves the stored differences. */
export class DifferenceStore {
  constructor(private readonly db: Queryable) {}

  /** Returns a page of differences, newest first. Throws VALIDATION_FAILED for an invalid page size or cursor. */
  async page(selection: DifferenceSelection, request: PageRequest): Promise<Page<StoredDifference>> {
    const slice = sliceOf('differences', request, UUID);
    const { rows } = await this.db.query<Row>({
      text: `${PAGE} ${slice.backwards ? 'asc' : 'desc'} limit $9`,
      values: [
        slice.after ?? LAST_ID,
        slice.before ?? FIRST_ID,
        selection.provider ?? null,
        selection.kinds ?? null,
        selection.resolved ?? null,
        selection.orderId ?? null,
        selection.foundFrom?.toISOString() ?? null,
        selection.foundBefore?.toISOString() ?? null,
        slice.size + 1,
      ],
    });
    return pageOf(rows, slice, ({ id }) => id, storedOf);
  }

  /** Locks a difference until the transaction ends. Returns undefined if it does not exist. */
  async lock(id: string, tx: EntityManager): Promise<StoredDifference | undefined> {
    const { rows } =
      await sql<Row>`${sql.raw(`select ${COLUMNS} from ${FROM}`)} where d.id = ${id}::uuid for update of d`.execute(
        tx.getKysely(),
      );
    return rows[0] && storedOf(rows[0]);
  }

  async resolve(id: string, userId: string, reason: string, tx: EntityManager): Promise<void> {
    await sql`update reconcile_difference set resolution = 'staff', resolved_at = now(), resolved_by = ${userId}::uuid, reason = ${reason}
      where id = ${id}::uuid`.execute(tx.getKysely());
  }
}

/** Returns the number of unresolved differences by provider. Providers without differences are omitted. */
export async function openDifferences(query: PatientQuery): Promise<{ provider: string; count: number }[]> {
  return query({
    text: 'select provider, count(*)::integer as count from reconcile_difference where resolution is null group by provider',
  });
}
