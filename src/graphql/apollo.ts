import { ApolloServer, type ApolloServerPlugin, type GraphQLResponse, HeaderMap } from '@apollo/server';
import { ApolloServerValidationErrorCode } from '@apollo/server/errors';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import { GraphQLError, type GraphQLFormattedError, type GraphQLSchema, Kind } from 'graphql';
import type { RequestContext } from '../core/context.js';
import { AppError, type ErrorCode } from '../core/errors.js';
import type { Logger } from '../core/log.js';
import { DOCUMENT_LIMITS, documentLimits } from './document.js';
import type { Executor } from './executor.js';
import { appErrorOf, formatError, logFailure } from './format-error.js';
import { rateHeaders } from './limits.js';

/** Apollo's own refusals in the words of our catalogue. */
const APOLLO_CODES: Readonly<Record<string, ErrorCode>> = {
  GRAPHQL_PARSE_FAILED: 'INVALID_DOCUMENT',
  GRAPHQL_VALIDATION_FAILED: 'INVALID_DOCUMENT',
  OPERATION_RESOLUTION_FAILURE: 'INVALID_DOCUMENT',
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

/** Document validation refused a literal, or an argument or input field is missing. */
const isAboutInput = (error: unknown): boolean =>
  error instanceof GraphQLError && (error.nodes?.some(({ kind }) => /Value$|^ObjectField$/.test(kind)) ?? false);

/** Runs every operation through our executor and answers every error in our one format. */
function executorPlugin(executor: Executor, log: Logger): ApolloServerPlugin<RequestContext> {
  return {
    async requestDidStart({ request: { http } }) {
      const accept = http?.headers.get('accept');
      let answered = false;
      let wrongLiterals = false;
      const refuse = (response: GraphQLResponse, error: AppError, requestId: string): void => {
        logFailure(error, requestId, log);
        response.http.status = statusOf(error, accept);
        if (error.details.retryAfterMs !== undefined)
          response.http.headers.set('retry-after', String(Math.max(1, Math.ceil(error.details.retryAfterMs / 1000))));
        response.body = { kind: 'single', singleResult: { errors: [formatError(error, requestId)] } };
      };
      return {
        async validationDidStart() {
          return async (errors) => {
            // literals are judged by the one validator, whose texts do not quote them
            wrongLiterals = errors?.some(isAboutInput) ?? false;
          };
        },
        async responseForOperation({ document, operation, request, contextValue }) {
          answered = true;
          const { requestId } = contextValue;
          const response: GraphQLResponse = {
            http: { status: undefined, headers: new HeaderMap() },
            body: { kind: 'single', singleResult: {} },
          };
          try {
            if (!operation)
              throw new AppError('INVALID_DOCUMENT', {
                message: 'Send operationName: it must name one of the operations of the document.',
              });
            const { result, refusal } = await executor.run(document, operation, request.variables ?? {}, contextValue);
            if (refusal) throw refusal;
            const errors = result.errors?.map((error) => {
              const known = appErrorOf(error);
              logFailure(known, requestId, log);
              return formatError(known, requestId, error.path);
            });
            const retryAfterMs = Math.max(
              0,
              ...(errors ?? []).map((error) => (error.extensions?.retryAfterMs as number | undefined) ?? 0),
            );
            if (retryAfterMs > 0) response.http.headers.set('retry-after', String(Math.ceil(retryAfterMs / 1000)));
            const extensions = contextValue.replayed ? { replayed: true } : undefined;
            response.body = {
              kind: 'single',
              singleResult: { data: result.data, ...(errors ? { errors } : {}), ...(extensions ? { extensions } : {}) },
            };
          } catch (thrown) {
            refuse(response, appErrorOf(thrown), requestId);
          }
          return response;
        },
        async willSendResponse({ response, contextValue, document, request, errors }) {
          for (const [name, value] of Object.entries(rateHeaders(contextValue))) response.http.headers.set(name, value);
          if (answered || response.body.kind !== 'single') return;
          const operation = document?.definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);
          if (wrongLiterals && document && operation) {
            refuse(
              response,
              await executor.refuseInput(document, operation, request.variables ?? {}, contextValue, errors),
              contextValue.requestId,
            );
            for (const [name, value] of Object.entries(rateHeaders(contextValue)))
              response.http.headers.set(name, value);
            return;
          }
          const { singleResult } = response.body;
          const { requestId } = contextValue;
          const known = singleResult.errors?.map(ownWords) ?? [];
          if (known[0]) response.http.status = statusOf(known[0], accept);
          singleResult.errors = known.map((error) => formatError(error, requestId));
        },
      };
    },
  };
}

function ownWords(error: GraphQLFormattedError): AppError {
  const code = APOLLO_CODES[String(error.extensions?.code)];
  if (!code) return new AppError('INTERNAL');
  const hidden = error.extensions?.validationErrorCode === ApolloServerValidationErrorCode.INTROSPECTION_DISABLED;
  return new AppError(code, {
    message: hidden ? 'This host does not answer questions about its schema.' : error.message,
  });
}

/** Apollo's parts that we use: HTTP negotiation, parsing, validation and the document store. Execution is ours. */
export async function startApollo(
  schema: GraphQLSchema,
  executor: Executor,
  introspection: boolean,
  log: Logger,
): Promise<ApolloServer<RequestContext>> {
  const server = new ApolloServer<RequestContext>({
    schema,
    introspection,
    validationRules: [documentLimits],
    parseOptions: { maxTokens: DOCUMENT_LIMITS.tokens },
    persistedQueries: false,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    hideSchemaDetailsFromClientErrors: !introspection,
    nodeEnv: 'production',
    logger: {
      debug() {},
      info() {},
      warn: (message) => log.warn(String(message)),
      error: (message) => log.error(String(message)),
    },
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      executorPlugin(executor, log),
    ],
  });
  await server.start();
  return server;
}
