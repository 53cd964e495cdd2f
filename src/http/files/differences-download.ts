import { Readable } from 'node:stream';
import { asConsoleReads } from '../../db/pool.js';
import type { RateLimits } from '../../graphql/schema/limits.js';
import { type PolicyRow, policies } from '../../graphql/schema/policy.js';
import type { DifferenceStore } from '../../reconcile/difference.store.js';
import { differencesCsv } from '../../reconcile/differences-csv.js';
import { attachment, DAYS, type Download, daysOf } from './download.js';

/** The roles that may list differences may download them; the file has its own rate limit. */
const ROW: PolicyRow = { ...policies.console.Query!.statementDifferences!, endpoint: 'differences.csv' };

/** `GET /differences.csv?from=YYYY-MM-DD&to=YYYY-MM-DD` of the console: differences first found on these calendar days (IST), streamed. */
export const differencesDownload = (differences: DifferenceStore, limits: RateLimits): Download => ({
  path: '/differences.csv',
  parameters: DAYS,
  async open(query, context) {
    const { from, to } = await daysOf(query, ROW, context, limits);
    return {
      headers: attachment(`differences-${from}-${to}`),
      body: Readable.from(asConsoleReads(differencesCsv(differences, from, to))),
    };
  },
});
