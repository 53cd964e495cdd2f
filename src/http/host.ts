import type { ApolloServer } from '@apollo/server';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { RejectedCalls } from '../accounts/rejected-calls.js';
import type { TrafficLimits } from '../config.js';
import type { ProxyTrust } from '../core/addresses.js';
import type { RequestContext } from '../core/context.js';
import type { Host } from '../core/environment.js';
import type { DocUrl } from '../core/error-catalogue.js';
import { AppError } from '../core/errors.js';
import { newId } from '../core/ids.js';
import type { Logger } from '../core/log.js';
import type { Metrics } from '../core/metrics.js';
import { inScope, RequestNotes, type Span, type Tracing } from '../core/scope.js';
import { formatError } from '../graphql/execution/format-error.js';
import type { Operations } from '../graphql/execution/operation.js';
import { PathTable } from '../rest/path.js';
import { errorResponse, type FailureStyle } from '../rest/responses.js';
import { CALLBACK_ROUTE, type CallbackParts, callbackPath, mountCallbacks } from './callbacks.js';
import { mountCompression } from './compression.js';
import type { Download } from './files/download.js';
import { KYC_UPLOAD_PATH, type KycUploadParts, mountKycUpload } from './files/kyc-upload.js';
import { mountGraphql } from './graphql-endpoint.js';
import { type Health, isHealthPath, isProbe, mountHealth, mountLiveness, mountMetrics } from './health.js';
import { BODY_LIMIT_BYTES, type MemoryAccount, mountRequestMemory } from './limits/memory.js';
import type { IncomingBody } from './limits/slow-clients.js';
import { type Admission, isEventStream, listenerTimeouts, mountTraffic } from './limits/traffic.js';
import { mountSecurityText, SECURITY_TEXT_PATH, type SecurityReports } from './pages/security-text.js';
import { mountStaticDocuments, type ServedDocument } from './pages/static-documents.js';
import { clientErrorHandler, requestError } from './request-errors.js';
import { mountJsonBodies } from './requests/bodies.js';
import { assertUtf8Query, correlationOf, plainUrl, preferredWaitS, readSingleHeaders } from './requests/head.js';
import type { Identification, SessionCookie } from './requests/identification.js';
import { beginSpan, endSpan, logRequest, noteRejectedCalls, type RequestMetrics } from './requests/record.js';
import { type CrossOrigin, mountCors, rejectedPreflight, securityHeaders } from './response-headers.js';
import { mountDownloads, mountRest, type RestEndpoint, servesHead } from './rest-endpoints.js';

export interface HostParts {
  host: Host;
  identification: Identification;
  apollo: ApolloServer<RequestContext>;
  operations: Operations;
  /** REST endpoints of this host; empty on the console. */
  rest: readonly RestEndpoint[];
  /** Files of this host, requested with GET and a token or session. */
  downloads?: readonly Download[];
  /** The GraphQL schema, and on API hosts the reference. */
  documents: readonly ServedDocument[];
  /** Target of the redirect from `/`. It is set only on the API hosts, because the console has its own page there. */
  front?: string;
  /** Callbacks of providers. They are set only on the production host. */
  callbacks?: CallbackParts;
  /** Whether introspection is enabled. */
  introspection: boolean;
  /** Upload of KYC documents. It is set only on the console. */
  kycUpload?: KycUploadParts;
  /** Session cookie. It is set only on the console. */
  cookie?: SessionCookie;
  crossOrigin: CrossOrigin;
  health: Health;
  metrics: Metrics;
  requests: RequestMetrics;
  rejectedCalls: RejectedCalls;
  /** Whether this host also serves readiness, version and metrics. Liveness is always served. */
  healthOnHosts: boolean;
  /** Admission of this host. Each host has its own, so that anonymous callers of one host cannot block another host. */
  admission: Admission;
  /** Memory that the requests of all hosts share. */
  memory: MemoryAccount;
  /** Slow request bodies of all hosts. */
  slowBodies: Set<IncomingBody>;
  traffic: TrafficLimits;
  trustProxy: ProxyTrust | undefined;
  /** Public URL. Behind a proxy, the Host header must match it. */
  publicUrl: string;
  /** Contact for security reports. */
  securityReports: SecurityReports;
  /** URL of the documentation of an error code. */
  docUrl: DocUrl;
  /** Maximum time that a payment waits for its provider. */
  syncWindowMs: number;
  log: Logger;
  tracing: Tracing | undefined;
}

