export const median = (values: readonly number[]): number => at(values, 0.5);

/** Quantile: the value below which the given fraction of the values lies. */
export function at(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
