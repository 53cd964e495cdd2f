import { GraphQLScalarType, Kind, type ValueNode } from 'graphql';
import { indianTime } from '../core/clock.js';
import type { BrokenRule } from '../core/field-rules.js';
import { MAX_RUPEES, type Paise, paiseFromNumber, rupeesNumber } from '../core/money.js';

/** Returns the URL of the page with the scalars, which every host has; see `scalarPage`. */
const specifiedBy = (name: string): string => `/scalars#${name}`;

/**
 * Error that scalars throw. The message never quotes the value, which can be a secret or a card number. This is not a
 * GraphQLError, because the engine would return such an error without the document location that distinguishes a wrong literal
 * from an invalid document.
 */
export class InvalidValue extends TypeError {
  readonly rule: BrokenRule;

  constructor(message: string, rule: BrokenRule) {
    super(message);
    this.rule = rule;
  }
}

function reject(message: string, rule: BrokenRule = 'TYPE'): never {
  throw new InvalidValue(message, rule);
}

function textLiteral(node: ValueNode): string {
  return node.kind === Kind.STRING ? node.value : reject('Must be text.');
}

function rupeesOf(value: unknown): Paise {
  if (typeof value !== 'number' || Number.isNaN(value)) return reject('Must be a number.');
  if (Math.abs(value) > MAX_RUPEES) {
    const message = `Must be between -${MAX_RUPEES} and ${MAX_RUPEES} rupees.`;
    return reject(message, { rule: 'RANGE', min: -MAX_RUPEES, max: MAX_RUPEES });
  }
  return paiseFromNumber(value) ?? reject('Must be an amount with at most two decimals.', 'DECIMALS');
}

export const Rupees = new GraphQLScalarType<Paise, number>({
  name: 'Rupees',
  specifiedByURL: specifiedBy('Rupees'),
  description: 'Indian rupees with at most two decimals, as a JSON number.',
  serialize: (value) => rupeesNumber(value as Paise),
  parseValue: rupeesOf,
  parseLiteral: (node) =>
    node.kind === Kind.INT || node.kind === Kind.FLOAT ? rupeesOf(Number(node.value)) : reject('Must be a number.'),
});

/**
 * Parses dates with four-digit years only, because PostgreSQL does not support earlier dates in this format, and no record is
 * that old.
 */
function calendarDate(text: string): string {
  const valid =
    /^[1-9]\d{3}-\d{2}-\d{2}$/.test(text) &&
    !Number.isNaN(Date.parse(`${text}T00:00:00Z`)) &&
    new Date(`${text}T00:00:00Z`).toISOString().startsWith(text);
  return valid ? text : reject('Must be a date in the format YYYY-MM-DD.', 'PATTERN');
}

export const CalendarDate = new GraphQLScalarType<string, string>({
  name: 'Date',
  specifiedByURL: specifiedBy('Date'),
  description: 'Calendar date in the format YYYY-MM-DD.',
  serialize: String,
  parseValue: (value) =>
    typeof value === 'string'
      ? calendarDate(value.trim())
      : reject('Must be a date in the format YYYY-MM-DD.', 'PATTERN'),
  parseLiteral: (node) => calendarDate(textLiteral(node).trim()),
});

function instant(text: string): Date {
  const value = new Date(text);
  return /^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:\d{2})$/.test(text) && !Number.isNaN(value.getTime())
    ? value
    : reject('Must be an ISO 8601 time with a UTC offset.', 'PATTERN');
}

export const Instant = new GraphQLScalarType<Date, string>({
  name: 'DateTime',
  specifiedByURL: specifiedBy('DateTime'),
  description: 'Time in ISO 8601 format with a UTC offset.',
  serialize: (value) => indianTime(value as Date),
  parseValue: (value) =>
    typeof value === 'string'
      ? instant(value.trim())
      : reject('Must be an ISO 8601 time with a UTC offset.', 'PATTERN'),
  parseLiteral: (node) => instant(textLiteral(node).trim()),
});

function circleCode(text: string): string {
  return /^\d{2,3}$/.test(text)
    ? text
    : reject('Must be a circle code: text of two or three digits, including a leading zero.', 'PATTERN');
}

export const CircleCode = new GraphQLScalarType<string, string>({
  name: 'CircleCode',
  specifiedByURL: specifiedBy('CircleCode'),
  description: 'Circle code: text of two or three digits, including a leading zero.',
  serialize: String,
  parseValue: (value) =>
    typeof value === 'string'
      ? circleCode(value.trim())
      : reject('Must be a circle code: text of two or three digits, including a leading zero.', 'PATTERN'),
  parseLiteral: (node) => circleCode(textLiteral(node).trim()),
});

function safeInteger(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value)
    ? value
    : reject('Must be a whole number up to 2^53.');
}

export const SafeInt = new GraphQLScalarType<number, number>({
  name: 'SafeInt',
  specifiedByURL: specifiedBy('SafeInt'),
  description: 'Integer up to 2^53.',
  serialize: safeInteger,
  parseValue: safeInteger,
  parseLiteral: (node) =>
    node.kind === Kind.INT ? safeInteger(Number(node.value)) : reject('Must be a whole number up to 2^53.'),
});
