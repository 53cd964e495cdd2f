import type { FastifyInstance } from 'fastify';
import type { GraphQLSchema } from 'graphql';
import type { PrincipalReader } from '../accounts/principal.reader.js';
import type { RejectedCalls } from '../accounts/rejected-calls.js';
import type { AuditExport } from '../audit/audit-export.service.js';
import type { Config } from '../config.js';
import { type Environment, type Host, type Surface, surfaceOf } from '../core/environment.js';
import { docUrlsOf } from '../core/error-catalogue.js';
import { listenProblem } from '../core/listen-problem.js';
import type { Logger } from '../core/log.js';
import type { Metrics } from '../core/metrics.js';
import type { Tracing } from '../core/scope.js';
import { asConsoleRead } from '../db/pool.js';
import { DocumentCheck } from '../graphql/documents/check.js';
import { DocumentCounter } from '../graphql/documents/counter.js';
import { OperationErrors } from '../graphql/documents/operation-errors.js';
import { DocumentBudget, DocumentStore } from '../graphql/documents/store.js';
import { startApollo } from '../graphql/execution/apollo.js';
import { Executor } from '../graphql/execution/executor.js';
import { Operations } from '../graphql/execution/operation.js';
import { ReplayedResults } from '../graphql/execution/replayed-results.js';
import type { RateLimits } from '../graphql/schema/limits.js';
import type { UsedKeys } from '../graphql/schema/used-keys.js';
import type { LeadHistory } from '../leads/lead.history.js';
import type { DailyStatementService } from '../ledger/daily-statement.service.js';
import type { StatementService } from '../ledger/statement.service.js';
import type { KycService } from '../onboarding/kyc.service.js';
import type { KycLinks } from '../onboarding/kyc-link.js';
import type { KycReviewService } from '../onboarding/kyc-review.service.js';
import type { OrderStore } from '../orders/order.store.js';
import type { OrderList } from '../orders/views/order-list.js';
import type { DifferenceStore } from '../reconcile/difference.store.js';
import { checkDocuments, restHandler, rowsOf } from '../rest/handler.js';
import { openApiDocument, openApiInTurns } from '../rest/openapi/document.js';
import { routes } from '../rest/routes.js';
import type { Callbacks } from '../status-checks/callbacks.js';
import { consoleDocuments, FRONT, siteDocuments } from './docs/site.js';
import { auditDownload } from './files/audit-download.js';
import { differencesDownloads } from './files/differences-download.js';
import { kycDownload } from './files/kyc-download.js';
import { aboutLeadsFile, leadsDownloads } from './files/leads-download.js';
import { aboutOrdersFile, consoleOrdersDownloads, ordersDownloads } from './files/orders-download.js';
import { aboutStatementFile, consoleStatementDownloads, statementDownloads } from './files/statement-download.js';
import type { Health } from './health.js';
import { createHost, type HostParts } from './host.js';
import { slices } from './limits/holders.js';
import { MemoryAccount, MemoryRejectionLog } from './limits/memory.js';
import type { IncomingBody } from './limits/slow-clients.js';
import { Admission } from './limits/traffic.js';
import { graphiqlDocument } from './pages/graphiql.js';
import { portalAssets, portalDocuments } from './pages/portal.js';
import { schemaDocuments } from './pages/schema-documents.js';
import type { ServedDocument } from './pages/static-documents.js';
import { Identification, SessionCookie } from './requests/identification.js';
import { RequestMetrics } from './requests/record.js';

export interface HostsParts {
  config: Config;
  version: string;
  schemas: Readonly<Record<Surface, GraphQLSchema>>;
  limits: RateLimits;
  knownKeys: UsedKeys;
  principals: PrincipalReader;
  rejectedCalls: RejectedCalls;
  callbacks: Callbacks;
  statement: StatementService;
  daily: DailyStatementService;
  kyc: { submissions: KycService; reviews: KycReviewService; links: KycLinks };
  history: OrderList;
  leads: LeadHistory;
  store: OrderStore;
  auditExport: AuditExport;
  differences: DifferenceStore;
  health: Health;
  metrics: Metrics;
  log: Logger;
  tracing: Tracing | undefined;
}

