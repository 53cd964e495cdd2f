import { Readable } from 'node:stream';
import { type ApolloServer, HeaderMap } from '@apollo/server';
import { fastifyApolloHandler } from '@as-integrations/fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FormattedExecutionResult } from 'graphql';
import Negotiator from 'negotiator';
import type { RequestContext } from '../core/context.js';
import type { DocUrl } from '../core/error-catalogue.js';
import { AppError } from '../core/errors.js';
import {
  hasOnlyHash,
  inspectGetDocument,
  isSubscriptionRequest,
  streamRequestOf,
} from '../graphql/documents/request.js';
import { awaitTurn } from '../graphql/documents/size.js';
import { MEDIA_TYPES } from '../graphql/execution/apollo.js';
import { formatError } from '../graphql/execution/format-error.js';
import type { Operations, Results } from '../graphql/execution/operation.js';
import { rateHeaders } from '../graphql/schema/limits.js';
import { COMPRESSED } from './compression.js';
import { EVENT_STREAM, MULTIPART } from './limits/traffic.js';
import { headerKeyOf, likeKeyHeadersOf } from './requests/head.js';
import type { SessionCookie } from './requests/identification.js';

export interface GraphqlParts {
  apollo: ApolloServer<RequestContext>;
  operations: Operations;
  /** Sets the context of the request. */
  identify: (request: FastifyRequest) => Promise<void>;
  docUrl: DocUrl;
  /** Session cookie. It is set only on the console. */
  cookie?: SessionCookie;
  introspection: boolean;
}

/**
 * Serves POST /graphql. GET is served for introspection where it is enabled, and on the API hosts for queries without a fee if
 * the caller has a token. A request with only the hash of a document gets an error, so that the client sends the document.
 */
export function mountGraphql(
  app: FastifyInstance,
  { apollo, operations, identify, docUrl, cookie, introspection }: GraphqlParts,
): void {
  const handleJson = fastifyApolloHandler(apollo, {
    context: async ({ context }, reply) =>
      cookie ? { ...context, setSession: (change) => reply.header('set-cookie', cookie.header(change)) } : context,
  });
  const toCatalogueErrors = withCatalogueErrors(docUrl);
  app.route({
    method: 'POST',
    url: '/graphql',
    onRequest: [requireAcceptable, identify, takeHeaderKey],
    onSend: toCatalogueErrors,
    compress: COMPRESSED,
    handler: async function respond(request, reply) {
      const framing = await framingFor(request);
      if (!framing) return handleJson.call(this, request, reply);
      const { body, context } = request;
      try {
        const results = await operations.stream(streamRequestOf(body), context);
        void reply.headers({ 'content-type': framing.contentType, 'cache-control': 'no-cache' });
        return reply.send(Readable.from(framesOf(results, framing)));
      } finally {
        reply.headers(rateHeaders(context));
      }
    },
  });
  app.get(
    '/graphql',
    { onRequest: identify, onSend: toCatalogueErrors, compress: COMPRESSED },
    async (request, reply) => {
      const { query, operationName, variables, extensions: extensionsText } = request.query as Record<string, unknown>;
      const extensions = !query && extensionsText !== undefined ? jsonOf(extensionsText, 'extensions') : undefined;
      if (typeof query === 'string') await awaitTurn(query, request.context.host);
      const requested = typeof query === 'string' ? inspectGetDocument(query, operationName) : undefined;
      // an attacker's link cannot contain a token, but browsers send the console cookie with it
      const withToken = !cookie && request.headers.authorization !== undefined;
      const isSupported = (requested?.schemaOnly && introspection) || (requested?.free && withToken);
      if (!isSupported && !hasOnlyHash(query, extensions)) {
        void reply.header('allow', 'POST');
        throw new AppError('METHOD_NOT_ALLOWED', { message: cookie ? ON_CONSOLE : SEND_AS_POST });
      }
      const headers = new HeaderMap([['content-type', 'application/json']]);
      if (request.headers.accept !== undefined) headers.set('accept', request.headers.accept);
      const body = {
        query,
        ...(operationName === undefined ? {} : { operationName }),
        ...(variables === undefined ? {} : { variables: jsonOf(variables, 'variables') }),
        ...(extensions === undefined ? {} : { extensions }),
      };
      const response = await apollo.executeHTTPGraphQLRequest({
        httpGraphQLRequest: { method: 'POST', headers, search: '', body },
        context: async () => request.context,
      });
      if (response.body.kind !== 'complete') throw new AppError('INTERNAL');
      return reply
        .code(response.status ?? 200)
        .headers(Object.fromEntries(response.headers))
        .send(response.body.string);
    },
  );
}

