import { isUuid } from '../core/ids.js';
import { paise, rupeesNumber } from '../core/money.js';
import type { DeveloperId } from '../core/principal.js';
import type { Queryable } from '../db/pool.js';
import { type Page, type PageRequest, pageOf, sliceOf } from '../graphql-toolkit/connection.js';
import { ownerView, visibleActions } from './activity.js';
import type { AuditChange, AuditEntry } from './audit.types.js';
import { type AuditAction, auditActions, OTHER_ACTION } from './audit-actions.js';
import { MARKS } from './audit-marks.js';

/** Filter by the stored values of the audit log. Omitted fields do not filter. */
export interface AuditLogFilter {
  /** Subject of the entries. Entries of its child records also match. */
  subject?: string | undefined;
  actor?: string | undefined;
  actions?: readonly string[] | undefined;
  requestId?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

const COLUMNS = 'id::text, at, actor, address, action, subject, before, after, reason, request_id';
const PAGE = `select ${COLUMNS} from audit_entry where audit_entry.id < $1::bigint and audit_entry.id > $2::bigint
    and ($3::text is null or subject = $3 or starts_with(subject, $3 || '/'))
    and ($4::text is null or actor = $4)
    and ($5::text[] is null or action = any($5) or ('${OTHER_ACTION}' = any($5) and action <> all($6)))
    and ($7::text is null or request_id = $7)
    and ($8::timestamptz is null or at >= $8) and ($9::timestamptz is null or at < $9)
  order by audit_entry.id`;
/**
 * SQL condition: whether the actor is a user or application of account $1. For other actors, only the visible actions are
 * shown; see activity.ts.
 */
const IS_OWN = `(a.actor = 'token:' || $1::uuid
  or exists (select from app_user u where u.developer_id = $1::uuid and a.actor = 'user:' || u.id))`;
const ACTIVITY = `select id::text, at, actor, address, action, subject, before, after, reason, request_id, ${IS_OWN} as own
  from audit_entry a where a.developer_id = $1::uuid and a.id < $2::bigint and a.id > $3::bigint
    and (a.action = any($4::text[]) or ${IS_OWN})
  order by a.id`;
const KNOWN_ACTIONS = Object.keys(auditActions);
const LAST_ID = '9223372036854775807';

/** SQL: subjects for a node ID without its prefix. Includes archived orders and expired invitations. */
const SUBJECTS = `select 'developer:' || id as subject from developer where id = $1
  union all select 'user:' || id from app_user where id = $1
  union all select 'white_label:' || id from white_label where id = $1
  union all select 'developer:' || developer_id || '/' || environment || '/webhook:' || id from webhook_endpoint where id = $1
  union all select 'order:' || id from orders where id = $1
  union all (select subject from audit_entry where subject in ('order:' || $1, 'user:' || $1) limit 1)`;

/** Pattern of the subject, by prefix of the node ID. */
const SUBJECT_KINDS: Readonly<Record<string, RegExp>> = {
  dev: /^developer:[^/]+$/,
  usr: /^user:/,
  wlb: /^white_label:/,
  whe: /\/webhook:/,
  ord: /^order:/,
};

type State = Readonly<Record<string, unknown>>;
interface Row {
  id: string;
  at: string;
  actor: string;
  address: string | null;
  action: string;
  subject: string;
  before: State | null;
  after: State | null;
  reason: string | null;
  request_id: string;
}

/** Reads the audit log for display. */
export class AuditReader {
  constructor(private readonly db: Queryable) {}

  /** Returns a page of entries, newest first. Throws VALIDATION_FAILED for an invalid page size or cursor. */
  async page(filter: AuditLogFilter, request: PageRequest): Promise<Page<AuditEntry>> {
    const slice = sliceOf('audit', request, /^\d{1,18}$/);
    const { subject, actor, actions, requestId, from, to } = filter;
    const { rows } = await this.db.query<Row>({
      text: `${PAGE} ${slice.backwards ? 'asc' : 'desc'} limit $10`,
      values: [
        slice.after ?? LAST_ID,
        slice.before ?? '0',
        subject ?? null,
        actor ?? null,
        actions ?? null,
        KNOWN_ACTIONS,
        requestId ?? null,
        from ?? null,
        to ?? null,
        slice.size + 1,
      ],
    });
    return pageOf(rows, slice, ({ id }) => id, entryOf);
  }

