import { type GraphQLSchema, validate } from 'graphql';
import { suggestionList } from 'graphql/jsutils/suggestionList.js';
import { startOfIndianDay } from '../core/clock.js';
import type { RequestContext } from '../core/context.js';
import type { DocUrl } from '../core/error-catalogue.js';
import { AppError, type FieldProblem, fieldError, UnreadablePart } from '../core/errors.js';
import { rootFieldsOf } from '../graphql/documents/operation-errors.js';
import { appErrorOf } from '../graphql/execution/format-error.js';
import type { Operations } from '../graphql/execution/operation.js';
import type { PolicyRow } from '../graphql/schema/policy.js';
import { REQUIRED } from '../graphql-toolkit/input.js';
import { errorResponse, unknownField } from './responses.js';
import { type FieldKind, operationOf, type RestField, type RestRoute } from './route.js';

export interface RestResponse {
  httpStatus: number;
  headers: Record<string, string>;
  body: unknown;
}

/** Problem with a field. */
export type RejectedField = Pick<FieldProblem, 'rule' | 'message'>;

/** Fields of a body or query. */
export interface RequestFields {
  values: unknown;
  /** Rejected fields by name, including fields that the route does not have. */
  rejected: ReadonlyMap<string, RejectedField>;
  /** Idempotency keys with a literal `+`. They are set only if the URL contains an unencoded `+`, which is a space in `given`. */
  withPlus?: Readonly<Record<string, unknown>>;
}

/** Names that other APIs use for idempotency keys. */
const LIKE_KEY =
  /^((client|merchant)?(request|req|order|ref|reference|txn|transaction)(id|no|key)|idempoten(cy|t)key)$/;

/** Returns unknown fields with names similar to the idempotency key of the route. */
const likeKeysIn = (body: object, key: string, fields: object): string[] =>
  Object.keys(body).filter(
    (name) =>
      !Object.hasOwn(fields, name) &&
      // an unusual name may contain sensitive data, which no response may show
      /^[a-z_-]{1,40}$/i.test(name) &&
      (LIKE_KEY.test(name.toLowerCase().replaceAll(/[_-]/g, '')) || suggestionList(name, [key]).length > 0),
  );

/** Values of a request in addition to its body or query. */
interface RequestExtras {
  parameters?: Readonly<Record<string, unknown>>;
  /** Value of the Idempotency-Key header. */
  headerKey?: unknown;
  /** Headers with names similar to Idempotency-Key. */
  likeKeyHeaders?: readonly string[];
}

export type RestHandler = (
  fields: RequestFields,
  context: RequestContext,
  extras?: RequestExtras,
) => Promise<RestResponse>;

/** Checks at start-up that the document of each route matches the schema. Throws if one does not. */
export function checkDocuments(routes: readonly RestRoute[], schema: GraphQLSchema): void {
  for (const { path, document } of routes) {
    const [error] = validate(schema, document);
    if (error) throw new Error(`The document of ${path} does not match the schema: ${error.message}`);
  }
}

export const rowsOf = (route: RestRoute, schema: GraphQLSchema): PolicyRow[] =>
  rootFieldsOf(schema, route.document, operationOf(route)).map(({ row }) => row!);