const READ_TO_END_BYTES = 8 * 1024 * 1024;
const READ_METHODS: readonly string[] = ['GET', 'HEAD'];

declare module 'fastify' {
  interface FastifyRequest {
    context: RequestContext;
    notes: RequestNotes;
    /** Span of the request. It is set for all requests except probes, if traces are recorded. */
    span: Span | undefined;
    /** Called when the request has no more work to do, so that it no longer counts as running. */
    leaveAdmission?: () => void;
  }
}

/** Creates the listener of one host with REST endpoints, GraphQL and health checks. The environment depends only on the host. */
export async function createHost(parts: HostParts): Promise<FastifyInstance> {
  const { identification, apollo, rest, downloads = [], health, trustProxy, publicUrl, docUrl, log } = parts;
  const security = securityHeaders(publicUrl);
  const count = (request: FastifyRequest, reply: FastifyReply): void => {
    if (isProbe(request.routeOptions.url)) return;
    parts.requests.count({
      host: parts.host,
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      httpStatus: reply.statusCode,
      elapsedMs: reply.elapsedTime,
      isStream: isEventStream(reply),
      notes: request.notes,
    });
  };
  const app: FastifyInstance = Fastify({
    ...listenerTimeouts(parts.traffic, parts.kycUpload !== undefined),
    clientErrorHandler: clientErrorHandler(docUrl, (line) => log.info({ ...line, host: parts.host }, 'request')),
    // hooks do not run for a path that cannot be decoded
    frameworkErrors: (error, request, reply) => {
      void reply.headers({ 'x-request-id': request.id, ...security });
      request.notes = new RequestNotes();
      fail(request, reply, requestError(error));
      logRequest(log, parts.host, request, reply);
      count(request, reply);
    },
    logger: false,
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: trustProxy ?? false,
    genReqId: newId,
    // HEAD is served for every GET path, because monitors send HEAD
    exposeHeadRoutes: true,
    rewriteUrl: ({ url }) => plainUrl(url!),
    return503OnClosing: false,
  });
  // RFC 9110 allows a server to ignore unknown expectations; by default Node responds with 417 and no body
  app.server.on('checkExpectation', (...exchange) => app.server.emit('request', ...exchange));
  const rows = new PathTable<Map<string, FailureStyle>>();
  const methods = new PathTable<Set<string>>();
  const allow = (path: string, ...methodNames: readonly string[]): void => {
    const methodsOfPath = methods.of(path, () => new Set());
    for (const method of methodNames) methodsOfPath.add(method);
  };
  allow('/graphql', 'POST');
  for (const endpoint of rest) {
    const { route } = endpoint;
    rows.of(route.path, () => new Map()).set(route.method, route);
    allow(route.path, ...(servesHead(endpoint) ? READ_METHODS : [route.method]));
  }
  if (parts.kycUpload) allow(KYC_UPLOAD_PATH, 'POST');
  for (const { path, fields } of downloads)
    rows.of(path, () => new Map()).set('GET', { validationStatus: 422, fields });
  for (const { path } of [...downloads, ...parts.documents]) allow(path, ...READ_METHODS);
  const hasSecurityContact = parts.securityReports.contacts.length > 0;
  if (hasSecurityContact) allow(SECURITY_TEXT_PATH, ...READ_METHODS);
  for (const name of parts.callbacks?.names ?? []) allow(callbackPath(name), 'GET', 'POST');
  const ownHost = new URL(publicUrl).host;
  const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0]!;

  const styleOf = (request: FastifyRequest): FailureStyle | undefined =>
    rows.find(pathOf(request))?.get(request.method === 'HEAD' ? 'GET' : request.method);

  const fail = (request: FastifyRequest, reply: FastifyReply, error: AppError): void => {
    const path = pathOf(request);
    request.notes.addFailure(error);
    // the remaining body can have any length; if it is not longer than a file, it is read completely, because its sender would
    // otherwise only see a closed connection
    if (error.code === 'PAYLOAD_TOO_LARGE' && !(Number(request.headers['content-length']) <= READ_TO_END_BYTES))
      void reply.header('connection', 'close');
    const { httpStatus, headers, body } = errorResponse(error, { requestId: request.id, docUrl }, styleOf(request));
    void reply
      .code(httpStatus)
      .headers(headers)
      .send(path === '/graphql' ? { errors: [formatError(error, { requestId: request.id, docUrl })] } : body);
  };

  await mountCompression(app);
  mountJsonBodies(app, parts.host);
  app.decorateRequest('context', null as never);
  app.decorateRequest('notes', null as never);
  app.decorateRequest('span');
  app.decorateRequest('leaveAdmission');
  app.decorateRequest('ambiguous');
  app.addHook('onRequest', async (request, reply) => {
    const notes = (request.notes = new RequestNotes());
    const { correlationId, trace } = correlationOf(request);
    request.span = parts.tracing && beginSpan(parts.tracing, parts.host, request, trace);
    notes.correlationId = correlationId;
    notes.traceId = request.span?.traceId ?? trace?.traceId;
    void reply.header('x-request-id', request.id);
    if (correlationId !== undefined) void reply.header('x-correlation-id', correlationId);
    void reply.headers(security);
  });
  mountRequestMemory(app, {
    host: parts.host,
    account: parts.memory,
    maxSlowBodiesPerAddress: parts.traffic.maxSlowBodiesPerAddress,
  });
  mountTraffic(app, { limits: parts.traffic, admission: parts.admission, slowBodies: parts.slowBodies });
  app.addHook('onRequest', async (request) => {
    // probes connect by IP address and are not authenticated
    if (isHealthPath(request.url)) return;
    if (request.routeOptions.url !== CALLBACK_ROUTE) readSingleHeaders(request);
    if (trustProxy && request.headers.host !== ownHost)
      throw new AppError('NOT_FOUND', { message: 'The Host header does not match this host.' });
  });
  mountCors(app, parts.crossOrigin);
  app.addHook('preValidation', async (request) => {
    // callbacks accept any readable fields
    if (request.is404 || request.routeOptions.url === CALLBACK_ROUTE) return;
    assertUtf8Query(request, () => Object.keys(styleOf(request)?.fields ?? {}));
  });
  // this must run after the body is read, because socket events do not keep the async context
  app.addHook('preHandler', ({ id: requestId, notes, span }, _reply, done) =>
    inScope(span ? { requestId, notes, span } : { requestId, notes }, done),
  );
  app.addHook('onSend', async (_request, reply) => {
    // without this, a connection that is busy at the start of the shutdown would remain open for its keep-alive time
    if (health.isDraining) void reply.header('connection', 'close');
  });
  app.addHook('onSend', async (request, reply) => {
    const waitS = request.notes.payment && preferredWaitS(request.headers);
    if (waitS !== undefined)
      void reply.header('preference-applied', `wait=${Math.min(waitS, Math.floor(parts.syncWindowMs / 1_000))}`);
  });
  app.addHook('onResponse', async (request, reply) => {
    if (!request.raw.socket.destroyed) request.notes.payment?.received?.();
    logRequest(log, parts.host, request, reply);
    endSpan(request, reply);
    count(request, reply);
    noteRejectedCalls(parts.rejectedCalls, request);
  });
  app.setErrorHandler((error: FastifyError, request, reply) => fail(request, reply, requestError(error)));
  app.setNotFoundHandler((request, reply) => {
    const rejected = rejectedPreflight(request, reply, parts.crossOrigin);
    if (rejected) return fail(request, reply, rejected);
    const allowed = methods.find(pathOf(request));
    if (allowed) void reply.header('allow', [...allowed].join(', '));
    fail(request, reply, new AppError(allowed ? 'METHOD_NOT_ALLOWED' : 'NOT_FOUND'));
  });

  const identify = async (request: FastifyRequest): Promise<void> => {
    request.context = await identification.contextOf(request);
  };
  mountRest(app, parts.host, rest, identify);
  mountDownloads(app, downloads, identify);
  if (parts.kycUpload) mountKycUpload(app, parts.kycUpload, identify);
  mountGraphql(app, {
    apollo,
    operations: parts.operations,
    identify,
    docUrl,
    cookie: parts.cookie,
    introspection: parts.introspection,
  });
  if (parts.callbacks) mountCallbacks(app, parts.callbacks);
  mountLiveness(app);
  if (parts.healthOnHosts) {
    mountHealth(app, health);
    mountMetrics(app, parts.metrics);
  }
  if (hasSecurityContact) mountSecurityText(app, parts.securityReports, publicUrl);
  const { front } = parts;
  if (front !== undefined) app.get('/', async (_request, reply) => reply.redirect(front, 302));
  await mountStaticDocuments(app, parts.documents);
  return app;
}
