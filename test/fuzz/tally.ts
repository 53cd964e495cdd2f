import type { FuzzCase, FuzzResponse } from './case.js';

export interface Finding {
  problem: string;
  /** Undefined if the finding concerns the whole batch, such as its books or log. */
  given?: FuzzCase;
  answer?: Pick<FuzzResponse, 'status' | 'text'>;
  seed: number;
  index: number;
}

/** Counts responses by kind and status, with the slowest of each kind, and collects each problem once. */
export class Tally {
  cases = 0;
  slowestMs = 0;
  longestBlockMs = 0;
  suspected = 0;
  readonly seeds: number[] = [];
  readonly findings = new Map<string, { count: number; first: Finding }>();
  readonly #counts = new Map<string, Map<number, number>>();

  count({ kind }: FuzzCase, { status, elapsedMs }: FuzzResponse): void {
    this.cases++;
    this.slowestMs = Math.max(this.slowestMs, elapsedMs);
    const row = this.#counts.get(kind) ?? new Map<number, number>();
    this.#counts.set(kind, row);
    row.set(status, (row.get(status) ?? 0) + 1);
  }

  /** True if it is the first of its kind. */
  add(finding: Finding): boolean {
    const earlier = this.findings.get(finding.problem);
    if (earlier) earlier.count++;
    else this.findings.set(finding.problem, { count: 1, first: finding });
    return earlier === undefined;
  }

  /** Kinds as rows, statuses as columns. */
  table(): string {
    const statuses = [...new Set([...this.#counts.values()].flatMap((row) => [...row.keys()]))].toSorted(
      (a, b) => a - b,
    );
    const rows = [...this.#counts].toSorted(([a], [b]) => a.localeCompare(b));
    const cells = [
      ['kind', 'all', ...statuses.map((status) => (status === 0 ? 'cut off' : String(status)))],
      ...rows.map(([kind, row]) => line(kind, [row], statuses)),
      line(
        'all',
        rows.map(([, row]) => row),
        statuses,
      ),
    ];
    const widths = cells[0]!.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
    return cells.map((row) => row.map((cell, column) => pad(cell, widths[column]!, column)).join('  ')).join('\n');
  }
}

const pad = (cell: string, width: number, column: number): string =>
  column === 0 ? cell.padEnd(width) : cell.padStart(width);

function line(kind: string, rows: readonly ReadonlyMap<number, number>[], statuses: readonly number[]): string[] {
  const counts = statuses.map((status) => rows.reduce((sum, row) => sum + (row.get(status) ?? 0), 0));
  const all = counts.reduce((sum, count) => sum + count, 0);
  return [kind, String(all), ...counts.map((count) => (count === 0 ? '' : String(count)))];
}
