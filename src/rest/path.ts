/** The names of a path's parameters: `/webhooks/{id}/rotate` has `id`. */
export const parametersOf = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

/** The path as the router takes it: `/webhooks/:id/rotate`. */
export const routerPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

/** Values by path template: found by the path that a request asks for. A path without parameters wins. */
export class PathTable<Value> {
  readonly #plain = new Map<string, Value>();
  readonly #patterns = new Map<string, { pattern: RegExp; value: Value }>();

  /** The value of a path as it is written in the table; made when there is none yet. */
  of(path: string, make: () => Value): Value {
    const known = this.#plain.get(path) ?? this.#patterns.get(path)?.value;
    if (known !== undefined) return known;
    const value = make();
    if (parametersOf(path).length === 0) this.#plain.set(path, value);
    else this.#patterns.set(path, { pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`), value });
    return value;
  }

  find(asked: string): Value | undefined {
    const plain = this.#plain.get(asked);
    if (plain !== undefined) return plain;
    for (const { pattern, value } of this.#patterns.values()) if (pattern.test(asked)) return value;
    return undefined;
  }
}
