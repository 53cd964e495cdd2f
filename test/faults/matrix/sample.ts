import type { Cell } from './cells.js';

/** What a sample has to show: each point, each operation and each outcome with each fault that it occurs with. */
const shownBy = ({ point, fault, operation, outcome }: Cell): string[] =>
  [`p:${point}`, `o:${operation}`, `r:${outcome}`].map((value) => `${fault} ${value}`);

/** Cells in which everything occurs that a sample has to show. Greedy, and the same every time: of those that show most the first. */
export function sampleOf(cells: readonly Cell[]): Cell[] {
  const open = new Set(cells.flatMap(shownBy));
  const news = (cell: Cell): number => shownBy(cell).filter((text) => open.has(text)).length;
  const sample: Cell[] = [];
  while (open.size > 0) {
    const best = cells.reduce((one, other) => (news(other) > news(one) ? other : one));
    for (const text of shownBy(best)) open.delete(text);
    sample.push(best);
  }
  return sample;
}
