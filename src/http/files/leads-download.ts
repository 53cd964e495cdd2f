import type { GraphQLSchema } from 'graphql';
import { developerOf } from '../../core/context.js';
import type { RateLimits } from '../../graphql/schema/limits.js';
import { policies } from '../../graphql/schema/policy.js';
import type { LeadHistory } from '../../leads/lead.history.js';
import { LeadStatusEnum } from '../../leads/lead.status.js';
import type { LeadFilter } from '../../leads/lead.types.js';
import { leadColumns, leadRows } from '../../leads/leads-table.js';
import { dayFields, wordsOf } from '../../rest/list-file.js';
import type { DescribedFile } from '../../rest/openapi/files.js';
import { type Download, listDownloads } from './download.js';

/** Callers that can list leads can download them. The files have a separate rate limit and the filters of `leads` in GraphQL. */
export const aboutLeadsFile: DescribedFile = {
  path: '/api/v1/leads',
  name: 'Leads',
  title: 'Leads',
  description: 'Leads created on these calendar days (IST), oldest first, with their last known status.',
  row: { ...policies.api.Query!.leads!, endpoint: 'leads.csv' },
  list: 'Query.leads',
  fields: {
    ...dayFields({ inFilter: true }),
    status: { to: 'filter.status', kind: wordsOf(LeadStatusEnum), list: true, optional: true },
    product_id: { to: 'filter.productId', kind: 'text', optional: true },
    search: { to: 'filter.search', kind: 'text', optional: true },
  },
  columns: leadColumns,
};

/**
 * `GET /api/v1/leads.csv?from=YYYY-MM-DD&to=YYYY-MM-DD` and `.xlsx`. Streams the leads of the token's account and environment.
 */
export const leadsDownloads = (leads: LeadHistory, limits: RateLimits, schema: GraphQLSchema): Download[] =>
  listDownloads<{ filter: LeadFilter }>({
    ...aboutLeadsFile,
    limits,
    schema,
    async open({ days: { from, to }, given: { filter } }, context) {
      const owner = developerOf(context);
      return { name: `leads-${owner.environment}-${from}-${to}`, pages: leadRows(leads, owner, filter) };
    },
  });
