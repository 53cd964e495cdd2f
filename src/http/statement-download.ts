import { Readable } from 'node:stream';
import { developerOf, type RequestContext } from '../core/context.js';
import { type FieldProblem, validationError } from '../core/errors.js';
import type { RateLimits } from '../graphql/limits.js';
import { type PolicyRow, policy } from '../graphql/policy.js';
import { refusalBeforeInput } from '../graphql/refusal-order.js';
import { CalendarDate } from '../graphql-toolkit/scalars.js';
import type { DailyStatementService } from '../ledger/daily-statement.service.js';
import { DAY_PROBLEM, dayRangeProblem, isStatementDay, MAX_DAYS_IN_FILE } from '../ledger/day-range.js';
import type { StatementService } from '../ledger/statement.service.js';
import { statementCsv } from '../ledger/statement-csv.js';

/** A path that answers a file instead of an envelope. */
export interface Download {
  path: string;
  /** Errors: AppError, in the order of all refusals: 401, 429, 403, input. */
  open(
    query: Readonly<Record<string, unknown>>,
    context: RequestContext,
    params: Readonly<Record<string, unknown>>,
  ): Promise<{ headers: Record<string, string>; body: Readable | Buffer }>;
}

/** Who may read the wallet may download it; the file has a limit of its own. */
const ROW: PolicyRow = { ...policy.Query!.wallet!, endpoint: 'wallet/statement.csv' };

/** `GET /api/v1/wallet/statement.csv?from=YYYY-MM-DD&to=YYYY-MM-DD`: the statement of the token's wallet, streamed. */
export function statementDownload(
  services: { statement: StatementService; daily: DailyStatementService },
  limits: RateLimits,
): Download {
  return {
    path: '/api/v1/wallet/statement.csv',
    async open(query, context) {
      const { developerId, environment } = developerOf(context);
      const refusal = await refusalBeforeInput([{ row: ROW, args: {} }], context, limits);
      if (refusal) throw refusal;
      const { from, to } = rangeOf(query);
      await services.daily.requireKept(developerId, environment, from); // a file that has begun cannot be refused
      return {
        headers: {
          'content-type': 'text/csv; charset=utf-8; header=present',
          'content-disposition': `attachment; filename="statement-${environment}-${from}-${to}.csv"`,
          'cache-control': 'no-store',
        },
        body: Readable.from(statementCsv(services, developerId, environment, from, to)),
      };
    },
  };
}

function rangeOf(query: Readonly<Record<string, unknown>>): { from: string; to: string } {
  const problems: FieldProblem[] = [];
  const from = dateIn(query, 'from', problems);
  const to = dateIn(query, 'to', problems);
  const problem = problems.length === 0 ? dayRangeProblem(from, to, MAX_DAYS_IN_FILE) : undefined;
  if (problem) problems.push({ path: 'to', rule: 'RANGE', message: problem });
  if (problems.length > 0) throw validationError(problems);
  return { from, to };
}

function dateIn(query: Readonly<Record<string, unknown>>, name: 'from' | 'to', problems: FieldProblem[]): string {
  try {
    const day = CalendarDate.parseValue(query[name]);
    if (isStatementDay(day)) return day;
    problems.push({ path: name, rule: 'RANGE', message: DAY_PROBLEM });
  } catch (error) {
    problems.push({ path: name, rule: 'PATTERN', message: (error as Error).message });
  }
  return '';
}
