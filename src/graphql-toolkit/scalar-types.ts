/** What clients see of each scalar, in TypeScript's words: for their code generators, and for ours. */
export const scalarTypes = {
  CircleCode: 'string',
  Date: 'string',
  DateTime: 'string',
  Rupees: 'number',
  SafeInt: 'number',
} as const;
