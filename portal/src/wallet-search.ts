import type { StatementKind } from './generated/documents.js';
import type { PageSearch } from './list.js';
import { oneOf, textIn } from './order-search.js';
import { type RangeSearch, rangeSearch } from './range.js';
import { words } from './words.js';

export interface WalletSearch extends RangeSearch, PageSearch {
  reference?: string | undefined;
  kind?: StatementKind | undefined;
  view?: 'days' | undefined;
  /** ID of the order that the drawer displays. */
  order?: string | undefined;
}

export const walletSearch = (search: Record<string, unknown>): WalletSearch => ({
  reference: textIn(search.reference),
  kind: oneOf(search.kind, words.entries),
  view: search.view === 'days' ? 'days' : undefined,
  order: textIn(search.order),
  after: textIn(search.after),
  before: textIn(search.before),
  ...rangeSearch(search),
});