type OwnParts = Omit<
  HostParts,
  | 'host'
  | 'identification'
  | 'apollo'
  | 'operations'
  | 'introspection'
  | 'health'
  | 'metrics'
  | 'requests'
  | 'rejectedCalls'
  | 'healthOnHosts'
  | 'admission'
  | 'memory'
  | 'slowBodies'
  | 'traffic'
  | 'trustProxy'
  | 'publicUrl'
  | 'securityReports'
  | 'docUrl'
  | 'syncWindowMs'
  | 'log'
  | 'tracing'
>;

/**
 * Creates the listeners of this process: uat and production serve the API, the console serves users. Each host serves the schema
 * of its surface.
 */
export async function createHosts(parts: HostsParts): Promise<Map<Host, FastifyInstance>> {
  const { config, schemas, limits, principals, health, metrics, log } = parts;
  const cookie = new SessionCookie(config.publicUrls.console);
  const requests = new RequestMetrics(metrics);
  const admissions = new Map([...config.hosts].map((host) => [host, new Admission(config.maxInFlight)]));
  metrics.gauge('running', (put) => admissions.forEach(({ running }, host) => put(running, host)));
  metrics.gauge('runningLimit', (put) => admissions.forEach(({ limit }, host) => put(limit, host)));
  const rejectionLog = new MemoryRejectionLog(metrics, log);
  const memory = new MemoryAccount((slice, account) => rejectionLog.record(slice, account));
  const slowBodies = new Set<IncomingBody>();
  const documents = new DocumentBudget();
  metrics.gauge('memoryHeld', (put) => Object.entries(memory.heldBytes).forEach(([slice, bytes]) => put(bytes, slice)));
  metrics.gauge('memoryLimit', (put) => slices.forEach((slice) => put(memory.limitOf(slice), slice)));
  metrics.gauge('documentBytes', (put) => put(documents.bytes));
  metrics.gauge('documentLimit', (put) => put(documents.limitBytes));
  const servers = new Map<Host, FastifyInstance>();
  checkDocuments(routes, schemas.api);
  for (const host of config.hosts) {
    const schema = schemas[surfaceOf(host)];
    const store = new DocumentStore(documents);
    const introspection = host !== 'production';
    const docUrl = docUrlsOf(config.publicUrls[host]);
    const operationErrors = new OperationErrors(schema, limits);
    const check = new DocumentCheck({
      operationErrors,
      introspection,
      counter: new DocumentCounter(config.rateLimitPerMinute, metrics),
    });
    const executor = new Executor(operationErrors, { kept: store, ...(config.graphqlJit ? {} : { compile: false }) });
    const replayedResults = new ReplayedResults(schema, parts.knownKeys);
    const operations = new Operations({ check, operationErrors, executor, replayedResults, store, docUrl, log });
    const hostParts: OwnParts =
      host === 'console' ? consoleParts(cookie, schema, parts) : apiParts(host, schema, operations, parts);
    servers.set(
      host,
      await createHost({
        ...hostParts,
        host,
        identification: new Identification(host, principals, config.publicUrls, cookie, hostParts.crossOrigin.origins),
        apollo: await startApollo({ schema, operations, check, store, docUrl, log }),
        operations,
        introspection,
        health,
        metrics,
        requests,
        rejectedCalls: parts.rejectedCalls,
        healthOnHosts: config.ops.onHosts,
        admission: admissions.get(host)!,
        memory,
        slowBodies,
        traffic: config.traffic,
        trustProxy: config.trustProxy,
        securityReports: config.securityReports,
        publicUrl: config.publicUrls[host],
        docUrl,
        syncWindowMs: config.syncWindowMs,
        log,
        tracing: parts.tracing,
      }),
    );
  }
  return servers;
}

/** Returns the parts of the console. Its pages call their own host, so it needs no CORS. */
const consoleParts = (cookie: SessionCookie, schema: GraphQLSchema, parts: HostsParts): OwnParts => ({
  documents: [
    ...schemaDocuments(schema),
    ...consoleDocuments(cachedOpenApi('uat', parts), { environment: 'uat', ...parts }),
    graphiqlDocument('console'),
    ...portalDocuments(parts.config.publicUrls.uat),
  ],
  rest: [],
  downloads: [
    kycDownload(parts.kyc, parts.limits),
    ...consoleOrdersDownloads(parts, schema),
    ...consoleStatementDownloads(parts, parts.limits, schema),
    auditDownload(parts.auditExport, parts.limits),
    ...differencesDownloads(parts.differences, parts.limits, schema),
  ].map(({ open, ...download }) => ({
    ...download,
    open: (...parameters) => asConsoleRead(() => open(...parameters)),
  })),
  kycUpload: { kyc: parts.kyc.submissions, limits: parts.limits, cookie },
  cookie,
  crossOrigin: { origins: [] },
});

