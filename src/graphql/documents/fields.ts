import {
  BREAK,
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type InlineFragmentNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  visit,
} from 'graphql';
import type { RequestVariables } from '../../graphql-toolkit/document-value.js';

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

export const fragmentsOf = (document: DocumentNode): Fragments =>
  new Map(
    document.definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition] as const] : [],
    ),
  );

export interface SelectedField {
  node: FieldNode;
  /** The type that the innermost fragment around it is on. */
  on: string | undefined;
}

/** Of a field its name in the answer. */
export const responseName = ({ alias, name }: FieldNode): string => (alias ?? name).value;

/**
 * The one walker of selections: the fields of selection sets that are about one object, through their fragments. A fragment with a
 * name is entered once, as it is executed once.
 *
 * @param enters whether a selection counts; asked of each once, with the fragment that it brings
 */
export function fieldsIn(
  sets: readonly SelectionSetNode[],
  fragments: Fragments,
  enters: (selection: SelectionNode, part: InlineFragmentNode | FragmentDefinitionNode | undefined) => boolean,
): SelectedField[] {
  const fields: SelectedField[] = [];
  const entered = new Set<string>();
  const collect = ({ selections }: SelectionSetNode, on: string | undefined): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        if (enters(selection, undefined)) fields.push({ node: selection, on });
        continue;
      }
      const part = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
      if (!enters(selection, part) || !part) continue;
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        if (entered.has(selection.name.value)) continue;
        entered.add(selection.name.value);
      }
      collect(part.selectionSet, part.typeCondition?.name.value ?? on);
    }
  };
  for (const set of sets) collect(set, undefined);
  return fields;
}

/** The one evaluator of `@skip` and `@include`: whether they leave a selection in. */
export const isIncluded = (
  { directives = [] }: { readonly directives?: readonly DirectiveNode[] | undefined },
  given: RequestVariables,
): boolean =>
  directives.every(({ name, arguments: [condition] = [] }) => {
    if (name.value !== 'skip' && name.value !== 'include') return true;
    return condition !== undefined && (given.plain(condition.value) === true) === (name.value === 'include');
  });

/** The fields that an operation selects of the root type, whatever its conditions say. */
export const rootFieldNodes = (document: DocumentNode, operation: OperationDefinitionNode): FieldNode[] =>
  fieldsIn([operation.selectionSet], fragmentsOf(document), () => true).map(({ node }) => node);

/** An operation with the fragments that it reaches, each once; what other operations of the document need is left out. */
export function ownPartOf(document: DocumentNode, operation: OperationDefinitionNode): DocumentNode {
  const fragments = new Map(fragmentsOf(document));
  const definitions: (OperationDefinitionNode | FragmentDefinitionNode)[] = [operation];
  for (const definition of definitions) {
    visit(definition, {
      FragmentSpread({ name }) {
        const fragment = fragments.get(name.value);
        if (fragment && fragments.delete(name.value)) definitions.push(fragment);
      },
    });
  }
  return { ...document, definitions };
}

/** Where a document asks about the schema for the first time. */
export function schemaFieldOf(document: DocumentNode): FieldNode | undefined {
  let found: FieldNode | undefined;
  visit(document, {
    Field(node) {
      if (node.name.value !== '__schema' && node.name.value !== '__type') return undefined;
      found = node;
      return BREAK;
    },
  });
  return found;
}
