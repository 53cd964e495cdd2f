import type { JsonSchema } from '../../graphql-toolkit/value-schema.js';

/**
 * The same document as OpenAPI 3.0, for the tools that know no other: a constant is an enum of one word, and what may be null says
 * so beside its type. Nothing else of ours is written differently there.
 */
export function asOpenApi30(document: JsonSchema): JsonSchema {
  const { info, webhooks, ...described } = document as { info: { license: JsonSchema }; webhooks: JsonSchema };
  // 3.0 has no place for them; this is where Redoc and others look
  const rest = { ...described, 'x-webhooks': webhooks };
  const { identifier: _, ...license } = info.license;
  return { ...(converted(rest) as JsonSchema), openapi: '3.0.3', info: { ...info, license } };
}

/** What is no schema, but values. */
const VALUES = new Set(['example', 'examples', 'default', 'enum', 'mapping']);

function converted(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(converted);
  if (part === null || typeof part !== 'object') return part;
  const { const: constant, type, ...rest } = part as JsonSchema;
  return {
    ...typeOf(type),
    ...(constant === undefined ? {} : { enum: [constant] }),
    ...Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, convertedAt(key, value)])),
  };
}

function convertedAt(key: string, value: unknown): unknown {
  if (VALUES.has(key)) return value;
  // its keys are names of fields, whatever they are called
  if (key !== 'properties') return converted(value);
  return Object.fromEntries(Object.entries(value as JsonSchema).map(([name, field]) => [name, converted(field)]));
}

function typeOf(type: unknown): JsonSchema {
  if (!Array.isArray(type)) return type === undefined ? {} : { type };
  const [known] = type.filter((name) => name !== 'null');
  return { type: known, nullable: true };
}
