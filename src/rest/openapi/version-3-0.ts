import type { JsonSchema } from '../../graphql-toolkit/value-schema.js';
import { merged } from './shapes.js';

type Schemas = Readonly<Record<string, JsonSchema>>;

/**
 * Converts the document to OpenAPI 3.0 for tools that do not support 3.1. Many of these tools generate no class for a union, or a
 * class that does not compile. So a response that is a union becomes one object that matches all alternatives.
 */
export function asOpenApi30(document: JsonSchema): JsonSchema {
  const { info, webhooks, ...described } = document as { info: { license: JsonSchema }; webhooks: JsonSchema };
  // OpenAPI 3.0 does not have webhooks; Redoc and other tools read this extension
  const rest = { ...described, 'x-webhooks': webhooks };
  const { identifier: _, ...license } = info.license;
  const { components, ...others } = rewritten(rest, withoutChoices) as { components: { schemas: Schemas } };
  const single = { ...others, components: { ...components, schemas: withoutUnions(components.schemas) } };
  return { ...(rewritten(single, withNullable) as JsonSchema), openapi: '3.0.3', info: { ...info, license } };
}

/**
 * A constant text becomes an enum with one value. Any other constant becomes its type, because an enum of true breaks code
 * generators. Unions of enum values and null become plain text: an enum that contains null breaks code generators, and an enum
 * without null does not allow null (3.0.3).
 */
function withoutChoices({ const: constant, anyOf, ...schema }: JsonSchema): JsonSchema {
  if (constant !== undefined)
    return typeof constant === 'string' ? { ...schema, enum: [constant] } : { type: typeof constant, ...schema };
  if (anyOf === undefined) return schema;
  const [{ type, enum: words }] = anyOf as [{ type: string; enum: string[] }];
  const description = [schema.description, `One of ${words.join(', ')}.`].filter(Boolean).join(' ');
  return { ...schema, type: [type, 'null'], description };
}

/** Converts the type null to `nullable`. */
function withNullable({ type, ...schema }: JsonSchema): JsonSchema {
  if (!Array.isArray(type)) return type === undefined ? schema : { type, ...schema };
  return { type: type.find((name) => name !== 'null'), nullable: true, ...schema };
}

const REFERENCE = '#/components/schemas/';

/** Removes the alternatives of unions, which nothing else references. */
function withoutUnions(schemas: Schemas): Schemas {
  const partsOf = ({ oneOf }: JsonSchema): string[] =>
    ((oneOf ?? []) as { $ref: string }[]).map(({ $ref }) => $ref.slice(REFERENCE.length));
  const parts = new Set(Object.values(schemas).flatMap(partsOf));
  return Object.fromEntries(
    Object.entries(schemas)
      .filter(([name]) => !parts.has(name))
      .map(([name, schema]) => [
        name,
        schema.oneOf
          ? partsOf(schema)
              .map((part) => schemas[part]!)
              .reduce(merged)
          : schema,
      ]),
  );
}

/** Keywords that contain values instead of schemas. */
const VALUES = new Set(['example', 'examples', 'default', 'enum', 'mapping']);

/** Rewrites each object of a part of the document, starting with the innermost objects. */
function rewritten(part: unknown, rewrite: (schema: JsonSchema) => JsonSchema): unknown {
  if (Array.isArray(part)) return part.map((item) => rewritten(item, rewrite));
  if (part === null || typeof part !== 'object') return part;
  const inner = (key: string, value: unknown): unknown => {
    if (VALUES.has(key)) return value;
    // keys of `properties` are field names, even if they look like keywords
    return key === 'properties'
      ? mapped(value as Schemas, (field) => rewritten(field, rewrite))
      : rewritten(value, rewrite);
  };
  return rewrite(Object.fromEntries(Object.entries(part).map(([key, value]) => [key, inner(key, value)])));
}

const mapped = (fields: Schemas, map: (field: JsonSchema) => unknown): JsonSchema =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, map(field)]));
