import type { Registry } from 'prom-client';

/** What the registry asks of a metric when it writes all of them. */
interface Sample {
  /** With its labels, as Prometheus writes it. */
  metricName: string;
  value: number;
}

/** The values of labels, in the order of their names. */
export type LabelValues<Names extends readonly string[]> = { [Name in keyof Names]: string };

const escaped = (text: string): string => text.replace(/[\\"\n]/g, (char) => (char === '\n' ? '\\n' : `\\${char}`));

const labelsOf = (names: readonly string[], values: readonly string[]): string[] =>
  names.map((name, index) => `${name}="${escaped(values[index]!)}"`);

const sampleName = (name: string, labels: readonly string[]): string =>
  labels.length === 0 ? name : `${name}{${labels.join(',')}}`;

/** Between the values of labels in a key. */
const SEPARATOR = '\u0000';

/**
 * Something that is counted on the way of requests. prom-client hashes the labels of each count and writes them anew for each
 * scrape; here the text of a series is made once, so that a count costs a look into a map. Everything else is prom-client's.
 */
abstract class Instrument<Names extends readonly string[], Series> {
  abstract readonly type: 'counter' | 'histogram';
  readonly aggregator = 'sum';
  readonly #series = new Map<string, Series>();

  constructor(
    readonly name: string,
    readonly help: string,
    readonly labelNames: Names,
    registry: Registry,
  ) {
    registry.registerMetric(this as never);
  }

  protected abstract make(labels: readonly string[]): Series;
  protected abstract samplesOf(series: Series): Sample[];

  /** The series of these labels, to keep where it is needed often. */
  of(...values: LabelValues<Names>): Series {
    const key = values.length === 1 ? (values[0] as string) : (values as readonly string[]).join(SEPARATOR);
    let series = this.#series.get(key);
    if (!series) this.#series.set(key, (series = this.make(labelsOf(this.labelNames, values as readonly string[]))));
    return series;
  }

  /** The registry's question. */
  get(): { name: string; help: string; type: string; aggregator: string; values: Sample[] } {
    const values = [...this.#series.values()].flatMap((series) => this.samplesOf(series));
    return { name: this.name, help: this.help, type: this.type, aggregator: this.aggregator, values };
  }
}

interface Count {
  metricName: string;
  value: number;
}

export class Counter<Names extends readonly string[]> extends Instrument<Names, Count> {
  readonly type = 'counter';

  add(by: number, ...values: LabelValues<Names>): void {
    this.of(...values).value += by;
  }

  protected make(labels: readonly string[]): Count {
    return { metricName: sampleName(this.name, labels), value: 0 };
  }

  protected samplesOf(count: Count): Sample[] {
    return [count];
  }
}

interface Distribution {
  /** Observations by the bucket that they fell into, the last one above all bounds. */
  readonly counts: Float64Array;
  sum: number;
  /** One for each bucket, then of the sum and of the count. */
  readonly metricNames: readonly string[];
}

export class Histogram<Names extends readonly string[]> extends Instrument<Names, Distribution> {
  readonly type = 'histogram';
  readonly #bounds: readonly number[];

  /** @param bounds ascending; the last bucket, of everything above, comes by itself */
  constructor(name: string, help: string, labelNames: Names, bounds: readonly number[], registry: Registry) {
    super(name, help, labelNames, registry);
    this.#bounds = bounds;
  }

  observe(value: number, ...values: LabelValues<Names>): void {
    const series = this.of(...values);
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
      metricNames: [
        ...bounds.map((bound) => sampleName(`${this.name}_bucket`, [...labels, `le="${bound}"`])),
        sampleName(`${this.name}_sum`, labels),
        sampleName(`${this.name}_count`, labels),
      ],
    };
  }

  protected samplesOf({ counts, sum, metricNames }: Distribution): Sample[] {
    let below = 0;
    const values = [...counts].map((count) => (below += count));
    return [...values, sum, below].map((value, index) => ({ metricName: metricNames[index]!, value }));
  }
}
