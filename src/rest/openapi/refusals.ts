import { type CatalogueEntry, type DocUrl, type ErrorCode, errorCatalogue } from '../../core/error-catalogue.js';
import { AppError, type ErrorDetails } from '../../core/errors.js';
import { paise } from '../../core/money.js';
import type { JsonSchema } from '../../graphql-toolkit/value-schema.js';
import { declineReasons } from '../../providers/decline-reasons.js';
import { leadRejections } from '../../providers/lead-rejections.js';
import { errorResponse, type FailureStyle, unknownField, unknownParameter } from '../responses.js';
import { refusalHeaders } from './headers.js';

type Word = 'failed' | 'error';

/** Description of the errors of an operation. */
export interface RefusalSource extends FailureStyle {
  /** Prefix of the names of schemas and responses of the operation. */
  name: string;
  codes: readonly ErrorCode[];
  docUrl: DocUrl;
  /** Field with the idempotency key of the caller. Some errors report the order of this key. */
  keyField?: string;
}

/** Components that operations share. */
export interface Components {
  schemas: Record<string, JsonSchema>;
  responses: Record<string, JsonSchema>;
}

/** Error responses that are the same for all operations. Each appears once in the document. */
const SHARED: Readonly<Record<string, readonly ErrorCode[]>> = {
  MalformedRequest: ['MALFORMED_REQUEST'],
  FreeCallFailed: ['PROVIDER_FAILED', 'MALFORMED_REQUEST'],
  LeadCallFailed: ['PROVIDER_FAILED', 'LEAD_REFUSED', 'MALFORMED_REQUEST'],
  ChargedCallFailed: ['INSUFFICIENT_BALANCE', 'PROVIDER_FAILED', 'MALFORMED_REQUEST'],
  Unauthenticated: ['UNAUTHENTICATED', 'WRONG_HOST'],
  Forbidden: ['ONBOARDING_INCOMPLETE', 'PRODUCTION_LOCKED', 'SUSPENDED', 'FORBIDDEN'],
  ServiceForbidden: ['ONBOARDING_INCOMPLETE', 'ACCESS_DISABLED', 'PRODUCTION_LOCKED', 'SUSPENDED', 'FORBIDDEN'],
  RecordNotFound: ['RECORD_NOT_FOUND'],
  OrderArchived: ['ORDER_ARCHIVED'],
  RequestTimeout: ['REQUEST_TIMEOUT'],
  PayloadTooLarge: ['PAYLOAD_TOO_LARGE'],
  UnsupportedMediaType: ['UNSUPPORTED_MEDIA_TYPE'],
  TooManyRequests: ['RATE_LIMITED'],
  InternalError: ['INTERNAL'],
  Unavailable: ['OVERLOADED', 'DEPENDENCY_DOWN'],
  ProviderUnavailable: ['PROVIDER_UNAVAILABLE', 'OVERLOADED', 'DEPENDENCY_DOWN'],
};

const sharedName = (codes: readonly ErrorCode[]): string | undefined =>
  Object.keys(SHARED).find((name) => SHARED[name]!.join() === codes.join());

/** Returns the error responses of an operation, by HTTP status. */
export function refusalResponses(source: RefusalSource, components: Components): Record<number, JsonSchema> {
  const byStatus = Map.groupBy(source.codes, (code) => statusOf(code, source));
  return Object.fromEntries(
    [...byStatus]
      .toSorted(([one], [other]) => one - other)
      .map(([status, codes]) => [status, responseOf(status, codes, source, components)]),
  );
}

const statusOf = (code: ErrorCode, { validationStatus }: FailureStyle): number =>
  code === 'VALIDATION_FAILED' ? validationStatus : errorCatalogue[code].httpStatus;

const wordOf = (code: ErrorCode, { mayHaveFailed }: FailureStyle): Word =>
  mayHaveFailed ? errorCatalogue[code].onRecharge : 'error';

