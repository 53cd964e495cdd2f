import type { JsonSchema } from '../../graphql-toolkit/value-schema.js';
import { codeOf } from '../responses.js';
import type { Sample } from './samples.js';

const NULL: JsonSchema = { type: 'null' };

/**
 * Returns the schema of the output of an envelope for a sample. Leaves of the sample are recognized; other text is a constant.
 */
export function shapeOf(value: unknown, leaves: Sample['leaves']): JsonSchema {
  if (value === null) return NULL;
  if (Array.isArray(value))
    return { type: 'array', items: value.map((item) => shapeOf(item, leaves)).reduce(merged, {}) };
  if (typeof value === 'object') return objectShape(value, leaves);
  if (typeof value === 'string') return textShape(value, leaves);
  if (typeof value === 'number')
    return leaves.get(String(value)) ?? { type: Number.isInteger(value) ? 'integer' : 'number' };
  return { type: typeof value };
}

function objectShape(value: object, leaves: Sample['leaves']): JsonSchema {
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  // a key from the sample data, such as the name of a plan group, represents any key
  const open = entries.find(([key]) => leaves.has(key));
  if (open) return { type: 'object', additionalProperties: shapeOf(open[1], leaves) };
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([key, inner]) => [key, shapeOf(inner, leaves)])),
    required: entries.map(([key]) => key),
  };
}

const HOLDS_SAMPLE = /sample \d+/;

/** Constants in responses that are equal to enum values. */
const CODES: readonly string[] = (['FAILED', 'REVERSED'] as const).map(codeOf);

function textShape(text: string, leaves: Sample['leaves']): JsonSchema {
  if (CODES.includes(text))
    return { type: 'string', description: 'Machine-readable error code of the failed order.', enum: [text] };
  const leaf = leaves.get(text) ?? leaves.get(text.toUpperCase()) ?? leaves.get(String(Number(text)));
  if (!leaf) return HOLDS_SAMPLE.test(text) ? { type: 'string' } : { type: 'string', enum: [text] };
  if (leaf.enum) return { ...leaf, enum: [text] };
  // a number is sent as text
  return leaf.type === 'string' ? leaf : { type: 'string', ...described(leaf) };
}

const described = ({ description }: JsonSchema): JsonSchema => (description ? { description } : {});

const typesOf = ({ type }: JsonSchema): string[] => [type as string | string[]].flat();

/** Returns a schema that accepts the values of both schemas. Throws if their types differ. */
export function merged(one: JsonSchema, other: JsonSchema): JsonSchema {
  if (one.type === undefined) return other;
  if (other.type === undefined) return one;
  if (typesOf(other).includes('null')) return orNull(other === NULL ? one : merged(one, withoutNull(other)));
  if (typesOf(one).includes('null')) return one === NULL ? orNull(other) : orNull(merged(withoutNull(one), other));
  const type = commonType(one, other);
  if (type === 'object') return mergedObjects(one, other);
  if (type === 'array') return { ...one, items: merged(one.items as JsonSchema, other.items as JsonSchema) };
  return mergedLeaves({ ...one, type }, { ...other, type });
}

function commonType(one: JsonSchema, other: JsonSchema): unknown {
  if (one.type === other.type) return one.type;
  const both = new Set([one.type, other.type]);
  if (both.has('number') && both.has('integer')) return 'number';
  throw new Error(`A value of a response has the types ${[...both].join(' and ')}.`);
}

function mergedObjects(one: JsonSchema, other: JsonSchema): JsonSchema {
  if (one.additionalProperties || other.additionalProperties) {
    const values = merged(
      (one.additionalProperties ?? {}) as JsonSchema,
      (other.additionalProperties ?? {}) as JsonSchema,
    );
    return { ...one, additionalProperties: values };
  }
  const [mine, theirs] = [one.properties, other.properties] as Record<string, JsonSchema>[];
  const names = [...new Set([...Object.keys(mine!), ...Object.keys(theirs!)])];
  const properties = names.map((name) => [name, merged(mine![name] ?? {}, theirs![name] ?? mine![name]!)]);
  const [always, too] = [one.required, other.required] as string[][];
  return {
    ...one,
    properties: Object.fromEntries(properties),
    required: always!.filter((name) => too!.includes(name)),
  };
}

/**
 * Merges two leaves. Two enums are combined. An enum and any text become text, because the constant, such as "", replaces a
 * missing text.
 */
function mergedLeaves(one: JsonSchema, other: JsonSchema): JsonSchema {
  if (one.enum && other.enum) return { ...other, ...one, enum: [...new Set([one.enum, other.enum].flat())] };
  const [constant, leaf] = one.enum ? [one, other] : [other, one];
  if (!constant.enum) return { ...other, ...one };
  const { format: _, pattern: __, ...anyText } = leaf;
  return anyText;
}

const orNull = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  type: [...new Set([...typesOf(schema), 'null'])],
});

const withoutNull = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  type: typesOf(schema).find((type) => type !== 'null'),
});

/**
 * Writes a nullable enum as a choice of the enum and null. Code generators would treat null in the list of values as a string, or
 * fail.
 */
export function withNullApart(schema: JsonSchema): JsonSchema {
  const { properties, items, additionalProperties: others, ...rest } = schema;
  if (rest.enum && typesOf(rest).includes('null')) {
    const { description, ...words } = withoutNull(rest);
    return { ...(description ? { description } : {}), anyOf: [words, NULL] };
  }
  return {
    ...rest,
    ...(properties ? { properties: mapped(properties as Record<string, JsonSchema>) } : {}),
    ...(items ? { items: withNullApart(items as JsonSchema) } : {}),
    ...(others ? { additionalProperties: withNullApart(others as JsonSchema) } : {}),
  };
}

const mapped = (properties: Record<string, JsonSchema>): Record<string, JsonSchema> =>
  Object.fromEntries(Object.entries(properties).map(([name, shape]) => [name, withNullApart(shape)]));
