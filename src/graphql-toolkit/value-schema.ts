import type { LimitedRule } from '../core/field-rules.js';

/** A JSON Schema, of a draft that OpenAPI 3.1 takes. */
export type JsonSchema = Record<string, unknown>;

/** What JSON Schema can say of a value without blanks around it; the rest a description says. */
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

/** The same limits that a refusal names. */
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
