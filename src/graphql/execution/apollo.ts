import { ApolloServer, type ApolloServerPlugin, type GraphQLResponse, HeaderMap } from '@apollo/server';
import { ApolloServerErrorCode } from '@apollo/server/errors';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import type { FormattedExecutionResult, GraphQLFormattedError, GraphQLSchema } from 'graphql';
import Negotiator from 'negotiator';
import type { RequestContext } from '../../core/context.js';
import type { DocUrl } from '../../core/error-catalogue.js';
import { AppError, type ErrorCode } from '../../core/errors.js';
import type { Logger } from '../../core/log.js';
import type { DocumentCheck } from '../documents/check.js';
import { DOCUMENT_LIMITS } from '../documents/size.js';
import type { DocumentStore } from '../documents/store.js';
import { syntaxMessage } from '../documents/syntax.js';
import { rateHeaders } from '../schema/limits.js';
import { appErrorOf, formatError } from './format-error.js';
import type { Operations } from './operation.js';

export interface ApolloParts {
  schema: GraphQLSchema;
  operations: Operations;
  check: DocumentCheck;
  store: DocumentStore;
  docUrl: DocUrl;
  log: Logger;
}

/** Starts Apollo, which is used only for HTTP negotiation and parsing. Validation and execution are our own. */
export async function startApollo(parts: ApolloParts): Promise<ApolloServer<RequestContext>> {
  const { schema, store, log } = parts;
  const server = new ApolloServer<RequestContext>({
    schema,
    // limits and authentication must be checked before validation, which Apollo runs as soon as a document is parsed
    dangerouslyDisableValidation: true,
    parseOptions: { maxTokens: DOCUMENT_LIMITS.tokens },
    documentStore: store,
    persistedQueries: false,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    nodeEnv: 'production',
    // the line feed of Apollo is omitted, because adding it would copy the whole text again
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
      operationsPlugin(parts),
    ],
  });
  await server.start();
  return server;
}

/** Passes every operation to `Operations`, and replaces the errors of Apollo with those of the catalog. */
function operationsPlugin({ operations, check, docUrl }: ApolloParts): ApolloServerPlugin<RequestContext> {
  return {
    async requestDidStart({ request: { http } }) {
      const sendErrors = (response: GraphQLResponse, errors: readonly AppError[], context: RequestContext): void => {
        const { requestId, notes } = context;
        for (const error of errors) notes?.addFailure(error);
        if (errors[0]) response.http.status = statusOf(errors[0], http?.headers.get('accept'));
        setResult(response, { errors: errors.map((error) => formatError(error, { requestId, docUrl })) });
        setRetryAfter(response, errors[0]?.details.retryAfterMs);
      };
      let isHandled = false;
      return {
        async responseForOperation({ document, operation, queryHash, request, contextValue }) {
          isHandled = true;
          const documentRequest = { document, operation: operation ?? undefined, variables: request.variables ?? {} };
          const { body, errors } = await operations.respond(documentRequest, queryHash!, contextValue);
          const response: GraphQLResponse = {
            http: { status: undefined, headers: new HeaderMap() },
            body: { kind: 'single', singleResult: {} },
          };
          if (errors) sendErrors(response, errors, contextValue);
          else {
            setResult(response, body);
            const retryDelays = body.errors?.map(({ extensions }) => Number(extensions?.retryAfterMs ?? 0)) ?? [];
            setRetryAfter(response, Math.max(0, ...retryDelays) || undefined);
          }
          return response;
        },
        // Apollo would return an error thrown here with its own text, and log it as a bug
        async willSendResponse({ response, contextValue, errors }) {
          try {
            // Apollo itself rejected the request because the document is missing or cannot be parsed
            if (!isHandled) {
              if (errors?.some(isSyntaxError)) await check.countUnparsable(contextValue);
              if (errors?.some(isAboutHash)) await check.admitHash(contextValue);
              if (response.body.kind === 'single')
                sendErrors(response, (response.body.singleResult.errors ?? []).map(toAppError), contextValue);
            }
          } catch (thrown) {
            sendErrors(response, [appErrorOf(thrown)], contextValue);
          }
          for (const [name, value] of Object.entries(rateHeaders(contextValue))) response.http.headers.set(name, value);
        },
      };
    },
  };
}

function setResult(response: GraphQLResponse, singleResult: FormattedExecutionResult): void {
  response.body = { kind: 'single', singleResult };
}

function setRetryAfter({ http }: GraphQLResponse, retryAfterMs: number | undefined): void {
  if (retryAfterMs !== undefined) http.headers.set('retry-after', String(Math.max(1, Math.ceil(retryAfterMs / 1000))));
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** Media types of a response; the first one is the default. Names and order must be those of Apollo. */
export const MEDIA_TYPES = [JSON_TYPE, 'application/graphql-response+json; charset=utf-8'];

/**
 * Errors whose status depends on the media type of the response (GraphQL over HTTP): 200 for `application/json`, otherwise 400.
 */
const BY_MEDIA_TYPE: ReadonlySet<ErrorCode> = new Set([
  'INVALID_DOCUMENT',
  'VALIDATION_FAILED',
  'PERSISTED_QUERY_NOT_SUPPORTED',
]);

function statusOf({ code, entry }: AppError, accept: string | undefined): number {
  if (!BY_MEDIA_TYPE.has(code)) return entry.httpStatus;
  return new Negotiator({ headers: accept ? { accept } : {} }).mediaType(MEDIA_TYPES) === JSON_TYPE ? 200 : 400;
}

/** Error codes of Apollo and the corresponding codes of the catalog. */
const APOLLO_CODES: Readonly<Record<string, ErrorCode>> = {
  GRAPHQL_PARSE_FAILED: 'INVALID_DOCUMENT',
  PERSISTED_QUERY_NOT_SUPPORTED: 'PERSISTED_QUERY_NOT_SUPPORTED',
  BAD_REQUEST: 'MALFORMED_REQUEST',
};

type ApolloError = Pick<GraphQLFormattedError, 'extensions'>;
const isSyntaxError = ({ extensions }: ApolloError): boolean =>
  extensions?.code === ApolloServerErrorCode.GRAPHQL_PARSE_FAILED;
const isAboutHash = ({ extensions }: ApolloError): boolean =>
  extensions?.code === ApolloServerErrorCode.PERSISTED_QUERY_NOT_SUPPORTED;

function toAppError(error: GraphQLFormattedError): AppError {
  const code = APOLLO_CODES[String(error.extensions?.code)];
  if (!code) return new AppError('INTERNAL');
  const message = isSyntaxError(error) ? syntaxMessage(error) : error.message;
  return new AppError(code, { message, locations: error.locations });
}
