import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

const ajv = new Ajv2020({ allErrors: true, strict: true });
(addFormats as unknown as (instance: Ajv2020) => void)(ajv);

/** Object with exactly these required keys. Derived from docs/interface.md, never from the code. */
export const exactly = (properties: Record<string, object>, optional: readonly string[] = []): object => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});

export const text = { type: 'string' };
export const filledText = { type: 'string', minLength: 1 };
export const number = { type: 'number' };
export const integer = { type: 'integer' };
/** Time in IST with whole seconds, as PHP's DateTime::ATOM reads and writes it. */
export const instant = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\+05:30$' };
export const nullable = (schema: { type: string }): object => ({ ...schema, type: [schema.type, 'null'] });

/** Envelope of a call with a fee (interface.md 2.1). */
export const charged = (data: object): object =>
  exactly({ fee: number, data, status: { const: 'success' }, message: filledText, wallet_balance: number });

/** Reason why a payment failed or was reversed (interface.md 7.6). */
export const reason = {
  enum: [
    'INVALID_NUMBER',
    'NUMBER_NOT_ON_OPERATOR',
    'AMOUNT_NOT_OFFERED',
    'OPERATOR_UNAVAILABLE',
    'DUPLICATE_AT_OPERATOR',
    'LIMIT_REACHED',
    'PROVIDER_REFUSED',
    'NEVER_SENT',
    'REVERSED_BY_PROVIDER',
    'REVERSED_BY_SUPPORT',
    'UNSPECIFIED',
  ],
};

/** Reason why the lead provider declined a profile or a lead (interface.md 7.6). */
export const leadRejection = { enum: ['PAN_ON_OTHER_NUMBER', 'UNSPECIFIED'] };

const each = (fields: readonly string[], schema: boolean): object =>
  Object.fromEntries(fields.map((field) => [field, schema]));

/** Fields that are present for exactly these codes. */
const fieldsOfCodes = (codes: readonly string[], fields: readonly string[]): object => ({
  anyOf: [
    { properties: { code: { enum: codes }, ...each(fields, true) }, required: fields },
    { properties: { code: { not: { enum: codes } }, ...each(fields, false) } },
  ],
});

/** Error response (interface.md 7.1): no `data`, a stable code, and `errors` by field name for invalid input. */
export const failure = (status: 'failed' | 'error'): object => ({
  type: 'object',
  properties: {
    status: { const: status },
    message: filledText,
    code: { type: 'string', pattern: '^[A-Z_]+$' },
    doc_url: { type: 'string', pattern: '^https?://[^/]+/docs/errors#[A-Z_]+$' },
    errors: { type: 'object', additionalProperties: { type: 'array', minItems: 1, items: filledText } },
    order_id: filledText,
    api_request_id: filledText,
    order_status: filledText,
    request_id: filledText,
    reason: { enum: [...new Set([...reason.enum, ...leadRejection.enum])] },
    required: number,
    available: number,
  },
  required: ['status', 'message', 'code', 'doc_url', 'request_id'],
  additionalProperties: false,
  // extra fields are required for their codes and forbidden for others
  allOf: [
    fieldsOfCodes(['PROVIDER_DECLINED', 'REVERSED', 'LEAD_REFUSED'], ['reason']),
    fieldsOfCodes(['INSUFFICIENT_BALANCE'], ['required', 'available']),
  ],
});

const compiled = new Map<string, ValidateFunction>();

/** All differences between a body and its schema; empty if the body is valid. */
export function mismatches(schema: object, body: unknown): string[] {
  const key = JSON.stringify(schema);
  // cached because compiling a schema takes longer than validating most responses
  const validate = compiled.get(key) ?? ajv.compile(schema);
  compiled.set(key, validate);
  validate(body);
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath || '/'} ${message} ${JSON.stringify(params)}`,
  );
}
