import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../metrics/metrics.js';

/** For Prometheus, on the operator's side. */
export function mountMetrics(app: FastifyInstance, { registry }: Metrics): void {
  app.get('/metrics', async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()));
}
