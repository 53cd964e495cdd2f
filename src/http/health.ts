import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../core/metrics.js';
import { commit } from '../core/package-root.js';
import { type ClockWatch, clockText } from '../db/clock-watch.js';

export interface HealthOptions {
  version: string;
  /** The reason why the process cannot currently serve; undefined if it can. */
  unready: () => Promise<string | undefined>;
  clock: Pick<ClockWatch, 'isRight' | 'offsetMs'>;
  /** Whether the process accepts no orders; see PAUSE_ORDERS. */
  pausesOrders: boolean;
  replica?: { complaint: string | undefined } | undefined;
}

/** Liveness and readiness of the process; the same on every host. */
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

  /** Makes the process not ready, so that the load balancer sends no new clients. */
  drain(): void {
    this.#draining = true;
  }

  get isDraining(): boolean {
    return this.#draining;
  }

  /** Problems although the process can serve; undefined if there are none. */
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

  /** The reason why the process should get no requests; undefined if it should. */
  async unready(): Promise<string | undefined> {
    return this.#draining ? 'The process is shutting down.' : this.#unready();
  }
}

const LIVENESS = '/livez';
const READINESS = '/readyz';

/** Paths that are served however busy the process is. */
export const isHealthPath = (path: string): boolean => path === LIVENESS || path === READINESS;

/** Polled by machines every few seconds; they would be most of the log. */
const PROBES: ReadonlySet<string | undefined> = new Set([LIVENESS, READINESS, '/metrics']);

/** @param route undefined for a path that is not served */
export const isProbe = (route: string | undefined): boolean => PROBES.has(route);

/** Costs nothing and reveals nothing, so every listener has it. */
export function mountLiveness(app: FastifyInstance): void {
  app.get(LIVENESS, async () => ({ status: 'ok' }));
}

/** For administrators: queries the database and reports on the process. See also `mountMetrics`. */
export function mountHealth(app: FastifyInstance, health: Health): void {
  app.get(READINESS, async (_request, reply) => {
    const said = await Promise.all([health.unready(), health.complaint()]);
    const ready = said[0] === undefined;
    const detail = said.filter((sentence) => sentence !== undefined).join(' ') || undefined;
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready', detail });
  });
  app.get('/version', async () => ({ version: health.version, commit, node: process.version }));
}

/** For Prometheus, on the listener for administrators. */
export function mountMetrics(app: FastifyInstance, metrics: Metrics): void {
  app.get('/metrics', async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()));
}
