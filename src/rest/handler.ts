import { type GraphQLSchema, validate } from 'graphql';
import { startOfIndianDay } from '../core/clock.js';
import type { RequestContext } from '../core/context.js';
import type { DocUrl } from '../core/error-catalogue.js';
import { AppError, type FieldProblem, UnreadablePart } from '../core/errors.js';
import { rootFieldsOf } from '../graphql/documents/refusals.js';
import { appErrorOf } from '../graphql/execution/format-error.js';
import type { Operations } from '../graphql/execution/operation.js';
import type { PolicyRow } from '../graphql/schema/policy.js';
import { REQUIRED } from '../graphql-toolkit/input.js';
import { failureAnswer } from './answers.js';
import { type FieldKind, operationOf, type RestField, type RestRoute } from './route.js';

export interface RestResponse {
  httpStatus: number;
  headers: Record<string, string>;
  body: unknown;
}

/** What a request gives beside its body or query. */
interface GivenBeside {
  /** By the path. */
  parameters?: Readonly<Record<string, unknown>>;
  /** What the header Idempotency-Key says. */
  headerKey?: unknown;
  /** Fields that it gives more than once, with different values. */
  ambiguous?: readonly string[] | undefined;
}

export type RestHandler = (given: unknown, context: RequestContext, beside?: GivenBeside) => Promise<RestResponse>;

/** Throws at start-up when a route's document does not fit the schema. */
export function checkDocuments(routes: readonly RestRoute[], schema: GraphQLSchema): void {
  for (const { path, document } of routes) {
    const [error] = validate(schema, document);
    if (error) throw new Error(`The document of ${path} does not fit the schema: ${error.message}`);
  }
}

/** The policy of what a route asks for. */
export const rowsOf = (route: RestRoute, schema: GraphQLSchema): PolicyRow[] =>
  rootFieldsOf(schema, route.document, operationOf(route)).map(({ row }) => row!);

/** The one handler of all routes: body → variables → document → envelope. */
export function restHandler(route: RestRoute, operations: Operations, docUrl: DocUrl): RestHandler {
  const { document } = route;
  const operation = operationOf(route);
  operations.trust(operation);
  return async (given, context, { parameters, headerKey, ambiguous = [] } = {}) => {
    // how this request names what it gives
    let row = route;
    try {
      const body = given ?? {};
      if (typeof body !== 'object' || Array.isArray(body))
        throw new AppError('MALFORMED_REQUEST', { message: 'The request body must be a JSON object.' });
      const request = withHeaderKey(route, { ...body, ...parameters }, headerKey);
      row = request.route;
      const problems = problemsOf(row, request.given, ambiguous);
      const variables =
        problems.length > 0 ? clearVariables(row, request.given, ambiguous) : variablesOf(row, request.given);
      const { result, refusal } = await operations.run({ document, operation, variables }, context, problems);
      if (refusal) throw refusal;
      const errors = result.errors?.map(appErrorOf) ?? [];
      // null in the answer, which has the rest
      for (const lost of errors.filter((error) => error instanceof UnreadablePart)) context.notes?.failed(lost);
      const error = errors.find((one) => !(one instanceof UnreadablePart));
      if (error) throw error;
      const { replayed = false } = context;
      const answer = route.answer((result.data as { result: never }).result, { replayed });
      return {
        httpStatus: 200,
        headers: {
          ...(replayed ? { 'idempotent-replayed': 'true' } : {}),
          ...(answer.retryAfterS === undefined ? {} : { 'retry-after': String(answer.retryAfterS) }),
        },
        body: answer.body,
      };
    } catch (thrown) {
      const error = appErrorOf(thrown);
      context.notes?.failed(error);
      return failureAnswer(error, { requestId: context.requestId, docUrl }, row);
    }
  };
}

/** The variables of the fields that have one value. */
function clearVariables(
  { fields, ...row }: RestRoute,
  given: Readonly<Record<string, unknown>>,
  ambiguous: readonly string[],
): Record<string, unknown> {
  const clear = Object.entries(fields).filter(([name]) => !ambiguous.includes(name));
  return variablesOf({ ...row, fields: Object.fromEntries(clear) }, given);
}

