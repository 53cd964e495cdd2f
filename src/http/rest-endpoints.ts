import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RequestContext } from '../core/context.js';
import type { Host } from '../core/environment.js';
import { AppError } from '../core/errors.js';
import type { Service } from '../core/services.js';
import { canCharge } from '../graphql/documents/charges.js';
import { unauthenticatedForEvery } from '../graphql/schema/access.js';
import { rateHeaders } from '../graphql/schema/limits.js';
import type { PolicyRow } from '../graphql/schema/policy.js';
import type { RequestFields, RestHandler } from '../rest/handler.js';
import { parametersOf, routerPath } from '../rest/path.js';
import type { RestRoute } from '../rest/route.js';
import { COMPRESSED } from './compression.js';
import type { Download } from './files/download.js';
import { mountFormBodies, rejectedFieldsOf } from './requests/bodies.js';
import { headerKeyOf, likeKeyHeadersOf } from './requests/head.js';
import { readQuery } from './requests/query.js';

export interface RestEndpoint {
  route: RestRoute;
  handle: RestHandler;
  /** Policy rows of the root fields. */
  rows: readonly PolicyRow[];
}

/** Returns whether HEAD is served. It is not served for a call that can have a fee, because the fee would not be visible. */
export const servesHead = ({ route, rows }: Pick<RestEndpoint, 'route' | 'rows'>): boolean =>
  route.method === 'GET' && !rows.some(canCharge);

/** Sets the context of the request. */
type Identify = (request: FastifyRequest) => Promise<void>;

/** Mounts the REST endpoints. Only these accept forms; all other endpoints require JSON. */
export function mountRest(
  app: FastifyInstance,
  host: Host,
  endpoints: readonly RestEndpoint[],
  identify: Identify,
): void {
  void app.register(async (scope) => {
    mountFormBodies(scope, host);
    for (const { route, handle, rows } of endpoints) {
      const isPublic = rows.every(({ access }) => access.kind === 'public');
      const service = serviceOf(rows);
      scope.route({
        method: route.method,
        url: routerPath(route.path),
        compress: COMPRESSED,
        exposeHeadRoute: servesHead({ route, rows }),
        config: {
          bodyMayBeEmpty: needsNoBody(route),
          movesMoney: route.mayBePending === true,
          alsoNumbers: Object.fromEntries(
            Object.entries(route.fields).flatMap(([name, { alsoNumber }]) => (alsoNumber ? [[name, alsoNumber]] : [])),
          ),
          lists: Object.keys(route.fields).filter((name) => route.fields[name]!.list),
        },
        // this runs before the body is read, so that a caller without a token gets no other error
        onRequest: async (request) => {
          await identify(request);
          const rejection = unauthenticatedForEvery(rows, request.context);
          if (rejection) throw rejection;
          // public calls need no identity
          if (!isPublic) rejectClientToken(request.context, service);
        },
        handler: async (request, reply) => {
          const { httpStatus, headers, body } = await handle(requestFieldsOf(request, route), request.context, {
            parameters: request.params as Record<string, unknown>,
            headerKey: headerKeyOf(request.headers),
            likeKeyHeaders: likeKeyHeadersOf(request.headers),
          });
          return reply.code(httpStatus).headers(headers).headers(rateHeaders(request.context)).send(body);
        },
      });
    }
  });
}

/** Returns the fields of a request, from its body or its query. */
function requestFieldsOf(request: FastifyRequest, route: RestRoute): RequestFields {
  if (route.method === 'POST') return { values: request.body, rejected: rejectedFieldsOf(request, route.fields) };
  const { fields, path, isStrict = false } = route;
  const pathParameters = parametersOf(path);
  const parameters = Object.fromEntries(Object.entries(fields).filter(([name]) => !pathParameters.includes(name)));
  return readQuery(request.url, parameters, { isStrict });
}

export function mountDownloads(app: FastifyInstance, downloads: readonly Download[], identify: Identify): void {
  for (const { path, fields, open } of downloads)
    app.get(path, { onRequest: identify }, async (request, reply) => {
      rejectClientToken(request.context);
      const query = readQuery(request.url, fields, { isStrict: true });
      const { headers, body } = await open(query, request.context, request.params as Record<string, unknown>).finally(
        () => {
          void reply.headers(rateHeaders(request.context)); // the headers are sent with errors as well
        },
      );
      return reply.headers(headers).send(request.method === 'HEAD' ? emptyBody(body) : body);
    });
}

/** Returns whether all required fields are in the path. Some clients send an empty body as JSON for such requests. */
const needsNoBody = ({ path, fields }: RestRoute): boolean =>
  Object.entries(fields).every(([name, { optional }]) => optional || parametersOf(path).includes(name));

/** Rejects a client token. A client token has permissions for specific GraphQL fields, which REST requests do not specify. */
function rejectClientToken({ principal }: RequestContext, service?: Service): void {
  if (principal?.kind === 'developer' && principal.client)
    throw new AppError('FORBIDDEN', {
      message: 'Client tokens can be used only with GraphQL.',
      rejection: { service },
    });
}

const serviceOf = (rows: readonly PolicyRow[]): Service | undefined =>
  rows.flatMap(({ access }) => (access.kind === 'token' ? (access.service ?? []) : []))[0];

/** Returns an empty body for HEAD, and stops creating the file. */
function emptyBody(body: Readable | Buffer): Readable | Buffer {
  if (Buffer.isBuffer(body)) return body;
  body.destroy();
  return Readable.from([]);
}
