import type { JsonSchema } from '../../graphql-toolkit/value-schema.js';
import { merged } from './shapes.js';

type Schemas = Readonly<Record<string, JsonSchema>>;

/**
 * The same document as OpenAPI 3.0, for the tools that know no other. Many of these make no class of a union, or one that does not
 * compile: here an answer that is one of several objects is one object, which fits them all.
 */
export function asOpenApi30(document: JsonSchema): JsonSchema {
  const { info, webhooks, ...described } = document as { info: { license: JsonSchema }; webhooks: JsonSchema };
  // 3.0 has no place for them; this is where Redoc and others look
  const rest = { ...described, 'x-webhooks': webhooks };
  const { identifier: _, ...license } = info.license;
  const { components, ...others } = rewritten(rest, withoutChoices) as { components: { schemas: Schemas } };
  const single = { ...others, components: { ...components, schemas: withoutUnions(components.schemas) } };
  return { ...(rewritten(single, withNullable) as JsonSchema), openapi: '3.0.3', info: { ...info, license } };
}

/**
 * A constant text is an enum of one word, another constant any value of its type: an enum of true breaks generators. Where words or null are possible, any text is: a list of words that holds null breaks
 * generators, and one that does not forbids it (3.0.3).
 */
function withoutChoices({ const: constant, anyOf, ...schema }: JsonSchema): JsonSchema {
  if (constant !== undefined)
    return typeof constant === 'string' ? { ...schema, enum: [constant] } : { type: typeof constant, ...schema };
  if (anyOf === undefined) return schema;
  const [{ type, enum: words }] = anyOf as [{ type: string; enum: string[] }];
  const description = [schema.description, `One of ${words.join(', ')}.`].filter(Boolean).join(' ');
  return { ...schema, type: [type, 'null'], description };
}

/** What may be null says so beside its type. */
function withNullable({ type, ...schema }: JsonSchema): JsonSchema {
  if (!Array.isArray(type)) return type === undefined ? schema : { type, ...schema };
  return { type: type.find((name) => name !== 'null'), nullable: true, ...schema };
}

const REFERENCE = '#/components/schemas/';

/** The parts of a union go: nothing else refers to them. */
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

/** What is no schema, but values. */
const VALUES = new Set(['example', 'examples', 'default', 'enum', 'mapping']);

/** Each object of a part as another one, the inner ones first. */
function rewritten(part: unknown, rewrite: (schema: JsonSchema) => JsonSchema): unknown {
  if (Array.isArray(part)) return part.map((item) => rewritten(item, rewrite));
  if (part === null || typeof part !== 'object') return part;
  const inner = (key: string, value: unknown): unknown => {
    if (VALUES.has(key)) return value;
    // its keys are names of fields, whatever they are called
    return key === 'properties'
      ? mapped(value as Schemas, (field) => rewritten(field, rewrite))
      : rewritten(value, rewrite);
  };
  return rewrite(Object.fromEntries(Object.entries(part).map(([key, value]) => [key, inner(key, value)])));
}

const mapped = (fields: Schemas, map: (field: JsonSchema) => unknown): JsonSchema =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, map(field)]));
