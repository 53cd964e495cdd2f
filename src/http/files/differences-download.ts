import { Readable } from 'node:stream';
import { asConsoleReads } from '../../db/pool.js';
import type { RateLimits } from '../../graphql/schema/limits.js';
import { type PolicyRow, policies } from '../../graphql/schema/policy.js';
import type { DifferenceStore } from '../../reconcile/difference.store.js';
import { differencesCsv } from '../../reconcile/differences-csv.js';
import { attachment, type Download, daysOf } from './download.js';

/** Who may list the differences may download them; the file has a limit of its own. */
const ROW: PolicyRow = { ...policies.console.Query!.statementDifferences!, endpoint: 'differences.csv' };

/** `GET /differences.csv?from=YYYY-MM-DD&to=YYYY-MM-DD` of the console: differences first found on these Indian days, streamed. */
export const differencesDownload = (differences: DifferenceStore, limits: RateLimits): Download => ({
  path: '/differences.csv',
  async open(query, context) {
    const { from, to } = await daysOf(query, ROW, context, limits);
    return {
      headers: attachment(`differences-${from}-${to}`),
      body: Readable.from(asConsoleReads(differencesCsv(differences, from, to))),
    };
  },
});
