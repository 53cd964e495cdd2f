import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { MAX_RUPEES } from '../../core/money.js';
import type { FieldExtensions } from '../../graphql-toolkit/input.js';
import { inputClassOf, valueSchemaOf } from '../../graphql-toolkit/rules.js';
import type { JsonSchema } from '../../graphql-toolkit/value-schema.js';
import { leafSchema } from './scalars.js';

/** Destination of a value: an argument or a field of an input object, and the class with its rules. */
export interface Destination {
  declared: GraphQLArgument | GraphQLInputField;
  rules: object | undefined;
}

/** Returns the destination of each variable of an operation. */
export function destinationsOf(schema: GraphQLSchema, operation: OperationDefinitionNode): Map<string, Destination> {
  const found = new Map<string, Destination>();
  const types = new TypeInfo(schema);
  const at = { field: '' };
  visit(
    operation,
    visitWithTypeInfo(types, {
      VariableDefinition: () => false,
      ObjectField: { enter: ({ name }) => void (at.field = name.value) },
      Variable: ({ name }, _key, parent) => {
        const inObject = parent && !Array.isArray(parent) && 'kind' in parent && parent.kind === Kind.OBJECT_FIELD;
        const destination = inObject ? inputField(types.getParentInputType(), at.field) : argument(types);
        if (destination) found.set(name.value, destination);
      },
    }),
  );
  return found;
}

function argument(types: TypeInfo): Destination | undefined {
  const declared = types.getArgument();
  const extensions = types.getFieldDef()?.extensions as FieldExtensions | undefined;
  return declared ? { declared, rules: extensions?.arguments } : undefined;
}

/** Returns the destination of a field of an input object. */
export function inputField(type: GraphQLInputType | null | undefined, name: string): Destination | undefined {
  const input = type && getNullableType(type);
  const declared = isInputObjectType(input) ? input.getFields()[name] : undefined;
  return declared && isInputObjectType(input) ? { declared, rules: inputClassOf(input.name) } : undefined;
}

/** Returns the schema of a value, with the limits of its rules. */
export function schemaAt({ declared, rules }: Destination): JsonSchema {
  const { type, defaultValue, description, name } = declared;
  return {
    ...typeSchema(type),
    ...(rules ? valueSchemaOf(rules, name) : {}),
    ...(isPlain(defaultValue) ? { default: defaultValue } : {}),
    ...(description ? { description } : {}),
  };
}

export const isRequired = ({ declared: { type, defaultValue } }: Destination): boolean =>
  isNonNullType(type) && defaultValue === undefined;

const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

/**
 * Rule for amounts in requests: amounts with more digits and larger amounts are rejected. The rule is not used for responses,
 * because many validators do not treat 19.99 as a multiple of 0.01.
 */
const RUPEES: JsonSchema = { multipleOf: 0.01, maximum: MAX_RUPEES };

function typeSchema(type: GraphQLInputType): JsonSchema {
  const inner = getNullableType(type);
  if (isListType(inner)) return { type: 'array', items: typeSchema(inner.ofType) };
  if (isEnumType(inner)) return { type: 'string' };
  const { name } = getNamedType(inner);
  return { ...leafSchema({ name }), ...(name === 'Rupees' ? RUPEES : {}) };
}
