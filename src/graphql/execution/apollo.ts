import { hash as digest } from 'node:crypto';
import { ApolloServer, type ApolloServerPlugin, type GraphQLResponse, HeaderMap } from '@apollo/server';
import { ApolloServerErrorCode } from '@apollo/server/errors';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import {
  type DocumentNode,
  type ExecutionResult,
  type FormattedExecutionResult,
  type GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  getOperationAST,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
} from 'graphql';
import type { RequestContext } from '../../core/context.js';
import type { DocUrl } from '../../core/doc-url.js';
import { AppError, type ErrorCode } from '../../core/errors.js';
import type { Logger } from '../../core/log.js';
import type { RequestNotes } from '../../core/request-notes.js';
import { policiesAlong, wasCharged } from '../documents/charges.js';
import { DocumentCheck } from '../documents/check.js';
import { MAX_ROWS } from '../documents/cost.js';
import { DocumentCounter } from '../documents/counter.js';
import { FieldPlaces } from '../documents/places.js';
import { DOCUMENT_LIMITS } from '../documents/size.js';
import type { DocumentStore } from '../documents/store.js';
import type { StreamRequest } from '../documents/stream-request.js';
import { syntaxProblem } from '../documents/syntax.js';
import { rateHeaders } from '../schema/limits.js';
import type { Executed, Executor } from './executor.js';
import { appErrorOf, type ErrorSource, formatError, logFailedEvent } from './format-error.js';

/** Apollo's own refusals in the words of our catalogue. */
const APOLLO_CODES: Readonly<Record<string, ErrorCode>> = {
  GRAPHQL_PARSE_FAILED: 'INVALID_DOCUMENT',
  PERSISTED_QUERY_NOT_SUPPORTED: 'INVALID_DOCUMENT',
  BAD_REQUEST: 'MALFORMED_REQUEST',
};

/**
 * The status of a document or of values that do not fit, by what the client accepts (GraphQL over HTTP): clients of
 * `application/graphql-response+json` get 400; those that name `application/json` alone expect 200 and read `errors`.
 */
function statusOf(error: AppError, accept = ''): number {
  const { code, entry } = error;
  if (code !== 'INVALID_DOCUMENT' && code !== 'VALIDATION_FAILED') return entry.httpStatus;
  if (accept.includes('application/graphql-response+json')) return 400;
  return accept.includes('application/json') ? 200 : entry.httpStatus;
}

/** Judges and runs every operation with our own parts, and answers every error in our one format. */
function executorPlugin(
  { schema, executor, store, docUrl }: ApolloParts,
  documents: DocumentCheck,
): ApolloServerPlugin<RequestContext> {
  return {
    async requestDidStart({ request: { http } }) {
      const accept = http?.headers.get('accept');
      let answered = false;
      const refuse = (response: GraphQLResponse, errors: readonly AppError[], context: RequestContext): void => {
        const [first] = errors;
        const { requestId, notes } = context;
        for (const error of errors) notes?.failed(error);
        if (first) response.http.status = statusOf(first, accept);
        if (first?.details.retryAfterMs !== undefined)
          response.http.headers.set('retry-after', String(Math.max(1, Math.ceil(first.details.retryAfterMs / 1000))));
        response.body = {
          kind: 'single',
          singleResult: { errors: errors.map((error) => formatError(error, { requestId, docUrl })) },
        };
      };
      return {
        async responseForOperation({ document, operation, queryHash, request, contextValue }) {
          answered = true;
          const { requestId, notes } = contextValue;
          const response: GraphQLResponse = {
            http: { status: undefined, headers: new HeaderMap() },
            body: { kind: 'single', singleResult: {} },
          };
          try {
            const variables = request.variables ?? {};
            const given = { document, operation: operation ?? undefined, variables };
            const { problems, onlyValues } = await documents.judge(given, contextValue);
            if (notes && operation && (onlyValues || problems.length === 0))
              notes.operation = executor.noted(document, operation);
            const instead =
              onlyValues && (await executor.answerInstead(problems[0]!, document, operation!, variables, contextValue));
            if (problems.length > 0 && !instead) {
              refuse(response, problems, contextValue);
              return response;
            }
            if (!operation) throw new AppError('INVALID_DOCUMENT', { message: WHICH_OPERATION });
            const { result, rows, refusal }: Executed = instead
              ? { result: instead }
              : await executor.run(document, operation, variables, contextValue);
            if (refusal) throw refusal;
            const asked = { schema, document, operation, variables };
            const errors = errorsOf(result, asked, { requestId, docUrl }, notes, (error) => notes?.failed(error));
            if (!errors) store.answered(queryHash!, document, contextValue.principal);
            const retryAfterMs = Math.max(
              0,
              ...(errors ?? []).map((error) => (error.extensions?.retryAfterMs as number | undefined) ?? 0),
            );
            if (retryAfterMs > 0) response.http.headers.set('retry-after', String(Math.ceil(retryAfterMs / 1000)));
            const extensions = { ...(contextValue.replayed ? { replayed: true } : {}), ...costOf(rows) };
            response.body = {
              kind: 'single',
              singleResult: {
                data: result.data,
                ...(errors ? { errors } : {}),
                ...(Object.keys(extensions).length > 0 ? { extensions } : {}),
              },
            };
          } catch (thrown) {
            refuse(response, [appErrorOf(thrown)], contextValue);
          }
          return response;
        },
        // what is thrown here, Apollo would answer in its own words and log as a defect of its own
        async willSendResponse({ response, contextValue, errors }) {
          try {
            // Apollo itself refused: there is no document, or it does not parse
            if (!answered) {
              if (errors?.some(isSyntaxError)) await documents.refuseUnreadable(contextValue);
              if (response.body.kind === 'single')
                refuse(response, (response.body.singleResult.errors ?? []).map(ownWords), contextValue);
            }
          } catch (thrown) {
            refuse(response, [appErrorOf(thrown)], contextValue);
          }
          for (const [name, value] of Object.entries(rateHeaders(contextValue))) response.http.headers.set(name, value);
        },
      };
    },
  };
}

