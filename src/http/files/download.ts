import type { Readable } from 'node:stream';
import { type RequestContext, sessionOf } from '../../core/context.js';
import { type Environment, environments } from '../../core/environment.js';
import { type FieldProblem, fieldError, validationError } from '../../core/errors.js';
import type { DeveloperId } from '../../core/principal.js';
import { refusalBeforeInput } from '../../graphql/schema/access.js';
import type { RateLimits } from '../../graphql/schema/limits.js';
import type { PolicyRow } from '../../graphql/schema/policy.js';
import { developerIdOf } from '../../graphql-toolkit/node.js';
import { CalendarDate } from '../../graphql-toolkit/scalars.js';
import { DAY_PROBLEM, dayRangeProblem, isStatementDay, MAX_DAYS_IN_FILE } from '../../ledger/day-range.js';
import { type GivenQuery, problemsOfQuery } from '../requests/query.js';

/** A path that answers a file instead of an envelope. */
export interface Download {
  path: string;
  /** Parameters of its query. Any other one is refused. */
  parameters: readonly string[];
  /** Errors: AppError, in the order of all refusals: 401, 429, 403, input. */
  open(
    query: GivenQuery,
    context: RequestContext,
    params: Readonly<Record<string, unknown>>,
  ): Promise<{ headers: Record<string, string>; body: Readable | Buffer }>;
}

/** Headers of a CSV file; of another one with its own type. */
export const attachment = (name: string, ending = 'csv') => ({
  'content-type': 'text/csv; charset=utf-8; header=present',
  'cache-control': 'no-store',
  'content-disposition': `attachment; filename="${name}.${ending}"`,
});

/** The parameters of a file about some days. */
export const DAYS = ['from', 'to'] as const;

interface Days {
  from: string;
  to: string;
}

/**
 * The days that a file is about, `from` and `to` of its query, both included, for a caller who may have it.
 * Errors: AppError, in the order of all refusals.
 */
export async function daysOf(
  query: GivenQuery,
  row: PolicyRow,
  context: RequestContext,
  limits: RateLimits,
): Promise<Days> {
  const refusal = await refusalBeforeInput([{ row, args: {} }], context, limits);
  if (refusal) throw refusal;
  return daysIn(query);
}

function daysIn(query: GivenQuery): Days {
  const problems = problemsOfQuery(query);
  const from = dateIn(query, 'from', problems);
  const to = dateIn(query, 'to', problems);
  const problem = problems.length === 0 ? dayRangeProblem(from, to, MAX_DAYS_IN_FILE) : undefined;
  if (problem) problems.push({ path: 'to', rule: 'RANGE', message: problem });
  if (problems.length > 0) throw validationError(problems);
  return { from, to };
}

function dateIn({ given, refused }: GivenQuery, name: 'from' | 'to', problems: FieldProblem[]): string {
  if (refused.has(name)) return '';
  try {
    const day = CalendarDate.parseValue(given[name]);
    if (isStatementDay(day)) return day;
    problems.push({ path: name, rule: 'RANGE', message: DAY_PROBLEM });
  } catch (error) {
    problems.push({ path: name, rule: 'PATTERN', message: (error as Error).message });
  }
  return '';
}

/** Whose a file of the console is: a developer's user has its own account alone, staff name one. Errors: VALIDATION_FAILED. */
export function accountIn({ given }: GivenQuery, context: RequestContext): DeveloperId | undefined {
  const { developerId: named } = given;
  const { role, developerId: own } = sessionOf(context);
  const asked = typeof named === 'string' ? developerIdOf(named) : undefined;
  if (role !== 'developer') return asked;
  if (asked !== undefined && asked !== own) throw fieldError('developerId', 'REFERENCE', 'Must be your own account.');
  return own;
}

/** The environment that a file of the console is about, where its query says one. Errors: VALIDATION_FAILED. */
export function environmentIn({ given }: GivenQuery): Environment | undefined {
  const { environment: named } = given;
  if (named === undefined) return undefined;
  const environment = environments.find((one) => one === named);
  if (!environment) throw fieldError('environment', 'ENUM', `Must be one of ${environments.join(', ')}.`);
  return environment;
}
