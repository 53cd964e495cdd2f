import { instantOrNull } from '../core/clock.js';
import { UUID } from '../core/ids.js';
import type { Queryable } from '../db/pool.js';
import { type Page, type PageRequest, pageOf, sliceOf } from '../graphql-toolkit/connection.js';
import type { AttemptKind } from './attempts.js';

/** Failed attempts of one kind, identifier and address in 15 minutes, as counted by one process. */
export interface FailedAttempts {
  kind: AttemptKind;
  /** Keyed hash of the identifier. */
  identifierHash: string;
  /** Masked identifier. Null for links. */
  identifier: string | null;
  address: string;
  at: Date;
  lastAt: Date;
  count: number;
  userId: string | null;
  /** Reason for the last failure. */
  reason: string;
  requestId: string;
  /** Whether the secret was not compared because there were too many attempts. */
  refused: boolean;
}

/** Filter for events. Omitted fields do not filter. */
export interface SecurityEventSelection {
  kinds?: readonly string[] | undefined;
  userId?: string | undefined;
  address?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

export interface StoredSecurityEvent extends Omit<FailedAttempts, 'identifierHash' | 'refused'> {
  id: string;
}

/**
 * SQL that adds to existing rows. Attempts from one address that were rejected unchecked share one row for all identifiers, so
 * that invented identifiers cannot create rows without limit. Rows are ordered by key, so that two processes do not deadlock.
 */
const ADD = `
  with given as (
    select g.*, date_bin('15 minutes', g.at, 'epoch') as since
    from jsonb_to_recordset($1::jsonb) as g (kind text, "identifierHash" text, identifier text, address text, at timestamptz,
      "lastAt" timestamptz, count integer, "userId" uuid, reason text, "requestId" text, refused boolean)),
  placed as (
    select given.*, not refused
      or exists (select from security_event e where (e.since, e.kind, e.identifier_hash, e.address) = (given.since, given.kind, given."identifierHash", given.address))
      or exists (select from given g where not g.refused
        and (g.since, g.kind, g."identifierHash", g.address) = (given.since, given.kind, given."identifierHash", given.address)) as own
    from given)
  insert into security_event as e (since, kind, identifier_hash, identifier, address, at, last_at, count, user_id, reason, request_id)
  select since, kind, case when own then "identifierHash" else '' end as hash, max(case when own then identifier end), address,
    min(at), max("lastAt"), sum(count), (array_agg("userId") filter (where own))[1],
    (array_agg(reason order by "lastAt" desc))[1], (array_agg("requestId" order by "lastAt" desc))[1]
  from placed group by since, kind, hash, address order by since, kind, hash, address
  on conflict (since, kind, identifier_hash, address) do update set count = e.count + excluded.count,
    at = least(e.at, excluded.at), last_at = greatest(e.last_at, excluded.last_at), user_id = coalesce(e.user_id, excluded.user_id),
    reason = excluded.reason, request_id = excluded.request_id`;

const PAGE = `select e.id, e.kind, e.identifier, e.address, e.at, e.last_at as "lastAt", e.count, e.user_id as "userId", e.reason,
    e.request_id as "requestId"
  from security_event e where e.id < $1::uuid and e.id > $2::uuid
    and ($3::text[] is null or e.kind = any($3)) and ($4::uuid is null or e.user_id = $4) and ($5::text is null or e.address = $5)
    and ($6::timestamptz is null or e.last_at >= $6) and ($7::timestamptz is null or e.at < $7)
  order by e.id`;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

type Row = Omit<StoredSecurityEvent, 'at' | 'lastAt'> & { at: string; lastAt: string };

/** Failed attempts, stored for staff next to the audit log. */
export class SecurityEventStore {
  constructor(
    private readonly db: Queryable,
    private readonly reads: Queryable,
  ) {}

  async add(attempts: readonly FailedAttempts[]): Promise<void> {
    await this.db.query({ text: ADD, values: [JSON.stringify(attempts)] });
  }

  /** Returns a page of events, newest first by start time. Throws VALIDATION_FAILED for an invalid page size or cursor. */
  async page(selection: SecurityEventSelection, request: PageRequest): Promise<Page<StoredSecurityEvent>> {
    const slice = sliceOf('security', request, UUID);
    const { kinds, userId, address, from, to } = selection;
    const { rows } = await this.reads.query<Row>({
      text: `${PAGE} ${slice.backwards ? 'asc' : 'desc'} limit $8`,
      values: [
        slice.after ?? LAST_ID,
        slice.before ?? FIRST_ID,
        kinds ?? null,
        userId ?? null,
        address ?? null,
        from ?? null,
        to ?? null,
        slice.size + 1,
      ],
    });
    return pageOf(
      rows,
      slice,
      ({ id }) => id,
      (row) => ({ ...row, at: instantOrNull(row.at)!, lastAt: instantOrNull(row.lastAt)! }),
    );
  }
}
