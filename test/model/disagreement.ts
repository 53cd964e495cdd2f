/** The system under test differs from the reference. */
export class Disagreement extends Error {}

export function agree(what: string, actual: unknown, expected: unknown): void {
  const [found, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (found !== wanted) throw new Disagreement(`${what}: ${found} instead of ${wanted}`);
}
