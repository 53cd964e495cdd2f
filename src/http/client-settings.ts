import {
  GraphQLID,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNullableType,
  isAbstractType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql';
import { scalarTypes } from '../graphql-toolkit/scalar-types.js';

/** What clients have to be told of a schema beside its text, in the words of each of them. */
export interface ClientSettings {
  /** Graphcache of urql: types without an id, which are a part of what they are read with. `null` for each: it has no key. */
  keys: Readonly<Record<string, null>>;
  /** Apollo Client: the types that an interface or a union can be. */
  possibleTypes: Readonly<Record<string, readonly string[]>>;
  /** Code generators: what a scalar is in TypeScript. */
  scalars: Readonly<Record<string, string>>;
  /** The same, as the configuration of Relay's compiler calls it. */
  customScalarTypes: Readonly<Record<string, string>>;
}

/** A number of a list of the provider's is called id too, but another list has the same one. */
const hasKey = (type: GraphQLObjectType): boolean => {
  const { id } = type.getFields();
  return id !== undefined && getNullableType(id.type) === GraphQLID;
};

export function clientSettings(schema: GraphQLSchema): ClientSettings {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
  const values = types.filter((type) => isObjectType(type) && !roots.includes(type) && !hasKey(type));
  const scalars = Object.fromEntries(
    types
      .filter((type) => isScalarType(type) && !isSpecifiedScalarType(type))
      .map(({ name }) => [name, scalarTypes[name as keyof typeof scalarTypes]]),
  );
  return {
    keys: Object.fromEntries(values.map(({ name }) => [name, null])),
    possibleTypes: Object.fromEntries(
      types.filter(isAbstractType).map((type) => [type.name, schema.getPossibleTypes(type).map(({ name }) => name)]),
    ),
    scalars,
    customScalarTypes: scalars,
  };
}
