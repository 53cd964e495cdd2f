import {
  ADDRESS_ATTEMPTS_LIMIT,
  ATTEMPTS_LIMIT,
  ATTEMPTS_WINDOW_S,
  KNOWN_ATTEMPTS_LIMIT,
  WIDE_ATTEMPTS_LIMIT,
} from '../accounts/attempts.js';
import { MAX_FEE, MAX_RATE_LIMIT } from '../accounts/developers/developer.verbs.js';
import {
  ENDING_CREDENTIALS_PER_ENVIRONMENT,
  LIVE_CREDENTIALS_PER_ENVIRONMENT,
} from '../accounts/keys/credential.service.js';
import {
  MAILS_PER_ADDRESS,
  MAILS_PER_ADDRESS_AND_MAILBOX,
  MAILS_PER_MAILBOX,
  MAILS_PER_MAILBOX_WITH_NEWCOMERS,
} from '../accounts/people/mail-allowance.js';
import { LINK_TTL_MS as PASSWORD_LINK_MS } from '../accounts/people/password.service.js';
import { PASSWORDS_FOR_KNOWN, PASSWORDS_WAITING } from '../accounts/people/passwords.js';
import { SESSION_TTL_MS } from '../accounts/people/session.service.js';
import { MAX_LISTED } from '../accounts/people/user.service.js';
import { CHALLENGE_TTL_MS } from '../accounts/second-factors/passkeys.js';
import { WRONG_CODES_PER_DAY } from '../accounts/second-factors/proofs.js';
import { RECOVERY_CODES } from '../accounts/second-factors/recovery-codes.js';
import { MAX_FACTORS } from '../accounts/second-factors/second-factor.service.js';
import { MAX_CREDIT } from '../accounts/wallet-credit.js';
import { APPROVAL_REQUEST_DAYS } from '../approval-requests/approval-request.service.js';
import { amounts, orders } from '../config/order.settings.js';
import { accounts, traffic, webhooks } from '../config/service.settings.js';
import type { Setting } from '../config/setting.js';
import { type Paise, rupeesNumber } from '../core/money.js';
import { CLIENTS_SHARE, DEFAULT_SESSION_IDLE_MINUTES, SESSION_IDLE_MINUTES, STEP_UP_MS } from '../core/principal.js';
import { MAX_COUNTED_KEYS } from '../core/window-counts.js';
import { MAX_ORDERS } from '../decisions/bulk-decision.types.js';
import { MAX_ERRORS } from '../graphql/documents/check.js';
import { MAX_ROWS } from '../graphql/documents/cost.js';
import { ANONYMOUS_SHARE, INVALID_SHARE } from '../graphql/documents/counter.js';
import { VARIABLE_LIMITS } from '../graphql/documents/operation-errors.js';
import { MAX_PLACES } from '../graphql/documents/places.js';
import { DOCUMENT_LIMITS } from '../graphql/documents/size.js';
import { REPLAY_LIMIT, SESSION_LIMIT } from '../graphql/schema/limits.js';
import { DEFAULT_PAGE, MAX_PAGE } from '../graphql-toolkit/connection.js';
import { MAX_ITEMS, MAX_PROBLEMS } from '../graphql-toolkit/input.js';
import { AROUND_FILE_BYTES } from '../http/files/file-form.js';
import { UNFINISHED_WAIT_MS, UPLOADS_AT_ONCE } from '../http/files/uploads.js';
import {
  CLIENTS_SLOW_BODIES_PER_ACCOUNT,
  CLIENTS_SLOW_BODIES_PER_ADDRESS,
  SLOW_BODIES_PER_ACCOUNT,
} from '../http/limits/holders.js';
import {
  ANONYMOUS_BODY_LIMIT_BYTES,
  BODY_LIMIT_BYTES,
  CONNECTION_LIMIT_BYTES,
  NEWCOMERS_BODY_LIMIT_BYTES,
} from '../http/limits/memory.js';
import {
  AT_ONCE_MS,
  MIN_BODY_BYTES_PER_MS,
  MIN_BYTES_PER_MS,
  MIN_FILE_BYTES_PER_MS,
} from '../http/limits/slow-clients.js';
import { KEEP_ALIVE_MS, MAX_QUEUED } from '../http/limits/traffic.js';
import { MAX_FORM_FIELDS } from '../http/requests/bodies.js';
import { MAX_DAYS_IN_FILE, MAX_DAYS_IN_RESPONSE } from '../ledger/day-range.js';
import { MAX_DOCUMENT_BYTES, MAX_DOCUMENTS } from '../onboarding/kyc-document.js';
import { LINK_TTL_MS as SIGN_UP_LINK_MS } from '../onboarding/sign-up.store.js';
import { MAX_DOCUMENTS_PER_DAY, MAX_KIB_PER_DAY } from '../onboarding/upload-quota.js';
import { MAX_WAIT_MS } from '../orders/views/order.types.js';
import { MAX_STREAM_MS, MAX_UNREAD_ORDERS } from '../orders/views/order-feed.js';
import { MAX_DAYS_OF_ORDERS, MAX_KEYS, MAX_SCANNED } from '../orders/views/order-list.types.js';
import { MAX_WAITING_REQUESTS } from '../orders/views/order-waiters.js';
import { MAX_GROUPS, MAX_PLANS } from '../providers/ekychub/ekychub.mapping.js';
import { MAX_BODY_BYTES } from '../providers/http-exchange.js';
import { MAX_CALLS, MAX_CALLS_WAITING } from '../providers/providers.js';
import { MAX_WAITING as MAX_SCENARIOS, SCENARIO_VALID_HOURS } from '../providers/sandbox/scenario.store.js';
import { MAX_REFILL, MAX_REFILLS } from '../sandbox/refill.service.js';
import { REDELIVERED_AT_ONCE } from '../webhooks/webhook-delivery.store.js';
import { MAX_ENDPOINTS } from '../webhooks/webhook-endpoint.service.js';
import { TEST_RETRIES } from '../webhooks/webhook-event.js';
import { DELIVERIES_OF_ORDER } from '../webhooks/webhook-log.service.js';
import { CONNECTIONS_PER_RECEIVER, RECEIVER_TIMEOUT_MS } from '../webhooks/webhook-sender.js';
import { defaultOf } from './example-file.js';

