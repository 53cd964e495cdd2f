/**
 * Cycles in a graph of imports: files that all lead to each other, with sorted names. Two cycles that share a file are one.
 * (Tarjan's strongly connected components.)
 */
export function cyclesIn(arrows: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = [];
  const entered = new Map<string, number>();
  const open: string[] = [];
  /** Returns the earliest open file that this one leads to. */
  const visit = (file: string): number => {
    const number = entered.size;
    entered.set(file, number);
    open.push(file);
    let earliest = number;
    for (const target of arrows.get(file) ?? []) {
      if (!entered.has(target)) earliest = Math.min(earliest, visit(target));
      else if (open.includes(target)) earliest = Math.min(earliest, entered.get(target)!);
    }
    if (earliest === number) {
      const together = open.splice(open.indexOf(file));
      if (together.length > 1 || arrows.get(file)?.includes(file)) found.push(together.toSorted());
    }
    return earliest;
  };
  for (const file of arrows.keys()) if (!entered.has(file)) visit(file);
  return found.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1));
}
