import 'reflect-metadata';

import { InputType } from 'type-graphql';
import validator from 'validator';
import { holdsCardNumber } from '../core/card-number.js';
import { circleOfCode, circles } from '../core/circles.js';
import { type BrokenRule, type LimitedRule, limitedRule } from '../core/field-rules.js';
import { type Paise, rupeesNumber } from '../core/money.js';
import { isUtr } from '../core/utr.js';
import { schemaOfRule, type ValueSchema } from './value-schema.js';

/** Rule for one field of a class: its limits, the message for an invalid value, and the check. */
export interface InputRule {
  property: string;
  broken: LimitedRule;
  message: string;
  accepts(value: unknown, input: object): boolean;
  /** JSON Schema of the rule, for the documentation. */
  schema: ValueSchema;
}

const ownRules = new Map<object, InputRule[]>();
const allRules = new Map<object, readonly InputRule[]>();

/** Returns all rules of a class, starting with the rules of its parent class. */
export function rulesOf(inputClass: object): readonly InputRule[] {
  const known = allRules.get(inputClass);
  if (known) return known;
  const parent = Object.getPrototypeOf(inputClass) as object | null;
  const rules = [...(parent ? rulesOf(parent) : []), ...(ownRules.get(inputClass) ?? [])];
  allRules.set(inputClass, rules);
  return rules;
}

/** Returns the JSON Schema of a field, merged from all its rules. */
export const valueSchemaOf = (inputClass: object, property: string): ValueSchema =>
  Object.assign({}, ...rulesOf(inputClass).map((rule) => (rule.property === property ? rule.schema : {})));

/**
 * Creates the decorator of a rule. The message of the rule never quotes the value. The validator (input.ts) runs rules after
 * trimming. Missing values are valid; the schema determines whether a field is required.
 * @param extraSchema JSON Schema in addition to the limits of the rule
 */
const rule = <T>(
  broken: BrokenRule,
  message: string,
  accepts: (value: T) => boolean,
  extraSchema: ValueSchema = {},
): PropertyDecorator =>
  register(broken, message, (value) => value === undefined || value === null || accepts(value as T), {
    ...schemaOfRule(limitedRule(broken)),
    ...extraSchema,
  });

/**
 * Creates a rule with a regular expression. The documentation contains the expression unless it has flags that JSON Schema does
 * not support.
 */
const patternRule = (pattern: RegExp, message: string, broken: BrokenRule = 'PATTERN'): PropertyDecorator =>
  rule<string>(broken, message, (value) => pattern.test(value), pattern.ignoreCase ? {} : { pattern: pattern.source });

const register =
  (broken: BrokenRule, message: string, accepts: InputRule['accepts'], schema: ValueSchema): PropertyDecorator =>
  ({ constructor }, property) => {
    const rules = ownRules.get(constructor) ?? [];
    ownRules.set(constructor, rules);
    rules.push({ property: String(property), broken: limitedRule(broken), message, accepts, schema });
  };

/**
 * Control and format characters, and line and paragraph separators. Format characters can reverse the direction of text or be
 * invisible, so that two different names or keys look identical. The joiners ZWNJ and ZWJ are allowed because Indian scripts need
 * them.
 */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/u;

/**
 * Returns whether a text has the required number of characters, all of them printable. A character has at most two code units,
 * so longer texts need not be counted.
 */
export const isPrintable = (value: string, min: number, max: number): boolean =>
  value.length <= 2 * max && [...value].length >= min && [...value].length <= max && !UNPRINTABLE.test(value);

/** Requires printable text that is not empty and has at most `max` characters. */
export const Text = (max: number): PropertyDecorator =>
  rule<string>({ rule: 'TEXT', min: 1, max }, `Must be 1 to ${max} characters of printable text.`, (value) =>
    isPrintable(value, 1, max),
  );

const LINE_BREAKS = /[\r\n\u2028\u2029]+/g;

/** Replaces line breaks with spaces. */
export const inOneLine = (value: string): string => value.replace(LINE_BREAKS, ' ');

/**
 * Works like `Text`, but for multi-line input. The caller stores the text `inOneLine`, and the length limit applies to that
 * form.
 */
export const TextOfLines = (max: number): PropertyDecorator =>
  rule<string>({ rule: 'TEXT', min: 1, max }, `Must be 1 to ${max} characters of printable text.`, (value) =>
    isPrintable(inOneLine(value), 1, max),
  );

export const TenDigits = (): PropertyDecorator => patternRule(/^[0-9]{10}$/, 'Must be exactly 10 digits.');

export const IndianMobile = (): PropertyDecorator =>
  patternRule(/^[6-9][0-9]{9}$/, 'Must be an Indian mobile number: 10 digits that begin with 6, 7, 8 or 9.');

/**
 * Requires a new password that is long enough to need no other rules, and short enough to hash. Allows the same characters as
 * sign-in.
 */
export const NewPassword = (): PropertyDecorator =>
  rule<string>({ rule: 'TEXT', min: 12, max: 200 }, 'Must be 12 to 200 characters of printable text.', (value) =>
    isPrintable(value, 12, 200),
  );

/**
 * Requires the reference number of a bank transfer. Spaces and lowercase letters are accepted; the caller stores it as
 * `normalUtr`.
 */
