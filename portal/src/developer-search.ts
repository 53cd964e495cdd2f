import type { DeveloperSort, OnboardingStatus, RechargeProvider, Service } from './generated/documents.js';
import { type PageSearch, pageOf } from './list.js';
import { amountIn, oneOf, textIn } from './order-search.js';
import { words } from './words.js';

export interface DeveloperSearch extends PageSearch {
  search?: string | undefined;
  status?: OnboardingStatus | undefined;
  live?: true | undefined;
  /** Only developers who have requested Production access. */
  asks?: true | undefined;
  suspended?: true | undefined;
  closed?: true | undefined;
  provider?: RechargeProvider | undefined;
  /** Only developers with this service enabled. */
  service?: Service | undefined;
  /** Only developers with a lower Production balance, in rupees. */
  below?: number | undefined;
  /** Sort order. Defaults to newest first. */
  sort?: DeveloperSort | undefined;
}

const flagIn = (value: unknown): true | undefined => (value === true ? true : undefined);

export const developerSearch = (search: Record<string, unknown>): DeveloperSearch => ({
  search: textIn(search.search),
  status: oneOf(search.status, words.statuses),
  live: flagIn(search.live),
  asks: flagIn(search.asks),
  suspended: flagIn(search.suspended),
  closed: flagIn(search.closed),
  provider: oneOf(search.provider, words.providers),
  service: oneOf(search.service, words.services),
  below: amountIn(search.below),
  sort: oneOf(search.sort, words.developerSorts),
  after: textIn(search.after),
  before: textIn(search.before),
});

/** Converts the search parameters to query variables. `suspended` excludes closed accounts, which are also suspended. */
export const developerVariables = ({
  search,
  status,
  live,
  asks,
  suspended,
  closed = suspended ? false : undefined,
  provider,
  service,
  below,
  sort,
  ...page
}: Omit<DeveloperSearch, 'closed'> & { closed?: boolean | undefined }) => ({
  ...pageOf(page),
  filter: {
    search,
    status,
    productionUnlocked: live,
    productionRequested: asks,
    suspended,
    closed,
    rechargeProvider: provider,
    service,
    balanceBelow: below,
  },
  sort,
});
