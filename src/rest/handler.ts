import { readFileSync } from 'node:fs';
import {
  type DocumentNode,
  type GraphQLSchema,
  getOperationAST,
  type OperationDefinitionNode,
  parse,
  validate,
} from 'graphql';
import type { RequestContext } from '../core/context.js';
import { AppError } from '../core/errors.js';
import type { Logger } from '../core/log.js';
import { packageRoot } from '../core/package-root.js';
import { rootFieldsOf } from '../graphql/document.js';
import type { Executor } from '../graphql/executor.js';
import { appErrorOf, logFailure } from '../graphql/format-error.js';
import { policy } from '../graphql/policy.js';
import { failureAnswer } from './envelope.js';
import { withHeaderKey } from './header-key.js';
import { type RestRoute, variablesOf } from './route.js';

export interface RestResponse {
  httpStatus: number;
  headers: Record<string, string>;
  body: unknown;
}

/** `headerKey`: what the header Idempotency-Key says. */
export type RestHandler = (given: unknown, context: RequestContext, headerKey?: unknown) => Promise<RestResponse>;

const operationSource = (name: string): string =>
  readFileSync(new URL(`src/rest/operations/${name}.graphql`, packageRoot), 'utf8');

interface StoredOperation {
  document: DocumentNode;
  operation: OperationDefinitionNode;
}

/** Both API hosts have the same schema and operations; to validate them is a good part of a start. */
const known = new WeakMap<GraphQLSchema, Map<string, StoredOperation>>();

/** Parses and validates a stored operation; throws at start-up when it does not fit the schema. */
export function storedOperation(schema: GraphQLSchema, name: string): StoredOperation {
  const ofSchema = known.get(schema) ?? new Map<string, StoredOperation>();
  known.set(schema, ofSchema);
  const stored = ofSchema.get(name) ?? readOperation(schema, name);
  ofSchema.set(name, stored);
  return stored;
}

function readOperation(schema: GraphQLSchema, name: string): StoredOperation {
  const document = parse(operationSource(name));
  const [error] = validate(schema, document);
  if (error) throw new Error(`The stored operation ${name} does not fit the schema: ${error.message}`);
  return { document, operation: getOperationAST(document)! };
}

/** Whether anyone may call the row: its root field is public by the policy. */
export function isPublicRoute(route: RestRoute, schema: GraphQLSchema): boolean {
  const { document, operation } = storedOperation(schema, route.operation);
  return rootFieldsOf(schema, document, operation).every(
    ({ type, name }) => policy[type]?.[name]?.access.kind === 'public',
  );
}

/** The one handler of all rows: body → variables → stored operation → envelope. */
export function restHandler(route: RestRoute, schema: GraphQLSchema, executor: Executor, log: Logger): RestHandler {
  const { document, operation } = storedOperation(schema, route.operation);
  executor.trust(operation);
  return async (given, context, headerKey) => {
    // how this request names what it gives
    let row = route;
    try {
      const body = given ?? {};
      if (typeof body !== 'object' || Array.isArray(body))
        throw new AppError('MALFORMED_REQUEST', { message: 'The request body must be a JSON object.' });
      const request = withHeaderKey(route, body as Record<string, unknown>, headerKey);
      row = request.route;
      const { result, refusal } = await executor.run(document, operation, variablesOf(row, request.given), context);
      if (refusal) throw refusal;
      const error = result.errors?.[0];
      if (error) throw error;
      const answer = route.answer((result.data as { result: never }).result);
      return {
        httpStatus: 200,
        headers: {
          ...(context.replayed ? { 'idempotent-replayed': 'true' } : {}),
          ...(answer.retryAfterS === undefined ? {} : { 'retry-after': String(answer.retryAfterS) }),
        },
        body: answer.body,
      };
    } catch (thrown) {
      const error = appErrorOf(thrown);
      logFailure(error, context.requestId, log);
      return failureAnswer(error, context.requestId, row);
    }
  };
}
