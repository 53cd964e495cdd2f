/**
 * Machine-readable reasons why a value is invalid: `extensions.fields[].rule` in GraphQL, in addition to a readable message.
 * Rules can be added; the meaning of a rule never changes.
 */
export const fieldRules = {
  REQUIRED: 'The value is missing or null.',
  NULL: 'The value may be omitted, but must not be null.',
  UNKNOWN_FIELD: 'There is no field with this name.',
  TYPE: 'The value has the wrong type. Types are text, number, boolean and object.',
  ENUM: 'The value is not listed in `allowed`.',
  RANGE: 'The value is below `min` or above `max`. If they are absent, the message contains the limits.',
  DECIMALS: 'The value is not an amount with at most two decimals.',
  TEXT: 'The text is shorter than `min` or longer than `max` characters, or contains non-printable characters.',
  PATTERN: 'The value does not have the required format, for example an invalid date or PAN.',
  ITEMS: 'The list contains too few, too many or duplicate values.',
  COMBINATION: 'The value conflicts with another field.',
  REFERENCE: 'The referenced object is unknown, expired, used up or does not belong to the caller.',
} as const satisfies Record<string, string>;

export type FieldRule = keyof typeof fieldRules;

/** Rule with its limits, if any. Numbers are in the unit of the field. */
export interface LimitedRule {
  rule: FieldRule;
  min?: number;
  max?: number;
  /** Values of an enum. REST uses a different spelling. */
  allowed?: readonly string[];
}

export type BrokenRule = FieldRule | LimitedRule;

export const limitedRule = (rule: BrokenRule): LimitedRule => (typeof rule === 'string' ? { rule } : rule);
