import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  isEnumType,
  isInputType,
  isLeafType,
  isNonNullType,
  isSpecifiedScalarType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  type SelectionSetNode,
  TypeInfo,
  typeFromAST,
  type ValidationContext,
  type ValidationRule,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { FieldProblem } from '../core/errors.js';
import { checkArguments, checkValue } from './input.js';

export const DOCUMENT_LIMITS = { depth: 8, rootFields: 20, aliases: 15, tokens: 2_000 };

/** One selected field of the root type, through fragments. */
export interface RootField {
  type: string;
  name: string;
  /** Its arguments as they came, variables filled in, nothing coerced. */
  args: (variables: Record<string, unknown>) => Record<string, unknown>;
}

const fragmentsOf = (document: DocumentNode): Map<string, FragmentDefinitionNode> =>
  new Map(
    document.definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition] as const] : [],
    ),
  );

function rawArguments(node: FieldNode, variables: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    (node.arguments ?? []).map((argument) => [argument.name.value, valueFromASTUntyped(argument.value, variables)]),
  );
}

function selectedFields(
  set: SelectionSetNode,
  fragments: Map<string, FragmentDefinitionNode>,
  seen = new Set<string>(),
): FieldNode[] {
  return set.selections.flatMap((selection) => {
    switch (selection.kind) {
      case Kind.FIELD:
        return [selection];
      case Kind.INLINE_FRAGMENT:
        return selectedFields(selection.selectionSet, fragments, seen);
      case Kind.FRAGMENT_SPREAD: {
        const fragment = fragments.get(selection.name.value);
        if (!fragment || seen.has(selection.name.value)) return [];
        return selectedFields(fragment.selectionSet, fragments, new Set([...seen, selection.name.value]));
      }
    }
  });
}

export function rootFieldsOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): RootField[] {
  const type = schema.getRootType(operation.operation)?.name ?? '';
  return selectedFields(operation.selectionSet, fragmentsOf(document)).map((node) => ({
    type,
    name: node.name.value,
    args: (variables) => rawArguments(node, variables),
  }));
}

/** A document that parses and selects nothing but `__schema`, `__type` and `__typename` of the query type. */
export function asksOnlyTheSchema(source: string): boolean {
  let document: DocumentNode;
  try {
    document = parse(source, { maxTokens: DOCUMENT_LIMITS.tokens });
  } catch {
    return false;
  }
  const fragments = fragmentsOf(document);
  return document.definitions.every(
    (definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ||
      (definition.kind === Kind.OPERATION_DEFINITION &&
        definition.operation === OperationTypeNode.QUERY &&
        selectedFields(definition.selectionSet, fragments).every(({ name }) => name.value.startsWith('__'))),
  );
}

/** Every wrong value of an operation, by argument path; then variables that reach no argument. */
export function inputProblemsOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const typeInfo = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(typeInfo, {
      Field(node) {
        const field = typeInfo.getFieldDef();
        if (field)
          problems.push(...checkArguments(field.args, rawArguments(node, variables), field.extensions, true).problems);
      },
    }),
  );
  if (problems.length > 0) return problems;
  return (operation.variableDefinitions ?? []).flatMap(({ variable, type: node, defaultValue }) => {
    const type = typeFromAST(schema, node as never);
    const name = variable.name.value;
    const value = variables[name] ?? (defaultValue && valueFromASTUntyped(defaultValue));
    return type && isInputType(type) ? checkValue(type, value, name) : [];
  });
}

/**
 * What graphql-jit compiles to the same answers as graphql-js. It names its resolve infos by joining paths with "_", treats
 * variable defaults and repeated conditional fragments differently, and does not introspect.
 */
export function isCompilable(schema: GraphQLSchema, document: DocumentNode): boolean {
  let compilable = true;
  let conditional = false;
  let repeated = false;
  const spread = new Set<string>();
  visit(document, {
    Field({ alias, name }) {
      if (alias && /_|^idx\d/.test(alias.value)) compilable = false;
      if (name.value === '__schema' || name.value === '__type') compilable = false;
    },
    VariableDefinition({ defaultValue, type: node }) {
      if (!defaultValue) return;
      const type = typeFromAST(schema, node as never);
      if (!type || isNonNullType(type) || !isLeafType(type) || !(isEnumType(type) || isSpecifiedScalarType(type)))
        compilable = false;
    },
    Directive({ name }) {
      if (name.value === 'skip' || name.value === 'include') conditional = true;
    },
    FragmentSpread({ name }) {
      if (spread.has(name.value)) repeated = true;
      spread.add(name.value);
    },
  });
  return compilable && !(conditional && repeated);
}

/** Depth, root fields and aliases of every operation, counted through fragments. Introspection is allowed its own depth. */
export const documentLimits: ValidationRule = (context: ValidationContext) => ({
  OperationDefinition(operation) {
    const fragments = fragmentsOf(context.getDocument());
    let aliases = 0;
    let deepest = 0;
    const count = (set: SelectionSetNode, depth: number, seen: ReadonlySet<string>): void => {
      deepest = Math.max(deepest, depth);
      if (deepest > DOCUMENT_LIMITS.depth || aliases > DOCUMENT_LIMITS.aliases) return;
      for (const selection of set.selections) {
        if (selection.kind === Kind.FIELD) {
          if (selection.alias) aliases++;
          if (selection.selectionSet && !selection.name.value.startsWith('__'))
            count(selection.selectionSet, depth + 1, seen);
        } else if (selection.kind === Kind.INLINE_FRAGMENT) {
          count(selection.selectionSet, depth, seen);
        } else {
          const fragment = fragments.get(selection.name.value);
          if (fragment && !seen.has(selection.name.value))
            count(fragment.selectionSet, depth, new Set([...seen, selection.name.value]));
        }
      }
    };
    count(operation.selectionSet, 1, new Set());
    const over = (what: string, limit: number) =>
      context.reportError(new GraphQLError(`The operation has too many ${what}: at most ${limit} are allowed.`));
    if (deepest > DOCUMENT_LIMITS.depth) over('levels', DOCUMENT_LIMITS.depth);
    if (aliases > DOCUMENT_LIMITS.aliases) over('aliases', DOCUMENT_LIMITS.aliases);
    if (selectedFields(operation.selectionSet, fragments).length > DOCUMENT_LIMITS.rootFields)
      over('root fields', DOCUMENT_LIMITS.rootFields);
  },
});
