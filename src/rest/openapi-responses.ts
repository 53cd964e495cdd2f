import { type ErrorCode, errorCatalogue } from '../core/error-catalogue.js';
import type { JsonSchema } from './openapi-scalars.js';
import type { RestRoute } from './route.js';

export function failureSchema(status: 'failed' | 'error', codes: readonly string[]): JsonSchema {
  return {
    type: 'object',
    required: ['status', 'message', 'code'],
    properties: {
      status: { const: status },
      message: { type: 'string', description: 'Human-readable text.' },
      code: { type: 'string', enum: codes, description: 'Stable code; see the error reference.' },
      errors: {
        type: 'object',
        description: 'Wrong fields by name.',
        additionalProperties: { type: 'array', items: { type: 'string' } },
      },
      order_id: { type: 'string', description: 'The orderid of a duplicate bill payment.' },
      api_request_id: {
        type: 'string',
        description: 'Our id of the order that the failure is about, or that a refused repetition names.',
      },
      order_status: {
        type: 'string',
        enum: ['success', 'pending', 'failed', 'reversed'],
        description: 'The state of the order that a refused repetition names.',
      },
      request_id: { type: 'string', description: 'Quote it when you report a fault.' },
    },
  };
}

/** The answers of a path: its success, and for each status of a failure the codes that it stands for, with the word of each. */
export function responsesOf(route: RestRoute, codes: readonly ErrorCode[], answer: JsonSchema): JsonSchema {
  const statusOf = (code: ErrorCode): number =>
    code === 'VALIDATION_FAILED' ? route.validationStatus : errorCatalogue[code].httpStatus;
  const byStatus = Map.groupBy(codes, statusOf);
  return {
    200: {
      description: route.mayBePending
        ? 'Success; or, with status "pending" and a Retry-After, the outcome is not known yet: the same keys, unknown ones null. Never create a new order.'
        : 'Success.',
      content: { 'application/json': { schema: route.mayBePending ? orPending(answer) : answer } },
    },
    ...Object.fromEntries(
      [...byStatus].toSorted(([a], [b]) => a - b).map(([status, own]) => [status, failureResponse(route, own)]),
    ),
  };
}

function failureResponse(route: RestRoute, codes: readonly ErrorCode[]): JsonSchema {
  const byWord = Object.entries(
    Object.groupBy(codes, (code) => (route.mayHaveFailed ? errorCatalogue[code].onRecharge : 'error')),
  ) as ['failed' | 'error', ErrorCode[]][];
  const schemas = byWord.map(([word, own]) => failureSchema(word, own));
  return {
    description: byWord.map(([word, own]) => `${word}: ${own.join(', ')}`).join('; '),
    content: { 'application/json': { schema: schemas.length === 1 ? schemas[0] : { oneOf: schemas } } },
  };
}

/** An answer whose `status` may also say that the outcome is not known yet. */
function orPending(answer: JsonSchema): JsonSchema {
  const properties = answer.properties as Record<string, JsonSchema>;
  return { ...answer, properties: { ...properties, status: { ...properties.status, enum: ['success', 'pending'] } } };
}
