/** The system under test differs from the reference. */
export class Disagreement extends Error {}

export function agree(label: string, actual: unknown, expected: unknown): void {
  const [actualText, expectedText] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (actualText !== expectedText) throw new Disagreement(`${label}: ${actualText} instead of ${expectedText}`);
}