/** What is wrong with a request that GraphQL would not see: fields with several values, and those that REST alone demands. */
const problemsOf = (
  { fields }: RestRoute,
  given: Readonly<Record<string, unknown>>,
  ambiguous: readonly string[],
): FieldProblem[] =>
  Object.entries(fields).flatMap(([name, { to: path, required }]): FieldProblem[] => {
    if (ambiguous.includes(name))
      return [{ path, rule: 'ITEMS', message: 'Was sent more than once, with different values.' }];
    const isMissing = !Object.hasOwn(given, name) || given[name] === undefined || given[name] === null;
    return required && isMissing ? [{ path, rule: 'REQUIRED', message: REQUIRED }] : [];
  });

/** Counts as the caller's own key of a request whose body has none. */
export const KEY_HEADER = 'Idempotency-Key';

/**
 * A request whose key came in the header, as if the body held it under the header's name: so its text has the rules of the
 * field, and errors name the header. A key in the body wins.
 *
 * @param headerKey what the header says; undefined when there is none
 */
export function withHeaderKey(
  route: RestRoute,
  body: Readonly<Record<string, unknown>>,
  headerKey: unknown,
): { route: RestRoute; given: Readonly<Record<string, unknown>> } {
  const field = route.keyField && route.fields[route.keyField];
  if (!field || isAbsent(headerKey) || !isAbsent(body[route.keyField!])) return { route, given: body };
  const { [route.keyField!]: _, ...others } = route.fields;
  return {
    route: { ...route, fields: { ...others, [KEY_HEADER]: field } },
    given: { ...body, [KEY_HEADER]: headerKey },
  };
}

const isAbsent = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

const BOOLEAN_TEXT = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);
const DECIMAL_TEXT = /^-?\d{1,15}(\.\d+)?$/;

function converted(value: unknown, { kind, alsoTaken, list }: RestField): unknown {
  if (!list) return convert(value, kind, alsoTaken);
  const values = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [value];
  return values.map((one: unknown) => convert(one, kind, alsoTaken));
}

function convert(value: unknown, kind: FieldKind, alsoTaken: RestField['alsoTaken']): unknown {
  if (typeof value !== 'string' || kind === 'text') return value;
  const text = value.trim();
  switch (kind) {
    case 'boolean':
      return BOOLEAN_TEXT.get(text.toLowerCase()) ?? value;
    case 'number':
      return DECIMAL_TEXT.test(text) ? Number(text) : value;
    case 'from':
    case 'to':
      return endOfRange(text, kind);
  }
  const words = { ...kind, ...alsoTaken };
  const word = Object.keys(words).find((spelling) => spelling.toLowerCase() === text.toLowerCase());
  return word === undefined ? value : words[word];
}

/** Body or query parameters → variables of the document. Unknown fields are ignored. */
function variablesOf({ fields }: RestRoute, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const variables: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const { to, optional } = field;
    const [argument, property] = to.split('.') as [string, string?];
    if (property) variables[argument] ??= {};
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value === undefined || value === null || (optional && isAbsent(value))) continue;
    if (property) (variables[argument] as Record<string, unknown>)[property] = converted(value, field);
    else variables[argument] = converted(value, field);
  }
  return variables;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** In a query "+" means a blank, and hardly anybody encodes the one of an offset. */
const OFFSET_OF_QUERY = /^(\S+T\S+) (\d{2}:\d{2})$/;

/** One end of a range as GraphQL takes it, whose last instant is not part of it: of a day, the beginning of the next one. */
function endOfRange(text: string, end: 'from' | 'to'): string {
  if (!DAY.test(text)) return text.replace(OFFSET_OF_QUERY, '$1+$2');
  const instant = startOfIndianDay(text, end === 'from' ? 0 : 1);
  // a day that the calendar does not have stays as it is, and is refused
  return Number.isNaN(instant.getTime()) || !isDay(text) ? text : instant.toISOString();
}

const isDay = (text: string): boolean => new Date(`${text}T00:00:00Z`).toISOString().startsWith(text);
