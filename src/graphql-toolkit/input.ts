import {
  type ASTNode,
  type GraphQLArgument,
  type GraphQLEnumType,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLScalarType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  Kind,
} from 'graphql';
import type { FieldProblem } from '../core/errors.js';
import { type BrokenRule, limitedRule } from '../core/field-rules.js';
import { DocumentValue, placeOf } from './document-value.js';
import { literalHintOf } from './literal-hints.js';
import { inputClassOf, rulesOf } from './rules.js';
import { InvalidValue } from './scalars.js';

export const REQUIRED = 'This field is required.';
const UNKNOWN = 'Unknown field.';

/** Messages that, unlike those of graphql-js, never quote the value. */
const BUILT_IN_MESSAGES: Readonly<Record<string, string>> = {
  String: 'Must be text.',
  ID: 'Must be an ID.',
  Int: 'Must be a whole number.',
  Float: 'Must be a number.',
  Boolean: 'Must be true or false.',
};

/** Extensions with the rules of plain arguments, set by `@Arguments(SomeClass)`. */
export interface FieldExtensions {
  arguments?: new () => object;
}

/** Maximum number of reported problems; validation stops there. */
export const MAX_PROBLEMS = 50;
/** Maximum number of list items, far more than any list of the API needs. */
export const MAX_ITEMS = 1_000;
/** Maximum length of a quoted unknown field name. */
const MAX_NAME = 100;

const BAD_TEXT = 'Must be well-formed Unicode text without NUL characters.';

/**
 * Returns whether the text has a UTF-8 form and can be stored in PostgreSQL. Otherwise, two different idempotency keys could be
 * stored as one.
 */
const isGoodText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** Location of a validated value: its path, separated by dots, and the document node that contains it. */
interface Place {
  path: string;
  node?: ASTNode;
}

const inside = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

type Report = (broken: BrokenRule, message: string) => undefined;

/**
 * Validates arguments against their types and rules, collects all problems with their paths, and returns the trimmed values.
 * `raw` values come from JSON or a document (`DocumentValue`) and are coerced here; other values were already coerced by the
 * engine.
 */
export function checkArguments(
  declared: readonly GraphQLArgument[],
  input: Readonly<Record<string, unknown>>,
  extensions: FieldExtensions,
  raw: boolean,
  problems: FieldProblem[] = [],
  node?: ASTNode,
): { values: Record<string, unknown>; problems: FieldProblem[] } {
  const values: Record<string, unknown> = {};
  for (const argument of declared) {
    // if a document does not contain a required argument, the engine rejects it
    if (raw && !Object.hasOwn(input, argument.name) && argument.defaultValue === undefined) continue;
    const value = walkMember(argument, input[argument.name], { path: '', node }, raw, problems);
    if (value !== undefined) values[argument.name] = value;
  }
  if (extensions.arguments) applyRules(extensions.arguments, values, input, { path: '', node }, problems);
  return { values, problems };
}

/** Adds the problems of a value for a type. It is used for variables that no argument uses. */
export function checkValue(type: GraphQLInputType, value: unknown, name: string, problems: FieldProblem[]): void {
  walk(type, value, { path: name }, true, problems);
}

/** Validates an argument or a field of an input object. Its default is valid and replaces a missing value or null. */
function walkMember(
  { name, type, defaultValue }: GraphQLArgument | GraphQLInputField,
  input: unknown,
  { path, node }: Place,
  raw: boolean,
  problems: FieldProblem[],
): unknown {
  const value = input instanceof DocumentValue && !input.isUnknowable ? input.content : input;
  const isMissing = value === undefined || (value === null && !isNonNullType(type));
  if (isMissing && defaultValue !== undefined) return defaultValue;
  return walk(type, input, { path: inside(path, name), node }, raw, problems);
}

