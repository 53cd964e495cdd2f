import { Readable } from 'node:stream';
import { type ApolloServer, HeaderMap } from '@apollo/server';
import { fastifyApolloHandler } from '@as-integrations/fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FormattedExecutionResult } from 'graphql';
import Negotiator from 'negotiator';
import type { RequestContext } from '../core/context.js';
import type { DocUrl } from '../core/error-catalogue.js';
import { AppError } from '../core/errors.js';
import { askedByGet, asksForSubscription, hasOnlyHash, streamRequestOf } from '../graphql/documents/request.js';
import { turnOf } from '../graphql/documents/size.js';
import { MEDIA_TYPES } from '../graphql/execution/apollo.js';
import { formatError } from '../graphql/execution/format-error.js';
import type { Operations } from '../graphql/execution/operation.js';
import { rateHeaders } from '../graphql/schema/limits.js';
import { COMPRESSED } from './compression.js';
import { EVENT_STREAM } from './limits/traffic.js';
import { headerKeyOf, likeKeyHeadersOf } from './requests/head.js';
import type { SessionCookie } from './requests/identification.js';

const EVENT_STREAM_HEADERS = {
  'content-type': `${EVENT_STREAM}; charset=utf-8`,
  'cache-control': 'no-cache',
};

export interface GraphqlParts {
  apollo: ApolloServer<RequestContext>;
  operations: Operations;
  /** Puts the request's context in place. */
  identify: (request: FastifyRequest) => Promise<void>;
  docUrl: DocUrl;
  /** Where a browser keeps its session; only the console has one. */
  cookie?: SessionCookie;
  introspection: boolean;
}

/**
 * POST /graphql. And GET: for questions about the schema, where they are answered; on the API hosts, with a token, for queries that
 * cost nothing; a request with only the hash of a document is told to send the document.
 */
