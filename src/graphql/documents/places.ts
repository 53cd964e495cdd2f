import type { DocumentNode, FieldNode, OperationDefinitionNode } from 'graphql';
import type { DocumentPlace } from '../../core/errors.js';
import { RequestVariables, placeOf } from '../../graphql-toolkit/document-value.js';
import { type Fragments, fieldsIn, fragmentsOf, isIncluded, responseName } from './fields.js';

/** So many places of one mistake are named: fields that conflict may stand at hundreds. */
export const MAX_PLACES = 10;

/** The places of one mistake, each once. */
export function placesOf(places: readonly (DocumentPlace | undefined)[] = []): DocumentPlace[] {
  const known = new Map<string, DocumentPlace>();
  for (const place of places) if (place) known.set(`${place.line}:${place.column}`, place);
  return [...known.values()].slice(0, MAX_PLACES);
}

/**
 * Where the fields of an operation stand, by their path in the answer. Both engines say the path of a field that failed, so its
 * place is found here for both, and nothing depends on what an engine remembers of the document.
 */
export class FieldPlaces {
  readonly #fragments: Fragments;
  readonly #given: RequestVariables;
  /** The entries of a list stand at one place. */
  readonly #found = new Map<string, DocumentPlace[]>();

  constructor(
    document: DocumentNode,
    private readonly operation: OperationDefinitionNode,
    variables: Readonly<Record<string, unknown>>,
  ) {
    this.#fragments = fragmentsOf(document);
    this.#given = new RequestVariables(operation, variables);
  }

  /** One place: that of the first selection which asks for the field. */
  of(path: readonly (string | number)[] = []): DocumentPlace[] {
    const names = path.filter((step) => typeof step === 'string');
    const key = names.join('.');
    const found = this.#found.get(key) ?? placesOf([placeOf(this.along(names).at(-1))]);
    this.#found.set(key, found);
    return found;
  }

  /** The fields that lead to a place of the answer, the root field first. */
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
