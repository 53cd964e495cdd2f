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
import { mendingOf } from './mending.js';
import { inputClassOf, rulesOf } from './rules.js';
import { RefusedValue } from './scalars.js';
import { placeOf, Written } from './written.js';

export const REQUIRED = 'This field is required.';
const UNKNOWN = 'There is no such field.';

/** graphql-js's own texts quote the value; these never do. */
const BUILT_IN_MESSAGES: Readonly<Record<string, string>> = {
  String: 'Must be text.',
  ID: 'Must be an id.',
  Int: 'Must be a whole number.',
  Float: 'Must be a number.',
  Boolean: 'Must be true or false.',
};

/** Where rules of plain arguments stand: `@Arguments(SomeClass)` puts them there. */
export interface FieldExtensions {
  arguments?: new () => object;
}

/** So many mistakes are named; nothing is checked after them. */
export const MAX_PROBLEMS = 50;
/** No list of the API is nearly so long. */
export const MAX_ITEMS = 1_000;
/** Of an unknown field's name, which may be of any length. */
const MAX_NAME = 100;

const BAD_TEXT = 'Must be well-formed Unicode text without the character NUL.';

/** Text that has a UTF-8 form, and that PostgreSQL can hold: else two different keys would be stored as one. */
const isGoodText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** A value under check: the names that lead to it, with a point between two, and the node of the document that it was given by. */
interface Place {
  path: string;
  node?: ASTNode;
}

const inside = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

type Report = (broken: BrokenRule, message: string) => undefined;

/**
 * The one validator. Walks arguments against their types and rules, collects every problem with its path, and gives the values
 * back trimmed. `raw` values come from JSON or a document (`Written`) and are coerced too; otherwise the engine has coerced them
 * already.
 */
export function checkArguments(
  declared: readonly GraphQLArgument[],
  given: Readonly<Record<string, unknown>>,
  extensions: FieldExtensions,
  raw: boolean,
  problems: FieldProblem[] = [],
  node?: ASTNode,
): { values: Record<string, unknown>; problems: FieldProblem[] } {
  const values: Record<string, unknown> = {};
  for (const argument of declared) {
    // a document that leaves a required one out is refused for that
    if (raw && !Object.hasOwn(given, argument.name) && argument.defaultValue === undefined) continue;
    const value = walkMember(argument, given[argument.name], { path: '', node }, raw, problems);
    if (value !== undefined) values[argument.name] = value;
  }
  if (extensions.arguments) applyRules(extensions.arguments, values, given, { path: '', node }, problems);
  return { values, problems };
}

/** Adds the problems of one value against one type; for variables that reach no argument. */
export function checkValue(type: GraphQLInputType, value: unknown, name: string, problems: FieldProblem[]): void {
  walk(type, value, { path: name }, true, problems);
}

/** An argument or a field of an input object. Its default fits; it is taken where nothing is given, and null is nothing too. */
function walkMember(
  { name, type, defaultValue }: GraphQLArgument | GraphQLInputField,
  given: unknown,
  { path, node }: Place,
  raw: boolean,
  problems: FieldProblem[],
): unknown {
  const value = given instanceof Written && !given.isUnknowable ? given.content : given;
  const isNothing = value === undefined || (value === null && !isNonNullType(type));
  if (isNothing && defaultValue !== undefined) return defaultValue;
  return walk(type, given, { path: inside(path, name), node }, raw, problems);
}

function walk(type: GraphQLInputType, given: unknown, place: Place, raw: boolean, problems: FieldProblem[]): unknown {
  const { path } = place;
  if (problems.length >= MAX_PROBLEMS) return undefined;
  if (given instanceof Written && given.isUnknowable) return undefined;
  const value = given instanceof Written ? given.content : given;
  const literal = value instanceof Written ? value.node : undefined;
  const node = literal ?? (given instanceof Written ? given.node : place.node);
  const problem: Report = (broken, message) => {
    problems.push({ path, ...limitedRule(broken), message, place: placeOf(node) });
  };
  if (isNonNullType(type))
    return value === undefined || value === null
      ? problem('REQUIRED', REQUIRED)
      : walk(type.ofType, given, place, raw, problems);
  if (value === undefined || value === null) return undefined;
  if (isListType(type)) {
    const items = Array.isArray(value) ? value : [value];
    if (items.length > MAX_ITEMS)
      return problem({ rule: 'ITEMS', max: MAX_ITEMS }, `Must be at most ${MAX_ITEMS} values.`);
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
      const written = node?.kind === Kind.OBJECT ? node.fields.find((field) => field.name.value === name) : node;
      const unknown = inside(path, shortened(name));
      problems.push({ path: unknown, rule: 'UNKNOWN_FIELD', message: UNKNOWN, place: placeOf(written) });
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
/** Invisible format characters, which pasted text can contain. Indian scripts need the joiners. */
const HIDDEN = /(?![\u200c\u200d])\p{Cf}/u;

/** Of a scalar or an enum: JSON, or as it is written in a document. */
function walkLeaf(
  type: GraphQLScalarType | GraphQLEnumType,
  given: unknown,
  { raw, isSecret }: { raw: boolean; isSecret: boolean },
  problem: Report,
): unknown {
  const literal = given instanceof Written ? given.node : undefined;
  const value = literal?.kind === Kind.STRING ? literal.value : given;
  if (typeof value === 'string' && !isGoodText(value)) return problem('TEXT', BAD_TEXT);
  const trim = (text: unknown): unknown =>
    typeof text === 'string' && !isEnumType(type) && !isSecret ? text.trim() : text;
  if (typeof value === 'string' && !isSecret && HIDDEN.test(value.trim()))
    return problem('TEXT', 'Contains a hidden character. Type the value instead of pasting it.');
  if (!raw) return trim(value);
  try {
    return literal ? trim(type.parseLiteral(literal, {})) : type.parseValue(trim(value));
  } catch (error) {
    const mending = literal ? mendingOf(type, literal) : '';
    if (isEnumType(type)) {
      const allowed = type.getValues().map(({ name }) => name);
      return problem({ rule: 'ENUM', allowed }, `Must be one of ${allowed.join(', ')}.${mending}`);
    }
    const own = error instanceof RefusedValue ? error : undefined;
    return problem(own?.rule ?? 'TYPE', `${own?.message ?? BUILT_IN_MESSAGES[type.name]}${mending}`);
  }
}

/** A name as an answer may quote it. */
export const shortened = (name: string): string =>
  name.length > MAX_NAME ? `${name.slice(0, MAX_NAME).toWellFormed()}…` : name.toWellFormed();

/** A class's rules, for the fields that have no problem yet. */
function applyRules(
  inputClass: new () => object,
  values: Readonly<Record<string, unknown>>,
  given: Readonly<Record<string, unknown>>,
  { path, node }: Place,
  problems: FieldProblem[],
): void {
  const earlier = problems.slice();
  for (const { property, broken, message, accepts } of rulesOf(inputClass)) {
    if (accepts(values[property], values)) continue;
    if (problems.length >= MAX_PROBLEMS) return;
    const where = inside(path, property);
    if (earlier.some((problem) => problem.path === where)) continue;
    const member = given[property] instanceof Written ? given[property] : undefined;
    if (member?.isUnknowable) continue;
    problems.push({ path: where, ...broken, message, place: placeOf(member?.node ?? node) });
  }
}