export function mountGraphql(
  app: FastifyInstance,
  { apollo, operations, identify, docUrl, cookie, introspection }: GraphqlParts,
): void {
  const asJson = fastifyApolloHandler(apollo, {
    context: async ({ context }, reply) =>
      cookie ? { ...context, setSession: (change) => reply.header('set-cookie', cookie.header(change)) } : context,
  });
  const ownWords = ownWordsOf(docUrl);
  app.route({
    method: 'POST',
    url: '/graphql',
    onRequest: [requireAcceptable, identify, takeHeaderKey],
    onSend: ownWords,
    compress: COMPRESSED,
    handler: async function answer(request, reply) {
      if (!(await wantsEvents(request))) return asJson.call(this, request, reply);
      const { body, context } = request;
      try {
        const results = await operations.stream(streamRequestOf(body), context);
        return reply.headers(EVENT_STREAM_HEADERS).send(Readable.from(eventsOf(results)));
      } finally {
        reply.headers(rateHeaders(context));
      }
    },
  });
  app.get('/graphql', { onRequest: identify, onSend: ownWords, compress: COMPRESSED }, async (request, reply) => {
    const { query, operationName, variables, extensions: extensionsText } = request.query as Record<string, unknown>;
    const extensions = !query && extensionsText !== undefined ? jsonOf(extensionsText, 'extensions') : undefined;
    if (typeof query === 'string') await turnOf(query, request.context.host);
    const asked = typeof query === 'string' ? askedByGet(query, operationName) : undefined;
    // a link cannot carry a token, but it can carry the cookie of the console
    const withToken = !cookie && request.headers.authorization !== undefined;
    const isAnswered = (asked?.schemaOnly && introspection) || (asked?.free && withToken);
    if (!isAnswered && !hasOnlyHash(query, extensions)) {
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

const ON_CONSOLE = 'GET answers nothing here but questions about the schema. Send this operation as POST.';
const SEND_AS_POST =
  'GET answers queries that cost nothing, for a caller with a token. Send this operation as POST (urql: preferGetMethod: false).';

const STREAM_TYPE = EVENT_STREAM_HEADERS['content-type'];

/** What a client takes: JSON, and a stream of events first, beside others, or not. `*\/*` names no stream: many send it unasked. */
function acceptedBy({ headers }: Pick<FastifyRequest, 'headers'>): { json: boolean; events: 'first' | 'also' | 'no' } {
  if (!headers.accept) return { json: true, events: 'no' };
  const accepted = new Negotiator({ headers });
  const json = accepted.mediaType(MEDIA_TYPES) !== undefined;
  if (!accepted.mediaTypes().some((type) => type.toLowerCase() === EVENT_STREAM)) return { json, events: 'no' };
  const isFirst = !json || accepted.mediaType([...MEDIA_TYPES, STREAM_TYPE]) === STREAM_TYPE;
  return { json, events: isFirst ? 'first' : 'also' };
}

/**
 * Apollo chooses a media type once it has the answer, and would refuse an operation that has been executed: money moved, and
 * the caller does not learn of it. So it is decided before. Errors: NOT_ACCEPTABLE.
 */
async function requireAcceptable(request: FastifyRequest): Promise<void> {
  const { json, events } = acceptedBy(request);
  if (!json && events === 'no') throw new AppError('NOT_ACCEPTABLE');
}

/** A subscription can be nothing but a stream, so it is one wherever the client takes that. */
async function wantsEvents(request: FastifyRequest): Promise<boolean> {
  const { events } = acceptedBy(request);
  if (events !== 'also') return events === 'first';
  const { query } = (request.body ?? {}) as { query?: unknown };
  if (typeof query === 'string') await turnOf(query, request.context.host);
  return asksForSubscription(request.body);
}

async function takeHeaderKey({ context, headers }: FastifyRequest): Promise<void> {
  context.headerKey = headerKeyOf(headers);
  context.likeKeys = likeKeyHeadersOf(headers);
}

/** What Apollo refuses before its plugins see the request, such as a batch, lacks our code and request id. */
const ownWordsOf =
  (docUrl: DocUrl) =>
  async (request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> => {
    if (reply.statusCode < 400) return payload;
    const { errors } = JSON.parse(String(payload)) as {
      errors: { message: string; extensions?: { requestId?: string } }[];
    };
    const foreign = errors.find(({ extensions }) => extensions?.requestId === undefined);
    if (!foreign) return payload;
    const error = new AppError('MALFORMED_REQUEST', { message: foreign.message });
    request.notes.failed(error);
    return JSON.stringify({ errors: [formatError(error, { requestId: request.id, docUrl })] });
  };

/** Variables and extensions of a GET are JSON text. Errors: MALFORMED_REQUEST. */
function jsonOf(text: unknown, name: 'variables' | 'extensions'): unknown {
  try {
    return JSON.parse(String(text));
  } catch (error) {
    throw new AppError('MALFORMED_REQUEST', { message: `The ${name} are not valid JSON.`, cause: error });
  }
}

/** Proxies and clients take a connection for dead that says nothing for long. */
const PING_MS = 12_000;
/** A comment: clients skip it. */
const PING = ':\n\n';

/**
 * Results as server-sent events, in the words of graphql-sse with distinct connections: `next` for each, `complete` at the end. A
 * result is asked for when the client has taken the one before, so what it does not read is not made.
 *
 * @param results never throw: the last one says what went wrong
 */
async function* eventsOf(
  results: AsyncIterable<FormattedExecutionResult> | FormattedExecutionResult,
): AsyncGenerator<string> {
  // some browsers give the headers to the page with the first byte only
  yield PING;
  const source = Symbol.asyncIterator in results ? results : one(results);
  const iterator = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = iterator.next();
      let step: IteratorResult<FormattedExecutionResult> | undefined;
      while (!(step = await withinPing(next))) yield PING;
      if (step.done) break;
      yield `event: next\ndata: ${JSON.stringify(step.value)}\n\n`;
    }
    yield 'event: complete\ndata:\n\n';
  } finally {
    await iterator.return?.();
  }
}

async function* one<T>(result: T): AsyncGenerator<T> {
  yield result;
}

/** Undefined when nothing came before the next ping. */
function withinPing<T>(next: Promise<T>): Promise<T | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<T | undefined>();
  const timer = setTimeout(() => resolve(undefined), PING_MS);
  next.then(resolve, reject).finally(() => clearTimeout(timer));
  return promise;
}