/** Limit and its value: a number, a text, or the setting with its default. */
export type Limit = readonly [what: string, atMost: string | number | Setting<unknown>];

export const bytes = (count: number): string =>
  count < 1024 ** 2 ? `${count / 1024} KiB` : `${count / 1024 ** 2} MiB`;

const UNITS = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1_000, 'second'],
] as const;

/** Formats a duration in the largest unit that results in a whole number. */
export function time(ms: number): string {
  const [unit, name] = UNITS.find(([length]) => ms % length === 0)!;
  return `${ms / unit} ${name}${ms === unit ? '' : 's'}`;
}

export const inRupees = (amount: Paise): string => `₹${rupeesNumber(amount).toLocaleString('en-IN')}`;

const perMinute = (count: number): string => `${count.toLocaleString('en-IN')} per minute`;
const timesRate = (share: number): string => `${share} × \`RATE_LIMIT_PER_MINUTE\``;
const attempts = (count: number): string => `${count} in ${time(ATTEMPTS_WINDOW_S * 1_000)}`;

/** Formats a limit as shown in the list. */
export function limitText(atMost: Limit[1]): string {
  if (typeof atMost === 'string') return atMost;
  if (typeof atMost === 'number') return atMost.toLocaleString('en-IN');
  return `\`${atMost.variable}\`, \`${defaultOf(atMost)}\``;
}

const document = DOCUMENT_LIMITS;