/** What is told of an operation that asks for rows. */
const costOf = (rows = 0): { cost?: { rows: number; limit: number } } =>
  rows > 0 ? { cost: { rows, limit: MAX_ROWS } } : {};

/** The errors of fields, in our one format; each is told to `found`. */
function errorsOf(
  { errors }: ExecutionResult,
  { schema, document, operation, variables }: Asked,
  source: ErrorSource,
  notes: RequestNotes | undefined,
  found: (error: AppError) => void,
): GraphQLFormattedError[] | undefined {
  const places = errors && new FieldPlaces(document, operation, variables);
  return errors?.map((error) => {
    const known = appErrorOf(error);
    found(known);
    const rows = policiesAlong(schema, operation, places!.along(error.path));
    return formatError(known, source, {
      path: error.path,
      locations: places!.of(error.path),
      charged: wasCharged(known, rows, notes),
      payment: rows[0]?.money ? (notes?.payment ?? onlyOrderOf(notes)) : undefined,
    });
  });
}

/** Of a payment that was refused for an earlier one. */
const onlyOrderOf = ({ orders: [order, another] }: Pick<RequestNotes, 'orders'> = { orders: [] }) =>
  order && !another ? { apiRequestId: order.reference } : undefined;

interface Asked {
  schema: GraphQLSchema;
  document: DocumentNode;
  operation: OperationDefinitionNode;
  variables: Record<string, unknown>;
}

const isSyntaxError = (error: { extensions?: Record<string, unknown> }): boolean =>
  error.extensions?.code === ApolloServerErrorCode.GRAPHQL_PARSE_FAILED;

function ownWords(error: GraphQLFormattedError): AppError {
  const code = APOLLO_CODES[String(error.extensions?.code)];
  if (!code) return new AppError('INTERNAL');
  const message = isSyntaxError(error) ? syntaxMessage(error) : error.message;
  return new AppError(code, { message, locations: error.locations });
}

/** Where a document stops being one, and what is wrong there. Without what the engine quotes of it: it may hold a secret. */
function syntaxMessage({ message, locations }: GraphQLFormattedError): string {
  if (message.includes('tokens. Parsing aborted'))
    return `The document has too many tokens: at most ${DOCUMENT_LIMITS.tokens} are allowed.`;
  const [at] = locations ?? [];
  return at ? `Syntax error at line ${at.line}, column ${at.column}${syntaxProblem(message)}.` : 'Syntax error.';
}

