import type { GraphQLSchema } from 'graphql';
import { asConsoleReads } from '../../db/pool.js';
import type { RateLimits } from '../../graphql/schema/limits.js';
import { policies } from '../../graphql/schema/policy.js';
import { ProviderEnum } from '../../providers/provider.enum.js';
import { selectionOf } from '../../reconcile/difference.resolver.js';
import type { DifferenceStore } from '../../reconcile/difference.store.js';
import { type StatementDifferenceFilter, StatementDifferenceKindEnum } from '../../reconcile/difference.types.js';
import { differenceColumns, differenceRows } from '../../reconcile/differences-table.js';
import { dayFields, type ListFile, wordsOf } from '../../rest/list-file.js';
import { type Download, listDownloads } from './download.js';

/** Description of the file. Roles that can list differences can download them. The file has a separate rate limit. */
const FILE: ListFile = {
  path: '/differences',
  row: { ...policies.console.Query!.statementDifferences!, endpoint: 'differences.csv' },
  list: 'Query.statementDifferences',
  fields: {
    ...dayFields({ inFilter: true }),
    provider: { to: 'filter.provider', kind: wordsOf(ProviderEnum), optional: true },
    kind: { to: 'filter.kind', kind: wordsOf(StatementDifferenceKindEnum), list: true, optional: true },
    resolved: { to: 'filter.resolved', kind: 'boolean', optional: true },
    orderId: { to: 'filter.orderId', kind: 'text', optional: true },
  },
  columns: differenceColumns,
};

/**
 * `GET /differences.csv?from=YYYY-MM-DD&to=YYYY-MM-DD` and `.xlsx` of the console. Streams the differences that were first found
 * on these calendar days (IST).
 */
export const differencesDownloads = (
  differences: DifferenceStore,
  limits: RateLimits,
  schema: GraphQLSchema,
): Download[] =>
  listDownloads<{ filter: StatementDifferenceFilter }>({
    ...FILE,
    limits,
    schema,
    async open({ days: { from, to }, given: { filter } }) {
      return {
        name: `differences-${from}-${to}`,
        pages: asConsoleReads(differenceRows(differences, selectionOf(filter))),
      };
    },
  });
