import {
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import type { Host } from '../../core/environment.js';
import { ownTurn } from '../../core/turns.js';
import { type Fragments, fieldsIn, fragmentsOf, responseName } from './fields.js';

/** Limits of a document. For operations, a fragment counts each time it is used. */
export const DOCUMENT_LIMITS = {
  tokens: 2_000,
  operations: 10,
  spreads: 50,
  directives: 50,
  variables: 100,
  /**
   * Number of fields with the same name in the whole document, multiplied by their size, because validation compares every pair
   * of them.
   */
  repetitions: 10_000,
  depth: 12,
  rootFields: 20,
  aliases: 15,
  fields: 1_000,
  schemaFields: 1,
  typeFields: 5,
  /** Nested introspection lists: types and their fields, as common tools query them. */
  schemaLists: 2,
};

/** Maximum length of a quoted field name. */
const MAX_NAME = 100;

/** Length above which a document waits for its turn. Longer documents can take a millisecond or more to parse and to measure. */
const COSTLY_CHARACTERS = 1_000;

/** Waits for its turn to parse a long document from a URL. Documents in a body have already waited, when the body was read. */
export async function awaitTurn(document: string, host: Host): Promise<void> {
  if (document.length > COSTLY_CHARACTERS) await ownTurn(host);
}

export interface DocumentSize {
  /** Sentence about the limit that is exceeded, or undefined if there is none. */
  problem: string | undefined;
  /** Whether an operation selects `__schema` or `__type`. */
  usesIntrospection: boolean;
  /** Number of fields of the largest operation, including fragments. */
  fields: number;
  /** Number of visited nodes, at most the number of nodes in the document. */
  visited: number;
}

/**
 * Measures a document before it is validated. Every selection is visited once, as written. A fragment is measured the first time,
 * and its totals are reused wherever it is used, so the time depends only on the length of the document.
 */
export function measureDocument(document: DocumentNode): DocumentSize {
  return new Measurement(document).size();
}

/** Introspection fields whose response lists every member of a type or of the schema. */
const SCHEMA_LISTS = new Set(['types', 'fields', 'inputFields', 'interfaces', 'possibleTypes']);

/**
 * Maximum of a total, which is greater than every limit. Counting stops at this value, because fragments that double each other
 * would exceed the number range.
 */
export const COUNT_CAP = 1_000_000_000;

export const capped = (total: number): number => Math.min(total, COUNT_CAP);

/** Size of a selection set, including fragments. */
interface Extent {
  depth: number;
  fields: number;
  aliases: number;
  /** Number of fields on the first level, and of introspection fields among them. */
  rootFields: number;
  schemaFields: number;
  typeFields: number;
  lists: number;
  /** Nested lists inside `__schema` and `__type`. */
  schemaLists: number;
  schemaAliases: number;
}

const EMPTY: Extent = {
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

/** Combines two parts of one selection set. */
function sum(first: Extent, second: Extent): Extent {
  const total = { ...first };
  for (const name of Object.keys(EMPTY) as (keyof Extent)[])
    total[name] = DEEPEST.has(name) ? Math.max(first[name], second[name]) : capped(first[name] + second[name]);
  return total;
}

/** Returns the extent of a field and its selection. */
function nested(name: string, aliased: boolean, inner: Extent): Extent {
  const usesIntrospection = name.startsWith('__');
  return {
    // introspection has its own depth limit
    depth: usesIntrospection ? 1 : 1 + inner.depth,
    fields: capped(1 + inner.fields),
    aliases: capped((aliased ? 1 : 0) + inner.aliases),
    rootFields: 1,
    schemaFields: name === '__schema' ? 1 : 0,
    typeFields: name === '__type' ? 1 : 0,
    lists: (SCHEMA_LISTS.has(name) ? 1 : 0) + inner.lists,
    schemaLists: usesIntrospection ? inner.lists : inner.schemaLists,
    schemaAliases: usesIntrospection ? inner.aliases : inner.schemaAliases,
  };
}

class Measurement {
  readonly #fragments: Fragments;
  readonly #extents = new Map<string, Extent>();
  /** Number of fields, and number of nodes in the fields and their arguments, keyed by response key. */
  readonly #names = new Map<string, { count: number; nodes: number }>();
  #visited = 0;
  #spreads = 0;
  #directives = 0;
  #circular = false;

  constructor(private readonly document: DocumentNode) {
    this.#fragments = fragmentsOf(document);
  }

  size(): DocumentSize {
    const operations = this.document.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
    const extents = operations.map((operation) => {
      this.#visitDirectives(operation.directives);
      for (const { defaultValue, directives } of operation.variableDefinitions ?? []) {
        this.#visited++;
        this.#visitDirectives(directives);
        if (defaultValue) this.#visitValue(defaultValue);
      }
      return this.#extentOf(operation.selectionSet);
    });
    for (const name of this.#fragments.keys()) this.#extentOfFragment(name);
    return {
      problem: this.#problem(operations, extents),
      usesIntrospection: extents.some(({ schemaFields, typeFields }) => schemaFields + typeFields > 0),
      fields: Math.max(0, ...extents.map(({ fields }) => fields)),
      visited: this.#visited,
    };
  }

  #problem(operations: readonly OperationDefinitionNode[], extents: readonly Extent[]): string | undefined {
    const maxOf = (name: keyof Extent): number => Math.max(0, ...extents.map((extent) => extent[name]));
    const variables = Math.max(0, ...operations.map(({ variableDefinitions = [] }) => variableDefinitions.length));
    const repetitions = [...this.#names.values()].reduce((total, { count, nodes }) => total + (count - 1) * nodes, 0);
    const counted: [what: string, count: number, limit: number][] = [
      ['The document has too many operations', operations.length, DOCUMENT_LIMITS.operations],
      ['The document has too many fragment spreads', this.#spreads, DOCUMENT_LIMITS.spreads],
      ['The document has too many directives', this.#directives, DOCUMENT_LIMITS.directives],
      ['The operation has too many variables', variables, DOCUMENT_LIMITS.variables],
      ['The operation has too many levels', maxOf('depth'), DOCUMENT_LIMITS.depth],
      ['The operation has too many root fields', maxOf('rootFields'), DOCUMENT_LIMITS.rootFields],
      ['The operation has too many aliases', maxOf('aliases'), DOCUMENT_LIMITS.aliases],
      ['The operation has too many fields', maxOf('fields'), DOCUMENT_LIMITS.fields],
      ['The operation selects __schema too often', maxOf('schemaFields'), DOCUMENT_LIMITS.schemaFields],
      ['The operation selects __type too often', maxOf('typeFields'), DOCUMENT_LIMITS.typeFields],
      ['The operation has too many nested lists of the schema', maxOf('schemaLists'), DOCUMENT_LIMITS.schemaLists],
      ['The operation has too many aliases inside __schema and __type', maxOf('schemaAliases'), 0],
    ];
    const exceeded = counted.find(([, count, limit]) => count > limit);
    if (exceeded) return `${exceeded[0]}. The maximum is ${exceeded[2]}.`;
    if (this.#circular) return 'The fragments of the document form a cycle.';
    return repetitions > DOCUMENT_LIMITS.repetitions ? this.#repetitionProblem(repetitions) : undefined;
  }

  /** Returns the error for repeated fields. It contains the name of the field that contributes most to the cost. */
  #repetitionProblem(repetitions: number): string {
    const [mostFrequent] = [...this.#names].toSorted(
      ([, a], [, b]) => (b.count - 1) * b.nodes - (a.count - 1) * a.nodes,
    );
    const [name, { count }] = mostFrequent!;
    return (
      `The document repeats fields of the same name too often. The most frequent is ${name.slice(0, MAX_NAME)}, ${count} times. ` +
      `The repetitions have a cost of ${repetitions}. The maximum is ${DOCUMENT_LIMITS.repetitions}.`
    );
  }

  #extentOf(set: SelectionSetNode): Extent {
    let extent = EMPTY;
    const fields = fieldsIn([set], this.#fragments, (selection) => {
      this.#visited++;
      this.#visitDirectives(selection.directives);
      if (selection.kind !== Kind.FRAGMENT_SPREAD) return true;
      this.#spreads++;
      extent = sum(extent, this.#extentOfFragment(selection.name.value));
      return false;
    });
    for (const { node } of fields) extent = sum(extent, this.#extentOfField(node));
    return { ...extent, depth: Math.max(extent.depth, 1) };
  }

  #extentOfField(node: FieldNode): Extent {
    const { name, alias, selectionSet } = node;
    const visitedBefore = this.#visited;
    for (const argument of node.arguments ?? []) {
      this.#visited++;
      this.#visitValue(argument.value);
    }
    this.#countName(responseName(node), 1 + this.#visited - visitedBefore);
    const inner = selectionSet ? this.#extentOf(selectionSet) : EMPTY;
    return nested(name.value, alias !== undefined, inner);
  }

  #extentOfFragment(name: string): Extent {
    const known = this.#extents.get(name);
    if (known) {
      // this value is set while the fragment is being measured, so the fragment contains itself
      if (known === EMPTY) this.#circular = true;
      return known;
    }
    const fragment = this.#fragments.get(name);
    if (!fragment) return EMPTY;
    this.#extents.set(name, EMPTY);
    this.#visited++;
    this.#visitDirectives(fragment.directives);
    const extent = this.#extentOf(fragment.selectionSet);
    this.#extents.set(name, extent);
    return extent;
  }

  #visitDirectives(directives: readonly DirectiveNode[] = []): void {
    for (const directive of directives) {
      this.#visited++;
      this.#directives++;
      for (const argument of directive.arguments ?? []) {
        this.#visited++;
        this.#visitValue(argument.value);
      }
    }
  }

  #visitValue(value: ValueNode): void {
    this.#visited++;
    if (value.kind === Kind.LIST) for (const item of value.values) this.#visitValue(item);
    if (value.kind === Kind.OBJECT) for (const field of value.fields) this.#visitValue(field.value);
  }

  #countName(name: string, nodes: number): void {
    const usage = this.#names.get(name);
    if (!usage) this.#names.set(name, { count: 1, nodes });
    else {
      usage.count++;
      usage.nodes += nodes;
    }
  }
}
