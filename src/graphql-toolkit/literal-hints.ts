import {
  GRAPHQL_MAX_INT,
  GRAPHQL_MIN_INT,
  type GraphQLEnumType,
  GraphQLInt,
  type GraphQLScalarType,
  isEnumType,
  Kind,
  type ValueNode,
} from 'graphql';

type Leaf = GraphQLScalarType | GraphQLEnumType;

/**
 * Returns a hint on how to correct an invalid literal, which is appended to the message. Most invalid literals only use the
 * wrong syntax. The hint never quotes the literal; enum values come from the schema. The result is empty if there is no hint.
 */
export function literalHintOf(type: Leaf, node: ValueNode): string {
  switch (node.kind) {
    case Kind.STRING:
      return withoutQuotes(type, node.value.trim());
    case Kind.ENUM:
      return inCapitals(type, node.value) || inQuotes(type, node.value);
    case Kind.BOOLEAN:
      return inQuotes(type, String(node.value));
    case Kind.INT:
      if (type === GraphQLInt) return ` The range is ${GRAPHQL_MIN_INT} to ${GRAPHQL_MAX_INT}.`;
      return inQuotes(type, node.value);
    case Kind.FLOAT:
      if (isWhole(node.value) && fits(type, { kind: Kind.INT, value: String(Number(node.value)) }))
        return ' Write it without a decimal point.';
      return inQuotes(type, node.value);
    case Kind.VARIABLE:
    case Kind.NULL:
    case Kind.LIST:
    case Kind.OBJECT:
      return '';
  }
}

function withoutQuotes(type: Leaf, text: string): string {
  const word = wordOf(type, text);
  if (word) return ` Write ${word} without quotes.`;
  const bare = bareLiteral(text);
  return bare && fits(type, bare) ? ' Write it without quotes.' : '';
}

/** Returns the literal in a quoted text, if the text is a number or a boolean. */
function bareLiteral(text: string): ValueNode | undefined {
  if (text === 'true' || text === 'false') return { kind: Kind.BOOLEAN, value: text === 'true' };
  if (/^-?\d+$/.test(text)) return { kind: Kind.INT, value: text };
  return /^-?\d+\.\d+$/.test(text) ? { kind: Kind.FLOAT, value: text } : undefined;
}

const isWhole = (text: string): boolean => Number.isSafeInteger(Number(text));

function inCapitals(type: Leaf, text: string): string {
  const word = wordOf(type, text);
  return word ? ` Write ${word}.` : '';
}

const inQuotes = (type: Leaf, text: string): string =>
  fits(type, { kind: Kind.STRING, value: text }) ? ' Put it in quotes.' : '';

/** Returns the enum value that matches the text, ignoring case. */
const wordOf = (type: Leaf, text: string): string | undefined =>
  isEnumType(type) ? type.getValue(text.toUpperCase())?.name : undefined;

function fits(type: Leaf, node: ValueNode): boolean {
  try {
    type.parseLiteral(node, {});
    return true;
  } catch {
    return false;
  }
}
