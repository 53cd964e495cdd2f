import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { Counter, Histogram, type LabelValues } from './instruments.js';
import { type CounterKey, type GaugeKey, type HistogramKey, type LabelsOf, metricTable } from './metric.table.js';

/** prom-client's, whose names say that they are counters and that are gauges; each stands beside one of the right name. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

type Put<Key extends GaugeKey> = (value: number, ...labels: LabelValues<LabelsOf<Key>>) => void;

/**
 * The metrics of the process. Each is a row of `metricTable`; counters and histograms are there from the start. Who knows of an event
 * counts it: nothing is decided by it, and nothing personal is in its labels.
 */
export class Metrics {
  /** prom-client's: what Node and the process tell, and our gauges. */
  readonly #registry = new Registry();
  readonly #counters = new Map<CounterKey, Counter<readonly string[]>>();
  readonly #histograms = new Map<HistogramKey, Histogram<readonly string[]>>();

  constructor() {
    for (const [key, row] of Object.entries(metricTable)) {
      const { name, help, labels } = row;
      if (row.kind === 'counter')
        this.#counters.set(key as CounterKey, new Counter<readonly string[]>(name, help, labels));
      if (row.kind === 'histogram')
        this.#histograms.set(key as HistogramKey, new Histogram<readonly string[]>(name, help, labels, row.buckets));
    }
  }

  /** Adds what Node and the process tell of themselves; only one program of a process may do so. */
  addProcess(): void {
    collectDefaultMetrics({ register: this.#registry });
    for (const name of MISNAMED) this.#registry.removeSingleMetric(name);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** Everything, as Prometheus reads it. */
  async text(): Promise<string> {
    const gauges = await this.#registry.metrics();
    const instruments = [...this.#counters.values(), ...this.#histograms.values()];
    return `${gauges}\n${instruments.map((instrument) => instrument.text()).join('\n')}`;
  }

  counter<Key extends CounterKey>(key: Key): Counter<LabelsOf<Key>> {
    return this.#counters.get(key)! as never;
  }

  histogram<Key extends HistogramKey>(key: Key): Histogram<LabelsOf<Key>> {
    return this.#histograms.get(key)! as never;
  }

  /** What `read` puts at a scrape is all that the gauge shows: labels that it leaves out are gone. */
  gauge<Key extends GaugeKey>(key: Key, read: (put: Put<Key>) => void | Promise<void>): void {
    const { name, help, labels } = metricTable[key];
    const names: readonly string[] = labels;
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames: names,
      registers: [this.#registry],
      async collect() {
        const samples: [Record<string, string>, number][] = [];
        await read((value, ...values) => {
          const given = values as readonly string[];
          samples.push([Object.fromEntries(names.map((label, index) => [label, given[index]!])), value]);
        });
        // another scrape may have come in between: what it read is as good
        gauge.reset();
        for (const [labelled, value] of samples) gauge.set(labelled, value);
      },
    });
  }
}
