import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isLeafType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { moneyTypes } from '../oracle/charges.js';
import type { Draw } from './draw.js';
import { inputValue, literal } from './graphql-values.js';

/** Fields that deliberately take at least 10 ms of processor time, or that end tokens and sessions of other cases. */
const RARE =
  /^(issueToken|signIn|signUp|verifyEmail|signOut|changePassword|resetPassword|requestPasswordReset|revokeSessions)$/;
const MAX_DEPTH = 6;

export interface Operation {
  kind: 'query' | 'mutation';
  /** `name: type` of each declared variable. */
  declared: Map<string, string>;
  variables: Record<string, unknown>;
  /** One text for each root field. */
  selections: string[];
}

type ObjectLike = GraphQLObjectType | { getFields(): Record<string, GraphQLField<unknown, unknown>>; name: string };

/** An operation that is valid in the schema of a host. */
export function operationFor(draw: Draw, schema: GraphQLSchema): Operation {
  const mutation = schema.getMutationType();
  const isMutation = mutation !== undefined && mutation !== null && draw.chance(40);
  const root = isMutation ? mutation : schema.getQueryType()!;
  const operation: Operation = {
    kind: isMutation ? 'mutation' : 'query',
    declared: new Map(),
    variables: {},
    selections: [],
  };
  const fields = Object.values(root.getFields());
  const usual = fields.filter(({ name }) => !RARE.test(name));
  const count = isMutation
    ? 1
    : draw.weighted([
        [6, 1],
        [2, 2],
        [1, 4],
      ]);
  for (let left = count; left > 0; left--) {
    const field = draw.of(draw.chance(3) ? fields : usual);
    const alias = operation.selections.length > 0 || draw.chance(15) ? `a${operation.selections.length}: ` : '';
    operation.selections.push(alias + selectionOf(draw, operation, field, 1));
  }
  return operation;
}

function selectionOf(draw: Draw, operation: Operation, field: GraphQLField<unknown, unknown>, depth: number): string {
  const type = getNamedType(field.type);
  const inner = isObjectType(type) || isInterfaceType(type) ? ` { ${fieldsOf(draw, operation, type, depth)} }` : '';
  return `${field.name}${argumentsOf(draw, operation, field)}${inner}`;
}

function argumentsOf(draw: Draw, operation: Operation, field: GraphQLField<unknown, unknown>): string {
  const usedArguments = field.args.filter(({ type }) => isNonNullType(type) || draw.chance(40));
  if (usedArguments.length === 0) return '';
  const texts = usedArguments.map(({ name, type }) => {
    const value = inputValue(draw, type, name, field.name);
    if (!draw.chance(60)) return `${name}: ${literal(value)}`;
    const variable = `v${operation.declared.size}`;
    operation.declared.set(variable, String(type));
    operation.variables[variable] = value;
    return `${name}: $${variable}`;
  });
  return `(${texts.join(', ')})`;
}

/** Selects fields. The cost of a call is always selected, because the money oracle reads it from the response. */
function fieldsOf(draw: Draw, operation: Operation, type: ObjectLike, depth: number): string {
  const fields = Object.values(type.getFields());
  const money = moneyTypes.get(type.name) ?? [];
  const chosen = fields
    .filter(({ name, type: fieldType }) => {
      if (money.includes(name)) return false;
      return isLeafType(getNamedType(fieldType)) ? draw.chance(50) : depth < MAX_DEPTH && draw.chance(35);
    })
    .map((field) => selectionOf(draw, operation, field, depth + 1));
  return ['__typename', ...money, ...chosen].join(' ');
}

export function documentOf({ kind, declared, selections }: Operation): string {
  const head = [...declared].map(([name, type]) => `$${name}: ${type}`).join(', ');
  return `${kind}${head ? ` Generated(${head})` : ''} { ${selections.join(' ')} }`;
}
