import type { DocumentNode, FieldNode, OperationDefinitionNode } from 'graphql';
import type { DocumentPlace } from '../../core/errors.js';
import { placeOf, RequestVariables } from '../../graphql-toolkit/document-value.js';
import { type Fragments, fieldsIn, fragmentsOf, isIncluded, responseName } from './fields.js';

/** Maximum number of locations reported per error, because conflicting fields can have hundreds. */
export const MAX_PLACES = 10;

/** Returns the locations of one error without duplicates. */
export function placesOf(places: readonly (DocumentPlace | undefined)[] = []): DocumentPlace[] {
  const distinct = new Map<string, DocumentPlace>();
  for (const place of places) if (place) distinct.set(`${place.line}:${place.column}`, place);
  return [...distinct.values()].slice(0, MAX_PLACES);
}

/**
 * Locations of the fields of an operation, by response path. Both engines report the path of a failed field, so its location is
 * found here for both, regardless of the document data that an engine keeps.
 */
export class FieldPlaces {
  readonly #fragments: Fragments;
  readonly #variables: RequestVariables;
  /** Locations that were already found. All entries of a list have the same location. */
  readonly #found = new Map<string, DocumentPlace[]>();

  constructor(
    document: DocumentNode,
    private readonly operation: OperationDefinitionNode,
    variables: Readonly<Record<string, unknown>>,
  ) {
    this.#fragments = fragmentsOf(document);
    this.#variables = new RequestVariables(operation, variables);
  }

  /** Returns the location of the first selection of the field. */
  of(path: readonly (string | number)[] = []): DocumentPlace[] {
    const names = path.filter((step) => typeof step === 'string');
    const key = names.join('.');
    const found = this.#found.get(key) ?? placesOf([placeOf(this.nodesAt(names).at(-1))]);
    this.#found.set(key, found);
    return found;
  }

  /** Returns the fields on a response path, starting with the root field. */
  nodesAt(path: readonly (string | number)[] = []): FieldNode[] {
    let sets = [this.operation.selectionSet];
    const pathNodes: FieldNode[] = [];
    for (const name of path.filter((step) => typeof step === 'string')) {
      const nodes = fieldsIn(sets, this.#fragments, (selection) => isIncluded(selection, this.#variables)).flatMap(
        ({ node }) => (responseName(node) === name ? node : []),
      );
      if (!nodes[0]) return [];
      pathNodes.push(nodes[0]);
      sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
    }
    return pathNodes;
  }
}