export const Utr = (): PropertyDecorator =>
  rule<string>('PATTERN', 'Must be a UTR: 12 to 22 letters and digits.', isUtr);

/** Requires a permanent account number. Lowercase letters are accepted; the caller converts it to uppercase. */
export const Pan = (): PropertyDecorator =>
  patternRule(/^[A-Za-z]{5}[0-9]{4}[A-Za-z]$/, 'Must be a PAN: 5 letters, 4 digits, 1 letter.');

/** Requires the last 4 digits of a card, or an issuer identifier with at most 19 characters. A full card number is rejected. */
export const CardIdentifier = (): PropertyDecorator => (target, property) => {
  patternRule(
    /^[ -~]{4,19}$/,
    'Must be the last 4 digits of the card, or an identifier of 4 to 19 letters, digits and symbols.',
  )(target, property);
  rule<string>(
    'PATTERN',
    'Must not be the full card number. Send the last 4 digits.',
    (value) => !holdsCardNumber(value),
  )(target, property);
};

const MAX_EMAIL = 254;

/**
 * Requires an email address with at most 254 characters. The standard allows spaces and line breaks in quoted names, which would
 * start new lines in an email header. Compatibility characters, such as full-width letters, would create a second address that
 * looks like the first. Therefore, neither is accepted.
 */
export const Email = (): PropertyDecorator =>
  rule<string>(
    'PATTERN',
    'Must be an email address.',
    (value) =>
      value.length <= MAX_EMAIL &&
      !/[\s\p{Cc}]/u.test(value) &&
      value.normalize('NFKC') === value &&
      validator.isEmail(value),
    { format: 'email', maxLength: MAX_EMAIL },
  );

/**
 * Requires an absolute http(s) URL without a user name, password or fragment, and without characters that the URL parser removes
 * or converts.
 */
export const WebAddress = (max: number): PropertyDecorator =>
  rule<string>(
    'PATTERN',
    `Must be a URL of at most ${max} characters without a user name, password or fragment.`,
    (value) => {
      const url = value.length <= max && !/[\s\\]/.test(value) && !UNPRINTABLE.test(value) ? URL.parse(value) : null;
      return url !== null && /^https?:$/.test(url.protocol) && !(url.username || url.password || url.hash);
    },
    { format: 'uri', maxLength: max },
  );

/** Requires a list of distinct values. */
export const Distinct = (min: number, max: number): PropertyDecorator =>
  rule<readonly string[]>(
    { rule: 'ITEMS', min, max },
    `Must be ${min} to ${max} different values.`,
    (value) => value.length >= min && value.length <= max && new Set(value).size === value.length,
  );

/** Requires a listed circle code (interface.md 2.12). Other digits are a mistake, and a lookup with them would cost a fee. */
export const ListedCircle = (): PropertyDecorator =>
  rule<string>(
    { rule: 'ENUM', allowed: circles.map(({ code }) => code) },
    'Must be one of the documented circle codes.',
    (value) => circleOfCode(value) !== undefined,
  );

export const Pattern = (pattern: RegExp, message: string, broken: BrokenRule = 'PATTERN'): PropertyDecorator =>
  patternRule(pattern, message, broken);

export const Range = (min: number, max: number): PropertyDecorator =>
  rule<number>(
    { rule: 'RANGE', min, max },
    `Must be between ${min} and ${max}.`,
    (value) => value >= min && value <= max,
  );

export const PositiveInteger = (): PropertyDecorator =>
  rule<number>(
    { rule: 'RANGE', min: 1 },
    'Must be a whole number greater than 0.',
    (value) => Number.isInteger(value) && value > 0,
  );

export const PositiveAmount = (): PropertyDecorator =>
  rule<Paise>({ rule: 'RANGE', min: 0.01 }, 'Must be greater than 0.', (value) => value > 0n);

export const NonNegativeAmount = (): PropertyDecorator =>
  rule<Paise>({ rule: 'RANGE', min: 0 }, 'Must not be negative.', (value) => value >= 0n);

export const AmountUpTo = (max: Paise): PropertyDecorator =>
  rule<Paise>(
    { rule: 'RANGE', min: 0, max: rupeesNumber(max) },
    `Must be between 0 and ${rupeesNumber(max)} rupees.`,
    (value) => value >= 0n && value <= max,
  );

/**
 * Declares a rule that involves several fields of an input. It runs even if its own field is missing. Fields with a problem are
 * treated as missing.
 * @param ownSchema JSON Schema of the field, which applies regardless of the other fields
 */
export const Agrees = <T extends object>(
  accepts: (input: Partial<T>) => boolean,
  message: string,
  broken: BrokenRule = 'COMBINATION',
  ownSchema: ValueSchema = {},
): PropertyDecorator => register(broken, message, (_value, object) => accepts(object as Partial<T>), ownSchema);

const inputClasses = new Map<string, new () => object>();

/**
 * Declares a GraphQL input type whose rules the validator finds by the type name. If the hosts have types with the same name and
 * different fields, the class with more fields extends the other and uses its name; it has the rules of both.
 */
export function Input({ name, ...options }: { name?: string; description: string }): ClassDecorator {
  return (target) => {
    inputClasses.set(name ?? target.name, target as never);
    InputType(name ?? target.name, options)(target);
  };
}

export const inputClassOf = (typeName: string): (new () => object) | undefined => inputClasses.get(typeName);
