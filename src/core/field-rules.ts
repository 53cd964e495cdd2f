/**
 * What is wrong with one value, for programs: `extensions.fields[].rule` of GraphQL. Text for people stands beside it. A word may
 * be added, and none changes its meaning.
 */
export const fieldRules = {
  REQUIRED: 'it is missing or null',
  NULL: 'it may be left out, and must not be null',
  UNKNOWN_FIELD: 'there is no field of this name',
  TYPE: 'it is another kind of value: text, a number, true or false, an object',
  ENUM: 'it is none of the words in `allowed`',
  RANGE: 'it is below `min` or above `max`; without them the message says the limits',
  DECIMALS: 'it is no amount with at most two decimals',
  TEXT: 'it is shorter than `min` or longer than `max` characters, or holds some that cannot be printed',
  PATTERN: 'it is written in another form, such as a date or a PAN that is none',
  ITEMS: 'it holds too few, too many or equal values',
  COMBINATION: 'it does not go with another field',
  REFERENCE: 'what it names is unknown, expired, used up or not of this caller',
} as const satisfies Record<string, string>;

export type FieldRule = keyof typeof fieldRules;

/** A rule with its limits, where it has any: numbers in the unit of the field. */
export interface LimitedRule {
  rule: FieldRule;
  min?: number;
  max?: number;
  /** The words of an enum. REST names its own spelling of them. */
  allowed?: readonly string[];
}

/** A rule without limits is its word alone. */
export type BrokenRule = FieldRule | LimitedRule;

export const limitedRule = (rule: BrokenRule): LimitedRule => (typeof rule === 'string' ? { rule } : rule);
