import type { DocumentNode, FieldNode, OperationDefinitionNode } from 'graphql';
import type { DocumentPlace } from '../../core/errors.js';
import { placeOf, RequestVariables } from '../../graphql-toolkit/document-value.js';
import { type Fragments, fieldsIn, fragmentsOf, isIncluded, responseName } from './fields.js';

/** Maximum number of positions reported for one mistake: conflicting fields can have hundreds. */
export const MAX_PLACES = 10;

/** The positions of one mistake without duplicates. */
export function placesOf(places: readonly (DocumentPlace | undefined)[] = []): DocumentPlace[] {
  const known = new Map<string, DocumentPlace>();
  for (const place of places) if (place) known.set(`${place.line}:${place.column}`, place);
  return [...known.values()].slice(0, MAX_PLACES);
}

/**
 * Positions of the fields of an operation by their path in the response. Both engines report the path of a failed field, so its
 * position is found here for both, independently of what an engine remembers of the document.
 */
export class FieldPlaces {
  readonly #fragments: Fragments;
  readonly #given: RequestVariables;
  /** All entries of a list have the same position. */
  readonly #found = new Map<string, DocumentPlace[]>();

  constructor(
    document: DocumentNode,
    private readonly operation: OperationDefinitionNode,
    variables: Readonly<Record<string, unknown>>,
  ) {
    this.#fragments = fragmentsOf(document);
    this.#given = new RequestVariables(operation, variables);
  }

  /** The position of the first selection of the field. */
  of(path: readonly (string | number)[] = []): DocumentPlace[] {
    const names = path.filter((step) => typeof step === 'string');
    const key = names.join('.');
    const found = this.#found.get(key) ?? placesOf([placeOf(this.along(names).at(-1))]);
    this.#found.set(key, found);
    return found;
  }

  /** The fields on the path to a position in the response, the root field first. */
  along(path: readonly (string | number)[] = []): FieldNode[] {
    let sets = [this.operation.selectionSet];
    const along: FieldNode[] = [];
    for (const name of path.filter((step) => typeof step === 'string')) {
      const nodes = fieldsIn(sets, this.#fragments, (selection) => isIncluded(selection, this.#given)).flatMap(
        ({ node }) => (responseName(node) === name ? node : []),
      );
      if (!nodes[0]) return [];
      along.push(nodes[0]);
      sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
    }
    return along;
  }
}
