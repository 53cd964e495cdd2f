/**
 * The error catalogue, used by REST bodies (`code`), GraphQL (`extensions.code`), the error reference and the logs.
 * - `retryable`: the identical request may succeed later, without a change by the caller.
 * - `charged`: effect of this request on the caller's money: never charged, refunded, or unknown. A rejected request charged
 * nothing; its `charged` does not refer to an order that an earlier request placed.
 * - `action`: instruction for the caller.
 * - `onRecharge`: value of `status` on POST /api/v1/recharge. It is `failed` if the order failed and was refunded, or if the
 * first request was rejected before an order existed. Every other error applies only to the request and has the status `error`,
 * as on all other paths.
 * - `extras`: additional values at the top level of the REST body and in the GraphQL extensions: the `reason` of a decline or a
 * declined lead, and the `required` and `available` amounts in rupees.
 */
export interface CatalogueEntry {
  httpStatus: number;
  onRecharge: 'failed' | 'error';
  message: string;
  meaning: string;
  action: string;
  logLevel: 'debug' | 'info' | 'warn' | 'error';
  retryable: boolean;
  charged: 'never' | 'refunded' | 'reversed' | 'unknown';
  extras?: readonly ('reason' | 'required' | 'available')[];
}

/** Returns whether the caller was, or may have been, charged without a refund. */
export const keepsMoney = (charged: CatalogueEntry['charged']): boolean => charged === 'unknown';

/** Returns whether the caller was charged and refunded. */
export const wasRefunded = (charged: CatalogueEntry['charged']): boolean =>
  charged === 'refunded' || charged === 'reversed';

const GENERIC_PROVIDER_FAILURE =
  'The provider could not complete the request. Check credentials, wallet balance or validation errors.';

