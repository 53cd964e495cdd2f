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

const schemas = new Map<object, Map<string, ValueSchema>>();

/** Notes what a rule of a field means for the documents. Several rules of one field add up. */
export function noteValueSchema(inputClass: object, property: string, schema: ValueSchema): void {
  const fields = schemas.get(inputClass) ?? new Map<string, ValueSchema>();
  schemas.set(inputClass, fields.set(property, { ...fields.get(property), ...schema }));
}

/** What the rules of a field say, those that it inherits too. */
export function valueSchemaOf(inputClass: object | null, property: string): ValueSchema {
  if (inputClass === null || inputClass === Function.prototype) return {};
  return { ...valueSchemaOf(Object.getPrototypeOf(inputClass), property), ...schemas.get(inputClass)?.get(property) };
}

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
