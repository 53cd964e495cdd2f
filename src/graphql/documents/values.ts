import {
  BREAK,
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLSchema,
  isInputType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  TypeInfo,
  typeFromAST,
  type ValueNode,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { FieldProblem } from '../../core/errors.js';
import type { FieldRule } from '../../core/field-rules.js';
import { DocumentValue, placeOf, RequestVariables } from '../../graphql-toolkit/document-value.js';
import {
  checkArguments,
  checkValue,
  type FieldExtensions,
  MAX_PROBLEMS,
  REQUIRED,
  shortened,
} from '../../graphql-toolkit/input.js';
import { ownPartOf } from './fields.js';

/**
 * Returns all invalid values of an operation by argument path. Variables that no argument uses are included by their name. The
 * result has at most `MAX_PROBLEMS` entries.
 */
export function inputProblemsOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variableValues: Record<string, unknown>,
): FieldProblem[] {
  const variables = new RequestVariables(operation, variableValues);
  const required = missingVariables(operation, variableValues);
  const problems: FieldProblem[] = [];
  const typeInfo = new TypeInfo(schema);
  const checkNode = (
    node: FieldNode | DirectiveNode,
    args: readonly GraphQLArgument[] = [],
    rules: FieldExtensions = {},
  ) => {
    const countBefore = problems.length;
    checkArguments(args, writtenArguments(node, variables), rules, true, problems, node);
    const missing = missingIn(node, required);
    if (missing.length > 0) {
      // a conflict between fields may disappear when the missing value is set
      const found = problems.splice(countBefore).filter(({ rule }) => rule !== 'COMBINATION');
      problems.push(...missing.filter(({ path }) => !found.some((problem) => problem.path === path)), ...found);
    }
    return problems.length < MAX_PROBLEMS ? undefined : BREAK;
  };
  visit(
    ownPartOf(document, operation),
    visitWithTypeInfo(typeInfo, {
      Field: (node) => checkNode(node, typeInfo.getFieldDef()?.args, typeInfo.getFieldDef()?.extensions),
      Directive: (node) => checkNode(node, typeInfo.getDirective()?.args),
    }),
  );
  if (problems.length > 0) return problems;
  for (const { variable, type: node, defaultValue } of operation.variableDefinitions ?? []) {
    const type = typeFromAST(schema, node as never);
    if (!type || !isInputType(type)) continue;
    const { value: name } = variable.name;
    if (defaultValue) checkValue(type, new DocumentValue(defaultValue, variables), name, problems);
    if (!defaultValue || Object.hasOwn(variableValues, name))
      checkValue(type, new DocumentValue(variable, variables), name, problems);
  }
  return problems;
}

/** Returns the required variables that are missing. */
const missingVariables = (
  operation: OperationDefinitionNode,
  variableValues: Record<string, unknown>,
): ReadonlySet<string> =>
  new Set(
    (operation.variableDefinitions ?? [])
      .filter(({ type, defaultValue }) => type.kind === Kind.NON_NULL_TYPE && !defaultValue)
      .map(({ variable }) => variable.name.value)
      .filter((name) => !Object.hasOwn(variableValues, name) || variableValues[name] == null),
  );

/** Returns the positions in the arguments of a field, by path, that are empty because a required variable is missing. */
function missingIn(node: FieldNode | DirectiveNode, missing: ReadonlySet<string>): FieldProblem[] {
  if (missing.size === 0 || node.kind !== Kind.FIELD) return [];
  const inside = (value: ValueNode, path: string): FieldProblem[] => {
    if (value.kind === Kind.LIST) return value.values.flatMap((item, index) => inside(item, `${path}.${index}`));
    if (value.kind === Kind.OBJECT)
      return value.fields.flatMap((field) => inside(field.value, `${path}.${field.name.value}`));
    const isEmpty = value.kind === Kind.VARIABLE && missing.has(value.name.value);
    return isEmpty ? [{ path, rule: 'REQUIRED', message: REQUIRED, place: placeOf(value) }] : [];
  };
  return (node.arguments ?? []).flatMap(({ name, value }) => inside(value, name.value));
}

/** Returns the problems with the arguments of one field. */
export const argumentProblems = (
  node: FieldNode,
  { args, extensions }: Pick<GraphQLField<unknown, unknown>, 'args' | 'extensions'>,
  variables: RequestVariables,
): FieldProblem[] => checkArguments(args, writtenArguments(node, variables), extensions, true, [], node).problems;

/**
 * Returns the arguments as written. For a directive, the result contains only literals, because an invalid variable is reported
 * with its own name.
 */
const writtenArguments = (
  node: FieldNode | DirectiveNode,
  variables: RequestVariables,
): Record<string, DocumentValue> =>
  Object.fromEntries(
    (node.arguments ?? [])
      .filter(({ value }) => node.kind === Kind.FIELD || value.kind !== Kind.VARIABLE)
      .map(({ name, value }) => [name.value, new DocumentValue(value, variables)]),
  );

/**
 * Returns the variables that must not be null but can be omitted, because the variable, or the place where it is used, has a
 * default. The engines treat null differently: one reports a server error, and the other reads null as false.
 */
export function neverNullVariables(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): ReadonlySet<string> {
  const nullable = new Set(
    (operation.variableDefinitions ?? [])
      .filter(({ type }) => type.kind !== Kind.NON_NULL_TYPE)
      .map(({ variable }) => variable.name.value),
  );
  const names = new Set<string>();
  if (nullable.size === 0) return names;
  const typeInfo = new TypeInfo(schema);
  visit(
    ownPartOf(document, operation),
    visitWithTypeInfo(typeInfo, {
      Variable({ name }) {
        if (nullable.has(name.value) && isNonNullType(typeInfo.getInputType())) names.add(name.value);
      },
    }),
  );
  return names;
}

/** Returns the problem of a variable that is invalid regardless of its use. An undeclared variable has no location. */
export function problemOfVariable(
  operation: OperationDefinitionNode,
  name: string,
  rule: FieldRule,
  message: string,
): FieldProblem {
  const declared = operation.variableDefinitions?.find(({ variable }) => variable.name.value === name);
  return { path: shortened(name), rule, message, place: placeOf(declared) };
}
