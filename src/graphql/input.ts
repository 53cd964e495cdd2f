import { validateSync } from 'class-validator';
import {
  type GraphQLArgument,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isSpecifiedScalarType,
} from 'graphql';
import type { FieldProblem } from '../core/errors.js';
import { inputClassOf } from '../core/rules.js';

const REQUIRED = 'This field is required.';

/** graphql-js's own texts quote the value; these never do. */
const BUILT_IN_MESSAGES: Readonly<Record<string, string>> = {
  String: 'Must be text.',
  ID: 'Must be an id.',
  Int: 'Must be a whole number.',
  Float: 'Must be a number.',
  Boolean: 'Must be true or false.',
};

/** Where rules of plain arguments stand: `@Extensions({ arguments: SomeClass })` on the resolver's method. */
export interface FieldExtensions {
  arguments?: new () => object;
}

/**
 * The one validator. Walks arguments against their types and rules, collects every problem with its path, and gives the values
 * back trimmed. `raw` values come from JSON or a document and are coerced too; otherwise the engine has coerced them already.
 */
export function checkArguments(
  declared: readonly GraphQLArgument[],
  given: Readonly<Record<string, unknown>>,
  extensions: FieldExtensions,
  raw: boolean,
): { values: Record<string, unknown>; problems: FieldProblem[] } {
  const problems: FieldProblem[] = [];
  const values: Record<string, unknown> = {};
  for (const { name, type, defaultValue } of declared) {
    const value = walk(type, given[name] === undefined && raw ? defaultValue : given[name], [name], raw, problems);
    if (value !== undefined) values[name] = value;
  }
  if (extensions.arguments) applyRules(extensions.arguments, values, [], problems);
  return { values, problems };
}

/** The problems of one value against one type; for variables that reach no argument. */
export function checkValue(type: GraphQLInputType, value: unknown, name: string): FieldProblem[] {
  const problems: FieldProblem[] = [];
  walk(type, value, [name], true, problems);
  return problems;
}

function walk(type: GraphQLInputType, value: unknown, path: string[], raw: boolean, problems: FieldProblem[]): unknown {
  const problem = (message: string, allowed?: readonly string[]): undefined => {
    problems.push({ path: path.join('.'), messages: [message], ...(allowed ? { allowed } : {}) });
  };
  if (isNonNullType(type))
    return value === undefined || value === null ? problem(REQUIRED) : walk(type.ofType, value, path, raw, problems);
  if (value === undefined || value === null) return undefined;
  if (isListType(type)) {
    const items = Array.isArray(value) ? value : [value];
    return items.map((item, index) => walk(type.ofType, item, [...path, String(index)], raw, problems));
  }
  if (isInputObjectType(type)) {
    if (typeof value !== 'object' || Array.isArray(value)) return problem('Must be an object.');
    const given = value as Record<string, unknown>;
    const fields = type.getFields();
    const result: Record<string, unknown> = {};
    for (const name of Object.keys(given))
      if (!fields[name]) problems.push({ path: [...path, name].join('.'), messages: ['There is no such field.'] });
    for (const field of Object.values(fields)) {
      const inner = walk(
        field.type,
        given[field.name] ?? (raw ? field.defaultValue : undefined),
        [...path, field.name],
        raw,
        problems,
      );
      if (inner !== undefined) result[field.name] = inner;
    }
    const rules = inputClassOf(type.name);
    if (rules) applyRules(rules, result, path, problems);
    return result;
  }
  const trimmed = typeof value === 'string' && !isEnumType(type) ? value.trim() : value;
  if (!raw) return trimmed;
  try {
    return type.parseValue(trimmed);
  } catch (error) {
    if (isEnumType(type)) {
      const allowed = type.getValues().map(({ name }) => name);
      return problem(`Must be one of ${allowed.join(', ')}.`, allowed);
    }
    return problem(isSpecifiedScalarType(type) ? BUILT_IN_MESSAGES[type.name]! : (error as Error).message);
  }
}

/** class-validator's rules, for the fields that have no problem yet. */
function applyRules(rules: new () => object, values: object, path: string[], problems: FieldProblem[]): void {
  const failures = validateSync(Object.assign(new rules(), values), {
    forbidUnknownValues: false,
    stopAtFirstError: false,
  });
  for (const { property, constraints } of failures) {
    const where = [...path, property].join('.');
    if (problems.some((problem) => problem.path === where)) continue;
    problems.push({ path: where, messages: Object.values(constraints ?? {}) });
  }
}
