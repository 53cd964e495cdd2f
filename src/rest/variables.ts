import {
  type DocumentNode,
  type GraphQLArgument,
  type GraphQLSchema,
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';

/** The arguments that take the variables of a document, by variable, wherever they are in it. */
export function argumentsOf(document: DocumentNode, schema: GraphQLSchema): ReadonlyMap<string, GraphQLArgument> {
  const types = new TypeInfo(schema);
  const found = new Map<string, GraphQLArgument>();
  visit(
    document,
    visitWithTypeInfo(types, {
      Argument({ value }) {
        const argument = types.getArgument();
        if (value.kind === Kind.VARIABLE && argument) found.set(value.name.value, argument);
      },
    }),
  );
  return found;
}
