import { Readable } from 'node:stream';
import type { GraphQLSchema } from 'graphql';
import { startOfIndianDay } from '../../core/clock.js';
import { type RequestContext, sessionOf } from '../../core/context.js';
import { type CsvOptions, csvOf } from '../../core/csv.js';
import { type Environment, environments } from '../../core/environment.js';
import { type FieldProblem, fieldError, validationError } from '../../core/errors.js';
import type { DeveloperId } from '../../core/principal.js';
import type { Pages } from '../../core/table.js';
import { errorBeforeInput } from '../../graphql/schema/access.js';
import type { RateLimits } from '../../graphql/schema/limits.js';
import type { PolicyRow } from '../../graphql/schema/policy.js';
import { checkArguments } from '../../graphql-toolkit/input.js';
import { developerIdOf } from '../../graphql-toolkit/node.js';
import { CalendarDate } from '../../graphql-toolkit/scalars.js';
import { DAY_PROBLEM, dayRangeProblem, isStatementDay, MAX_DAYS_IN_FILE } from '../../ledger/day-range.js';
import { variablesOf } from '../../rest/handler.js';
import { csvFields, type Fields, type ListFile, listField, XLSX_TYPE } from '../../rest/list-file.js';
import { problemsOfQuery, type QueryFields } from '../requests/query.js';
import { workbookOf } from './workbook.js';

/** REST path that returns a file instead of an envelope. */
export interface Download {
  path: string;
  /** Query parameters. Other parameters are rejected. */
  fields: Fields;
  /** Opens the file. Throws AppError in the usual order: 401, 429, 403, validation. */
  open(
    query: QueryFields,
    context: RequestContext,
    params: Readonly<Record<string, unknown>>,
  ): Promise<{ headers: Record<string, string>; body: Readable | Buffer }>;
}

const TYPES = {
  csv: 'text/csv; charset=utf-8; header=present',
  xlsx: XLSX_TYPE,
  jsonl: 'application/x-ndjson; charset=utf-8',
};

export const attachment = (name: string, ending: keyof typeof TYPES) => ({
  'content-type': TYPES[ending],
  'cache-control': 'no-store',
  'content-disposition': `attachment; filename="${name}.${ending}"`,
});

interface Days {
  from: string;
  to: string;
}

/**
 * Returns the days of a file (`from` and `to` of the query, both inclusive) for an authorized caller. Throws AppError in the
 * usual order.
 */
export async function daysOf(
  query: QueryFields,
  row: PolicyRow,
  context: RequestContext,
  limits: RateLimits,
): Promise<Days> {
  const rejection = await errorBeforeInput([{ row, args: {} }], context, limits);
  if (rejection) throw rejection;
  const problems = problemsOfQuery(query);
  const days = daysIn(query, problems);
  if (!days || problems.length > 0) throw validationError(problems);
  return days;
}

function daysIn(query: QueryFields, problems: FieldProblem[]): Days | undefined {
  const from = dateIn(query, 'from', problems);
  const to = dateIn(query, 'to', problems);
  if (from === '' || to === '') return undefined;
  const problem = dayRangeProblem(from, to, MAX_DAYS_IN_FILE);
  if (problem === undefined) return { from, to };
  problems.push({ path: 'to', rule: 'RANGE', message: problem });
  return undefined;
}

function dateIn({ values, rejected }: QueryFields, name: 'from' | 'to', problems: FieldProblem[]): string {
  if (rejected.has(name)) return '';
  try {
    const day = CalendarDate.parseValue(values[name]);
    if (isStatementDay(day)) return day;
    problems.push({ path: name, rule: 'RANGE', message: DAY_PROBLEM });
  } catch (error) {
    problems.push({ path: name, rule: 'PATTERN', message: (error as Error).message });
  }
  return '';
}

/** Days and list arguments of a file request. */
export interface FileRequest<Arguments> {
  days: Days;
  /** List arguments; their range is set to the days. */
  given: Arguments;
  query: QueryFields;
}

export interface ListDownload<Arguments> extends ListFile {
  limits: RateLimits;
  schema: GraphQLSchema;
  /** Opens the list. Throws AppError before the file starts. */
  open(requested: FileRequest<Arguments>, context: RequestContext): Promise<{ name: string; pages: Pages }>;
}

