import { services } from '../../core/services.js';
import { MAX_ORDERS } from '../../decisions/bulk-decision.types.js';
import { rowsOfPage } from '../../graphql-toolkit/connection.js';
import { MAX_DAYS_IN_ANSWER } from '../../ledger/day-range.js';
import { MAX_KEYS } from '../../order-views/order-list.types.js';

type Arguments = Readonly<Record<string, unknown>>;

/** How many entries a list of objects is taken to have, before it is read. */
export interface Entries {
  (args: Arguments): number;
  /** The same for readers of the documents: how many rows. */
  readonly inWords: string;
}

const counted = (inWords: string, count: (args: Arguments) => number): Entries => Object.assign(count, { inWords });

const usually = (entries: number): Entries => counted(`${entries} rows`, () => entries);

/** What comes with its parent, and from no table: it is not counted, and what is inside counts once. */
export const WITH_PARENT = 'with its parent';

/** A list that is read page by page. Arguments that are going to be refused ask for nothing. */
export const pageEntries: Entries = counted(
  `a row for each entry that first or last asks for, ${rowsOfPage({})} without them`,
  (args) => rowsOfPage(args),
);

/** Every list of objects of both schemas but the pages, which say by themselves how long they are. */
export const listEntries: Readonly<Record<string, Entries | typeof WITH_PARENT>> = {
  'Query.ordersByKey': counted('a row for each key', ({ clientRequestIds: keys }) => {
    const count = Array.isArray(keys) ? keys.length : 1;
    return count <= MAX_KEYS ? count : 0;
  }),
  'Wallet.days': counted('a row for each day', ({ from, to }) => daysBetween(from, to)),
  'Query.webhookEndpoints': usually(5),
  'Query.whiteLabels': usually(20),
  'Query.users': usually(50),
  'Developer.services': usually(services.length),
  'Developer.wallets': usually(2),
  'Developer.credentials': usually(5),
  'Developer.users': usually(5),
  'AuditEntry.changes': WITH_PARENT,
  'KycSubmission.documents': usually(5),
  'Order.timeline': usually(10),
  'Order.entries': usually(2),
  'Order.deliveries': usually(2),
  // few proposals are about a list
  'Proposal.orders': usually(50),
  'ReviewOrderConnection.totals': usually(10),
  'MoneyPayload.results': usually(MAX_ORDERS),
  'ResolveOrdersPayload.results': usually(MAX_ORDERS),
  'ProductCategoriesResult.categories': usually(10),
  'ProductCategory.products': usually(20),
  'ProductsResult.products': usually(20),
  // in memory, or in the one answer of a provider
  'Query.services': WITH_PARENT,
  'Query.operators': WITH_PARENT,
  'Query.circles': WITH_PARENT,
  'Query.banks': WITH_PARENT,
  'Query.leadCompanies': WITH_PARENT,
  'Query.leadOccupations': WITH_PARENT,
  'Query.leadPincodes': WITH_PARENT,
  'DthInfoResult.customers': WITH_PARENT,
  'PlansResult.groups': WITH_PARENT,
  'PlanGroup.plans': WITH_PARENT,
  'RechargePayload.warnings': WITH_PARENT,
  'WebhookDelivery.tries': WITH_PARENT,
};

/** What is asked of the database or a provider for one entry alone is as much as so many rows. */
const OF_ITS_OWN = 10;

/** What a field of an entry of a list costs beside its own entries. Those that are not named are read with the entry. */
export const rowsBeside: Readonly<Record<string, number>> = {
  // with those of the other entries in one statement
  'Order.wallet': 1,
  'Order.nextCheckAt': 1,
  'Order.developer': 1,
  'StatementEntry.order': 1,
  'StatementEntry.lead': 1,
  'ClientToken.order': 1,
  'WebhookDelivery.order': 1,
  'WebhookDelivery.body': 1,
  'Wallet.held': 1,
  'Developer.mobile': 1,
  'Developer.approvedBy': 1,
  'Developer.orders': 1,
  'AuditEntry.actor': 1,
  'User.developer': 1,
  'Proposal.developer': 1,
  'Proposal.author': 1,
  'Proposal.decidedBy': 1,
  // with a statement, a call or an entry of the audit trail for each
  'Developer.kyc': OF_ITS_OWN,
  'Wallet.statement': OF_ITS_OWN,
  'Wallet.days': OF_ITS_OWN,
  'WebhookEndpoint.health': OF_ITS_OWN,
  'Developer.audit': OF_ITS_OWN,
  'AuditEntry.subject': OF_ITS_OWN,
  'Proposal.order': OF_ITS_OWN,
  'Proposal.orders': OF_ITS_OWN,
  'ProductCategory.products': OF_ITS_OWN,
  'Product.details': OF_ITS_OWN,
};

/** Days that are no days, or too many, are refused. */
function daysBetween(from: unknown, to: unknown): number {
  const [first, last] = [dayNumber(from), dayNumber(to)];
  const days = last - first + 1;
  return days >= 1 && days <= MAX_DAYS_IN_ANSWER ? days : 0;
}

const DAY_MS = 86_400_000;

const dayNumber = (day: unknown): number => (typeof day === 'string' ? Date.parse(day) / DAY_MS : Number.NaN);
