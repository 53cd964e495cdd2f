import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../core/metrics.js';
import { commit } from '../core/package-root.js';
import { type ClockWatch, clockText } from '../db/clock-watch.js';

export interface HealthOptions {
  version: string;
  /** Returns the reason why the process cannot serve requests at this time, or undefined if it can. */
  unready: () => Promise<string | undefined>;
  clock: Pick<ClockWatch, 'isRight' | 'offsetMs'>;
  /** Whether the process accepts no orders; see PAUSE_ORDERS. */
  pausesOrders: boolean;
  replica?: { complaint: string | undefined } | undefined;
}

/** Liveness and readiness of the process. It is the same on every host. */
export class Health {
  readonly version: string;
  readonly #unready: HealthOptions['unready'];
  readonly #clock: HealthOptions['clock'];
  readonly #pausesOrders: boolean;
  readonly #replica: HealthOptions['replica'];
  #draining = false;

  constructor({ version, unready, clock, pausesOrders, replica }: HealthOptions) {
    this.version = version;
    this.#unready = unready;
    this.#clock = clock;
    this.#pausesOrders = pausesOrders;
    this.#replica = replica;
  }

  /** Marks the process as not ready, so that the load balancer sends no new clients. */
  drain(): void {
    this.#draining = true;
  }

  get isDraining(): boolean {
    return this.#draining;
  }

  /** Returns the degraded condition in which the process can still serve, or undefined if there is none. */
  async complaint(): Promise<string | undefined> {
    const complaints = [];
    if (!(await this.#clock.isRight()))
      complaints.push(
        `The clock is ${clockText(this.#clock.offsetMs)}. This process does not check order statuses with providers.`,
      );
    if (this.#pausesOrders) complaints.push('Orders are paused: reads are served, but no orders are accepted.');
    if (this.#replica?.complaint) complaints.push(this.#replica.complaint);
    return complaints.length === 0 ? undefined : complaints.join(' ');
  }

  /** Returns the reason why the process should receive no requests, or undefined if it should. */
  async unready(): Promise<string | undefined> {
    return this.#draining ? 'The process is shutting down.' : this.#unready();
  }
}

const LIVENESS = '/livez';
const READINESS = '/readyz';

/** Returns whether the path is served even under full load. */
export const isHealthPath = (path: string): boolean => path === LIVENESS || path === READINESS;

/** Paths that monitoring systems request every few seconds. These requests are not logged. */
const PROBES: ReadonlySet<string | undefined> = new Set([LIVENESS, READINESS, '/metrics']);

/**
 * Returns whether a request is a health probe.
 * @param route undefined for an unknown path
 */
export const isProbe = (route: string | undefined): boolean => PROBES.has(route);

/** Mounts the liveness check on every listener, because it is cheap and reveals nothing. */
export function mountLiveness(app: FastifyInstance): void {
  app.get(LIVENESS, async () => ({ status: 'ok' }));
}

/**
 * Mounts the health paths for administrators. The paths query the database and report on the process. See also `mountMetrics`.
 */
export function mountHealth(app: FastifyInstance, health: Health): void {
  app.get(READINESS, async (_request, reply) => {
    const messages = await Promise.all([health.unready(), health.complaint()]);
    const ready = messages[0] === undefined;
    const detail = messages.filter((sentence) => sentence !== undefined).join(' ') || undefined;
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready', detail });
  });
  app.get('/version', async () => ({ version: health.version, commit, node: process.version }));
}

/** Mounts the Prometheus metrics on the operations listener. */
export function mountMetrics(app: FastifyInstance, metrics: Metrics): void {
  app.get('/metrics', async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()));
}
