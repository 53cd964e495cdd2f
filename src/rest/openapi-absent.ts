import {
  type GraphQLOutputType,
  getNullableType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { sampleOf } from './openapi-answers.js';
import type { JsonSchema } from './openapi-scalars.js';
import type { RestRoute } from './route.js';

type Path = readonly string[];

/**
 * Marks in the schema of an answer what may be null because something of the result is: the operator of a card payment, say. Found
 * by giving the row's envelope samples that lack one thing each. A row that cannot do without it says that it is always there.
 */
export function markAbsent(
  schema: JsonSchema,
  route: RestRoute,
  type: GraphQLOutputType,
  selected: SelectionSetNode,
): JsonSchema {
  const sample = () => sampleOf(type, selected, new Map(), { next: 1001 });
  const whole = route.answer(sample() as never).body;
  for (const path of nullable(getNullableType(type), selected)) {
    const lacking = sample();
    (at(lacking, path.slice(0, -1)) as Record<string, unknown>)[path.at(-1)!] = null;
    const body = bodyOf(route, lacking);
    if (body) markNull(schema, whole, body);
  }
  return schema;
}

function bodyOf(route: RestRoute, result: unknown): object | undefined {
  try {
    return route.answer(result as never).body;
  } catch {
    return undefined;
  }
}

/** Where a result may have null; "0" is the entry of a list. */
function nullable(type: GraphQLOutputType, selected: SelectionSetNode | undefined, path: Path = []): Path[] {
  const inner = getNullableType(type);
  if (isListType(inner)) return nullable(inner.ofType, selected, [...path, '0']);
  const here = path.length > 0 && path.at(-1) !== '0' && !isNonNullType(type) ? [path] : [];
  if (!isObjectType(inner)) return here;
  const fields = inner.getFields();
  const within = (selected?.selections ?? []).flatMap((node) =>
    node.kind === Kind.FIELD
      ? nullable(fields[node.name.value]!.type, node.selectionSet, [...path, (node.alias ?? node.name).value])
      : [],
  );
  return [...here, ...within];
}

const at = (value: unknown, path: Path): unknown =>
  path.reduce((inner, key) => (inner as Record<string, unknown>)[key], value);

/** What is null in `lacking` alone. */
function markNull(schema: JsonSchema, whole: unknown, lacking: unknown): void {
  if (whole === null || typeof whole !== 'object' || lacking === null || typeof lacking !== 'object') return;
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>;
  for (const [key, value] of Object.entries(whole)) {
    const inner = Array.isArray(whole) ? (schema.items as JsonSchema) : properties[key];
    const other: unknown = (lacking as Record<string, unknown>)[key];
    if (!inner || value === null) continue;
    if (other === null) properties[key] = orNull(inner);
    else markNull(inner, value, other);
  }
}

const orNull = (schema: JsonSchema): JsonSchema =>
  schema.type === undefined ? schema : { ...schema, type: [...new Set([schema.type, 'null'].flat())] };
