import { Readable } from 'node:stream';
import { developerOf } from '../../core/context.js';
import type { Environment } from '../../core/environment.js';
import { fieldError } from '../../core/errors.js';
import { asConsoleReads } from '../../db/pool.js';
import type { RateLimits } from '../../graphql/schema/limits.js';
import { type PolicyRow, policies } from '../../graphql/schema/policy.js';
import type { DailyStatementService } from '../../ledger/daily-statement.service.js';
import { MAX_DAYS_IN_FILE } from '../../ledger/day-range.js';
import type { StatementService } from '../../ledger/statement.service.js';
import { statementColumns, statementCsv } from '../../ledger/statement-csv.js';
import type { DescribedFile } from '../../rest/openapi/files.js';
import { accountIn, attachment, DAYS, type Download, daysOf, environmentIn } from './download.js';

/** Who may read the wallet may download it; the file has a limit of its own. */
const ROW: PolicyRow = { ...policies.api.Query!.wallet!, endpoint: 'wallet/statement.csv' };
const CONSOLE_ROW: PolicyRow = { ...policies.console.Developer!.wallets!, endpoint: 'statement.csv' };

export const aboutStatementFile: DescribedFile = {
  path: '/api/v1/wallet/statement.csv',
  operationId: 'WalletStatementFile',
  summary: 'The statement of the wallet as a CSV file.',
  description:
    'Oldest first: of each day its opening balance, its lines and its closing balance, in the time of India.',
  row: ROW,
  columns: statementColumns,
  maxDays: MAX_DAYS_IN_FILE,
};

interface StatementServices {
  statement: StatementService;
  daily: DailyStatementService;
}

const fileOf = (environment: Environment, from: string, to: string) =>
  attachment(`statement-${environment}-${from}-${to}`);

/** `GET /api/v1/wallet/statement.csv?from=YYYY-MM-DD&to=YYYY-MM-DD`: the statement of the token's wallet, streamed. */
export function statementDownload(services: StatementServices, limits: RateLimits): Download {
  return {
    path: aboutStatementFile.path,
    parameters: DAYS,
    async open(query, context) {
      const { developerId, environment } = developerOf(context);
      const { from, to } = await daysOf(query, ROW, context, limits);
      await services.daily.requireKept(developerId, environment, from); // a file that has begun cannot be refused
      return {
        headers: fileOf(environment, from, to),
        body: Readable.from(statementCsv(services, developerId, environment, from, to)),
      };
    },
  };
}

/** `GET /statement.csv?environment&from&to[&developerId]` of the console: of one's own wallet, or for staff of the one they name. */
export const consoleStatementDownload = (services: StatementServices, limits: RateLimits): Download => ({
  path: '/statement.csv',
  parameters: [...DAYS, 'environment', 'developerId'],
  async open(query, context) {
    const { from, to } = await daysOf(query, CONSOLE_ROW, context, limits);
    const environment = environmentIn(query);
    if (!environment) throw fieldError('environment', 'REQUIRED', 'This field is required.');
    const developerId = accountIn(query, context);
    if (developerId === undefined) throw fieldError('developerId', 'REQUIRED', 'This field is required.');
    await services.daily.requireKept(developerId, environment, from);
    return {
      headers: fileOf(environment, from, to),
      body: Readable.from(asConsoleReads(statementCsv(services, developerId, environment, from, to))),
    };
  },
});
