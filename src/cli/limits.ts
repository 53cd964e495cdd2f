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
import { MOST_KEYS } from '../core/window-counts.js';
import { MAX_ORDERS } from '../decisions/bulk-decision.types.js';
import { MAX_ERRORS } from '../graphql/documents/check.js';
import { MAX_ROWS } from '../graphql/documents/cost.js';
import { INVALID_SHARE, STRANGERS_SHARE } from '../graphql/documents/counter.js';
import { MAX_PLACES } from '../graphql/documents/places.js';
import { VARIABLE_LIMITS } from '../graphql/documents/refusals.js';
import { DOCUMENT_LIMITS } from '../graphql/documents/size.js';
import { REPETITION_LIMIT, SESSION_LIMIT } from '../graphql/schema/limits.js';
import { MAX_PAGE, USUAL_PAGE } from '../graphql-toolkit/connection.js';
import { MAX_ITEMS, MAX_PROBLEMS } from '../graphql-toolkit/input.js';
import { AROUND_FILE_BYTES } from '../http/files/file-form.js';
import { UNFINISHED_WAIT_MS, UPLOADS_AT_ONCE } from '../http/files/uploads.js';
import {
  CLIENTS_SLOW_BODIES_PER_ACCOUNT,
  CLIENTS_SLOW_BODIES_PER_ADDRESS,
  SLOW_BODIES_PER_ACCOUNT,
} from '../http/limits/holders.js';
import {
  BODY_LIMIT_BYTES,
  CONNECTION_LIMIT_BYTES,
  NEWCOMERS_BODY_LIMIT_BYTES,
  STRANGERS_BODY_LIMIT_BYTES,
} from '../http/limits/memory.js';
import {
  AT_ONCE_MS,
  MIN_BODY_BYTES_PER_MS,
  MIN_BYTES_PER_MS,
  MIN_FILE_BYTES_PER_MS,
} from '../http/limits/slow-clients.js';
import { KEEP_ALIVE_MS, MOST_WAITING } from '../http/limits/traffic.js';
import { MAX_FORM_FIELDS } from '../http/requests/bodies.js';
import { MAX_DAYS_IN_ANSWER, MAX_DAYS_IN_FILE } from '../ledger/day-range.js';
import { MAX_DOCUMENT_BYTES, MAX_DOCUMENTS } from '../onboarding/kyc-document.js';
import { LINK_TTL_MS as SIGN_UP_LINK_MS } from '../onboarding/sign-up.store.js';
import { MAX_DOCUMENTS_PER_DAY, MAX_KIB_PER_DAY } from '../onboarding/upload-quota.js';
import { MAX_WAIT_MS } from '../orders/views/order.types.js';
import { LONGEST_STREAM_MS, MAX_UNREAD_ORDERS } from '../orders/views/order-feed.js';
import { MAX_DAYS_OF_ORDERS, MAX_KEYS, MAX_LOOKED_AT } from '../orders/views/order-list.types.js';
import { PLACES_TO_WAIT } from '../orders/views/order-waiters.js';
import { MAX_GROUPS, MAX_PLANS } from '../providers/ekychub/ekychub.mapping.js';
import { MAX_BODY_BYTES } from '../providers/http-exchange.js';
import { MAX_CALLS, MAX_CALLS_WAITING } from '../providers/providers.js';
import { MAX_WAITING as MAX_SCENARIOS, WAITS_HOURS } from '../providers/sandbox/scenario.store.js';
import { MAX_REFILL, MAX_REFILLS } from '../sandbox/refill.service.js';
import { REDELIVERED_AT_ONCE } from '../webhooks/webhook-delivery.store.js';
import { MAX_ENDPOINTS } from '../webhooks/webhook-endpoint.service.js';
import { TEST_RETRIES } from '../webhooks/webhook-event.js';
import { DELIVERIES_OF_ORDER } from '../webhooks/webhook-log.service.js';
import { CONNECTIONS_PER_RECEIVER, RECEIVER_TIMEOUT_MS } from '../webhooks/webhook-sender.js';
import { defaultOf } from './example-file.js';

