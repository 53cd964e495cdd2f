import Fastify, { type FastifyInstance } from 'fastify';
import type { TrafficLimits } from '../config.js';
import { AppError } from '../core/errors.js';
import type { Metrics } from '../core/metrics.js';
import { errorResponse } from '../rest/responses.js';
import { operatorDocuments } from './docs/operator-documents.js';
import { type Health, mountHealth, mountLiveness, mountMetrics } from './health.js';
import { listenerTimeouts } from './limits/traffic.js';
import { mountStaticDocuments } from './pages/static-documents.js';
import { clientErrorHandler, requestError } from './request-errors.js';
import { plainUrl } from './requests/head.js';
import { securityHeaders } from './response-headers.js';

/**
 * Creates the listener for administrators: liveness, readiness, version, metrics and documentation. It is closed last when the
 * process stops.
 */
export async function createOps(health: Health, metrics: Metrics, traffic: TrafficLimits): Promise<FastifyInstance> {
  const app: FastifyInstance = Fastify({
    ...listenerTimeouts(traffic, false),
    clientErrorHandler: clientErrorHandler(),
    logger: false,
    // no route accepts a body
    bodyLimit: 1,
    rewriteUrl: ({ url }) => plainUrl(url!),
  });
  const security = securityHeaders('');
  app.addHook('onRequest', async (_request, reply) => void reply.headers(security));
  app.setErrorHandler(async (error: Error, request, reply) => {
    const { httpStatus, headers, body } = errorResponse(requestError(error as never), {
      requestId: request.id,
      docUrl: undefined,
    });
    return reply.code(httpStatus).headers(headers).send(body);
  });
  app.setNotFoundHandler(async () => {
    throw new AppError('NOT_FOUND');
  });
  mountLiveness(app);
  mountHealth(app, health);
  mountMetrics(app, metrics);
  await mountStaticDocuments(app, operatorDocuments());
  return app;
}
