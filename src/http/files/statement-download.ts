import type { GraphQLSchema } from 'graphql';
import { developerOf } from '../../core/context.js';
import type { Environment } from '../../core/environment.js';
import { fieldError } from '../../core/errors.js';
import type { DeveloperId } from '../../core/principal.js';
import type { Pages } from '../../core/table.js';
import { asConsoleReads } from '../../db/pool.js';
import type { RateLimits } from '../../graphql/schema/limits.js';
import { policies } from '../../graphql/schema/policy.js';
import type { DailyStatementService } from '../../ledger/daily-statement.service.js';
import type { LineFilter, StatementService } from '../../ledger/statement.service.js';
import { statementColumns, statementLineRows, statementRows } from '../../ledger/statement-table.js';
import { dayFields, filtersOf, inNamesOfGraphql, type ListFile } from '../../rest/list-file.js';
import type { DescribedFile } from '../../rest/openapi/files.js';
import { accountIn, type Download, environmentIn, type FileRequest, listDownloads } from './download.js';

const FILTERS = filtersOf('/api/v1/wallet/statement');

/** Callers that can read the wallet can download its statement. The files have a separate rate limit. */
export const aboutStatementFile: DescribedFile = {
  path: '/api/v1/wallet/statement',
  name: 'WalletStatement',
  title: 'Wallet statement',
  description:
    'For each calendar day (IST), oldest first: the opening balance, the entries and the closing balance. With a filter, only the matching entries.',
  row: { ...policies.api.Query!.wallet!, endpoint: 'wallet/statement.csv' },
  list: 'Wallet.statement',
  fields: { ...dayFields({ inFilter: false }), ...FILTERS },
  columns: statementColumns,
};

const CONSOLE_FILE: ListFile = {
  path: '/statement',
  row: { ...policies.console.Developer!.wallets!, endpoint: 'statement.csv' },
  list: 'Wallet.statement',
  fields: {
    ...dayFields({ inFilter: false }),
    ...inNamesOfGraphql(FILTERS),
    environment: { to: 'environment', kind: 'text' },
    developerId: { to: 'developerId', kind: 'text' },
  },
  columns: statementColumns,
};

interface StatementServices {
  statement: StatementService;
  daily: DailyStatementService;
}

/**
 * Opens the statement. Throws VALIDATION_FAILED if the entries of the first day are archived. This is checked first, because a
 * file that has started can no longer be rejected.
 */
async function openStatement(
  services: StatementServices,
  { developerId, environment }: { developerId: DeveloperId; environment: Environment },
  { days: { from, to }, given }: Pick<FileRequest<LineFilter>, 'days' | 'given'>,
): Promise<{ name: string; pages: Pages }> {
  await services.daily.requireKept(developerId, environment, from);
  const isFiltered = given.kinds !== undefined || given.reference !== undefined;
  return {
    name: `statement-${environment}-${from}-${to}`,
    pages: isFiltered
      ? statementLineRows(services.statement, developerId, environment, given)
      : statementRows(services, developerId, environment, from, to),
  };
}

/** `GET /api/v1/wallet/statement.csv?from=YYYY-MM-DD&to=YYYY-MM-DD` and `.xlsx`. Streams the statement of the token's wallet. */
export const statementDownloads = (
  services: StatementServices,
  limits: RateLimits,
  schema: GraphQLSchema,
): Download[] =>
  listDownloads<LineFilter>({
    ...aboutStatementFile,
    limits,
    schema,
    open: async (requested, context) => openStatement(services, developerOf(context), requested),
  });

/**
 * `GET /statement.csv?environment&from&to[&developerId]` and `.xlsx` of the console. Returns the statement of the user's own
 * account. Staff get the statement of the account in the query.
 */
export const consoleStatementDownloads = (
  services: StatementServices,
  limits: RateLimits,
  schema: GraphQLSchema,
): Download[] =>
  listDownloads<LineFilter>({
    ...CONSOLE_FILE,
    limits,
    schema,
    async open({ query, ...requested }, context) {
      const environment = environmentIn(query);
      if (!environment) throw fieldError('environment', 'REQUIRED', 'This field is required.');
      const developerId = accountIn(query, context);
      if (developerId === undefined) throw fieldError('developerId', 'REQUIRED', 'This field is required.');
      const { name, pages } = await openStatement(services, { developerId, environment }, requested);
      return { name, pages: asConsoleReads(pages) };
    },
  });
