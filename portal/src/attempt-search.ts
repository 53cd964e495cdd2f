import type { SecurityEventKind } from './generated/documents.js';
import type { PageSearch } from './list.js';
import { oneOf, textIn } from './order-search.js';
import { instantsOf, type RangeSearch, rangeSearch } from './range.js';
import { words } from './words.js';

export interface AttemptSearch extends RangeSearch, PageSearch {
  kind?: SecurityEventKind | undefined;
  address?: string | undefined;
  user?: string | undefined;
}

export const attemptSearch = (search: Record<string, unknown>): AttemptSearch => ({
  kind: oneOf(search.kind, words.attempts),
  address: textIn(search.address),
  user: textIn(search.user),
  after: textIn(search.after),
  before: textIn(search.before),
  ...rangeSearch(search),
});

/** Converts the search parameters to the filter of the query. */
export const attemptFilter = ({ kind, address, user, ...range }: AttemptSearch) => ({
  kind: kind && [kind],
  address,
  userId: user,
  ...instantsOf(range),
});
