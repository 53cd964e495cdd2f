/** What the variables of a request may come to, whatever they are declared as: the engine reads all of them, and mistakes cost it the most. */
const VARIABLE_LIMITS = { values: 2_000, depth: 10 };

/** The variable with which the variables hold too much, if they do. Counts no more values than are allowed. */
export function oversizedVariable(variables: Readonly<Record<string, unknown>>): string | undefined {
  let values = 0;
  for (const [name, variable] of Object.entries(variables)) {
    const waiting: [value: unknown, depth: number][] = [[variable, 0]];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const [value, depth] = next;
      if (++values > VARIABLE_LIMITS.values || depth > VARIABLE_LIMITS.depth) return name;
      if (typeof value !== 'object' || value === null) continue;
      const inner = Array.isArray(value) ? value : Object.values(value);
      if (values + inner.length > VARIABLE_LIMITS.values) return name;
      for (const item of inner) waiting.push([item, depth + 1]);
    }
  }
  return undefined;
}
