import { Readable } from 'node:stream';
import { developerOf } from '../core/context.js';
import type { RateLimits } from '../graphql/limits.js';
import { type PolicyRow, policies } from '../graphql/policy.js';
import type { LeadHistory } from '../leads/lead.history.js';
import { leadsCsv } from '../leads/leads-csv.js';
import { attachment, type Download, daysOf } from './download.js';

/** Who may list leads may download them; the file has a limit of its own. */
const ROW: PolicyRow = { ...policies.api.Query!.leads!, endpoint: 'leads.csv' };

/** `GET /api/v1/leads.csv?from=YYYY-MM-DD&to=YYYY-MM-DD`: the leads of the token's account and environment, streamed. */
export const leadsDownload = (leads: LeadHistory, limits: RateLimits): Download => ({
  path: '/api/v1/leads.csv',
  async open(query, context) {
    const of = developerOf(context);
    const { from, to } = await daysOf(query, ROW, context, limits);
    return {
      headers: attachment(`leads-${of.environment}-${from}-${to}`),
      body: Readable.from(leadsCsv(leads, of, from, to)),
    };
  },
});