export interface ApolloParts {
  /** What the host serves. */
  schema: GraphQLSchema;
  executor: Executor;
  store: DocumentStore;
  /** Answers questions about the schema. */
  introspection: boolean;
  /** Questions about the schema that a caller may ask in a minute. */
  schemaQuestionsPerMinute: number;
  /** Is told of each document that is refused for how many there were. */
  onLimited?: (endpoint: string) => void;
  /** Where people read about the code of an error. */
  docUrl: DocUrl;
  log: Logger;
}

/** One operation as a stream: each event of a subscription, or the one answer of anything else. Errors: AppError. */
export type OpenStream = (
  request: StreamRequest,
  context: RequestContext,
) => Promise<AsyncIterable<FormattedExecutionResult> | FormattedExecutionResult>;

/** Apollo's parts that we use: HTTP negotiation and parsing. Validation and execution are ours. */
export async function startApollo(
  parts: ApolloParts,
): Promise<{ apollo: ApolloServer<RequestContext>; openStream: OpenStream }> {
  const { schema, executor, store, introspection, schemaQuestionsPerMinute, onLimited, log } = parts;
  const counter = new DocumentCounter(schemaQuestionsPerMinute, onLimited);
  const documents = new DocumentCheck({ schema, executor, counter, introspection });
  const server = new ApolloServer<RequestContext>({
    schema,
    // the limits, and who is asking, come before the validation, which Apollo runs as soon as a document is parsed
    dangerouslyDisableValidation: true,
    parseOptions: { maxTokens: DOCUMENT_LIMITS.tokens },
    documentStore: store,
    persistedQueries: false,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    nodeEnv: 'production',
    // without the line feed that Apollo adds: the whole text would be copied once more
    stringifyResult: (result) => JSON.stringify(result),
    logger: {
      debug() {},
      info() {},
      warn: (message) => log.warn(String(message)),
      error: (message) => log.error(String(message)),
    },
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      executorPlugin(parts, documents),
    ],
  });
  await server.start();
  return { apollo: server, openStream: streamsOf(parts, documents) };
}

/** The same limits, judgement and execution for streams, which Apollo does not know. */
function streamsOf({ schema, executor, store, docUrl, log }: ApolloParts, documents: DocumentCheck): OpenStream {
  return async ({ query, operationName, variables = {} }, context) => {
    const hash = digest('sha256', query);
    const document = (await store.get(hash)) ?? (await parsed(query, documents, context));
    const operation = getOperationAST(document, operationName) ?? undefined;
    const { problems } = await documents.judge({ document, operation, variables }, context);
    if (problems[0]) throw problems[0];
    if (!operation) throw new AppError('INVALID_DOCUMENT', { message: WHICH_OPERATION });
    const asked = { schema, document, operation, variables };
    const { requestId, notes } = context;
    if (notes) notes.operation = executor.noted(document, operation);
    const isStream = operation.operation === OperationTypeNode.SUBSCRIPTION;
    const found = (error: AppError): void => (isStream ? logFailedEvent(error, requestId, log) : notes?.failed(error));
    const formatted = (result: ExecutionResult): FormattedExecutionResult => {
      const errors = errorsOf(result, asked, { requestId, docUrl }, notes, found);
      return { data: result.data ?? null, ...(errors ? { errors } : {}) };
    };
    if (!isStream) {
      const { result, rows, refusal } = await executor.run(document, operation, variables, context);
      if (refusal) throw refusal;
      if (!result.errors) store.answered(hash, document, context.principal);
      const extensions = costOf(rows);
      return { ...formatted(result), ...(extensions.cost ? { extensions } : {}) };
    }
    const events = await executor.subscribe(document, operation, variables, context);
    store.answered(hash, document, context.principal);
    return (async function* () {
      try {
        for await (const event of events) yield formatted(event);
      } catch (thrown) {
        // the last event says why there is no other
        const error = appErrorOf(thrown);
        found(error);
        yield { data: null, errors: [formatError(error, { requestId, docUrl })] };
      }
    })();
  };
}

/** Errors: INVALID_DOCUMENT, RATE_LIMITED. */
async function parsed(query: string, documents: DocumentCheck, context: RequestContext): Promise<DocumentNode> {
  try {
    return parse(query, { maxTokens: DOCUMENT_LIMITS.tokens });
  } catch (error) {
    await documents.refuseUnreadable(context);
    const message = syntaxMessage((error as GraphQLError).toJSON());
    throw new AppError('INVALID_DOCUMENT', { message, locations: (error as GraphQLError).locations });
  }
}

const WHICH_OPERATION = 'Send operationName: it must name one of the operations of the document.';
