/**
 * The one error catalogue. REST bodies (`code`), GraphQL (`extensions.code`), the error reference and the logs all read it.
 * `retryable`: the identical request may succeed later without a change by the caller.
 * `charged`: what became of the caller's money by this request: none was taken, it was given back, or nobody knows. A refusal
 * charged nothing; it says nothing about an order that an earlier request placed.
 * `action`: what the caller does about it.
 * `onRecharge`: the word of `status` on POST /api/v1/recharge. Only an order has a verdict: `failed` stands where the order ended
 * with the money back, or where a first request was refused before there was one. Every other refusal is about the request and is
 * `error`, as all failures of all other paths are.
 * `extras`: what stands beside the code, of REST at the top of the body, of GraphQL in the extensions: the `reason` of a decline or of
 * a refused lead; the rupees that were `required` and `available`.
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

/** The one rule of `charged` where it is yes or no: money was kept, or may have been. What came back was not. */
export const keepsMoney = (charged: CatalogueEntry['charged']): boolean => charged === 'unknown';

/** Money was taken and came back. */
export const gaveMoneyBack = (charged: CatalogueEntry['charged']): boolean =>
  charged === 'refunded' || charged === 'reversed';

const GENERIC_PROVIDER_FAILURE =
  'The provider could not complete the request. Check credentials, wallet balance or validation errors.';