/**
 * Returns the downloads of a list as CSV and as an Excel workbook. Each format has its own path because their parameters and
 * types differ. Both share one rate limit.
 */
export function listDownloads<Arguments>(file: ListDownload<Arguments>): Download[] {
  const { path, fields, columns } = file;
  return [
    {
      path: `${path}.csv`,
      fields: { ...fields, ...csvFields },
      async open(query, context) {
        const { name, pages, options } = await openList(file, query, context);
        return { headers: attachment(name, 'csv'), body: Readable.from(csvOf(columns, pages, options)) };
      },
    },
    {
      path: `${path}.xlsx`,
      fields,
      async open(query, context) {
        const { name, pages } = await openList(file, query, context);
        const sheet = path.slice(path.lastIndexOf('/') + 1);
        return { headers: attachment(name, 'xlsx'), body: Readable.from(workbookOf(sheet, columns, pages)) };
      },
    },
  ];
}

async function openList<Arguments>(
  file: ListDownload<Arguments>,
  query: QueryFields,
  context: RequestContext,
): Promise<{ name: string; pages: Pages; options: CsvOptions }> {
  const rejection = await errorBeforeInput([{ row: file.row, args: {} }], context, file.limits);
  if (rejection) throw rejection;
  const problems = problemsOfQuery(query);
  const days = daysIn(query, problems);
  const options = { raw: optionIn(query, 'raw', problems), bom: optionIn(query, 'bom', problems) };
  const read = (values: QueryFields['values']) => argumentsOf(file, { ...values, ...rangeOf(days) }, problems);
  const requested = [read(query.values)];
  // a `+` in an idempotency key can be a plus sign or a space, so the file contains the rows of both
  if (query.withPlus && problems.length === 0) requested.push(read(query.withPlus));
  if (!days || problems.length > 0) throw validationError(problems);
  const opened: { name: string; pages: Pages }[] = [];
  for (const given of requested) opened.push(await file.open({ days, given: given as Arguments, query }, context));
  return { name: opened[0]!.name, pages: concatPages(opened.map(({ pages }) => pages)), options };
}

const rangeOf = (days: Days | undefined) => ({
  from: days && startOfIndianDay(days.from).toISOString(),
  to: days && startOfIndianDay(days.to, 1).toISOString(),
});

/** Returns the arguments of the list after validating them by the list's own rules. */
function argumentsOf<Arguments>(
  file: ListDownload<Arguments>,
  values: Readonly<Record<string, unknown>>,
  problems: FieldProblem[],
): Record<string, unknown> {
  const { args, extensions } = listField(file, file.schema);
  return checkArguments(args, variablesOf(file, values), extensions, true, problems).values;
}

async function* concatPages(all: readonly Pages[]): Pages {
  for (const pages of all) yield* pages;
}

function optionIn({ values }: QueryFields, name: keyof CsvOptions, problems: FieldProblem[]): boolean | undefined {
  const { [name]: value } = variablesOf({ fields: csvFields }, values);
  if (value === undefined || typeof value === 'boolean') return value;
  problems.push({ path: name, rule: 'TYPE', message: 'Must be true or false.' });
  return undefined;
}

/**
 * Returns the account of a console file. Users of a developer account get their own account; staff get the account in the query.
 * Throws VALIDATION_FAILED.
 */
export function accountIn({ values }: QueryFields, context: RequestContext): DeveloperId | undefined {
  const { developerId: requestedId } = values;
  const { role, developerId: ownId } = sessionOf(context);
  const requested = typeof requestedId === 'string' ? developerIdOf(requestedId) : undefined;
  if (role !== 'developer') return requested;
  if (requested !== undefined && requested !== ownId)
    throw fieldError('developerId', 'REFERENCE', 'Must be your own account.');
  return ownId;
}

/** Returns the environment of a console file, if its query contains one. Throws VALIDATION_FAILED. */
export function environmentIn({ values }: QueryFields): Environment | undefined {
  const { environment: name } = values;
  if (name === undefined) return undefined;
  const environment = environments.find((candidate) => candidate === name);
  if (!environment) throw fieldError('environment', 'ENUM', `Must be one of ${environments.join(', ')}.`);
  return environment;
}
