import type { JsonSchema } from '../../graphql-toolkit/value-schema.js';

const SCALARS: Record<string, JsonSchema> = {
  Int: { type: 'integer', format: 'int32' },
  SafeInt: { type: 'integer', format: 'int64' },
  Float: { type: 'number' },
  Rupees: { type: 'number' },
  Boolean: { type: 'boolean' },
  Date: { type: 'string', format: 'date' },
  DateTime: { type: 'string', format: 'date-time' },
  CircleCode: { type: 'string', pattern: '^[0-9]{2,3}$' },
};

export const leafSchema = (type: { name: string }): JsonSchema => SCALARS[type.name] ?? { type: 'string' };