  /**
   * Returns a page of an account's activity as visible to its users, newest first. Throws VALIDATION_FAILED for an invalid
   * page size or cursor.
   *
   * @param audience reader. Staff see the same entries with all their values.
   */
  async activity(
    developerId: DeveloperId,
    request: PageRequest,
    audience: 'staff' | 'owners',
  ): Promise<Page<AuditEntry>> {
    const slice = sliceOf('activity', request, /^\d{1,18}$/);
    const { rows } = await this.db.query<Row & { own: boolean }>({
      text: `${ACTIVITY} ${slice.backwards ? 'asc' : 'desc'} limit $5`,
      values: [developerId, slice.after ?? LAST_ID, slice.before ?? '0', visibleActions, slice.size + 1],
    });
    return pageOf(
      rows,
      slice,
      ({ id }) => id,
      (row) => (audience === 'staff' ? entryOf(row) : ownerView(entryOf(row), row.own)),
    );
  }

  /** Returns an activity entry by number, as visible to users of the account. Undefined if they cannot see it. */
  async findOwn(number: string, developerId: DeveloperId): Promise<AuditEntry | undefined> {
    const values = [developerId, String(BigInt(number) + 1n), String(BigInt(number) - 1n), visibleActions];
    const { rows } = await this.db.query<Row & { own: boolean }>({ text: ACTIVITY, values });
    return rows[0] && ownerView(entryOf(rows[0]), rows[0].own);
  }

  /** Returns an entry by number. Undefined if there is none. */
  async find(number: string): Promise<AuditEntry | undefined> {
    const text = `select ${COLUMNS} from audit_entry where audit_entry.id = $1::bigint`;
    const { rows } = await this.db.query<Row>({ text, values: [number] });
    return rows[0] && entryOf(rows[0]);
  }

  /** Returns the subject for an ID with or without prefix. Undefined if it does not exist. */
  async subjectOf(id: string): Promise<string | undefined> {
    const wallet = /^wal_(uat|production)_(.*)$/.exec(id);
    if (wallet) {
      const owner = await this.subjectOf(`dev_${wallet[2]}`);
      return owner && `${owner}/${wallet[1]}`;
    }
    const [, prefix, key = ''] = /^(?:([a-z]{3})_)?(.*)$/s.exec(id)!;
    if (!isUuid(key)) return undefined;
    const kind = prefix === undefined ? /./ : SUBJECT_KINDS[prefix];
    const { rows } = await this.db.query<{ subject: string }>({
      text: SUBJECTS,
      values: [key],
    });
    return rows.find(({ subject }) => kind?.test(subject))?.subject;
  }
}

const entryOf = ({ id, at, action, actor, address, subject, before, after, reason, request_id }: Row): AuditEntry => ({
  id,
  number: Number(id),
  at: new Date(at),
  action: Object.hasOwn(auditActions, action) ? (action as AuditAction) : OTHER_ACTION,
  by: actor,
  requester: (after?.requestedBy as string | undefined) ?? null,
  subjectText: subject,
  changes: changesOf({ before, after }),
  reason: reason || null,
  requestId: request_id,
  address,
});

/** Returns the changed values, in the field order of the entry. The audit log stores paise; clients read rupees. */
export function changesOf(states: { before?: State | null; after?: State | null }): AuditChange[] {
  const [before, after] = [states.before ?? {}, states.after ?? {}];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((key) => !MARKS.has(key))
    .map((key) => {
      const isAmount = key.endsWith('Paise');
      const text = ({ [key]: value }: State): string | null => textOf(isAmount ? rupeesOf(value) : value);
      return { field: isAmount ? key.slice(0, -'Paise'.length) : key, before: text(before), after: text(after) };
    })
    .filter((change) => change.before !== change.after);
}

const rupeesOf = (value: unknown): unknown => (typeof value === 'string' ? rupeesNumber(paise(value)) : value);

/** Returns the ID for a user, a string without changes, and any other value as JSON. */
function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value.replace(/^user:(?=[\da-f-]{36}$)/, 'usr_') : JSON.stringify(value);
}