const ON_CONSOLE = 'GET supports only introspection on this host. Send this operation by POST.';
const SEND_AS_POST =
  'GET supports only queries without a fee, with an access token. Send this operation by POST (urql: preferGetMethod: false).';

interface Accepted {
  /** Preferred media type of a single response; undefined if the client accepts none. */
  json: string | undefined;
  framing: Framing | undefined;
  /** Whether the client prefers a stream even for operations that are not subscriptions. */
  streamsAll: boolean;
}

/**
 * Returns the accepted media types. A stream is sent only to clients that name its media type: many clients send `*\/*` without
 * being able to read a stream.
 */
function acceptedBy({ headers }: Pick<FastifyRequest, 'headers'>): Accepted {
  const { accept } = headers;
  if (!accept) return { json: MEDIA_TYPES[0], framing: undefined, streamsAll: false };
  const accepted = new Negotiator({ headers });
  const json = accepted.mediaType(MEDIA_TYPES);
  const [framing] = accepted.mediaTypes().flatMap((type) => framingOf(type.toLowerCase(), accept) ?? []);
  const { contentType } = SERVER_SENT_EVENTS;
  const prefersEvents =
    framing === SERVER_SENT_EVENTS && accepted.mediaType([...MEDIA_TYPES, contentType]) === contentType;
  return { json, framing, streamsAll: !json || prefersEvents };
}

/**
 * Matches the parameter of the subscription protocol. Negotiator drops parameters, and `multipart/mixed` without this parameter
 * can be another protocol.
 */
const NAMES_SUBSCRIPTION_SPEC = /^\s*multipart\/mixed\s*;(?:.*;)?\s*subscriptionSpec="?1\.0"?\s*(?:;|$)/i;

function framingOf(mediaType: string, accept: string): Framing | undefined {
  if (mediaType === EVENT_STREAM) return SERVER_SENT_EVENTS;
  if (mediaType !== MULTIPART) return undefined;
  return accept.split(',').some((range) => NAMES_SUBSCRIPTION_SPEC.test(range)) ? MULTIPART_SUBSCRIPTION : undefined;
}

/**
 * Checks the Accept header before execution. Apollo selects a media type only after execution and would then reject the
 * operation: money would have moved without a response to the caller. Throws NOT_ACCEPTABLE.
 */
async function requireAcceptable(request: FastifyRequest): Promise<void> {
  const { json, framing } = acceptedBy(request);
  if (!json && !framing) throw new AppError('NOT_ACCEPTABLE');
}

/** Returns the framing of the response. A subscription is always a stream if the client accepts one. */
async function framingFor(request: FastifyRequest): Promise<Framing | undefined> {
  const { framing, streamsAll } = acceptedBy(request);
  if (!framing || streamsAll) return framing;
  const { query } = (request.body ?? {}) as { query?: unknown };
  if (typeof query === 'string') await awaitTurn(query, request.context.host);
  return isSubscriptionRequest(request.body) ? framing : undefined;
}

async function takeHeaderKey({ context, headers }: FastifyRequest): Promise<void> {
  context.headerKey = headerKeyOf(headers);
  context.likeKeys = likeKeyHeadersOf(headers);
}

