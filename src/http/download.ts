import type { Readable } from 'node:stream';
import type { RequestContext } from '../core/context.js';
import { type FieldProblem, validationError } from '../core/errors.js';
import { CalendarDate } from '../graphql-toolkit/scalars.js';
import { DAY_PROBLEM, dayRangeProblem, isStatementDay, MAX_DAYS_IN_FILE } from '../ledger/day-range.js';

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

/** Headers of a CSV file. */
export const attachment = (name: string) => ({
  'content-type': 'text/csv; charset=utf-8; header=present',
  'cache-control': 'no-store',
  'content-disposition': `attachment; filename="${name}.csv"`,
});

/** The days that a file is about, `from` and `to` of its query, both included. Errors: VALIDATION_FAILED. */
export function daysIn(query: Readonly<Record<string, unknown>>): { from: string; to: string } {
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
