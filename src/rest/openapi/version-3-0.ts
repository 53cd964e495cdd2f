import type { JsonSchema } from '../../graphql-toolkit/value-schema.js';
import { merged } from './shapes.js';

type Schemas = Readonly<Record<string, JsonSchema>>;

/**
 * Converts the document to OpenAPI 3.0, for tools that do not support 3.1. Many of them generate no class for a union, or one
 * that does not compile. A union is therefore replaced by one object that accepts all variants.
 */
export function asOpenApi30(document: JsonSchema): JsonSchema {
  const { info, webhooks, ...described } = document as { info: { license: JsonSchema }; webhooks: JsonSchema };
  // OpenAPI 3.0 has no webhooks; Redoc and other tools read this extension
  const rest = { ...described, 'x-webhooks': webhooks };
  const { identifier: _, ...license } = info.license;
  const { components, ...others } = rewritten(rest, withoutChoices) as { components: { schemas: Schemas } };
  const single = { ...others, components: { ...components, schemas: withoutUnions(components.schemas) } };
  return { ...(rewritten(single, withNullable) as JsonSchema), openapi: '3.0.3', info: { ...info, license } };
}

/**
 * Replaces constants and nullable enums. A constant string becomes an enum with one value. Other constants become any value of
 * their type, because an enum of `true` breaks code generators. A nullable enum becomes a nullable string: an enum with null
 * breaks code generators, and one without it forbids null (3.0.3).
 */
function withoutChoices({ const: constant, anyOf, ...schema }: JsonSchema): JsonSchema {
  if (constant !== undefined)
    return typeof constant === 'string' ? { ...schema, enum: [constant] } : { type: typeof constant, ...schema };
  if (anyOf === undefined) return schema;
  const [{ type, enum: words }] = anyOf as [{ type: string; enum: string[] }];
  const description = [schema.description, `One of ${words.join(', ')}.`].filter(Boolean).join(' ');
  return { ...schema, type: [type, 'null'], description };
}

/** Replaces the type null with `nullable`. */
function withNullable({ type, ...schema }: JsonSchema): JsonSchema {
  if (!Array.isArray(type)) return type === undefined ? schema : { type, ...schema };
  return { type: type.find((name) => name !== 'null'), nullable: true, ...schema };
}

const REFERENCE = '#/components/schemas/';

/** Replaces unions and removes their parts, because nothing else refers to them. */
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

/** Keys whose contents are values, not schemas. */
const VALUES = new Set(['example', 'examples', 'default', 'enum', 'mapping']);

/** Rewrites all objects, beginning with the inner ones. */
function rewritten(part: unknown, rewrite: (schema: JsonSchema) => JsonSchema): unknown {
  if (Array.isArray(part)) return part.map((item) => rewritten(item, rewrite));
  if (part === null || typeof part !== 'object') return part;
  const inner = (key: string, value: unknown): unknown => {
    if (VALUES.has(key)) return value;
    // the keys are names of fields, which may equal keywords
    return key === 'properties'
      ? mapped(value as Schemas, (field) => rewritten(field, rewrite))
      : rewritten(value, rewrite);
  };
  return rewrite(Object.fromEntries(Object.entries(part).map(([key, value]) => [key, inner(key, value)])));
}

const mapped = (fields: Schemas, map: (field: JsonSchema) => unknown): JsonSchema =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, map(field)]));
