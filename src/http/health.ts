import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../core/metrics.js';
import { commit } from '../core/package-root.js';
import { type ClockWatch, clockText } from '../db/clock-watch.js';

export interface HealthOptions {
  version: string;
  /** Why the process cannot serve now; undefined: it can. */
  unready: () => Promise<string | undefined>;
  clock: Pick<ClockWatch, 'isRight' | 'offsetMs'>;
  /** The process accepts no orders; see PAUSE_ORDERS. */
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

  /** From now on the process is not ready: the load balancer sends no new clients. */
  drain(): void {
    this.#draining = true;
  }

  get isDraining(): boolean {
    return this.#draining;
  }

  /** What is wrong although the process can serve; undefined: nothing. */
  async complaint(): Promise<string | undefined> {
    const complaints = [];
    if (!(await this.#clock.isRight()))
      complaints.push(`The clock is ${clockText(this.#clock.offsetMs)}: this process asks no provider about orders.`);
    if (this.#pausesOrders) complaints.push('Orders are paused: reads are served, and no orders are accepted.');
    if (this.#replica?.complaint) complaints.push(this.#replica.complaint);
    return complaints.length === 0 ? undefined : complaints.join(' ');
  }

  /** Why the process should get no requests; undefined: it should. */
  async unready(): Promise<string | undefined> {
    return this.#draining ? 'The process is stopping.' : this.#unready();
  }
}

const LIVENESS = '/livez';
const READINESS = '/readyz';

/** Paths that answer however busy the process is. */
export const isHealthPath = (path: string): boolean => path === LIVENESS || path === READINESS;

/** Asked every few seconds by machines: they would be most of the log. */
const PROBES: ReadonlySet<string | undefined> = new Set([LIVENESS, READINESS, '/metrics']);

/** @param route undefined of a path that is not served */
export const isProbe = (route: string | undefined): boolean => PROBES.has(route);

/** Costs nothing and reveals nothing, so every listener has it. */
export function mountLiveness(app: FastifyInstance): void {
  app.get(LIVENESS, async () => ({ status: 'ok' }));
}

/** For the operator's side: it asks the database, and reports on the process. See also `mountMetrics`. */
export function mountHealth(app: FastifyInstance, health: Health): void {
  app.get(READINESS, async (_request, reply) => {
    const said = await Promise.all([health.unready(), health.complaint()]);
    const ready = said[0] === undefined;
    const detail = said.filter((sentence) => sentence !== undefined).join(' ') || undefined;
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready', detail });
  });
  app.get('/version', async () => ({ version: health.version, commit, node: process.version }));
}

/** For Prometheus, on the operator's side. */
export function mountMetrics(app: FastifyInstance, metrics: Metrics): void {
  app.get('/metrics', async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()));
}