/** Creates the handler of all routes. Converts the body to variables, runs the document, and wraps the result in the envelope. */
export function restHandler(route: RestRoute, operations: Operations, docUrl: DocUrl): RestHandler {
  const { document } = route;
  const operation = operationOf(route);
  operations.trust(operation);
  /** Runs the document with the given fields and returns its result. Throws AppError. */
  const resultOf = async (
    row: RestRoute,
    values: Readonly<Record<string, unknown>>,
    rejected: RequestFields['rejected'],
    context: RequestContext,
  ): Promise<unknown> => {
    const problems = problemsOf(row, values, rejected);
    const variables = problems.length > 0 ? clearVariables(row, values, rejected) : variablesOf(row, values);
    const { result, rejection } = await operations.run({ document, operation, variables }, context, problems);
    if (rejection) throw rejection;
    const errors = result.errors?.map(appErrorOf) ?? [];
    // for this part, the response contains null; it contains all other fields
    for (const partError of errors.filter((error) => error instanceof UnreadablePart))
      context.notes?.addFailure(partError);
    const error = errors.find((candidate) => !(candidate instanceof UnreadablePart));
    if (error) throw error;
    return (result.data as { result: unknown }).result;
  };
  return async ({ values, rejected, withPlus }, context, { parameters, headerKey, likeKeyHeaders = [] } = {}) => {
    // this is the route with the field names that this request uses
    let row = route;
    try {
      const body = values ?? {};
      if (typeof body !== 'object' || Array.isArray(body))
        throw new AppError('MALFORMED_REQUEST', { message: 'The request body must be a JSON object.' });
      const request = withHeaderKey(route, { ...body, ...parameters }, headerKey);
      row = request.route;
      const { keyField } = route;
      // if a required key is missing, its own rule reports the error
      if (keyField && route.fields[keyField]!.optional)
        context.likeKeys = [...likeKeysIn(body, keyField, route.fields), ...likeKeyHeaders];
      const read = (fields: Readonly<Record<string, unknown>>) => resultOf(row, fields, rejected, context);
      const key = withPlus && Object.keys(withPlus).find((name) => withPlus[name] !== request.values[name])!;
      const result = key
        ? await lookUpEitherKey(
            () => read(request.values),
            () => read({ ...withPlus, ...parameters }),
            row.fields[key]!.to,
          )
        : await read(request.values);
      const { replayed = false } = context;
      const response = route.toResponse(result as never, { replayed });
      return {
        httpStatus: 200,
        headers: {
          ...(replayed ? { 'idempotent-replayed': 'true' } : {}),
          ...(response.retryAfterS === undefined ? {} : { 'retry-after': String(response.retryAfterS) }),
        },
        body: response.body,
      };
    } catch (thrown) {
      const error = appErrorOf(thrown);
      context.notes?.addFailure(error);
      return errorResponse(error, { requestId: context.requestId, docUrl }, row);
    }
  };
}

const AMBIGUOUS = 'This key matches an order with a space and an order with +. Send %20 for a space and %2B for +.';

/**
 * Looks up a key whose unencoded `+` can mean a space or itself, and returns the result of either. Otherwise, a caller that gets
 * 404 for an existing order would pay again. Throws the errors of the lookup, and VALIDATION_FAILED if both keys match.
 * @param path field path of the key
 */
async function lookUpEitherKey(
  withBlank: () => Promise<unknown>,
  withPlus: () => Promise<unknown>,
  path: string,
): Promise<unknown> {
  const blank = await lookUp(withBlank);
  const plus = await lookUp(withPlus);
  const isFound = (lookup: Lookup): boolean => 'found' in lookup && !isEmptyList(lookup.found);
  if (isFound(blank) && isFound(plus)) throw fieldError(path, 'REFERENCE', AMBIGUOUS);
  const match = isFound(blank) ? blank : plus;
  if ('missing' in match) throw match.missing;
  return match.found;
}

type Lookup = { found: unknown } | { missing: AppError };

async function lookUp(read: () => Promise<unknown>): Promise<Lookup> {
  try {
    return { found: await read() };
  } catch (error) {
    if (error instanceof AppError && error.code === 'RECORD_NOT_FOUND') return { missing: error };
    throw error;
  }
}

const isEmptyList = (found: unknown): boolean => {
  const { edges, statement } = found as { edges?: unknown[]; statement?: { edges: unknown[] } };
  return (edges ?? statement?.edges)?.length === 0;
};

