import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Host } from '../core/environment.js';
import { type ClockWatch, clockText } from '../db/clock-watch.js';

export interface HealthOptions {
  version: string;
  /** Resolves when the process can serve: the database answers. */
  ready: () => Promise<void>;
  clock: Pick<ClockWatch, 'isRight' | 'offsetMs'>;
  /** Nothing new is placed; see HOLD_ORDERS. */
  holdsOrders: boolean;
  replica?: { complaint: string | undefined } | undefined;
}

/** Liveness, readiness and metrics of the process; the same on every host. Labels hold route patterns, never values. */
export class Health {
  readonly version: string;
  readonly registry = new Registry();
  readonly #ready: () => Promise<void>;
  readonly #clock: HealthOptions['clock'];
  readonly #holdsOrders: boolean;
  readonly #replica: HealthOptions['replica'];
  readonly #durations: Histogram;
  readonly #exchanges: Counter;
  readonly #textsCut: Counter;
  readonly #failedEnquiries: Counter;
  readonly #callbacks: Counter;
  readonly #failedAttempts: Counter;
  #draining = false;

  constructor({ version, ready, clock, holdsOrders, replica }: HealthOptions) {
    this.version = version;
    this.#ready = ready;
    this.#clock = clock;
    this.#holdsOrders = holdsOrders;
    this.#replica = replica;
    const registers = [this.registry];
    collectDefaultMetrics({ register: this.registry });
    this.#durations = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time to answer a request.',
      labelNames: ['host', 'route', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 25],
      registers,
    });
    this.#exchanges = new Counter({
      name: 'provider_exchanges_total',
      help: 'Calls to providers by what came back.',
      labelNames: ['provider', 'result'],
      registers,
    });
    this.#textsCut = new Counter({
      name: 'provider_texts_cut_total',
      help: 'Texts in answers of providers that were longer than anybody reads, and were cut.',
      labelNames: ['provider'],
      registers,
    });
    this.#failedEnquiries = new Counter({
      name: 'provider_enquiry_failures_total',
      help: 'Enquiries about orders that failed on our side: a request that cannot be decrypted, or a defect.',
      labelNames: ['provider'],
      registers,
    });
    this.#callbacks = new Counter({
      name: 'provider_callbacks_total',
      help: 'Callbacks of providers by what became of them.',
      labelNames: ['provider', 'result'],
      registers,
    });
    this.#failedAttempts = new Counter({
      name: 'failed_attempts_total',
      help: 'Sign-ins, token exchanges and mailed links that were refused, by what was tried and why.',
      labelNames: ['kind', 'reason'],
      registers,
    });
    const offset: Gauge = new Gauge({
      name: 'clock_offset_seconds',
      help: "How far this machine's clock is ahead of the database's.",
      registers,
      collect: async () => {
        await clock.isRight();
        offset.set(clock.offsetMs / 1000);
      },
    });
  }

  observe(host: Host, route: string, status: number, elapsedMs: number): void {
    this.#durations.observe({ host, route, status: String(status) }, elapsedMs / 1000);
  }

  countExchange({ provider, result, textsCut }: { provider: string; result: string; textsCut: number }): void {
    this.#exchanges.inc({ provider, result });
    if (textsCut > 0) this.#textsCut.inc({ provider }, textsCut);
  }

  countFailedEnquiry(provider: string): void {
    this.#failedEnquiries.inc({ provider });
  }

  countCallback(provider: string, result: string): void {
    this.#callbacks.inc({ provider, result });
  }

  countFailedAttempt(kind: string, reason: string): void {
    this.#failedAttempts.inc({ kind, reason });
  }

  /** From now on the process is not ready: the load balancer sends nobody new. */
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
    if (this.#holdsOrders) complaints.push('Orders are held: questions are answered, nothing is placed.');
    if (this.#replica?.complaint) complaints.push(this.#replica.complaint);
    return complaints.length === 0 ? undefined : complaints.join(' ');
  }

  async isReady(): Promise<boolean> {
    if (this.#draining) return false;
    return this.#ready().then(
      () => true,
      () => false,
    );
  }
}

const LIVENESS = '/livez';
const READINESS = '/readyz';

/** Paths that answer however busy the process is. */
export const isHealthPath = (path: string): boolean => path === LIVENESS || path === READINESS;

/** Costs nothing and tells nothing, so every listener has it. */
export function mountLiveness(app: FastifyInstance): void {
  app.get(LIVENESS, async () => ({ status: 'ok' }));
}

/** For the operator's side: it asks the database, and tells of the process. */
export function mountHealth(app: FastifyInstance, health: Health): void {
  app.get(READINESS, async (_request, reply) => {
    const [ready, complaint] = await Promise.all([health.isReady(), health.complaint()]);
    const detail = complaint === undefined ? {} : { detail: complaint };
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready', ...detail });
  });
  app.get('/version', async () => ({ version: health.version, node: process.version }));
  app.get('/metrics', async (_request, reply) =>
    reply.type(health.registry.contentType).send(await health.registry.metrics()),
  );
}