/** Adds the error code and request ID to errors that Apollo returns before its plugins run, for example for a batch. */
const withCatalogueErrors =
  (docUrl: DocUrl) =>
  async (request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> => {
    if (reply.statusCode < 400) return payload;
    const { json } = acceptedBy(request);
    if (json) void reply.type(json);
    const { errors } = JSON.parse(String(payload)) as {
      errors: { message: string; extensions?: { requestId?: string } }[];
    };
    const unknownError = errors.find(({ extensions }) => extensions?.requestId === undefined);
    if (!unknownError) return payload;
    const error = new AppError('MALFORMED_REQUEST', { message: unknownError.message });
    request.notes.addFailure(error);
    return JSON.stringify({ errors: [formatError(error, { requestId: request.id, docUrl })] });
  };

/** Parses the variables or extensions of a GET request, which are JSON text. Throws MALFORMED_REQUEST. */
function jsonOf(text: unknown, name: 'variables' | 'extensions'): unknown {
  try {
    return JSON.parse(String(text));
  } catch (error) {
    throw new AppError('MALFORMED_REQUEST', { message: `The ${name} are not valid JSON.`, cause: error });
  }
}

/** Format of results in a stream. */
interface Framing {
  contentType: string;
  /** Text that is sent immediately, because some browsers pass the headers to the page only with the first byte. */
  begin: string;
  heartbeat: string;
  result(result: FormattedExecutionResult): string;
  /** Serializes the error that ended the results. */
  failure(result: FormattedExecutionResult): string;
  end: string;
}

/** Comment that clients ignore. */
const PING = ':\n\n';
const nextEvent = (result: FormattedExecutionResult): string => `event: next\ndata: ${JSON.stringify(result)}\n\n`;

/** Framing of the graphql-sse protocol with distinct connections. */
const SERVER_SENT_EVENTS: Framing = {
  contentType: `${EVENT_STREAM}; charset=utf-8`,
  begin: PING,
  heartbeat: PING,
  result: nextEvent,
  failure: nextEvent,
  end: 'event: complete\ndata:\n\n',
};

const DELIMITER = '\r\n--graphql';
/** Formats a part. It ends with the next delimiter, because clients process a part only when they have received its end. */
const part = (content: object): string =>
  `\r\ncontent-type: application/json\r\n\r\n${JSON.stringify(content)}${DELIMITER}`;

/** Framing of Apollo's multipart subscription protocol, version 1.0. */
const MULTIPART_SUBSCRIPTION: Framing = {
  contentType: `${MULTIPART};boundary="graphql";subscriptionSpec=1.0`,
  begin: DELIMITER,
  heartbeat: part({}),
  result: (payload) => part({ payload }),
  failure: ({ errors }) => part({ payload: null, errors }),
  end: '--\r\n',
};

/** Interval of heartbeats. Proxies and clients close a connection that is silent for too long. */
const HEARTBEAT_MS = 12_000;

/**
 * Writes the body of a stream. The next result is created only after the client has received the previous one.
 * @param results must not throw; an error that ends them is returned as the last result
 */
async function* framesOf(results: Results | FormattedExecutionResult, framing: Framing): AsyncGenerator<string> {
  yield framing.begin;
  const iterator = Symbol.asyncIterator in results ? results : singleResult(results);
  try {
    for (;;) {
      const next = iterator.next();
      let step: Awaited<typeof next> | undefined;
      while (!(step = await withinHeartbeat(next))) yield framing.heartbeat;
      if (!step.done) yield framing.result(step.value);
      else {
        if (step.value) yield framing.failure(step.value);
        break;
      }
    }
    yield framing.end;
  } finally {
    await iterator.return(undefined);
  }
}

async function* singleResult(result: FormattedExecutionResult): Results {
  yield result;
}

/** Waits for the next result. Resolves to undefined if there is no result before the next heartbeat. */
function withinHeartbeat<T>(next: Promise<T>): Promise<T | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<T | undefined>();
  const timer = setTimeout(() => resolve(undefined), HEARTBEAT_MS);
  next.then(resolve, reject).finally(() => clearTimeout(timer));
  return promise;
}
