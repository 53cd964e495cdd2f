import { type ApolloServer, HeaderMap } from '@apollo/server';
import { fastifyApolloHandler } from '@as-integrations/fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import type { RequestContext } from '../core/context.js';
import { AppError } from '../core/errors.js';
import { DOCUMENT_LIMITS, turnOf } from '../graphql/document-size.js';
import { formatError } from '../graphql/format-error.js';
import { askedByGet } from '../graphql/get-request.js';
import { FILE_BODY_LIMIT_BYTES, usualLimitForStrangers } from './body-limit.js';
import { COMPRESSED } from './compression.js';
import type { SessionCookie } from './session-cookie.js';

export interface GraphqlParts {
  apollo: ApolloServer<RequestContext>;
  /** Puts the request's context in place. */
  identify: (request: FastifyRequest) => Promise<void>;
  /** Where a browser keeps its session; only the console has one. */
  cookie?: SessionCookie;
  introspection: boolean;
  /** Operations may carry a file; on the console alone. */
  takesFiles: boolean;
}

/**
 * POST /graphql. And GET: for questions about the schema, where they are answered; on the API hosts, with a token, for queries that
 * cost nothing.
 */
export function mountGraphql(
  app: FastifyInstance,
  { apollo, identify, cookie, introspection, takesFiles }: GraphqlParts,
): void {
  app.route({
    method: 'POST',
    url: '/graphql',
    onRequest: [requireAcceptable, identify],
    ...(takesFiles ? { bodyLimit: FILE_BODY_LIMIT_BYTES, preParsing: usualLimitForStrangers } : {}),
    preHandler: refuseLongDocument,
    onSend: ownWords,
    compress: COMPRESSED,
    handler: fastifyApolloHandler(apollo, {
      context: async ({ context }, reply) =>
        cookie ? { ...context, setSession: (change) => reply.header('set-cookie', cookie.header(change)) } : context,
    }),
  });
  app.get('/graphql', { onRequest: identify, onSend: ownWords, compress: COMPRESSED }, async (request, reply) => {
    const { query, operationName, variables } = request.query as Record<string, unknown>;
    if (typeof query === 'string') await turnOf(query);
    const asked = typeof query === 'string' ? askedByGet(query, operationName) : undefined;
    // a link cannot carry a token, but it can carry the cookie of the console
    const withToken = !cookie && request.headers.authorization !== undefined;
    if (!(asked?.schemaOnly && introspection) && !(asked?.free && withToken)) {
      void reply.header('allow', 'POST');
      throw new AppError('METHOD_NOT_ALLOWED', { message: SEND_AS_POST });
    }
    const headers = new HeaderMap([['content-type', 'application/json']]);
    if (request.headers.accept !== undefined) headers.set('accept', request.headers.accept);
    const body = {
      query,
      ...(operationName === undefined ? {} : { operationName }),
      ...(variables === undefined ? {} : { variables: jsonOf(variables) }),
    };
    const answer = await apollo.executeHTTPGraphQLRequest({
      httpGraphQLRequest: { method: 'POST', headers, search: '', body },
      context: async () => request.context,
    });
    if (answer.body.kind !== 'complete') throw new AppError('INTERNAL');
    return reply
      .code(answer.status ?? 200)
      .headers(Object.fromEntries(answer.headers))
      .send(answer.body.string);
  });
}

const SEND_AS_POST =
  'GET answers queries that cost nothing, to who sends a token. Send this operation as POST (urql: preferGetMethod: false).';

/** Charsets as Apollo names them: the two have to agree. */
const MEDIA_TYPES = ['application/json; charset=utf-8', 'application/graphql-response+json; charset=utf-8'];

/**
 * Apollo chooses a media type once it has the answer, and would refuse an operation that has been executed: money moved, and
 * the caller does not learn of it. So it is decided before. Errors: NOT_ACCEPTABLE.
 */
async function requireAcceptable({ headers }: FastifyRequest): Promise<void> {
  if (headers.accept && !new Negotiator({ headers }).mediaType(MEDIA_TYPES)) throw new AppError('NOT_ACCEPTABLE');
}

/** A body that may carry a file may be of megabytes, but not its document: comments are not counted as tokens, and yet read. */
async function refuseLongDocument({ body }: FastifyRequest): Promise<void> {
  const { query } = (body ?? {}) as { query?: unknown };
  if (typeof query !== 'string' || query.length <= DOCUMENT_LIMITS.characters) return;
  throw new AppError('INVALID_DOCUMENT', {
    message: `The document is too long: at most ${DOCUMENT_LIMITS.characters} characters are allowed.`,
  });
}

/** What Apollo refuses before its plugins see the request, such as a batch, lacks our code and request id. */
async function ownWords(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  if (reply.statusCode < 400) return payload;
  const { errors } = JSON.parse(String(payload)) as {
    errors: { message: string; extensions?: { requestId?: string } }[];
  };
  const foreign = errors.find(({ extensions }) => extensions?.requestId === undefined);
  if (!foreign) return payload;
  const error = new AppError('MALFORMED_REQUEST', { message: foreign.message });
  return JSON.stringify({ errors: [formatError(error, request.id)] });
}

/** The variables of a GET are JSON text. Errors: MALFORMED_REQUEST. */
function jsonOf(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch (error) {
    throw new AppError('MALFORMED_REQUEST', { message: 'The variables are not valid JSON.', cause: error });
  }
}