/** All limits for callers that are not a rule of a single field, read from the code. */
export const limits: Readonly<Record<string, readonly Limit[]>> = {
  'Bodies and connections': [
    ['Request body', bytes(BODY_LIMIT_BYTES)],
    ['Request body without the token or session of an approved account', bytes(ANONYMOUS_BODY_LIMIT_BYTES)],
    [
      'GraphQL request in the console with a session of an account that is not approved',
      bytes(NEWCOMERS_BODY_LIMIT_BYTES),
    ],
    ['Fields of a form', MAX_FORM_FIELDS],
    ['Time limit for the headers, and again for the body', traffic.traffic.requestTimeoutMs],
    ['Time until the client starts to read the response', traffic.traffic.answerTimeoutMs],
    ['Minimum speed of reading a longer response', `${MIN_BYTES_PER_MS} KB/s`],
    ['Unread responses and requests per connection', bytes(CONNECTION_LIMIT_BYTES)],
    ['Idle time of a connection', time(KEEP_ALIVE_MS)],
    ['Connections per host', traffic.traffic.maxConnections],
    ['Time after the headers from which a body is slow', time(AT_ONCE_MS)],
    ['Minimum average speed of a slow body, after 5 seconds', `${MIN_BODY_BYTES_PER_MS} KB/s`],
    ['Minimum average speed of a slow file, after 10 seconds', `${MIN_FILE_BYTES_PER_MS} KB/s`],
    ['Slow bodies per host', traffic.traffic.maxSlowBodies],
    ['Slow bodies per account on all hosts of a process, or per staff user', SLOW_BODIES_PER_ACCOUNT],
    ['Slow bodies with client tokens of one account', CLIENTS_SLOW_BODIES_PER_ACCOUNT],
    ['Slow bodies with client tokens of one account and address', CLIENTS_SLOW_BODIES_PER_ADDRESS],
    ['Slow bodies per address without the token of an approved account', traffic.traffic.maxSlowBodiesPerAddress],
    ['Slow bodies per IPv6 /56 network, and per /48', '2 and 4 times as many'],
    ['Concurrent requests per host', traffic.maxInFlight],
    ['Queued requests per process', MAX_QUEUED],
  ],
  Rates: [
    ['Requests per developer, environment and endpoint, per minute', traffic.rateLimitPerMinute],
    ['Limit that an administrator can set instead', perMinute(MAX_RATE_LIMIT)],
    ['Requests per console session and endpoint', perMinute(SESSION_LIMIT)],
    ['Requests with client tokens per developer and environment', `${CLIENTS_SHARE} × the developer’s limit`],
    ['Replayed responses per idempotency key', perMinute(REPLAY_LIMIT)],
    ['Invalid documents per caller and minute', timesRate(INVALID_SHARE)],
    ['Introspection requests per caller and minute', timesRate(1)],
    ['Documents without a token per address and minute', timesRate(ANONYMOUS_SHARE)],
    ['Limits per address for an IPv6 /56 network, and for a /48', '2 and 4 times as many'],
    ['Callers per counter, after which the oldest is forgotten', MAX_COUNTED_KEYS],
    ['Failed token exchanges or sign-ins per identifier and address', attempts(ATTEMPTS_LIMIT)],
    ['Failed token exchanges or sign-ins per address', attempts(ADDRESS_ATTEMPTS_LIMIT)],
    ['Failed token exchanges or sign-ins per IPv6 /48 network', attempts(WIDE_ATTEMPTS_LIMIT)],
    [
      'Additional sign-ins of an identifier that succeeded from the address within a day',
      attempts(KNOWN_ATTEMPTS_LIMIT),
    ],
    ['Requests for emailed links per address', attempts(MAILS_PER_ADDRESS)],
    [
      'Requests for emailed links per address and mailbox, and emails to it per day',
      attempts(MAILS_PER_ADDRESS_AND_MAILBOX),
    ],
    ['Emails of one kind to a mailbox', `${MAILS_PER_MAILBOX} per day`],
    [
      'Emails of one kind to a mailbox, including requests from addresses that are new that day',
      `${MAILS_PER_MAILBOX_WITH_NEWCOMERS} per day`,
    ],
    ['Refills of test funds', `${MAX_REFILLS} per day`],
  ],
  'GraphQL documents': [
    ['Tokens', document.tokens],
    ['Operations', document.operations],
    ['Fragment spreads', document.spreads],
    ['Directives', document.directives],
    ['Fields with the same name, multiplied by their subfields', document.repetitions],
    ['Depth of an operation', document.depth],
    ['Root fields per operation', document.rootFields],
    ['Aliases per operation', document.aliases],
    ['Fields per operation', document.fields],
    ['`__schema` fields per operation', document.schemaFields],
    ['`__type` fields per operation', document.typeFields],
    ['Nested lists of an introspection query', document.schemaLists],
    ['Variables per operation', document.variables],
    ['Values in all variables', VARIABLE_LIMITS.values],
    ['Depth of a variable', VARIABLE_LIMITS.depth],
    ['Items in an input list', MAX_ITEMS],
    ['Rows per operation', MAX_ROWS],
    ['Reported errors per document', MAX_ERRORS],
    ['Reported locations per error', MAX_PLACES],
    ['Reported invalid values', MAX_PROBLEMS],
  ],
  'Waiting and streams': [
    ['Wait of a recharge or payment for its provider', orders.syncWindowMs],
    ['Wait of a request with `waitMs`', time(MAX_WAIT_MS)],
    ['Concurrent waits per user, or per developer with a lower rate limit', MAX_WAITING_REQUESTS],
    ['Duration of a stream', time(MAX_STREAM_MS)],
    ['Unread order changes per stream', MAX_UNREAD_ORDERS],
    ['Queued password checks per process', PASSWORDS_WAITING],
    ['Queued password checks reserved for known devices', PASSWORDS_FOR_KNOWN],
  ],
  'Lists and files': [
    ['Page size', MAX_PAGE],
    ['Default page size', DEFAULT_PAGE],
    ['Idempotency keys in `ordersByKey`', MAX_KEYS],
    ['Orders in `resolveOrders`', MAX_ORDERS],
    ['Days of an order list without a number or reference', MAX_DAYS_OF_ORDERS],
    ['Orders of an account that a filtered page searches', MAX_SCANNED.ofAccount],
    ['Orders of all accounts that a page without a number or reference searches', MAX_SCANNED.ofAllAccounts],
    ['Days of a wallet per response', MAX_DAYS_IN_RESPONSE],
    ['Days of a statement file', MAX_DAYS_IN_FILE],
    ['Listed deliveries per order', DELIVERIES_OF_ORDER],
    ['Listed users per account', MAX_LISTED],
    ['Plan groups', MAX_GROUPS],
    ['Plans', MAX_PLANS],
  ],
  'KYC documents': [
    ['Size of a document', bytes(MAX_DOCUMENT_BYTES)],
    ['Size of the form around the document', bytes(AROUND_FILE_BYTES)],
    ['Documents per submission', MAX_DOCUMENTS],
    ['Time limit for the upload', traffic.traffic.uploadTimeoutMs],
    ['Wait of an account and address after an unfinished upload', time(UNFINISHED_WAIT_MS)],
    ['Concurrent uploads per process', UPLOADS_AT_ONCE],
    ['Documents per address', `${MAX_DOCUMENTS_PER_DAY} per day`],
    ['Uploaded bytes per address', `${bytes(MAX_KIB_PER_DAY * 1024)} per day`],
  ],
  'Keys, tokens and sessions': [
    ['API keys per environment', LIVE_CREDENTIALS_PER_ENVIRONMENT],
    ['Rotated API keys per environment that still work', ENDING_CREDENTIALS_PER_ENVIRONMENT],
    ['Valid access tokens per API key', accounts.tokens.tokensPerCredential],
    ['Access token lifetime without use', accounts.tokens.tokenIdleDays],
    ['Access token lifetime', accounts.tokens.tokenMaxDays],
    ['Valid client tokens per developer and environment', `${CLIENTS_SHARE} × the developer’s limit`],
    ['Session lifetime', time(SESSION_TTL_MS)],
    ['Idle time of a staff session', accounts.staffIdleMinutes],
    [
      'Idle time of a session of an account user',
      `${time(DEFAULT_SESSION_IDLE_MINUTES * 60_000)}; owners can set ${time(SESSION_IDLE_MINUTES.min * 60_000)} to ${time(SESSION_IDLE_MINUTES.max * 60_000)}`,
    ],
    ['Validity of a second factor verification', time(STEP_UP_MS)],
    ['Second factors per user', MAX_FACTORS],
    ['Recovery codes per user', RECOVERY_CODES],
    ['Wrong codes per user', `${WRONG_CODES_PER_DAY} per day`],
    ['Validity of a passkey challenge', time(CHALLENGE_TTL_MS)],
    ['Validity of a link that confirms an address', time(SIGN_UP_LINK_MS)],
    ['Validity of a password reset link', time(PASSWORD_LINK_MS)],
    ['Validity of an approval request', time(APPROVAL_REQUEST_DAYS * 86_400_000)],
  ],
  Amounts: [
    ['Recharge', amounts.maxRechargePaise],
    ['Bill payment', amounts.maxBillPaymentPaise],
    ['Fee', inRupees(MAX_FEE)],
    ['Credit or debit', inRupees(MAX_CREDIT)],
    ['Refill of test funds', inRupees(MAX_REFILL)],
  ],
  'Webhooks and the sandbox': [
    ['Webhook endpoints per environment', MAX_ENDPOINTS],
    ['Response time of a webhook endpoint', time(RECEIVER_TIMEOUT_MS)],
    ['Deliveries per redelivery request', REDELIVERED_AT_ONCE],
    ['Connections per receiver', CONNECTIONS_PER_RECEIVER],
    ['Retries per delivery', webhooks.webhooks.retries],
    ['Retries of a test event', TEST_RETRIES],
    ['Time without a successful delivery until an endpoint is disabled', webhooks.webhooks.disableAfterMs],
    ['Pending sandbox scenarios', MAX_SCENARIOS],
    ['Validity of a sandbox scenario', time(SCENARIO_VALID_HOURS * 3_600_000)],
  ],
  Providers: [
    ['Provider response', bytes(MAX_BODY_BYTES)],
    ['Duration of one provider call', orders.providerTimeoutMs],
    ['Concurrent calls per provider and process', MAX_CALLS],
    ['Queued calls per provider and process', MAX_CALLS_WAITING],
    ['Pending payments per provider, and their total in rupees', orders.exposureLimits],
  ],
};
