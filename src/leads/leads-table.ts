import type { Environment } from '../core/environment.js';
import type { DeveloperId } from '../core/principal.js';
import type { Columns, Pages } from '../core/table.js';
import { pagesFromTheEnd } from '../graphql-toolkit/connection.js';
import type { LeadHistory } from './lead.history.js';
import { type LeadFilter, leadView } from './lead.types.js';

export const leadColumns = {
  created_at: 'time',
  id: 'text',
  lead_code: 'text',
  product_id: 'text',
  status: 'text',
  fee_charged_at: 'time',
  environment: 'text',
} as const satisfies Columns;

/** Returns the leads that match a filter, as rows, oldest first. Keeps only one page in memory. */
export async function* leadRows(
  history: LeadHistory,
  owner: { developerId: DeveloperId; environment: Environment },
  filter: LeadFilter,
): Pages {
  for await (const leads of pagesFromTheEnd((page) => history.page(owner, filter, page)))
    yield leads
      .map(leadView)
      .map(({ createdAt, id, leadCode, productId, status, feeChargedAt, environment }) => [
        createdAt,
        `lea_${id}`,
        leadCode,
        productId,
        status,
        feeChargedAt,
        environment,
      ]);
}
