import { Readable } from 'node:stream';
import { developerOf } from '../../core/context.js';
import type { RateLimits } from '../../graphql/schema/limits.js';
import { type PolicyRow, policies } from '../../graphql/schema/policy.js';
import type { LeadHistory } from '../../leads/lead.history.js';
import { leadColumns, leadsCsv } from '../../leads/leads-csv.js';
import { MAX_DAYS_IN_FILE } from '../../ledger/day-range.js';
import type { DescribedFile } from '../../rest/openapi/files.js';
import { attachment, DAYS, type Download, daysOf } from './download.js';

/** Who may list leads may download them; the file has a limit of its own. */
const ROW: PolicyRow = { ...policies.api.Query!.leads!, endpoint: 'leads.csv' };

export const aboutLeadsFile: DescribedFile = {
  path: '/api/v1/leads.csv',
  operationId: 'LeadsFile',
  summary: 'Leads as a CSV file.',
  description: 'Those that were created on these days of India, oldest first, as they were last seen.',
  row: ROW,
  columns: leadColumns,
  maxDays: MAX_DAYS_IN_FILE,
};

/** `GET /api/v1/leads.csv?from=YYYY-MM-DD&to=YYYY-MM-DD`: the leads of the token's account and environment, streamed. */
export const leadsDownload = (leads: LeadHistory, limits: RateLimits): Download => ({
  path: aboutLeadsFile.path,
  parameters: DAYS,
  async open(query, context) {
    const of = developerOf(context);
    const { from, to } = await daysOf(query, ROW, context, limits);
    return {
      headers: attachment(`leads-${of.environment}-${from}-${to}`),
      body: Readable.from(leadsCsv(leads, of, from, to)),
    };
  },
});
