const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s"{}[\],:]+/g;

/**
 * Names that a JSON object has more than once, with different values: its readers do not agree which one counts, and what checks
 * requests in front of us may have read another one than we do. Names count as they are meant: `"amo\u0075nt"` is `amount`.
 *
 * @param json valid
 */
export function ambiguousNames(json: string): string[] {
  const values: [name: string, value: string][] = [];
  let depth = 0;
  let name: string | undefined;
  let begins = 0;
  for (const { 0: token, index } of json.matchAll(TOKEN)) {
    if (depth === 0 && token !== '{') return [];
    if (depth === 1 && name === undefined && token.startsWith('"')) name = JSON.parse(token) as string;
    else if (depth === 1 && token === ':') begins = index + 1;
    else if (depth === 1 && name !== undefined && (token === ',' || token === '}')) {
      values.push([name, json.slice(begins, index)]);
      name = undefined;
    }
    if (token === '{' || token === '[') depth++;
    else if (token === '}' || token === ']') depth--;
  }
  return differing(values, (value) => JSON.stringify(JSON.parse(value)));
}

/** Names that come with more than one value. */
export function differing(
  entries: Iterable<readonly [name: string, value: string]>,
  meant: (value: string) => string = (value) => value,
): string[] {
  const first = new Map<string, string>();
  const found = new Set<string>();
  for (const [name, value] of entries) {
    const earlier = first.get(name);
    if (earlier === undefined) first.set(name, value);
    else if (earlier !== value && meant(earlier) !== meant(value)) found.add(name);
  }
  return [...found];
}
