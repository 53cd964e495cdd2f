import {
  type ASTNode,
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import type { DocumentPlace } from '../../core/errors.js';
import { GivenVariables, Written } from '../schema/written.js';
import { fragmentsOf } from './fields.js';

/** So many places of one mistake are named: fields that conflict may stand at hundreds. */
const MAX_PLACES = 10;

/** Where a node begins. */
export function placeOf(node: ASTNode | undefined): DocumentPlace | undefined {
  const token = node?.loc?.startToken;
  return token && { line: token.line, column: token.column };
}

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
  readonly #operation: OperationDefinitionNode;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #given: GivenVariables;
  /** The entries of a list stand at one place. */
  readonly #found = new Map<string, DocumentPlace[]>();

  constructor(
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: Readonly<Record<string, unknown>>,
  ) {
    this.#operation = operation;
    this.#fragments = fragmentsOf(document);
    this.#given = new GivenVariables(operation, variables);
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
    let sets = [this.#operation.selectionSet];
    const along: FieldNode[] = [];
    for (const name of path.filter((step) => typeof step === 'string')) {
      const fields = sets
        .flatMap((set) => this.#fieldsIn(set))
        .filter((node) => (node.alias ?? node.name).value === name);
      if (!fields[0]) return [];
      along.push(fields[0]);
      sets = fields.flatMap(({ selectionSet }) => selectionSet ?? []);
    }
    return along;
  }

  /** The fields of a selection set, through fragments; not those that a condition leaves out. */
  #fieldsIn(set: SelectionSetNode): FieldNode[] {
    return set.selections.flatMap((selection) => {
      if (!isIncluded(selection.directives, this.#given)) return [];
      if (selection.kind === Kind.FIELD) return [selection];
      const inner = selection.kind === Kind.INLINE_FRAGMENT ? selection : this.#fragments.get(selection.name.value);
      return inner ? this.#fieldsIn(inner.selectionSet) : [];
    });
  }
}

/** Whether `@skip` and `@include` leave a selection in. */
export const isIncluded = (directives: readonly DirectiveNode[] = [], given: GivenVariables): boolean =>
  directives.every(({ name, arguments: [condition] = [] }) => {
    if (name.value !== 'skip' && name.value !== 'include') return true;
    return condition !== undefined && isTrue(condition.value, given) === (name.value === 'include');
  });

function isTrue(node: ValueNode, given: GivenVariables): boolean {
  const value = node.kind === Kind.VARIABLE ? given.of(node.name.value) : new Written(node, given);
  return value instanceof Written ? value.node.kind === Kind.BOOLEAN && value.node.value : value === true;
}