/** What is limited, and how: a number, or the default of the setting that has it. */
export type Limit = readonly [what: string, atMost: string | number | Setting<unknown>];

export const bytes = (count: number): string =>
  count < 1024 ** 2 ? `${count / 1024} KiB` : `${count / 1024 ** 2} MiB`;

const UNITS = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1_000, 'second'],
] as const;

/** In the largest unit that gives a whole number. */
export function time(ms: number): string {
  const [unit, name] = UNITS.find(([length]) => ms % length === 0)!;
  return `${ms / unit} ${name}${ms === unit ? '' : 's'}`;
}

export const inRupees = (amount: Paise): string => `₹${rupeesNumber(amount).toLocaleString('en-IN')}`;

const perMinute = (count: number): string => `${count.toLocaleString('en-IN')} a minute`;
const timesRate = (share: number): string => `${share} × \`RATE_LIMIT_PER_MINUTE\` a minute`;
const attempts = (count: number): string => `${count} in ${time(ATTEMPTS_WINDOW_S * 1_000)}`;

/** As the list shows it. */
export function shownLimit(atMost: Limit[1]): string {
  if (typeof atMost === 'string') return atMost;
  if (typeof atMost === 'number') return atMost.toLocaleString('en-IN');
  return `\`${atMost.variable}\`, \`${defaultOf(atMost)}\``;
}

const document = DOCUMENT_LIMITS;