function clearVariables(
  { fields, ...row }: RestRoute,
  values: Readonly<Record<string, unknown>>,
  rejected: RequestFields['rejected'],
): Record<string, unknown> {
  const clear = Object.entries(fields).filter(([name]) => !rejected.has(name));
  return variablesOf({ ...row, fields: Object.fromEntries(clear) }, values);
}

/** Returns the validation errors that GraphQL cannot detect: rejected fields, and missing fields that only REST requires. */
const problemsOf = (
  { fields }: RestRoute,
  values: Readonly<Record<string, unknown>>,
  rejected: RequestFields['rejected'],
): FieldProblem[] => [
  ...[...rejected].map(([name, problem]) => ({
    path: Object.hasOwn(fields, name) ? fields[name]!.to : unknownField(name),
    ...problem,
  })),
  ...Object.entries(fields).flatMap(([name, { to: path, required }]): FieldProblem[] => {
    const isMissing = !Object.hasOwn(values, name) || values[name] === undefined || values[name] === null;
    return required && isMissing && !rejected.has(name) ? [{ path, rule: 'REQUIRED', message: REQUIRED }] : [];
  }),
];

/** Header with the idempotency key of a request that has none in its body. */
export const KEY_HEADER = 'Idempotency-Key';

/**
 * Treats an idempotency key in the header as a field of the body. The rules of the field apply, and errors name the header. A key
 * in the body takes precedence.
 *
 * @param headerKey value of the header; undefined if it was not sent
 */
export function withHeaderKey(
  route: RestRoute,
  body: Readonly<Record<string, unknown>>,
  headerKey: unknown,
): { route: RestRoute; values: Readonly<Record<string, unknown>> } {
  const field = route.keyField && route.fields[route.keyField];
  if (!field || isAbsent(headerKey) || !isAbsent(body[route.keyField!])) return { route, values: body };
  const { [route.keyField!]: _, ...others } = route.fields;
  return {
    route: { ...route, fields: { ...others, [KEY_HEADER]: field } },
    values: { ...body, [KEY_HEADER]: headerKey },
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

function convertField(value: unknown, { kind, aliases, list }: RestField): unknown {
  if (!list) return convert(value, kind, aliases);
  const values = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [value];
  return values.map((item: unknown) => convert(item, kind, aliases));
}

function convert(value: unknown, kind: FieldKind, aliases: RestField['aliases']): unknown {
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
  const words = { ...kind, ...aliases };
  const word = Object.keys(words).find((spelling) => spelling.toLowerCase() === text.toLowerCase());
  return word === undefined ? value : words[word];
}

/** Converts a body or query parameters to the variables of the document. Unknown fields are ignored. */
export function variablesOf(
  { fields }: Pick<RestRoute, 'fields'>,
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const variables: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const { to, optional } = field;
    const [argument, property] = to.split('.') as [string, string?];
    if (property) variables[argument] ??= {};
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined || value === null || (optional && isAbsent(value))) continue;
    if (property) (variables[argument] as Record<string, unknown>)[property] = convertField(value, field);
    else variables[argument] = convertField(value, field);
  }
  return variables;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** In a query, "+" means a space. Clients rarely encode the "+" of a UTC offset. */
const OFFSET_OF_QUERY = /^(\S+T\S+) (\d{2}:\d{2})$/;

/**
 * Converts a range boundary to GraphQL, where `to` is exclusive. A day given as the end of a range becomes the start of the next
 * day.
 */
function endOfRange(text: string, end: 'from' | 'to'): string {
  if (!DAY.test(text)) return text.replace(OFFSET_OF_QUERY, '$1+$2');
  const instant = startOfIndianDay(text, end === 'from' ? 0 : 1);
  // an invalid calendar day is passed on and rejected by GraphQL
  return Number.isNaN(instant.getTime()) || !isDay(text) ? text : instant.toISOString();
}

const isDay = (text: string): boolean => new Date(`${text}T00:00:00Z`).toISOString().startsWith(text);
