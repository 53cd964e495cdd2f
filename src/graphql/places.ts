import {
  type ASTNode,
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import type { DocumentPlace } from '../core/errors.js';
import { fragmentsOf } from './document-parts.js';

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
  readonly #variables: Readonly<Record<string, unknown>>;
  /** The entries of a list stand at one place. */
  readonly #found = new Map<string, DocumentPlace[]>();

  constructor(
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: Readonly<Record<string, unknown>>,
  ) {
    this.#operation = operation;
    this.#fragments = fragmentsOf(document);
    this.#variables = variables;
  }

  /** One place: that of the first selection which asks for the field. */
  of(path: readonly (string | number)[] = []): DocumentPlace[] {
    const names = path.filter((step) => typeof step === 'string');
    const key = names.join('.');
    const found = this.#found.get(key) ?? placesOf([placeOf(this.#fieldAt(names))]);
    this.#found.set(key, found);
    return found;
  }

  #fieldAt(names: readonly string[]): FieldNode | undefined {
    let sets = [this.#operation.selectionSet];
    let field: FieldNode | undefined;
    for (const name of names) {
      const fields = sets
        .flatMap((set) => this.#fieldsIn(set))
        .filter((node) => (node.alias ?? node.name).value === name);
      field = fields[0];
      sets = fields.flatMap(({ selectionSet }) => selectionSet ?? []);
    }
    return field;
  }

  /** The fields of a selection set, through fragments; not those that a condition leaves out. */
  #fieldsIn(set: SelectionSetNode): FieldNode[] {
    return set.selections.flatMap((selection) => {
      if (!this.#isIncluded(selection.directives)) return [];
      if (selection.kind === Kind.FIELD) return [selection];
      const inner = selection.kind === Kind.INLINE_FRAGMENT ? selection : this.#fragments.get(selection.name.value);
      return inner ? this.#fieldsIn(inner.selectionSet) : [];
    });
  }

  #isIncluded(directives: readonly DirectiveNode[] = []): boolean {
    return directives.every(({ name, arguments: given }) => {
      if (name.value !== 'skip' && name.value !== 'include') return true;
      return this.#isTrue(given?.[0]?.value) === (name.value === 'include');
    });
  }

  #isTrue(node: ASTNode | undefined): boolean {
    if (node?.kind !== Kind.VARIABLE) return node?.kind === Kind.BOOLEAN && node.value;
    const name = node.name.value;
    if (this.#variables[name] !== undefined) return this.#variables[name] === true;
    const declared = this.#operation.variableDefinitions?.find(({ variable }) => variable.name.value === name);
    return this.#isTrue(declared?.defaultValue);
  }
}
