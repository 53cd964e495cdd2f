import fc, { type GeneratorValue } from 'fast-check';

// one arbitrary per bound, because fast-check identifies arbitraries by the function that creates them
const bounds = new Map<number, () => fc.Arbitrary<number>>();

function below(limit: number): () => fc.Arbitrary<number> {
  let make = bounds.get(limit);
  if (!make) bounds.set(limit, (make = () => fc.nat(limit - 1)));
  return make;
}

/** Random choices of one case. They shrink towards 0, so the first value of a list is the simplest. */
export class Draw {
  readonly #generate: GeneratorValue;

  constructor(generate: GeneratorValue) {
    this.#generate = generate;
  }

  /** 0 … limit - 1. */
  below(limit: number): number {
    return limit <= 1 ? 0 : this.#generate(below(limit));
  }

  chance(percent: number): boolean {
    return this.below(100) >= 100 - percent;
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  /** One of the entries, by weight. */
  weighted<T>(entries: readonly (readonly [weight: number, value: T])[]): T {
    const total = entries.reduce((sum, [weight]) => sum + weight, 0);
    let rest = this.below(total);
    for (const [weight, value] of entries) {
      if (rest < weight) return value;
      rest -= weight;
    }
    return entries[0]![1];
  }

  /** A key that is almost certainly unique. */
  uniqueName(prefix: string): string {
    return `${prefix}${this.below(2 ** 31 - 1).toString(36)}${this.below(2 ** 31 - 1).toString(36)}`;
  }

  digits(count: number): string {
    let text = '';
    while (text.length < count) text += String(this.below(10));
    return text;
  }
}