export const errorCatalogue = {
  UNAUTHENTICATED: {
    httpStatus: 401,
    onRecharge: 'error',
    message: 'The access token is missing, unknown, expired or revoked.',
    meaning: 'There is no token, or it has ended, or this service did not make it.',
    action: 'Exchange the credentials for a new token, and send the request again with that one.',
    logLevel: 'info',
    retryable: false,
    charged: 'never',
  },
  INVALID_CREDENTIALS: {
    httpStatus: 401,
    onRecharge: 'error',
    message: 'The credentials are not valid.',
    meaning: 'Client id, API secret or password is unknown, wrong or revoked; the answer never says which.',
    action: 'Check client id and secret; make a new key on the console when the secret is lost.',
    logLevel: 'info',
    retryable: false,
    charged: 'never',
  },
  SECOND_FACTOR_REQUIRED: {
    httpStatus: 401,
    onRecharge: 'error',
    message: 'This user has a second factor: send code or passkey with email address and password.',
    meaning: 'On the console: the password is right, and the user has a second factor that was not shown.',
    action: 'Sign in again with code (of the authenticator, or a recovery code), or with passkey.',
    logLevel: 'info',
    retryable: false,
    charged: 'never',
  },
  SECOND_FACTOR_NOT_ENROLLED: {
    httpStatus: 403,
    onRecharge: 'error',
    message: 'This session can only add a second factor, which its user has to have.',
    meaning: 'On the console: the user must have a second factor and has none yet.',
    action: 'Add one with startTotp and confirmTotp, or with startPasskey and confirmPasskey.',
    logLevel: 'info',
    retryable: false,
    charged: 'never',
  },
  STEP_UP_REQUIRED: {
    httpStatus: 403,
    onRecharge: 'error',
    message: 'Show your second factor again: confirmSecondFactor, then send the same request.',
    meaning:
      'On the console: a change of money, keys or identity requires a second factor that was verified within the last 5 minutes.',
    action: 'Call confirmSecondFactor in this session, then send the same request again.',
    logLevel: 'info',
    retryable: false,
    charged: 'never',
  },
  WRONG_HOST: {
    httpStatus: 401,
    onRecharge: 'error',
    message: 'These credentials belong to another host.',
    meaning:
      'UAT credentials and tokens work only on the UAT host, Production ones only on the Production host. The message names the right one.',
    action: 'Use the host that the message names, or the keys of this one.',
    logLevel: 'info',
    retryable: false,
    charged: 'never',
  },
  TOO_MANY_FAILED_EXCHANGES: {
    httpStatus: 429,
    onRecharge: 'error',
    message: 'Too many failed attempts. Try again later.',
    meaning:
      'Ten failed sign-ins, token exchanges or links in 15 minutes for this identifier and address, or a hundred for this address; exchanges are counted apart, and a right API secret is never refused.',
    action:
      'Wait as long as Retry-After says, and check the secret: keep the token instead of exchanging for each call.',
    logLevel: 'warn',
    retryable: true,
    charged: 'never',
  },
  RATE_LIMITED: {
    httpStatus: 429,
    onRecharge: 'error',
    message: 'Too many requests to this endpoint. Retry after the time in Retry-After.',
    meaning:
      'More calls per minute than the limit of this endpoint, over REST and GraphQL together. A repetition of a known client_request_id is answered all the same, 60 times a minute; above that api_request_id and order_status (extensions.apiRequestId, extensions.orderStatus) tell the state of its order.',
    action: 'Wait as long as Retry-After says, then send the same request again.',
    logLevel: 'info',
    retryable: true,
    charged: 'never',
  },
  ONBOARDING_INCOMPLETE: {
    httpStatus: 403,
    onRecharge: 'error',
    message: 'This account is not approved yet.',
    meaning: 'Sign-up, KYC and admin approval come before the first call.',
    action: 'Wait for the approval; the console shows what is missing.',
    logLevel: 'info',
    retryable: false,
    charged: 'never',
  },
  ACCESS_DISABLED: {
    httpStatus: 403,
    onRecharge: 'error',
    message: 'This service is not enabled for the account.',
    meaning: 'An admin has to enable the service key named in the message.',
    action: 'Ask the operator for the service that the message names.',
    logLevel: 'info',
    retryable: false,
    charged: 'never',
  },
  PRODUCTION_LOCKED: {
    httpStatus: 403,
    onRecharge: 'error',
    message: 'Live access is not unlocked for this account.',
    meaning: 'An admin unlocks Production for an approved account.',
    action: 'Ask the operator for live access.',
    logLevel: 'info',
    retryable: false,
    charged: 'never',
  },
  SUSPENDED: {
    httpStatus: 403,
    onRecharge: 'error',
    message: 'This account or key is suspended.',
    meaning: 'An admin has suspended the account or the key.',
    action: 'Talk to the operator.',
    logLevel: 'info',
    retryable: false,
    charged: 'never',
  },
  UAT_ONLY: {
    httpStatus: 403,
    onRecharge: 'error',
    message: 'This is there on the UAT host alone.',
    meaning: 'A tool of the sandbox, which production has not.',
    action: 'Call it on the UAT host, which the message names, with UAT credentials.',
    logLevel: 'info',
    retryable: false,
    charged: 'never',
  },
  CROSS_ORIGIN_FORBIDDEN: {
    httpStatus: 403,
    onRecharge: 'error',
    message: 'Pages of other origins may not exchange credentials: a server sends them.',
    meaning:
      'A browser sent a preflight request or a credential exchange for a page of an origin that this host does not list. Credentials were not checked, and the request does not count as a failed attempt.',
    action:
      'Exchange the credentials on your server and give the page a client token. Ask the administrator to list the origin of the page.',
    logLevel: 'info',
    retryable: false,
    charged: 'never',
  },
  SPENDING_CAP_REACHED: {
    httpStatus: 403,
    onRecharge: 'error',
    message: 'The fees of this client token have reached its cap.',
    meaning: 'The lookups of the client token have cost as much as maxSpend allows.',
    action: 'Let the server make a new client token, or one with a higher maxSpend.',
    logLevel: 'info',
    retryable: false,
    charged: 'never',
  },
  FORBIDDEN: {
    httpStatus: 403,
    onRecharge: 'error',
    message: 'Your role does not allow this.',
    meaning: 'The signed-in user lacks the role that the field needs, or the client token its scope.',
    action: 'Use an account with the role (console), or the server’s own token instead of a client token.',
    logLevel: 'info',
    retryable: false,
    charged: 'never',
  },
  VALIDATION_FAILED: {
    httpStatus: 422,
    onRecharge: 'failed',
    message: 'The request is not valid.',
    meaning: 'One or more fields are missing or wrong; every one of them is named. On recharge the HTTP status is 400.',
    action: 'Repair the named fields; the same values are refused again.',
    logLevel: 'debug',
    retryable: false,
    charged: 'never',
  },
  IDEMPOTENCY_KEY_REUSED: {
    httpStatus: 409,
    onRecharge: 'error',
    message: 'This client_request_id was used before with a different request.',
    meaning:
      'A key stands for one number, amount, operator and type for ever; a different recharge needs a key of its own. api_request_id (extensions.apiRequestId) names the earlier order, whose state this does not tell.',
    action: 'Use a key of its own for another recharge; to learn of the earlier one, ask for its status.',
    logLevel: 'info',
    retryable: false,
    charged: 'never',
  },
  DUPLICATE_ORDER: {
    httpStatus: 409,
    onRecharge: 'error',
    message: 'Duplicate order: this orderid was used before.',
    meaning:
      'A payment with this orderid exists. order_status and the header X-Order-Status (extensions.orderStatus) have its state; do not pay again.',
    action: 'Read the state of the payment in order_status; pay another bill with an orderid of its own.',
    logLevel: 'info',
    retryable: false,
    charged: 'never',
  },
  LIKELY_DUPLICATE: {
    httpStatus: 409,
    onRecharge: 'error',
    message: 'An equal recharge without a client_request_id was placed a short time ago.',
    meaning:
      'The account has a duplicate guard: without a key, the number, amount, operator and type of a recent recharge are refused. api_request_id (extensions.apiRequestId) names the earlier one, and order_status (extensions.orderStatus) its state.',
    action:
      'Never repeat it: ask for the status of the order that is named. A second recharge that is meant needs a key of its own.',
    logLevel: 'info',
    retryable: false,
    charged: 'never',
  },
  BILL_PAYMENT_IN_PROGRESS: {
    httpStatus: 409,
    onRecharge: 'error',
    message: 'A payment for this fetch_id is in progress.',
    meaning: 'One payment at a time for a fetched bill; look at the first payment before trying again.',
    action: 'Ask for the status of the payment with this fetch_id until it has ended.',
    logLevel: 'info',
    retryable: true,
    charged: 'never',
  },
  INSUFFICIENT_BALANCE: {
    httpStatus: 400,
    onRecharge: 'failed',
    message: 'Insufficient wallet balance.',
    meaning:
      'The wallet of this environment cannot pay the amount or fee; required and available say how far. The idempotency key is not consumed.',
    action: 'Credit the wallet, then send the same request again.',
    logLevel: 'info',
    retryable: true,
    charged: 'never',
    extras: ['required', 'available'],
  },
  PROVIDER_DECLINED: {
    httpStatus: 400,
    onRecharge: 'failed',
    message: GENERIC_PROVIDER_FAILURE,
    meaning: 'The provider refused the recharge or payment for good; reason says why. The debit is refunded.',
    action: 'Give the money back to your customer; a new order needs a new key.',
    logLevel: 'info',
    retryable: false,
    charged: 'refunded',
    extras: ['reason'],
  },
  PROVIDER_FAILED: {
    httpStatus: 400,
    // of no recharge: what a provider says of one is PROVIDER_DECLINED, or nothing certain
    onRecharge: 'error',
    message: GENERIC_PROVIDER_FAILURE,
    meaning: 'A lookup, bill fetch, product or lead call failed at the provider. A fee is refunded.',
    action: 'Send the request again, or later; it has cost nothing.',
    logLevel: 'info',
    retryable: true,
    charged: 'refunded',
  },
  LEAD_REFUSED: {
    httpStatus: 400,
    onRecharge: 'error',
    message: 'The lead provider refused the request.',
    meaning:
      'The lead provider refused the profile or the lead as it was sent; reason says why. Nothing was stored, and nothing costs a fee.',
    action: 'Ask your customer for the right values: the same request is refused again.',
    logLevel: 'info',
    retryable: false,
    charged: 'never',
    extras: ['reason'],
  },
  REVERSED: {
    httpStatus: 400,
    onRecharge: 'failed',
    message: 'This transaction was reversed after it had succeeded; the amount was returned to the wallet.',
    meaning: 'A success that was reversed later; reason says whether the provider or support reversed it.',
    action: 'Give the money back to your customer.',
    logLevel: 'warn',
    retryable: false,
    charged: 'reversed',
    extras: ['reason'],
  },
  CONFLICT: {
    httpStatus: 409,
    onRecharge: 'error',
    message: 'The record was changed by somebody else, or is not in the state this needs.',
    meaning: 'Somebody else was faster, or the record has moved on.',
    action: 'Read the record again and decide anew.',
    logLevel: 'info',
    retryable: false,
    charged: 'never',
  },
  STREAM_REPLACED: {
    httpStatus: 409,
    onRecharge: 'error',
    message: 'A newer request of a client token waits for this order; this stream ends.',
    meaning:
      'The last event of a stream of a client token: of each order one request of client tokens waits at a time, and a newer one, such as that of a page that was loaded again, takes the place of the older.',
    action:
      'Nothing where the newer one is your own. Else ask for the order once, and open the stream again when nothing else listens.',
    logLevel: 'debug',
    retryable: false,
    charged: 'never',
  },
  STREAM_ENDED: {
    httpStatus: 503,
    onRecharge: 'error',
    message: 'This stream ends here: subscribe again, and list the orders for what it missed.',
    meaning:
      'The last event of a stream that cannot go on: its process ends, ordersChanged or workChanged was open for a quarter of an hour, or its reader was slower than orders change.',
    action: 'Subscribe again, and then list the orders from the last one that you saw on.',
    logLevel: 'debug',
    retryable: true,
    charged: 'never',
  },
  SENT_RECENTLY: {
    httpStatus: 409,
    onRecharge: 'error',
    message: 'This payment may have left so short a time ago that its provider need not show it yet.',
    meaning:
      'On the console: an order was called failed although its provider may only show later that it performed it. Nothing changed.',
    action: 'Look at the provider again after retryAfterMs; or decide at once with allowRecentSend.',
    logLevel: 'info',
    // the same decision later would rest on what was seen too early
    retryable: false,
    charged: 'never',
  },
  RECORD_NOT_FOUND: {
    httpStatus: 404,
    onRecharge: 'error',
    message: 'No such record.',
    meaning: 'The id is unknown, or belongs to somebody else.',
    action: 'Check the id, and that it is of this environment.',
    logLevel: 'info',
    retryable: false,
    charged: 'never',
  },
  ORDER_ARCHIVED: {
    httpStatus: 410,
    onRecharge: 'error',
    message: 'This order is archived.',
    meaning:
      'The order is so old that its month has left for the archive. It is over, and nothing about it changes any more: order_status (extensions.orderStatus) says how it ended, api_request_id (extensions.apiRequestId) which it is.',
    action: 'Read how it ended in order_status; the operator can look the rest up.',
    logLevel: 'info',
    retryable: false,
    charged: 'never',
  },
  MALFORMED_REQUEST: {
    httpStatus: 400,
    onRecharge: 'error',
    message: 'The request body is not valid JSON.',
    meaning: 'The body could not be read as a JSON object, or the GraphQL request has no usable document.',
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
      'The document does not parse, does not fit the schema of this host, or is over a limit; the message says which.',
    action: 'Repair the document at the place in locations.',
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
      'A GraphQL request has only the hash of a document (extensions.persistedQuery). The service stores no documents.',
    action:
      'Send the text of the document in query, without extensions.persistedQuery. Apollo Client and urql do so themselves.',
    logLevel: 'debug',
    retryable: false,
    charged: 'never',
  },
  REQUEST_TIMEOUT: {
    httpStatus: 408,
    onRecharge: 'error',
    message: 'The request did not arrive in time.',
    meaning: 'The client was too slow in sending it; nothing was done. The same request may be sent again.',
    action: 'Send the same request again.',
    logLevel: 'info',
    retryable: true,
    charged: 'never',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    httpStatus: 415,
    onRecharge: 'error',
    message: 'Send the body as application/json.',
    meaning:
      'The Content-Type header is missing, is not application/json (REST takes form fields too) or calls JSON a form; or the body is compressed.',
    action: 'Send Content-Type: application/json and an uncompressed body.',
    logLevel: 'debug',
    retryable: false,
    charged: 'never',
  },
  NOT_ACCEPTABLE: {
    httpStatus: 406,
    onRecharge: 'error',
    message:
      'The Accept header has none of application/json, application/graphql-response+json, text/event-stream and multipart/mixed;subscriptionSpec=1.0.',
    meaning: 'GraphQL: the Accept header has no media type that this service sends. Nothing was executed.',
    action: 'Accept application/json.',
    logLevel: 'debug',
    retryable: false,
    charged: 'never',
  },
  PAYLOAD_TOO_LARGE: {
    httpStatus: 413,
    onRecharge: 'error',
    message: 'The request body is larger than allowed.',
    meaning: 'Bodies are limited to 64 KiB; on the console, a document of KYC to 5 MiB.',
    action: 'Send less.',
    logLevel: 'info',
    retryable: false,
    charged: 'never',
  },
  NOT_FOUND: {
    httpStatus: 404,
    onRecharge: 'error',
    message: 'No such path.',
    meaning: 'The path does not exist on this host.',
    action: 'Check path and base URL.',
    logLevel: 'debug',
    retryable: false,
    charged: 'never',
  },
  METHOD_NOT_ALLOWED: {
    httpStatus: 405,
    onRecharge: 'error',
    message: 'This method is not allowed here.',
    meaning: 'The Allow header lists the methods of the path.',
    action: 'Use a method that the Allow header lists.',
    logLevel: 'debug',
    retryable: false,
    charged: 'never',
  },
  PROVIDER_UNAVAILABLE: {
    httpStatus: 503,
    onRecharge: 'error',
    message: 'The provider is not available at the moment. Nothing was charged.',
    meaning:
      'The breaker of the provider is open, it could not be asked for something the request needs, or its exposure limit is reached: too many payments sent to it have no final status.',
    action: 'Send the same request again after Retry-After.',
    logLevel: 'warn',
    retryable: true,
    charged: 'never',
  },
  OVERLOADED: {
    httpStatus: 503,
    onRecharge: 'error',
    message: 'The service is busy. Nothing was charged.',
    meaning: 'Admission control refused the call before money moved.',
    action: 'Send the same request again after Retry-After.',
    logLevel: 'warn',
    retryable: true,
    charged: 'never',
  },
  DEPENDENCY_DOWN: {
    httpStatus: 503,
    onRecharge: 'error',
    message: 'A part of the service is not available at the moment. Nothing was charged.',
    meaning:
      'The database could not be reached before money moved, or new orders are paused, and the message has the notice.',
    action: 'Send the same request again after Retry-After; with the same key nothing happens twice.',
    logLevel: 'error',
    retryable: true,
    charged: 'never',
  },
  INTERNAL: {
    httpStatus: 500,
    onRecharge: 'error',
    message: 'Internal error.',
    meaning: 'A defect of this service, which may have come after money moved. Quote the request id.',
    action: 'Look the order up, or repeat the request with the same key, before anything new; report the request id.',
    logLevel: 'error',
    retryable: false,
    charged: 'unknown',
  },
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof errorCatalogue;

/** The page about errors on each API host: every code is an anchor of it. */
const ERRORS_PATH = '/docs/errors';

/** Where a person reads about a code: an absolute URL. */
export type DocUrl = (code: ErrorCode) => string;

/** @param baseUrl the public address of an API host, without a slash at its end */
export const docUrlsOf =
  (baseUrl: string): DocUrl =>
  (code) =>
    `${baseUrl}${ERRORS_PATH}#${code}`;