function responseOf(status: number, codes: ErrorCode[], source: RefusalSource, components: Components): JsonSchema {
  const isKeyed = source.keyField !== undefined && codes.includes('RATE_LIMITED');
  const name = isKeyed ? undefined : sharedName(codes);
  if (name === undefined) return ownResponse(ownName(status, codes, source), codes, source, components);
  components.responses[name] ??= ownResponse(name, codes, source, components);
  return { $ref: `#/components/responses/${name}` };
}

/**
 * Returns whether the response has its own schema name. Validation errors of all operations share a schema; the examples differ.
 */
const ownName = (status: number, codes: readonly ErrorCode[], { name }: RefusalSource): string =>
  codes.join() === 'VALIDATION_FAILED' ? 'ValidationFailed' : `${name}Refused${status}`;

function ownResponse(name: string, codes: ErrorCode[], source: RefusalSource, components: Components): JsonSchema {
  const byWord = [...Map.groupBy(codes, (code) => wordOf(code, source))];
  const names = byWord.map(([word, own]) => {
    const schemaName = byWord.length > 1 ? `${name}${word === 'failed' ? 'Failed' : 'Error'}` : name;
    components.schemas[schemaName] = refusalSchema(word, own, source);
    return { word, ref: `#/components/schemas/${schemaName}` };
  });
  return {
    description: codes.map((code) => `${code}: ${errorCatalogue[code].meaning}`).join('\n\n'),
    headers: refusalHeaders(codes, {
      replay: codes.some((code) => hasReplay(code)),
      order: codes.some((code) => namesOrder(code, source)),
    }),
    content: {
      'application/json': {
        schema: schemaNamed(name, names, components),
        examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code, source) }])),
      },
    },
  };
}

/**
 * Returns the schema of a response. Several variants become a named union with the discriminator `status`, for code generators.
 */
export function schemaNamed(
  name: string,
  variants: readonly { word: string; ref: string }[],
  { schemas }: Components,
): JsonSchema {
  if (variants.length === 1) return { $ref: variants[0]!.ref };
  schemas[name] = {
    oneOf: variants.map(({ ref }) => ({ $ref: ref })),
    discriminator: {
      propertyName: 'status',
      mapping: Object.fromEntries(variants.map(({ word, ref }) => [word, ref])),
    },
  };
  return { $ref: `#/components/schemas/${name}` };
}

/** Returns whether the error is one of those that report the final status of an order. They are replayed. */
const hasReplay = (code: ErrorCode): boolean => code === 'PROVIDER_DECLINED' || code === 'REVERSED';

/** Returns whether the error reports the status of an earlier order. */
const namesOrder = (code: ErrorCode, { keyField }: RefusalSource): boolean =>
  code === 'DUPLICATE_ORDER' ||
  code === 'LIKELY_DUPLICATE' ||
  code === 'ORDER_ARCHIVED' ||
  (code === 'RATE_LIMITED' && keyField !== undefined);

const namesRequest = (code: ErrorCode, source: RefusalSource): boolean =>
  hasReplay(code) || code === 'IDEMPOTENCY_KEY_REUSED' || (namesOrder(code, source) && code !== 'DUPLICATE_ORDER');

const hasExtra = (code: ErrorCode, name: 'reason' | 'required' | 'available'): boolean =>
  (errorCatalogue[code] as CatalogueEntry).extras?.includes(name) ?? false;

const orderStatuses = ['success', 'pending', 'failed', 'reversed'];

/** Additional fields of error responses, and the codes that have them. */
const EXTRAS: Readonly<
  Record<
    string,
    {
      schema: JsonSchema | ((codes: readonly ErrorCode[]) => JsonSchema);
      has: (code: ErrorCode, source: RefusalSource) => boolean;
    }
  >