function walk(type: GraphQLInputType, input: unknown, place: Place, raw: boolean, problems: FieldProblem[]): unknown {
  const { path } = place;
  if (problems.length >= MAX_PROBLEMS) return undefined;
  if (input instanceof DocumentValue && input.isUnknowable) return undefined;
  const value = input instanceof DocumentValue ? input.content : input;
  const literal = value instanceof DocumentValue ? value.node : undefined;
  const node = literal ?? (input instanceof DocumentValue ? input.node : place.node);
  const problem: Report = (broken, message) => {
    problems.push({ path, ...limitedRule(broken), message, place: placeOf(node) });
  };
  if (isNonNullType(type))
    return value === undefined || value === null
      ? problem('REQUIRED', REQUIRED)
      : walk(type.ofType, input, place, raw, problems);
  if (value === undefined || value === null) return undefined;
  if (isListType(type)) {
    const items = Array.isArray(value) ? value : [value];
    if (items.length > MAX_ITEMS)
      return problem({ rule: 'ITEMS', max: MAX_ITEMS }, `Must contain at most ${MAX_ITEMS} values.`);
    return items.map((item, index) =>
      walk(type.ofType, item, { path: inside(path, String(index)), node }, raw, problems),
    );
  }
  if (isInputObjectType(type)) {
    if (typeof value !== 'object' || Array.isArray(value) || literal) return problem('TYPE', 'Must be an object.');
    const members = value as Record<string, unknown>;
    const fields = type.getFields();
    const result: Record<string, unknown> = {};
    for (const name of Object.keys(members)) {
      if (problems.length >= MAX_PROBLEMS) return undefined;
      if (fields[name]) continue;
      const valueNode = node?.kind === Kind.OBJECT ? node.fields.find((field) => field.name.value === name) : node;
      const unknown = inside(path, shortened(name));
      problems.push({ path: unknown, rule: 'UNKNOWN_FIELD', message: UNKNOWN, place: placeOf(valueNode) });
    }
    for (const field of Object.values(fields)) {
      const inner = walkMember(field, members[field.name], { path, node }, raw, problems);
      if (inner !== undefined) result[field.name] = inner;
    }
    const rules = inputClassOf(type.name);
    if (rules) applyRules(rules, result, members, { path, node }, problems);
    return result;
  }
  return walkLeaf(type, value, { raw, isSecret: SECRET.test(path) }, problem);
}

/** Passwords and secrets are never trimmed. */
const SECRET = /(password|secret)$/i;
/** Invisible format characters, which pasted text can contain. The joiners are excluded because Indian scripts need them. */
const HIDDEN = /(?![\u200c\u200d])\p{Cf}/u;

/** Validates a scalar or an enum value, from JSON or from a literal in a document. */
function walkLeaf(
  type: GraphQLScalarType | GraphQLEnumType,
  input: unknown,
  { raw, isSecret }: { raw: boolean; isSecret: boolean },
  problem: Report,
): unknown {
  const literal = input instanceof DocumentValue ? input.node : undefined;
  const value = literal?.kind === Kind.STRING ? literal.value : input;
  if (typeof value === 'string' && !isGoodText(value)) return problem('TEXT', BAD_TEXT);
  const trim = (text: unknown): unknown =>
    typeof text === 'string' && !isEnumType(type) && !isSecret ? text.trim() : text;
  if (typeof value === 'string' && !isSecret && HIDDEN.test(value.trim()))
    return problem('TEXT', 'Contains a hidden character. Type the value instead of pasting it.');
  if (!raw) return trim(value);
  try {
    return literal ? trim(type.parseLiteral(literal, {})) : type.parseValue(trim(value));
  } catch (error) {
    const hint = literal ? literalHintOf(type, literal) : '';
    if (isEnumType(type)) {
      const allowed = type.getValues().map(({ name }) => name);
      return problem({ rule: 'ENUM', allowed }, `Must be one of ${allowed.join(', ')}.${hint}`);
    }
    const invalidValue = error instanceof InvalidValue ? error : undefined;
    return problem(invalidValue?.rule ?? 'TYPE', `${invalidValue?.message ?? BUILT_IN_MESSAGES[type.name]}${hint}`);
  }
}

/** Returns a name, truncated to the length that a response may quote. */
export const shortened = (name: string): string =>
  name.length > MAX_NAME ? `${name.slice(0, MAX_NAME).toWellFormed()}…` : name.toWellFormed();

/** Applies the rules of a class to the fields without problems. */
function applyRules(
  inputClass: new () => object,
  values: Readonly<Record<string, unknown>>,
  input: Readonly<Record<string, unknown>>,
  { path, node }: Place,
  problems: FieldProblem[],
): void {
  const earlierProblems = problems.slice();
  for (const { property, broken, message, accepts } of rulesOf(inputClass)) {
    if (accepts(values[property], values)) continue;
    if (problems.length >= MAX_PROBLEMS) return;
    const memberPath = inside(path, property);
    if (earlierProblems.some((problem) => problem.path === memberPath)) continue;
    const member = input[property] instanceof DocumentValue ? input[property] : undefined;
    if (member?.isUnknowable) continue;
    problems.push({ path: memberPath, ...broken, message, place: placeOf(member?.node ?? node) });
  }
}
