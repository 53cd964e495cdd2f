let created = 0;

/** A unique document of 1,900 tokens that fits no schema. Parsing it takes close to a megabyte. */
export const invalidDocument = (): string => JSON.stringify({ query: `{${'a '.repeat(1_890)}b${++created}}` });
