/** TypeScript types of the scalars for code generators. */
export const scalarTypes = {
  CircleCode: 'string',
  Date: 'string',
  DateTime: 'string',
  Rupees: 'number',
  SafeInt: 'number',
} as const;
