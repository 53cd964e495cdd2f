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
 * Something that is counted on the way of requests. prom-client hashes the labels of each count, and takes five microseconds for
 * each line of a scrape, of which histograms have thousands; here the text of a series is made once. Everything else is prom-client's.
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
  /** Its lines, each with a newline. */
  protected abstract textOf(series: Series): string;

  protected of(values: LabelValues<Names>): Series {
    const texts = values as readonly string[];
    const key = texts.length === 1 ? texts[0]! : texts.join(SEPARATOR);
    let series = this.#series.get(key);
    if (!series) this.#series.set(key, (series = this.make(labelsOf(this.labelNames, texts))));
    return series;
  }

  /** As Prometheus reads it. */
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
  /** Observations by the bucket that they fell into, the last one above all bounds. */
  readonly counts: Float64Array;
  sum: number;
  /** One for each bucket, then of the sum and of the count. */
  readonly names: readonly string[];
}

export class Histogram<Names extends readonly string[]> extends Instrument<Names, Distribution> {
  protected readonly type = 'histogram';
  readonly #bounds: readonly number[];

  /** @param bounds ascending; the last bucket, of everything above, comes by itself */
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
