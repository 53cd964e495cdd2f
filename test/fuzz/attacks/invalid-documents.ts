let made = 0;

/** A document of 1,900 tokens that is never the same and fits no schema; parsed it takes close to a megabyte. */
export const invalidDocument = (): string => JSON.stringify({ query: `{${'a '.repeat(1_890)}b${++made}}` });
