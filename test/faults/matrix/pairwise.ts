import type { Cell } from './cells.js';

const pairsOf = ({ point, fault, operation, outcome }: Cell): string[] => {
  const values = [`p:${point}`, `f:${fault}`, `o:${operation}`, `r:${outcome}`];
  return values.flatMap((a, i) => values.slice(i + 1).map((b) => `${a} ${b}`));
};

/**
 * A selection in which every pair of values that occurs together in some cell occurs together in a selected one. Greedy, and the
 * same every time: of the cells that cover most the one whose values were chosen least, and of those the first.
 */
export function pairwise(cells: readonly Cell[]): Cell[] {
  const open = new Set(cells.flatMap(pairsOf));
  const chosen = new Map<string, number>();
  const candidates = cells.map((cell) => ({ cell, pairs: pairsOf(cell), values: Object.values(cell) as string[] }));
  const selected: Cell[] = [];
  while (open.size > 0) {
    let best: (typeof candidates)[number] | undefined;
    let most = 0;
    let fewest = 0;
    for (const candidate of candidates) {
      const covers = candidate.pairs.filter((pair) => open.has(pair)).length;
      if (covers === 0 || covers < most) continue;
      const used = candidate.values.reduce((sum, value) => sum + (chosen.get(value) ?? 0), 0);
      if (covers > most || used < fewest) [best, most, fewest] = [candidate, covers, used];
    }
    for (const pair of best!.pairs) open.delete(pair);
    for (const value of best!.values) chosen.set(value, (chosen.get(value) ?? 0) + 1);
    selected.push(best!.cell);
  }
  return selected;
}
