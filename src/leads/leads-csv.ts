import { indianTime, startOfIndianDay } from '../core/clock.js';
import { csvRecord } from '../core/csv.js';
import type { Environment } from '../core/environment.js';
import type { DeveloperId } from '../core/principal.js';
import { pagesFromTheEnd } from '../graphql-toolkit/connection.js';
import type { LeadHistory } from './lead.history.js';
import { leadView } from './lead.types.js';

export const leadColumns = ['created_at', 'id', 'lead_code', 'product_id', 'status', 'fee_charged_at', 'environment'];

/** The leads that were created on these Indian days as CSV text in pieces, oldest first. Nothing is held but one page. */
export async function* leadsCsv(
  history: LeadHistory,
  of: { developerId: DeveloperId; environment: Environment },
  from: string,
  to: string,
): AsyncGenerator<string> {
  yield csvRecord(leadColumns);
  const filter = { from: startOfIndianDay(from), to: startOfIndianDay(to, 1) };
  for await (const rows of pagesFromTheEnd((page) => history.page(of, filter, page)))
    yield rows
      .map(leadView)
      .map(({ createdAt, id, leadCode, productId, status, feeChargedAt, environment }) =>
        csvRecord([
          indianTime(createdAt),
          `lea_${id}`,
          leadCode,
          productId ?? '',
          status,
          feeChargedAt ? indianTime(feeChargedAt) : '',
          environment,
        ]),
      )
      .join('');
}
