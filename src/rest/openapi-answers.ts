import {
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNullableType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { type JsonSchema, leafSchema } from './openapi-scalars.js';
import type { RestRoute } from './route.js';

/**
 * The shape of an answer, found by giving the row's envelope a sample of what its document selects: each leaf of the sample
 * is recognisable, so that the schema type and description behind every key of the body are known.
 */
export function answerSchema(route: RestRoute, type: GraphQLOutputType, selected: SelectionSetNode): JsonSchema {
  const leaves = new Map<unknown, JsonSchema>();
  const sample = sampleOf(type, selected, leaves, { next: 1001 });
  return shapeOf(route.answer(sample as never).body, leaves);
}

export function sampleOf(
  type: GraphQLOutputType,
  selected: SelectionSetNode | undefined,
  leaves: Map<unknown, JsonSchema>,
  counter: { next: number },
  description?: string,
): unknown {
  const inner = getNullableType(type);
  if (isListType(inner)) return [sampleOf(inner.ofType, selected, leaves, counter, description)];
  if (isLeafType(inner)) {
    const { type: leafType, ...leaf } = leafSchema(inner);
    const schema: JsonSchema = {
      type: isNonNullType(type) ? leafType : [leafType, 'null'],
      ...leaf,
      ...(description ? { description } : {}),
    };
    const value = isEnumType(inner)
      ? inner.getValues().find(({ name }) => name !== 'PENDING')!.name
      : leafType === 'string'
        ? sampleText(inner.name, counter)
        : counter.next++;
    leaves.set(value, schema);
    return value;
  }
  const fields = (inner as GraphQLObjectType).getFields();
  const nodes = selected?.selections.filter((node) => node.kind === Kind.FIELD) ?? [];
  if (!isObjectType(inner)) throw new Error('Documents of routes select object types only.');
  return Object.fromEntries(
    nodes.map((node) => {
      const field = fields[node.name.value]!;
      return [
        node.alias?.value ?? node.name.value,
        sampleOf(field.type, node.selectionSet, leaves, counter, field.description ?? undefined),
      ];
    }),
  );
}

/** Dates keep their form, because envelopes rewrite them. */
function sampleText(type: string, counter: { next: number }): string {
  const n = counter.next++;
  return type === 'Date' ? `2026-01-${String((n % 28) + 1).padStart(2, '0')}` : `sample ${n}`;
}

function shapeOf(value: unknown, leaves: Map<unknown, JsonSchema>): JsonSchema {
  const known = leaves.get(value);
  if (known) return known;
  if (Array.isArray(value)) return { type: 'array', items: value.length > 0 ? shapeOf(value[0], leaves) : {} };
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value);
    // a key that is itself sample data stands for any key, as the names of plan groups do
    const open = entries.find(([key]) => leaves.has(key));
    if (open) return { type: 'object', additionalProperties: shapeOf(open[1], leaves) };
    return {
      type: 'object',
      properties: Object.fromEntries(entries.map(([key, inner]) => [key, shapeOf(inner, leaves)])),
      required: entries.map(([key]) => key),
    };
  }
  return value === null ? {} : { type: typeof value };
}