export const errorCatalogue = {
  UNAUTHENTICATED: {
    httpStatus: 401,
    onRecharge: 'error',
    message: 'The access token is missing, unknown, expired or revoked.',
    meaning:
      'The request has no access token, or its token has expired, was revoked or was not issued by this service.',
    action: 'Exchange the credentials for a new token, then retry the request with the new token.',
    logLevel: 'info',
    retryable: false,
    charged: 'never',
  },
  INVALID_CREDENTIALS: {
    httpStatus: 401,
    onRecharge: 'error',
    message: 'The credentials are not valid.',
    meaning:
      'The client ID, API secret or password is unknown, wrong or revoked. The response does not state which one.',
    action: 'Check the client ID and the API secret. If the secret is lost, create a new API key in the console.',
    logLevel: 'info',
    retryable: false,
    charged: 'never',
  },
  SECOND_FACTOR_REQUIRED: {
    httpStatus: 401,
    onRecharge: 'error',
    message: 'A second factor is required. Send `code` or `passkey` with the email address and password.',
    meaning: 'In the console: the password is correct, but the user has a second factor that was not verified.',
    action: 'Sign in again with `code` (from the authenticator app, or a recovery code) or with `passkey`.',
    logLevel: 'info',
    retryable: false,
    charged: 'never',
  },
  SECOND_FACTOR_NOT_ENROLLED: {
    httpStatus: 403,
    onRecharge: 'error',
    message: 'A second factor is required. Add one to continue.',
    meaning:
      'In the console: the user must have a second factor and has not added one yet. This session can only add a second factor.',
    action: 'Add a second factor with `startTotp` and `confirmTotp`, or with `startPasskey` and `confirmPasskey`.',
    logLevel: 'info',
    retryable: false,
    charged: 'never',
  },
  STEP_UP_REQUIRED: {
    httpStatus: 403,
    onRecharge: 'error',
    message:
      'Step-up verification is required. Verify your second factor with `confirmSecondFactor`, then retry the request.',
    meaning:
      'In the console, actions that affect money, keys or identity require a second factor verified within the last 5 minutes.',
    action: 'Call `confirmSecondFactor` in this session, then retry the request.',
    logLevel: 'info',
    retryable: false,
    charged: 'never',
  },
  WRONG_HOST: {
    httpStatus: 401,
    onRecharge: 'error',
    message: 'These credentials are for another host.',
    meaning:
      'UAT credentials and tokens are valid only on the UAT host, and Production credentials and tokens are valid only on the Production host. The message names the correct host.',
    action: 'Use the host named in `message`, or use credentials for this host.',
    logLevel: 'info',
    retryable: false,
    charged: 'never',
  },
  TOO_MANY_FAILED_EXCHANGES: {
    httpStatus: 429,
    onRecharge: 'error',
    message: 'Too many failed attempts. Try again later.',
    meaning:
      'Within 15 minutes there were 10 failed sign-ins, token exchanges or emailed links for this identifier and IP address, or 100 for this IP address. Token exchanges are counted separately. A correct API secret is never rejected.',
    action:
      'Wait for the time in Retry-After and check the API secret. Reuse the access token instead of exchanging the credentials for each call.',
    logLevel: 'warn',
    retryable: true,
    charged: 'never',
  },
  RATE_LIMITED: {
    httpStatus: 429,
    onRecharge: 'error',
    message: 'Too many requests to this endpoint. Retry after the time in Retry-After.',
    meaning:
      'The calls to this endpoint, over REST and GraphQL together, exceeded its limit per minute. Retries with a client_request_id that was already used are still served, up to 60 per minute. Beyond that, the error contains api_request_id and order_status (extensions.apiRequestId, extensions.orderStatus).',
    action: 'Wait for the time in Retry-After, then retry the request.',
    logLevel: 'info',
    retryable: true,
    charged: 'never',
  },
  ONBOARDING_INCOMPLETE: {
    httpStatus: 403,
    onRecharge: 'error',
    message: 'This account is not approved yet.',
    meaning: 'An account must complete sign-up and KYC and be approved by an admin before it can call the API.',
    action: 'Complete the onboarding steps shown in the console and wait for the approval.',
    logLevel: 'info',
    retryable: false,
    charged: 'never',
  },
  ACCESS_DISABLED: {
    httpStatus: 403,
    onRecharge: 'error',
    message: 'This service is not enabled for the account.',
    meaning: 'An admin must enable the service named in `message`.',
    action: 'Ask support to enable the service named in `message`.',
    logLevel: 'info',
    retryable: false,
    charged: 'never',
  },
  PRODUCTION_LOCKED: {
    httpStatus: 403,
    onRecharge: 'error',
    message: 'Production access is not enabled for this account.',
    meaning: 'An admin must enable Production access after the account is approved.',
    action: 'Ask support to enable Production access.',
    logLevel: 'info',
    retryable: false,
    charged: 'never',
  },
  SUSPENDED: {
    httpStatus: 403,
    onRecharge: 'error',
    message: 'This account or API key is suspended.',
    meaning: 'An admin suspended the account or the API key.',
    action: 'Contact support.',
    logLevel: 'info',
    retryable: false,
    charged: 'never',
  },
  UAT_ONLY: {
    httpStatus: 403,
    onRecharge: 'error',
    message: 'This operation is available only on the UAT host.',
    meaning: 'This operation exists only in the sandbox (UAT).',
    action: 'Call the UAT host named in `message` with UAT credentials.',
    logLevel: 'info',
    retryable: false,
    charged: 'never',
  },
  CROSS_ORIGIN_FORBIDDEN: {
    httpStatus: 403,
    onRecharge: 'error',
    message: 'Cross-origin browser requests cannot exchange credentials. Call this endpoint from your server.',
    meaning:
      'A browser sent a preflight request or a credential exchange from a page whose origin is not allowed on this host. The credentials were not checked, and the request does not count as a failed attempt.',
    action:
      'Exchange the credentials on your server and give the page a client token, or ask an administrator to add the origin of the page to the allowed origins.',
    logLevel: 'info',
    retryable: false,
    charged: 'never',
  },
  SPENDING_CAP_REACHED: {
    httpStatus: 403,
    onRecharge: 'error',
    message: 'The spending limit of this client token has been reached.',
    meaning: 'The lookup fees of the client token have reached its `maxSpend`.',
    action: 'Create a new client token on your server, with a higher `maxSpend` if necessary.',
    logLevel: 'info',
    retryable: false,
    charged: 'never',
  },
  FORBIDDEN: {
    httpStatus: 403,
    onRecharge: 'error',
    message: 'Your role does not allow this.',
    meaning:
      'The signed-in user does not have the role that the field requires, or the client token does not have the required scope.',
    action:
      'Use an account with the required role (console), or use the access token of your server instead of a client token.',
    logLevel: 'info',
    retryable: false,
    charged: 'never',
  },
  VALIDATION_FAILED: {
    httpStatus: 422,
    onRecharge: 'failed',
    message: 'The request is not valid.',
    meaning:
      'One or more fields are missing or invalid. The error lists all of them. On recharge, the HTTP status is 400.',
    action: 'Correct the fields listed in the error. A retry with the same values will be rejected again.',
    logLevel: 'debug',
    retryable: false,
    charged: 'never',
  },
  IDEMPOTENCY_KEY_REUSED: {
    httpStatus: 409,
    onRecharge: 'error',
    message: 'This client_request_id was already used for a different request.',
    meaning:
      'An idempotency key is bound permanently to one number, amount, operator and type. api_request_id (extensions.apiRequestId) identifies the earlier order. This error does not include its status.',
    action:
      'Use a new idempotency key for a different recharge. To learn the outcome of the earlier order, check its status.',
    logLevel: 'info',
    retryable: false,
    charged: 'never',
  },
  DUPLICATE_ORDER: {
    httpStatus: 409,
    onRecharge: 'error',
    message: 'Duplicate order: this orderid was already used.',
    meaning:
      'A payment with this orderid exists. Its status is in order_status (extensions.orderStatus) and in the header X-Order-Status. Do not pay again.',
    action: 'Read the status of the payment in order_status. Use a new orderid to pay another bill.',
    logLevel: 'info',
    retryable: false,
    charged: 'never',
  },
  LIKELY_DUPLICATE: {
    httpStatus: 409,
    onRecharge: 'error',
    message: 'The same recharge without a client_request_id was placed recently.',
    meaning:
      'The duplicate guard of the account rejects a recharge without an idempotency key if a recent recharge had the same number, amount, operator and type. api_request_id (extensions.apiRequestId) identifies the earlier order, and order_status (extensions.orderStatus) is its status.',
    action:
      'Do not retry. Check the status of the order in api_request_id. If you intend a second recharge, send it with a new idempotency key.',
    logLevel: 'info',
    retryable: false,
    charged: 'never',
  },
  BILL_PAYMENT_IN_PROGRESS: {
    httpStatus: 409,
    onRecharge: 'error',
    message: 'A payment for this fetch_id is in progress.',
    meaning: 'Only one payment for a fetched bill can be in progress at a time.',
    action: 'Check the status of the payment with this fetch_id until it is final.',
    logLevel: 'info',
    retryable: true,
    charged: 'never',
  },
  INSUFFICIENT_BALANCE: {
    httpStatus: 400,
    onRecharge: 'failed',
    message: 'Insufficient wallet balance.',
    meaning:
      'The wallet of this environment does not cover the amount or fee. `required` and `available` contain both amounts. The idempotency key can be used again.',
    action: 'Add funds to the wallet, then retry the request.',
    logLevel: 'info',
    retryable: true,
    charged: 'never',
    extras: ['required', 'available'],
  },
  PROVIDER_DECLINED: {
    httpStatus: 400,
    onRecharge: 'failed',
    message: GENERIC_PROVIDER_FAILURE,
    meaning:
      'The provider declined the recharge or payment. This outcome is final. `reason` contains the cause, and the amount was refunded.',
    action: 'Refund your customer. Use a new idempotency key for a new order.',
    logLevel: 'info',
    retryable: false,
    charged: 'refunded',
    extras: ['reason'],
  },
  PROVIDER_FAILED: {
    httpStatus: 400,
    // this code is never used for a recharge, because the provider declines it (PROVIDER_DECLINED) or its status is unknown
    onRecharge: 'error',
    message: GENERIC_PROVIDER_FAILURE,
    meaning: 'A lookup, bill fetch, product or lead call failed at the provider. Any fee was refunded.',
    action: 'Retry the request now or later. The failed request was not charged.',
    logLevel: 'info',
    retryable: true,
    charged: 'refunded',
  },
  LEAD_REFUSED: {
    httpStatus: 400,
    onRecharge: 'error',
    message: 'The lead provider declined the request.',
    meaning:
      'The lead provider declined the profile or the lead. `reason` contains the cause. Nothing was stored or charged.',
    action: 'Ask your customer for correct values. The same request will be declined again.',
    logLevel: 'info',
    retryable: false,
    charged: 'never',
    extras: ['reason'],
  },
  REVERSED: {
    httpStatus: 400,
    onRecharge: 'failed',
    message: 'This transaction was reversed after it succeeded. The amount was refunded to the wallet.',
    meaning:
      'A successful transaction was reversed later. `reason` states whether the provider or support reversed it.',
    action: 'Refund your customer.',
    logLevel: 'warn',
    retryable: false,
    charged: 'reversed',
    extras: ['reason'],
  },
  CONFLICT: {
    httpStatus: 409,
    onRecharge: 'error',
    message: 'The record was changed in the meantime, or its state does not allow this operation.',
    meaning: 'Another user or request changed the record first, or the record is not in the required state.',
    action: 'Read the record again, then decide whether to retry.',
    logLevel: 'info',
    retryable: false,
    charged: 'never',
  },
  STREAM_REPLACED: {
    httpStatus: 409,
    onRecharge: 'error',
    message: 'A newer client-token stream for this order replaced this stream.',
    meaning:
      'Last event of a client-token stream. For each order, only one client-token request can wait for the outcome. A newer request, for example after a page reload, closed this stream.',
    action:
      'Do nothing if you opened the newer stream. Otherwise read the order once, and subscribe again when no other client is subscribed.',
    logLevel: 'debug',
    retryable: false,
    charged: 'never',
  },
  STREAM_ENDED: {
    httpStatus: 503,
    onRecharge: 'error',
    message: 'This stream has ended. Subscribe again, then list the orders that changed in the meantime.',
    meaning:
      'Last event of a stream that cannot continue. Its server process is stopping, `ordersChanged` or `workChanged` was open for 15 minutes, or the client read more slowly than orders changed.',
    action: 'Subscribe again, then list the orders that changed since the last event you received.',
    logLevel: 'debug',
    retryable: true,
    charged: 'never',
  },
  SENT_RECENTLY: {
    httpStatus: 409,
    onRecharge: 'error',
    message: 'This payment was sent too recently; the provider may not list it yet.',
    meaning:
      'In the console: the order cannot be resolved as failed yet, because its provider may still list the payment as successful. Nothing was changed.',
    action: 'Check the payment with the provider again after `retryAfterMs`, or resolve it now with `allowRecentSend`.',
    logLevel: 'info',
    // a retry of the same resolution would still be based on a status that was read too early
    retryable: false,
    charged: 'never',
  },
  RECORD_NOT_FOUND: {
    httpStatus: 404,
    onRecharge: 'error',
    message: 'Record not found.',
    meaning: 'The ID is unknown or belongs to another account.',
    action: 'Check the ID and its environment.',
    logLevel: 'info',
    retryable: false,
    charged: 'never',
  },
  ORDER_ARCHIVED: {
    httpStatus: 410,
    onRecharge: 'error',
    message: 'This order is archived.',
    meaning:
      'The month of the order was moved to the archive. The status of the order is final and is in order_status (extensions.orderStatus). api_request_id (extensions.apiRequestId) identifies the order.',
    action: 'Read the final status in order_status. Contact support for other details of the order.',
    logLevel: 'info',
    retryable: false,
    charged: 'never',
  },
  MALFORMED_REQUEST: {
    httpStatus: 400,
    onRecharge: 'error',
    message: 'The request body is not valid JSON.',
    meaning: 'The body is not a JSON object, or the GraphQL request does not contain a document.',
    action: 'Send a JSON object in UTF-8.',
    logLevel: 'debug',
    retryable: false,
    charged: 'never',
  },
  INVALID_DOCUMENT: {
    httpStatus: 400,
    onRecharge: 'error',
    message: 'The GraphQL document is not valid.',
    meaning:
      'The document cannot be parsed, does not match the schema of this host, or exceeds a limit. The message contains the reason.',
    action: 'Correct the document at the position in `locations`.',
    logLevel: 'debug',
    retryable: false,
    charged: 'never',
  },
  PERSISTED_QUERY_NOT_SUPPORTED: {
    httpStatus: 400,
    onRecharge: 'error',
    // clients that send hashes compare this text
    message: 'PersistedQueryNotSupported',
    meaning:
      'The GraphQL request contains only the hash of a document (extensions.persistedQuery). This service does not store documents.',
    action:
      'Send the document in `query`, without extensions.persistedQuery. Apollo Client and urql do this automatically.',
    logLevel: 'debug',
    retryable: false,
    charged: 'never',
  },
  REQUEST_TIMEOUT: {
    httpStatus: 408,
    onRecharge: 'error',
    message: 'The request did not arrive in time.',
    meaning: 'The client sent the request too slowly. Nothing was executed.',
    action: 'Retry the request.',
    logLevel: 'info',
    retryable: true,
    charged: 'never',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    httpStatus: 415,
    onRecharge: 'error',
    message: 'The request body must be application/json.',
    meaning:
      'The Content-Type header is missing, is not application/json (REST also accepts form fields) or does not match the body, or the body is compressed.',
    action: 'Send Content-Type: application/json and an uncompressed body.',
    logLevel: 'debug',
    retryable: false,
    charged: 'never',
  },
  NOT_ACCEPTABLE: {
    httpStatus: 406,
    onRecharge: 'error',
    message:
      'The Accept header contains none of application/json, application/graphql-response+json, text/event-stream and multipart/mixed;subscriptionSpec=1.0.',
    meaning: 'GraphQL: the Accept header contains no media type that this service can send. Nothing was executed.',
    action: 'Send the header Accept: application/json.',
    logLevel: 'debug',
    retryable: false,
    charged: 'never',
  },
  PAYLOAD_TOO_LARGE: {
    httpStatus: 413,
    onRecharge: 'error',
    message: 'The request body is larger than allowed.',
    meaning: 'Request bodies are limited to 64 KiB. KYC documents uploaded in the console are limited to 5 MiB.',
    action: 'Send a smaller body.',
    logLevel: 'info',
    retryable: false,
    charged: 'never',
  },
  NOT_FOUND: {
    httpStatus: 404,
    onRecharge: 'error',
    message: 'Path not found.',
    meaning: 'The path does not exist on this host.',
    action: 'Check the path and the base URL.',
    logLevel: 'debug',
    retryable: false,
    charged: 'never',
  },
  METHOD_NOT_ALLOWED: {
    httpStatus: 405,
    onRecharge: 'error',
    message: 'This method is not allowed for this path.',
    meaning: 'The path does not support the HTTP method. The Allow header lists the supported methods.',
    action: 'Use a method listed in the Allow header.',
    logLevel: 'debug',
    retryable: false,
    charged: 'never',
  },
  PROVIDER_UNAVAILABLE: {
    httpStatus: 503,
    onRecharge: 'error',
    message: 'The provider is not available at the moment. Nothing was charged.',
    meaning:
      'The provider is temporarily unavailable: its circuit breaker is open, a required call to it failed, or too many payments sent to it have no final status (exposure limit).',
    action: 'Retry the request after the time in Retry-After.',
    logLevel: 'warn',
    retryable: true,
    charged: 'never',
  },
  OVERLOADED: {
    httpStatus: 503,
    onRecharge: 'error',
    message: 'The service is busy. Nothing was charged.',
    meaning: 'The service rejected the request because of high load. No money was moved.',
    action: 'Retry the request after the time in Retry-After.',
    logLevel: 'warn',
    retryable: true,
    charged: 'never',
  },
  DEPENDENCY_DOWN: {
    httpStatus: 503,
    onRecharge: 'error',
    message: 'Part of the service is not available at the moment. Nothing was charged.',
    meaning:
      'The database could not be reached before money was moved, or new orders are paused. In the second case, the message contains the notice.',
    action:
      'Retry the request after the time in Retry-After, with the same idempotency key, so that nothing is processed twice.',
    logLevel: 'error',
    retryable: true,
    charged: 'never',
  },
  INTERNAL: {
    httpStatus: 500,
    onRecharge: 'error',
    message: 'Internal error.',
    meaning: 'An error in this service. Money may already have been moved.',
    action:
      'Check the order status or retry with the same idempotency key before you create a new order. Include the request ID when you contact support.',
    logLevel: 'error',
    retryable: false,
    charged: 'unknown',
  },
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof errorCatalogue;

/** Error page of each API host. Every code is an anchor on this page. */
const ERRORS_PATH = '/docs/errors';

export type DocUrl = (code: ErrorCode) => string;

/**
 * Returns the URLs of the documentation of error codes.
 * @param baseUrl public URL of an API host, without a trailing slash
 */
export const docUrlsOf =
  (baseUrl: string): DocUrl =>
  (code) =>
    `${baseUrl}${ERRORS_PATH}#${code}`;
