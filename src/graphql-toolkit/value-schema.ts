import type { LimitedRule } from '../core/field-rules.js';

/** JSON Schema of a draft that OpenAPI 3.1 supports. */
export type JsonSchema = Record<string, unknown>;

/** Part of a rule that JSON Schema can express for a trimmed value. The descriptions contain the rest of the rule. */
export type ValueSchema = Readonly<
  Partial<{
    minLength: number;
    maxLength: number;
    pattern: string;
    format: string;
    minimum: number;
    maximum: number;
    minItems: number;
    maxItems: number;
    uniqueItems: boolean;
    enum: readonly string[];
  }>
>;

/** Returns the JSON Schema with the limits in the error message of the rule. */
export function schemaOfRule({ rule, min, max, allowed }: LimitedRule): ValueSchema {
  switch (rule) {
    case 'TEXT':
      return defined({ minLength: min, maxLength: max });
    case 'RANGE':
      return defined({ minimum: min, maximum: max });
    case 'ITEMS':
      return defined({ minItems: min, maxItems: max, uniqueItems: true });
    case 'ENUM':
      return defined({ enum: allowed });
    case 'REQUIRED':
    case 'NULL':
    case 'UNKNOWN_FIELD':
    case 'TYPE':
    case 'DECIMALS':
    case 'PATTERN':
    case 'COMBINATION':
    case 'REFERENCE':
      return {};
  }
}

const defined = (schema: Record<string, unknown>): ValueSchema =>
  Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
