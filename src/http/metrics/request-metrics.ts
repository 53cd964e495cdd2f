import type { Host } from '../../core/environment.js';
import type { RequestNotes } from '../../core/request-notes.js';
import type { Metrics } from './metrics.js';

/** A request that was answered. */
export interface Answered {
  host: Host;
  method: string;
  /** Its pattern; `unknown` for a path that nobody serves. */
  route: string;
  httpStatus: number;
  elapsedMs: number;
  /** What it took is the client's doing. */
  isStream: boolean;
  notes: RequestNotes;
}

/** Rate, errors and latency per route and, of GraphQL, per root field. */
export class RequestMetrics {
  readonly #requests;
  readonly #durations;
  readonly #fields;
  readonly #fieldDurations;

  constructor(metrics: Metrics) {
    this.#requests = metrics.counter('requests');
    this.#durations = metrics.histogram('requestDurations');
    this.#fields = metrics.counter('fields');
    this.#fieldDurations = metrics.histogram('fieldDurations');
  }

  count({ host, method, route, httpStatus, elapsedMs, isStream, notes }: Answered): void {
    const code = notes.failures[0]?.code ?? 'OK';
    const elapsedS = elapsedMs / 1000;
    this.#requests.add(1, host, method, route, String(httpStatus), code);
    if (!isStream) this.#durations.observe(elapsedS, host, method, route, `${Math.floor(httpStatus / 100)}xx`);
    for (const field of notes.operation?.fields ?? []) {
      this.#fields.add(1, host, field, code);
      if (!isStream) this.#fieldDurations.observe(elapsedS, host, field);
    }
  }
}
