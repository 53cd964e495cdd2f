import { auditWords } from './audit-words.js';
import type { AuditAction } from './generated/documents.js';
import type { PageSearch } from './list.js';
import { oneOf, textIn } from './order-search.js';
import { instantsOf, type RangeSearch, rangeSearch } from './range.js';

export interface AuditSearch extends RangeSearch, PageSearch {
  subject?: string | undefined;
  actor?: string | undefined;
  request?: string | undefined;
  action?: AuditAction | undefined;
  /** ID of the entry that the drawer displays. */
  entry?: string | undefined;
}

export const auditSearch = (search: Record<string, unknown>): AuditSearch => ({
  subject: textIn(search.subject),
  actor: textIn(search.actor),
  request: textIn(search.request),
  action: oneOf(search.action, auditWords),
  entry: textIn(search.entry),
  after: textIn(search.after),
  before: textIn(search.before),
  ...rangeSearch(search),
});

export interface ActivitySearch extends PageSearch {
  /** ID of the entry that the drawer displays. */
  entry?: string | undefined;
}

export const activitySearch = (search: Record<string, unknown>): ActivitySearch => ({
  entry: textIn(search.entry),
  after: textIn(search.after),
  before: textIn(search.before),
});

/** Converts the search parameters to the filter of the query. A search by request ID ignores the date range. */
export const auditFilter = ({ subject, actor, request, action, ...range }: AuditSearch) => ({
  subjectId: subject,
  actorId: actor,
  requestId: request,
  action: action && [action],
  ...(request === undefined ? instantsOf(range) : {}),
});