> = {
  errors: {
    schema: {
      type: 'object',
      description: 'Problems by field name.',
      additionalProperties: { type: 'array', items: { type: 'string' }, minItems: 1 },
    },
    has: (code) => code === 'VALIDATION_FAILED' || code === 'CONFLICT',
  },
  order_id: {
    schema: { type: 'string', description: 'The orderid of the request.' },
    has: (code) => code === 'DUPLICATE_ORDER',
  },
  api_request_id: {
    schema: { type: 'string', description: 'The api_request_id of the order that the error refers to.' },
    has: namesRequest,
  },
  order_status: {
    schema: { type: 'string', enum: orderStatuses, description: 'Status of the order that the error refers to.' },
    has: namesOrder,
  },
  reason: {
    schema: (codes) =>
      codes.includes('LEAD_REFUSED')
        ? {
            type: 'string',
            enum: Object.keys(leadRejections),
            description: 'Reason why the lead provider declined the request.',
          }
        : {
            type: 'string',
            enum: Object.keys(declineReasons),
            description: 'Reason the payment was declined or reversed.',
          },
    has: (code) => hasExtra(code, 'reason'),
  },
  required: {
    schema: { type: 'number', description: 'Amount or fee of the call, in rupees.' },
    has: (code) => hasExtra(code, 'required'),
  },
  available: {
    schema: { type: 'number', description: 'Wallet balance, in rupees.' },
    has: (code) => hasExtra(code, 'available'),
  },
};

function refusalSchema(word: Word, codes: readonly ErrorCode[], source: RefusalSource): JsonSchema {
  const extras = Object.entries(EXTRAS).filter(([, { has }]) => codes.some((code) => has(code, source)));
  return {
    type: 'object',
    properties: {
      status: { type: 'string', const: word },
      message: { type: 'string', description: 'Human-readable text.' },
      code: {
        type: 'string',
        enum: codes,
        description: 'Machine-readable error code. Stable, although the message may change.',
      },
      doc_url: { type: 'string', format: 'uri', description: 'URL of the documentation of the code.' },
      request_id: {
        type: 'string',
        description: 'ID of the request, same as the X-Request-Id header. Include it when you contact support.',
      },
      ...Object.fromEntries(
        extras.map(([name, { schema }]) => [name, typeof schema === 'function' ? schema(codes) : schema]),
      ),
    },
    required: ['status', 'message', 'code', 'doc_url', 'request_id'],
  };
}

const SAMPLE_REQUEST_ID = '019c1a2b-5d3e-7f40-8a51-6b7c8d9e0f12';
const SAMPLE_API_REQUEST_ID = '03H9WUIF88YK47TSCAGJQ719D';

function exampleOf(code: ErrorCode, source: RefusalSource): unknown {
  const [field] = Object.values(source.fields);
  const details: ErrorDetails = {
    ...(code === 'VALIDATION_FAILED'
      ? {
          fields: [
            field
              ? { path: field.to, rule: 'REQUIRED', message: 'This field is required.' }
              : { path: unknownField('status'), ...unknownParameter('status', []) },
          ],
        }
      : {}),
    ...(code === 'DUPLICATE_ORDER' ? { orderId: 'PAY-1001', orderStatus: 'success' } : {}),
    ...(code === 'LIKELY_DUPLICATE' || code === 'ORDER_ARCHIVED' ? { orderStatus: 'success' } : {}),
    ...(namesRequest(code, source) && code !== 'RATE_LIMITED' ? { apiRequestId: SAMPLE_API_REQUEST_ID } : {}),
    ...(code === 'LEAD_REFUSED'
      ? { reason: 'PAN_ON_OTHER_NUMBER', message: leadRejections.PAN_ON_OTHER_NUMBER }
      : hasExtra(code, 'reason')
        ? { reason: code === 'REVERSED' ? 'REVERSED_BY_PROVIDER' : 'AMOUNT_NOT_OFFERED' }
        : {}),
    ...(hasExtra(code, 'required')
      ? { shortfall: { requiredPaise: paise(19_900n), availablePaise: paise(15_000n) } }
      : {}),
  };
  const request = { requestId: SAMPLE_REQUEST_ID, docUrl: source.docUrl };
  return errorResponse(new AppError(code, details), request, source).body;
}
