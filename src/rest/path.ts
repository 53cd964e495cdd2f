/** Returns the parameter names of a path: `/webhooks/{id}/rotate` has `id`. */
export const parametersOf = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

/** Returns the path in the syntax of the router: `/webhooks/:id/rotate`. */
export const routerPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

/** Table of values by path template, searched by request path. A path without parameters takes precedence. */
export class PathTable<Value> {
  readonly #plain = new Map<string, Value>();
  readonly #patterns = new Map<string, { pattern: RegExp; value: Value }>();

  /** Returns the value of a path template, and creates it if there is none. */
  of(path: string, make: () => Value): Value {
    const known = this.#plain.get(path) ?? this.#patterns.get(path)?.value;
    if (known !== undefined) return known;
    const value = make();
    if (parametersOf(path).length === 0) this.#plain.set(path, value);
    else this.#patterns.set(path, { pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`), value });
    return value;
  }

  find(path: string): Value | undefined {
    const plain = this.#plain.get(path);
    if (plain !== undefined) return plain;
    for (const { pattern, value } of this.#patterns.values()) if (pattern.test(path)) return value;
    return undefined;
  }
}
