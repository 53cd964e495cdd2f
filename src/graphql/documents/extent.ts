/** The answer to each of these names every entry of a type, or of the schema. */
const SCHEMA_LISTS = new Set(['types', 'fields', 'inputFields', 'interfaces', 'possibleTypes']);

/** More than any limit; sums stop here, because fragments that double would leave the range of numbers. */
const PLENTY = 1_000_000;

/** What a selection set comes to, through its fragments. */
export interface Extent {
  depth: number;
  fields: number;
  aliases: number;
  /** Fields of the first level, and which of them ask about the schema. */
  rootFields: number;
  schemaFields: number;
  typeFields: number;
  lists: number;
  /** Inside of `__schema` and `__type`. */
  schemaLists: number;
  schemaAliases: number;
}

export const NOTHING: Extent = {
  depth: 0,
  fields: 0,
  aliases: 0,
  rootFields: 0,
  schemaFields: 0,
  typeFields: 0,
  lists: 0,
  schemaLists: 0,
  schemaAliases: 0,
};

const DEEPEST = new Set<keyof Extent>(['depth', 'lists', 'schemaLists']);

/** Two parts of one selection set. */
export function beside(one: Extent, other: Extent): Extent {
  const both = { ...one };
  for (const name of Object.keys(NOTHING) as (keyof Extent)[])
    both[name] = DEEPEST.has(name) ? Math.max(one[name], other[name]) : Math.min(one[name] + other[name], PLENTY);
  return both;
}

/** A field and what it selects. */
export function around(name: string, aliased: boolean, inner: Extent): Extent {
  const asksForSchema = name.startsWith('__');
  return {
    // introspection is allowed a depth of its own
    depth: asksForSchema ? 1 : 1 + inner.depth,
    fields: Math.min(1 + inner.fields, PLENTY),
    aliases: Math.min((aliased ? 1 : 0) + inner.aliases, PLENTY),
    rootFields: 1,
    schemaFields: name === '__schema' ? 1 : 0,
    typeFields: name === '__type' ? 1 : 0,
    lists: (SCHEMA_LISTS.has(name) ? 1 : 0) + inner.lists,
    schemaLists: asksForSchema ? inner.lists : inner.schemaLists,
    schemaAliases: asksForSchema ? inner.aliases : inner.schemaAliases,
  };
}
