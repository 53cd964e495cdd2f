import { type GraphQLSchema, validate } from 'graphql';
import type { RequestContext } from '../core/context.js';
import type { DocUrl } from '../core/error-catalogue.js';
import { AppError, type FieldProblem, UnreadablePart } from '../core/errors.js';
import { rootFieldsOf } from '../graphql/documents/refusals.js';
import { appErrorOf } from '../graphql/execution/format-error.js';
import type { Operations } from '../graphql/execution/operation.js';
import type { PolicyRow } from '../graphql/schema/policy.js';
import { REQUIRED } from '../graphql-toolkit/input.js';
import { failureAnswer } from './answers.js';
import { operationOf, type RestRoute, variablesOf } from './route.js';

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
