import type { FastifyInstance } from 'fastify';
import type { Metrics } from './metrics/metrics.js';

/** For Prometheus, on the operator's side. */
export function mountMetrics(app: FastifyInstance, metrics: Metrics): void {
  app.get('/metrics', async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()));
}
