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
  /** Type condition of the innermost fragment that contains the field. */
  typeName: string | undefined;
}

export const responseName = ({ alias, name }: FieldNode): string => (alias ?? name).value;

/**
 * Collects the fields of the selection sets of one object, including those in fragments. A named fragment is visited once, as
 * during execution.
 *
 * @param includes whether a selection is included; called once per selection, with its fragment
 */
export function fieldsIn(
  sets: readonly SelectionSetNode[],
  fragments: Fragments,
  includes: (selection: SelectionNode, part: InlineFragmentNode | FragmentDefinitionNode | undefined) => boolean,
): SelectedField[] {
  const fields: SelectedField[] = [];
  const visitedFragments = new Set<string>();
  const collect = ({ selections }: SelectionSetNode, typeName: string | undefined): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        if (includes(selection, undefined)) fields.push({ node: selection, typeName });
        continue;
      }
      const part = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
      if (!includes(selection, part) || !part) continue;
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        if (visitedFragments.has(selection.name.value)) continue;
        visitedFragments.add(selection.name.value);
      }
      collect(part.selectionSet, part.typeCondition?.name.value ?? typeName);
    }
  };
  for (const set of sets) collect(set, undefined);
  return fields;
}

/** Returns whether a selection is included according to `@skip` and `@include`. */
export const isIncluded = (
  { directives = [] }: { readonly directives?: readonly DirectiveNode[] | undefined },
  variables: RequestVariables,
): boolean =>
  directives.every(({ name, arguments: [condition] = [] }) => {
    if (name.value !== 'skip' && name.value !== 'include') return true;
    return condition !== undefined && (variables.plain(condition.value) === true) === (name.value === 'include');
  });

/** Returns the root fields that an operation selects, regardless of conditions. */
export const rootFieldNodes = (document: DocumentNode, operation: OperationDefinitionNode): FieldNode[] =>
  fieldsIn([operation.selectionSet], fragmentsOf(document), () => true).map(({ node }) => node);

/**
 * Returns an operation with the fragments that it uses. Each fragment is included once, without the fragments of other
 * operations.
 */
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

/** Returns the first introspection field in a document. */
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
