import type { Provider, StatementDifferenceKind } from './generated/documents.js';
import type { PageSearch } from './list.js';
import { oneOf, textIn } from './order-search.js';
import { words } from './words.js';

export interface DifferenceSearch extends PageSearch {
  /** State of the differences. Defaults to unresolved differences. */
  state?: 'resolved' | 'all' | undefined;
  provider?: Provider | undefined;
  kind?: StatementDifferenceKind | undefined;
}

export const differenceSearch = (search: Record<string, unknown>): DifferenceSearch => ({
  state: oneOf(search.state, { resolved: true, all: true }),
  provider: oneOf(search.provider, words.providerNames),
  kind: oneOf(search.kind, words.differences.kinds),
  after: textIn(search.after),
  before: textIn(search.before),
});

/** Filter of `statementDifferences` for a search. */
export const differenceFilter = ({ state, provider, kind }: DifferenceSearch) => ({
  provider,
  kind: kind && [kind],
  resolved: state === 'all' ? undefined : state === 'resolved',
});