type OpenApiParts = Pick<HostsParts, 'config' | 'version' | 'schemas'>;

const openApiArguments = (environment: Environment, { config, version, schemas }: OpenApiParts) =>
  [
    routes,
    schemas.api,
    {
      environment,
      baseUrl: config.publicUrls[environment],
      consoleUrl: config.publicUrls.console,
      version,
      tokenLifetime: config.tokens,
      rateLimitPerMinute: config.rateLimitPerMinute,
      maxima: config,
      files: [aboutStatementFile, aboutOrdersFile, aboutLeadsFile],
    },
  ] as const;

/** Returns the OpenAPI document of an API host. */
export const openApiOf = (environment: Environment, parts: OpenApiParts) =>
  openApiDocument(...openApiArguments(environment, parts));

/** Returns the OpenAPI document of a host, which is created in small steps at the first request. */
function cachedOpenApi(environment: Environment, parts: OpenApiParts): () => ReturnType<typeof openApiInTurns> {
  let document: ReturnType<typeof openApiInTurns> | undefined;
  return () => (document ??= openApiInTurns(...openApiArguments(environment, parts)));
}

/** Allows pages of all origins to read a document. Machine-readable documents are public. */
const readableFromAnyOrigin = (document: ServedDocument): ServedDocument =>
  /\.(?:json|graphql)$/.test(document.path)
    ? { ...document, headers: { ...document.headers, 'access-control-allow-origin': '*' } }
    : document;

function apiParts(host: Environment, schema: GraphQLSchema, operations: Operations, parts: HostsParts): OwnParts {
  const { config, limits, callbacks, statement, daily, leads, metrics, log } = parts;
  const baseUrl = config.publicUrls[host];
  return {
    rest: routes.map((route) => ({
      route,
      handle: restHandler(route, operations, docUrlsOf(baseUrl)),
      rows: rowsOf(route, schema),
    })),
    downloads: [
      ...statementDownloads({ statement, daily }, limits, schema),
      ...ordersDownloads(parts, schema),
      ...leadsDownloads(leads, limits, schema),
    ],
    documents: [
      ...schemaDocuments(schema),
      ...siteDocuments(cachedOpenApi(host, parts), { environment: host, ...parts }),
      ...(host === 'uat' ? [graphiqlDocument('api'), ...portalAssets('graphiql.html')] : []),
    ].map(readableFromAnyOrigin),
    front: FRONT,
    ...(host === 'production'
      ? {
          callbacks: {
            names: callbacks.names,
            secrets: config.callbackSecrets,
            addresses: config.callbackAddresses,
            secretInQuery: config.callbackQuerySecret,
            take: (provider, fields) => callbacks.receive(provider, fields),
            // the path contains the provider name in lower case
            count: (provider, result) => metrics.counter('callbacks').add(1, provider.toUpperCase(), result),
            log,
          },
        }
      : {}),
    crossOrigin:
      host === 'uat'
        ? { origins: [new URL(config.publicUrls.console).origin, ...config.uatOrigins], setting: 'CORS_ORIGINS_UAT' }
        : // API keys belong on servers, so an administrator must list each origin explicitly
          { origins: config.productionOrigins, setting: 'CORS_ORIGINS_PRODUCTION' },
  };
}

/**
 * Length of the queue of connections that are not accepted yet. If a burst fills Node's default of 511, further connections are
 * delayed by one to three seconds.
 */
const BACKLOG = 4_096;

/**
 * Opens the listeners one by one; `ops` is included if its port is set. If a port is in use, the error is one sentence that
 * names its setting.
 */
export async function listenOn(
  servers: ReadonlyMap<Host, FastifyInstance>,
  ops: FastifyInstance | undefined,
  config: Config,
): Promise<void> {
  for (const [host, server] of servers)
    await listen(server, config.host, config.ports[host], `${host.toUpperCase()}_PORT`);
  if (ops) await listen(ops, config.ops.host, config.ops.port!, 'OPS_PORT');
}

async function listen(server: FastifyInstance, host: string, port: number, setting: string): Promise<void> {
  try {
    await server.listen({ host, port, backlog: BACKLOG });
  } catch (error) {
    throw listenProblem(error, host, port, setting);
  }
}
