import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { type CounterKey, type GaugeKey, type HistogramKey, type LabelsOf, metricTable } from './metric.table.js';

/** Label values in the order of the label names. */
export type LabelValues<Names extends readonly string[]> = { [Name in keyof Names]: string };

const escaped = (text: string): string => text.replace(/[\\"\n]/g, (char) => (char === '\n' ? '\\n' : `\\${char}`));

const labelsOf = (names: readonly string[], values: readonly string[]): string[] =>
  names.map((name, index) => `${name}="${escaped(values[index]!)}"`);

const sampleName = (name: string, labels: readonly string[]): string =>
  labels.length === 0 ? name : `${name}{${labels.join(',')}}`;

/** Separator between label values in a key. */
const SEPARATOR = '\u0000';

/**
 * Counter or histogram that is updated by requests. prom-client hashes the labels of each update and takes five microseconds for
 * each line of a scrape, and histograms have thousands of lines. Here, the text of a series is created once. All other metrics
 * use prom-client.
 */
abstract class Instrument<Names extends readonly string[], Series> {
  protected abstract readonly type: 'counter' | 'histogram';
  readonly #series = new Map<string, Series>();

  constructor(
    readonly name: string,
    readonly help: string,
    readonly labelNames: Names,
  ) {}

  protected abstract make(labels: readonly string[]): Series;
  /** Returns the lines of a series, each with a newline. */
  protected abstract textOf(series: Series): string;

  protected of(values: LabelValues<Names>): Series {
    const texts = values as readonly string[];
    const key = texts.length === 1 ? texts[0]! : texts.join(SEPARATOR);
    let series = this.#series.get(key);
    if (!series) this.#series.set(key, (series = this.make(labelsOf(this.labelNames, texts))));
    return series;
  }

  /** Returns the instrument in the Prometheus text format. */
  text(): string {
    let text = `# HELP ${this.name} ${this.help}\n# TYPE ${this.name} ${this.type}\n`;
    for (const series of this.#series.values()) text += this.textOf(series);
    return text;
  }
}

interface Count {
  name: string;
  value: number;
}

export class Counter<Names extends readonly string[]> extends Instrument<Names, Count> {
  protected readonly type = 'counter';

  add(by: number, ...values: LabelValues<Names>): void {
    this.of(values).value += by;
  }

  protected make(labels: readonly string[]): Count {
    return { name: sampleName(this.name, labels), value: 0 };
  }

  protected textOf({ name, value }: Count): string {
    return `${name} ${value}\n`;
  }
}

interface Distribution {
  /** Number of observations per bucket; the last bucket is above all bounds. */
  readonly counts: Float64Array;
  sum: number;
  /** Series names. The names of the buckets are followed by those of the sum and the count. */
  readonly names: readonly string[];
}

export class Histogram<Names extends readonly string[]> extends Instrument<Names, Distribution> {
  protected readonly type = 'histogram';
  readonly #bounds: readonly number[];

  /**
   * Creates a histogram.
   * @param bounds upper bounds, ascending; the +Inf bucket is added automatically
   */
  constructor(name: string, help: string, labelNames: Names, bounds: readonly number[]) {
    super(name, help, labelNames);
    this.#bounds = bounds;
  }

  observe(value: number, ...values: LabelValues<Names>): void {
    const series = this.of(values);
    let bucket = 0;
    while (bucket < this.#bounds.length && value > this.#bounds[bucket]!) bucket++;
    series.counts[bucket]! += 1;
    series.sum += value;
  }

  protected make(labels: readonly string[]): Distribution {
    const bounds = [...this.#bounds.map(String), '+Inf'];
    return {
      counts: new Float64Array(bounds.length),
      sum: 0,
      names: [
        ...bounds.map((bound) => sampleName(`${this.name}_bucket`, [...labels, `le="${bound}"`])),
        sampleName(`${this.name}_sum`, labels),
        sampleName(`${this.name}_count`, labels),
      ],
    };
  }

  protected textOf({ counts, sum, names }: Distribution): string {
    let text = '';
    let below = 0;
    for (let bucket = 0; bucket < counts.length; bucket++) {
      below += counts[bucket]!;
      text += `${names[bucket]} ${below}\n`;
    }
    return `${text}${names[counts.length]} ${sum}\n${names[counts.length + 1]} ${below}\n`;
  }
}

/** prom-client gauges that are named like counters. Each has a duplicate with a correct name. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

type Put<Key extends GaugeKey> = (value: number, ...labels: LabelValues<LabelsOf<Key>>) => void;

/**
 * Metrics of the process. Each is a row of `metricTable`; counters and histograms exist from the start. The code that handles an
 * event counts it. The service does not depend on metrics, and labels contain no personal data.
 */
export class Metrics {
  /** Registry of prom-client: metrics of Node and the process, and our gauges. */
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

  /** Adds the metrics of Node and the process. Can be called only once per process. */
  addProcess(): void {
    collectDefaultMetrics({ register: this.#registry });
    for (const name of MISNAMED) this.#registry.removeSingleMetric(name);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

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

  /**
   * Registers a gauge. During a scrape, it has exactly the values that `read` passes to `put`; labels that are not passed are
   * removed.
   */
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
          const labelValues = values as readonly string[];
          samples.push([Object.fromEntries(names.map((label, index) => [label, labelValues[index]!])), value]);
        });
        // values set by a concurrent scrape are equally current
        gauge.reset();
        for (const [labelled, value] of samples) gauge.set(labelled, value);
      },
    });
  }
}