/** Every limit that a caller can meet and that is no rule of a single field, from where it stands in the code. */
export const limits: Readonly<Record<string, readonly Limit[]>> = {
  'Bodies and connections': [
    ['A body', bytes(BODY_LIMIT_BYTES)],
    ['A body without the token or session of an approved account', bytes(STRANGERS_BODY_LIMIT_BYTES)],
    ['GraphQL on the console with a session of an account that is not approved', bytes(NEWCOMERS_BODY_LIMIT_BYTES)],
    ['Fields of a form', MAX_FORM_FIELDS],
    ['Time for the headers, and again for the body', traffic.traffic.requestTimeoutMs],
    ['Time until an answer begins to be read', traffic.traffic.answerTimeoutMs],
    ['A longer answer is read at least at', `${MIN_BYTES_PER_MS} KB/s`],
    ['Unread answers and requests of one connection', bytes(CONNECTION_LIMIT_BYTES)],
    ['An unused connection stays open', time(KEEP_ALIVE_MS)],
    ['Connections of a host', traffic.traffic.maxConnections],
    ['A body is slow if it has not arrived after its headers within', time(AT_ONCE_MS)],
    ['A slow body arrives on average, after a pause of 5 seconds, at least at', `${MIN_BODY_BYTES_PER_MS} KB/s`],
    ['A slow file, after a pause of 10 seconds, at least at', `${MIN_FILE_BYTES_PER_MS} KB/s`],
    ['Slow bodies of a host', traffic.traffic.maxSlowBodies],
    ['Slow bodies of an account on all hosts of a process, or of a member of the staff', SLOW_BODIES_PER_ACCOUNT],
    ['Slow bodies with client tokens of an account', CLIENTS_SLOW_BODIES_PER_ACCOUNT],
    ['The same of one address', CLIENTS_SLOW_BODIES_PER_ADDRESS],
    ['Slow bodies of an address without the token of an approved account', traffic.traffic.maxSlowBodiesPerAddress],
    ['The same of an IPv6 network of 56 bits, and of one of 48', '2 and 4 times as many'],
    ['Requests under way of a host', traffic.maxInFlight],
    ['Requests of a process that wait for their turn', MOST_WAITING],
  ],
  Rates: [
    ['Requests of a developer, environment and endpoint, a minute', traffic.rateLimitPerMinute],
    ['What an admin may set instead', perMinute(MAX_RATE_LIMIT)],
    ['Requests of a session of the console and endpoint', perMinute(SESSION_LIMIT)],
    ['Client tokens of a developer and environment together', `${CLIENTS_SHARE} × the developer’s limit`],
    ['Answers about one known key', perMinute(REPETITION_LIMIT)],
    ['Invalid documents of a caller', timesRate(INVALID_SHARE)],
    ['Questions of a caller about the schema', timesRate(1)],
    ['Documents without a token, of an address', timesRate(STRANGERS_SHARE)],
    ['The same limits of an IPv6 network of 56 bits, and of one of 48', '2 and 4 times as many'],
    ['Callers that such a counter knows; above it the oldest is forgotten', MOST_KEYS],
    ['Failed exchanges or sign-ins of an identifier and address', attempts(ATTEMPTS_LIMIT)],
    ['The same of an address', attempts(ADDRESS_ATTEMPTS_LIMIT)],
    ['The same of an IPv6 network of 48 bits', attempts(WIDE_ATTEMPTS_LIMIT)],
    ['More sign-ins of an identifier that was right there within a day', attempts(KNOWN_ATTEMPTS_LIMIT)],
    ['Requests of an address for mailed links', attempts(MAILS_PER_ADDRESS)],
    ['The same for one mailbox, and its mails in a day', attempts(MAILS_PER_ADDRESS_AND_MAILBOX)],
    ['Mails of one kind to a mailbox', `${MAILS_PER_MAILBOX} a day`],
    ['The same with addresses that asked for none that day', `${MAILS_PER_MAILBOX_WITH_NEWCOMERS} a day`],
    ['Refills of play money', `${MAX_REFILLS} a day`],
  ],
  'GraphQL documents': [
    ['Tokens', document.tokens],
    ['Operations', document.operations],
    ['Fragment spreads', document.spreads],
    ['Directives', document.directives],
    ['Fields of one name, times what they hold', document.repetitions],
    ['Levels of an operation', document.depth],
    ['Root fields of an operation', document.rootFields],
    ['Aliases of an operation', document.aliases],
    ['Fields of an operation', document.fields],
    ['Fields `__schema` of an operation', document.schemaFields],
    ['Fields `__type` of an operation', document.typeFields],
    ['Lists of the schema inside of one another', document.schemaLists],
    ['Variables of an operation', document.variables],
    ['Values in the variables', VARIABLE_LIMITS.values],
    ['Levels of a variable', VARIABLE_LIMITS.depth],
    ['Items of a list that is sent', MAX_ITEMS],
    ['Rows of an operation', MAX_ROWS],
    ['Mistakes of a document that are named', MAX_ERRORS],
    ['Places of a mistake that are named', MAX_PLACES],
    ['Wrong values that are named', MAX_PROBLEMS],
  ],
  'Waiting and streams': [
    ['A recharge or payment waits for its provider', orders.syncWindowMs],
    ['A question with `waitMs`', time(MAX_WAIT_MS)],
    ['Places to wait, of a user, or of a developer with a lower rate', PLACES_TO_WAIT],
    ['A stream', time(LONGEST_STREAM_MS)],
    ['Changed orders that a stream’s reader has left unread', MAX_UNREAD_ORDERS],
    ['Passwords that wait to be checked, of a process', PASSWORDS_WAITING],
    ['Of these, kept for devices that signed in before', PASSWORDS_FOR_KNOWN],
  ],
  'Lists and files': [
    ['Entries of a page', MAX_PAGE],
    ['Entries of a page that does not say', USUAL_PAGE],
    ['Keys of `ordersByKey`', MAX_KEYS],
    ['Orders of `resolveOrders`', MAX_ORDERS],
    ['Days of orders without a number or reference', MAX_DAYS_OF_ORDERS],
    ['Orders of an account that a sifted page looks at', MAX_LOOKED_AT.ofOne],
    ['Orders of everybody that a page looks at, without a number or reference', MAX_LOOKED_AT.ofEverybody],
    ['Days of a wallet in an answer', MAX_DAYS_IN_ANSWER],
    ['Days of a statement as a file', MAX_DAYS_IN_FILE],
    ['Deliveries shown of an order', DELIVERIES_OF_ORDER],
    ['People shown of an account', MAX_LISTED],
    ['Groups of plans', MAX_GROUPS],
    ['Plans', MAX_PLANS],
  ],
  'Documents of KYC': [
    ['A document', bytes(MAX_DOCUMENT_BYTES)],
    ['The form around it', bytes(AROUND_FILE_BYTES)],
    ['Documents of a submission', MAX_DOCUMENTS],
    ['Time for the upload', traffic.traffic.uploadTimeoutMs],
    ['Wait of an account and an address after an unfinished upload', time(UNFINISHED_WAIT_MS)],
    ['Uploads at once, of a process', UPLOADS_AT_ONCE],
    ['Documents of an address', `${MAX_DOCUMENTS_PER_DAY} a day`],
    ['Bytes of an address', `${bytes(MAX_KIB_PER_DAY * 1024)} a day`],
  ],
  'Keys, tokens and sessions': [
    ['Keys of an environment', LIVE_CREDENTIALS_PER_ENVIRONMENT],
    ['Rotated keys beside them that still work', ENDING_CREDENTIALS_PER_ENVIRONMENT],
    ['Live tokens of a key', accounts.tokens.tokensPerCredential],
    ['A token without use', accounts.tokens.tokenIdleDays],
    ['A token in any case', accounts.tokens.tokenMaxDays],
    ['Live client tokens of a developer and environment', `${CLIENTS_SHARE} × the developer’s limit`],
    ['A session', time(SESSION_TTL_MS)],
    ['A session of staff without use', accounts.staffIdleMinutes],
    [
      'A session of an account’s user without use',
      `${time(DEFAULT_SESSION_IDLE_MINUTES * 60_000)}; its owners choose ${time(SESSION_IDLE_MINUTES.min * 60_000)} to ${time(SESSION_IDLE_MINUTES.max * 60_000)}`,
    ],
    ['A second factor that was shown', time(STEP_UP_MS)],
    ['Second factors of a user', MAX_FACTORS],
    ['Recovery codes', RECOVERY_CODES],
    ['Wrong codes of a user', `${WRONG_CODES_PER_DAY} a day`],
    ['An answer of a passkey', time(CHALLENGE_TTL_MS)],
    ['A link to confirm an address', time(SIGN_UP_LINK_MS)],
    ['A link to a new password', time(PASSWORD_LINK_MS)],
    ['An approval request waits for a second person', time(APPROVAL_REQUEST_DAYS * 86_400_000)],
  ],
  Amounts: [
    ['A recharge', amounts.maxRechargePaise],
    ['A bill payment', amounts.maxBillPaymentPaise],
    ['A fee', inRupees(MAX_FEE)],
    ['A credit or debit', inRupees(MAX_CREDIT)],
    ['A refill of play money', inRupees(MAX_REFILL)],
  ],
  'Webhooks and the sandbox': [
    ['Endpoints of an environment', MAX_ENDPOINTS],
    ['Time to answer', time(RECEIVER_TIMEOUT_MS)],
    ['Deliveries that one call redelivers', REDELIVERED_AT_ONCE],
    ['Connections to one receiver', CONNECTIONS_PER_RECEIVER],
    ['Retries', webhooks.webhooks.retries],
    ['Retries of a test', TEST_RETRIES],
    ['An endpoint that nothing can be delivered to', webhooks.webhooks.disableAfterMs],
    ['Outcomes that wait for their calls', MAX_SCENARIOS],
    ['One of them', time(WAITS_HOURS * 3_600_000)],
  ],
  Providers: [
    ['An answer of a provider', bytes(MAX_BODY_BYTES)],
    ['Time for one call', orders.providerTimeoutMs],
    ['Calls of a provider at once, of a process', MAX_CALLS],
    ['Calls that wait for their turn', MAX_CALLS_WAITING],
    ['Pending payments of a provider, and their sum in rupees', orders.exposureLimits],
  ],
};
