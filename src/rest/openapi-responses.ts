import { errorCatalogue } from '../core/error-catalogue.js';
import type { JsonSchema } from './openapi-scalars.js';
import type { RestRoute } from './route.js';

/** The codes whose failures say a word on the path that has both. */
export const codesSaying = (word: 'failed' | 'error'): string[] =>
  Object.entries(errorCatalogue).flatMap(([code, { onRecharge }]) => (onRecharge === word ? [code] : []));

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

/** The failures that a path can answer, one response per status, with the codes that it stands for and the word of each. */
export function responsesOf(route: RestRoute, answer: JsonSchema): JsonSchema {
  const byStatus = new Map<number, Record<'failed' | 'error', string[]>>();
  for (const [code, { httpStatus, onRecharge }] of Object.entries(errorCatalogue)) {
    const status = code === 'VALIDATION_FAILED' ? route.validationStatus : httpStatus;
    if (status === 404 || status === 405) continue;
    const words = byStatus.get(status) ?? { failed: [], error: [] };
    words[route.mayHaveFailed ? onRecharge : 'error'].push(code);
    byStatus.set(status, words);
  }
  return {
    200: {
      description: route.mayBePending
        ? 'Success; or, with status "pending" and a Retry-After, the outcome is not known yet: the same keys, unknown ones null. Never create a new order.'
        : 'Success.',
      content: { 'application/json': { schema: route.mayBePending ? orPending(answer) : answer } },
    },
    ...Object.fromEntries(
      [...byStatus].toSorted(([a], [b]) => a - b).map(([status, words]) => [status, failureResponse(words)]),
    ),
  };
}

function failureResponse(words: Record<'failed' | 'error', string[]>): JsonSchema {
  const { failed, error } = words;
  const refs = [
    ...(failed.length > 0 ? [{ $ref: '#/components/schemas/FailedFailure' }] : []),
    ...(error.length > 0 ? [{ $ref: '#/components/schemas/ErrorFailure' }] : []),
  ];
  return {
    description:
      failed.length === 0
        ? error.join(', ')
        : [`failed: ${failed.join(', ')}`, ...(error.length > 0 ? [`error: ${error.join(', ')}`] : [])].join('; '),
    content: { 'application/json': { schema: refs.length === 1 ? refs[0] : { oneOf: refs } } },
  };
}

/** An answer whose `status` may also say that the outcome is not known yet. */
function orPending(answer: JsonSchema): JsonSchema {
  const properties = answer.properties as Record<string, JsonSchema>;
  return { ...answer, properties: { ...properties, status: { ...properties.status, enum: ['success', 'pending'] } } };
}
