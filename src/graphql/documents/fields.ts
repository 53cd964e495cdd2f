import {
  BREAK,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  visit,
} from 'graphql';

export const fragmentsOf = (document: DocumentNode): Map<string, FragmentDefinitionNode> =>
  new Map(
    document.definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition] as const] : [],
    ),
  );

/** The fields that an operation selects of the root type, through fragments; each fragment is entered once. */
export function rootFieldNodes(document: DocumentNode, operation: OperationDefinitionNode): FieldNode[] {
  const fragments = fragmentsOf(document);
  const nodes: FieldNode[] = [];
  const collect = (set: SelectionSetNode): void => {
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) nodes.push(selection);
      else if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet);
      else {
        const fragment = fragments.get(selection.name.value);
        fragments.delete(selection.name.value);
        if (fragment) collect(fragment.selectionSet);
      }
    }
  };
  collect(operation.selectionSet);
  return nodes;
}

/** An operation with the fragments that it reaches, each once; what other operations of the document need is left out. */
export function ownPartOf(document: DocumentNode, operation: OperationDefinitionNode): DocumentNode {
  const fragments = fragmentsOf(document);
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
