/**
 * Every metric of the service, once: /metrics and the table in docs/reference-operation.md are made from these rows. What Node and the process
 * report of themselves (`nodejs_…`, `process_…`) comes besides.
 */
export interface MetricRow {
  readonly name: `gateway_${string}`;
  readonly kind: 'counter' | 'gauge' | 'histogram';
  /** Their values are of closed lists: routes, fields of the schema, codes, providers. Never what a caller wrote. */
  readonly labels: readonly string[];
  readonly help: string;
  /** Upper bounds of a histogram. */
  readonly buckets?: readonly number[];
  /** Read from the database and the same in every process: the maximum counts, never the sum. */
  readonly shared?: true;
}

/** Seconds; fine where a call without a provider is, and up to what the longest call may take. */
const REQUEST_BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 4, 5, 10, 15, 25, 30, 60];
/** Seconds; providers take two to four, and time out before 60. */
const PROVIDER_BUCKETS = [0.1, 0.25, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 7.5, 10, 15, 20, 25, 30, 60];
const BATCH_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128];

export const metricTable = {
  requests: {
    name: 'gateway_requests_total',
    kind: 'counter',
    labels: ['host', 'method', 'route', 'status', 'code'],
    help: 'Requests by status and error code (OK: none), without probes.',
  },
  requestDurations: {
    name: 'gateway_request_duration_seconds',
    kind: 'histogram',
    labels: ['host', 'method', 'route', 'status'],
    help: 'Response time by status class (2xx), without streams.',
    buckets: REQUEST_BUCKETS,
  },
  fields: {
    name: 'gateway_graphql_fields_total',
    kind: 'counter',
    labels: ['host', 'field', 'code'],
    help: 'Root fields of GraphQL operations by the first error code of their operation (OK: none).',
  },
  fieldDurations: {
    name: 'gateway_graphql_field_duration_seconds',
    kind: 'histogram',
    labels: ['host', 'field'],
    help: 'Response time of the operation of a root field, without streams.',
    buckets: REQUEST_BUCKETS,
  },
  running: {
    name: 'gateway_requests_running',
    kind: 'gauge',
    labels: ['host'],
    help: 'Requests in progress on a host.',
  },
  runningLimit: {
    name: 'gateway_requests_running_limit',
    kind: 'gauge',
    labels: ['host'],
    help: 'MAX_IN_FLIGHT: above it, responses are 503.',
  },
  limited: {
    name: 'gateway_rate_limited_total',
    kind: 'counter',
    labels: ['endpoint'],
    help: 'Uses of an endpoint that its rate limit rejected. `order-waiting`: waits for an order; `anonymous-documents`, `invalid-documents`, `introspection`: GraphQL documents.',
  },
  failedAttempts: {
    name: 'gateway_failed_attempts_total',
    kind: 'counter',
    labels: ['kind', 'reason'],
    help: 'Rejected sign-ins, token exchanges and emailed links.',
  },
  waiters: {
    name: 'gateway_order_waiters',
    kind: 'gauge',
    labels: [],
    help: 'Requests and streams of this process that wait for the final status of an order.',
  },

  ordersPlaced: {
    name: 'gateway_orders_placed_total',
    kind: 'counter',
    labels: ['operation', 'provider', 'environment'],
    help: 'Orders whose amount was held.',
  },
  ordersDecided: {
    name: 'gateway_order_outcomes_total',
    kind: 'counter',
    labels: ['operation', 'provider', 'environment', 'outcome'],
    help: 'Orders by outcome: success, failed (refunded), review (manual review), reversed (a success was reversed).',
  },
  declines: {
    name: 'gateway_order_declines_total',
    kind: 'counter',
    labels: ['provider', 'reason'],
    help: 'Failed orders by the reason that the caller gets.',
  },
  underWay: {
    name: 'gateway_orders_in_flight',
    kind: 'gauge',
    labels: [],
    help: 'Charged calls in progress in this process.',
  },
  unstored: {
    name: 'gateway_outcomes_unstored',
    kind: 'gauge',
    labels: [],
    help: 'Outcomes that providers returned to this process and the database has not stored yet.',
  },
  ordersPaused: {
    name: 'gateway_orders_paused',
    kind: 'gauge',
    labels: ['environment'],
    help: '1 while new orders are paused, by staff or by PAUSE_ORDERS.',
  },
  open: {
    name: 'gateway_orders_open',
    kind: 'gauge',
    labels: ['provider'],
    help: 'Orders without a final status.',
    shared: true,
  },
  oldestOpen: {
    name: 'gateway_orders_oldest_open_seconds',
    kind: 'gauge',
    labels: ['provider'],
    help: 'Age of the oldest order without a final status; 0: none.',
    shared: true,
  },
  review: {
    name: 'gateway_orders_review',
    kind: 'gauge',
    labels: ['provider'],
    help: 'Orders in manual review.',
    shared: true,
  },
  oldestReview: {
    name: 'gateway_orders_oldest_review_seconds',
    kind: 'gauge',
    labels: ['provider'],
    help: 'Age of the oldest order in manual review; 0: none.',
    shared: true,
  },
  conflicting: {
    name: 'gateway_orders_status_conflict',
    kind: 'gauge',
    labels: ['provider'],
    help: 'Final orders whose provider reports the opposite status.',
    shared: true,
  },
  differences: {
    name: 'gateway_statement_differences',
    kind: 'gauge',
    labels: ['provider'],
    help: 'Unresolved differences between statements of the provider and our orders.',
    shared: true,
  },

  violations: {
    name: 'gateway_ledger_violations',
    kind: 'gauge',
    labels: ['check'],
    help: 'Violations of ledger rules: since the last check without a violation (new), and in the last check of all the books (full). Not 0: an incident.',
    shared: true,
  },
  fullCheckAt: {
    name: 'gateway_ledger_full_check_timestamp_seconds',
    kind: 'gauge',
    labels: [],
    help: 'End of the last weekly check of all the books; before the first, time of installation.',
    shared: true,
  },
  fullCheckEndsAt: {
    name: 'gateway_ledger_full_check_end_timestamp_seconds',
    kind: 'gauge',
    labels: [],
    help: 'Estimated end of the current check of all the books; absent if none runs.',
    shared: true,
  },
  unexplained: {
    name: 'gateway_unexplained_rows',
    kind: 'gauge',
    labels: ['kind'],
    help: 'Rows of accounts that differ from the audit log at the last comparison. Not 0: an incident.',
    shared: true,
  },
  macMismatches: {
    name: 'gateway_row_mac_mismatches_total',
    kind: 'counter',
    labels: ['table'],
    help: 'Rows of sessions, tokens, links and second factors rejected because of their MAC. Not 0: an incident.',
  },
  auditLast: {
    name: 'gateway_audit_last_entry',
    kind: 'gauge',
    labels: [],
    help: 'Number of the last entry of the audit log; it never decreases.',
    shared: true,
  },
  auditMissing: {
    name: 'gateway_audit_entries_missing',
    kind: 'gauge',
    labels: [],
    help: 'Committed audit entries that this process knew and that are gone, since it started. Not 0: an incident.',
  },
  comparedAt: {
    name: 'gateway_audit_compared_timestamp_seconds',
    kind: 'gauge',
    labels: [],
    help: 'Time of the last comparison of accounts with the audit log.',
    shared: true,
  },
  verifiedAt: {
    name: 'gateway_ledger_verified_timestamp_seconds',
    kind: 'gauge',
    labels: [],
    help: 'Time up to which the books were found correct, by any process; 0: never.',
    shared: true,
  },
  owed: {
    name: 'gateway_provider_payable_paise',
    kind: 'gauge',
    labels: ['environment', 'provider'],
    help: 'Amount owed to a provider: successful payments less reversals. Absent while unknown.',
    shared: true,
  },
  postingsWaiting: {
    name: 'gateway_postings_queued',
    kind: 'gauge',
    labels: ['kind'],
    help: 'Holds and resolutions of this process that wait for a batch.',
  },
  batchSizes: {
    name: 'gateway_posting_batch_size',
    kind: 'histogram',
    labels: ['kind'],
    help: 'Postings of one statement.',
    buckets: BATCH_BUCKETS,
  },
  walletsLow: {
    name: 'gateway_wallets_low',
    kind: 'gauge',
    labels: [],
    help: 'Used production wallets below LOW_BALANCE_RUPEES.',
    shared: true,
  },

  providerCalls: {
    name: 'gateway_provider_calls_total',
    kind: 'counter',
    labels: ['provider', 'connection', 'result', 'reason'],
    help: 'Calls to providers by result: success, declined, pending, not_found, not_sent, fault.',
  },
  providerDurations: {
    name: 'gateway_provider_call_duration_seconds',
    kind: 'histogram',
    labels: ['provider', 'connection', 'result'],
    help: 'Duration of a call to a provider, including the time in the queue.',
    buckets: PROVIDER_BUCKETS,
  },
  breakerOpen: {
    name: 'gateway_provider_breaker_open',
    kind: 'gauge',
    labels: ['provider', 'connection'],
    help: '1 while the breaker is open or half open.',
  },
  callsRunning: {
    name: 'gateway_provider_calls_running',
    kind: 'gauge',
    labels: ['provider', 'connection'],
    help: 'Calls in progress to a provider; limit 200.',
  },
  callsQueued: {
    name: 'gateway_provider_calls_queued',
    kind: 'gauge',
    labels: ['provider', 'connection'],
    help: 'Queued calls to a provider; limit 200, then rejected.',
  },
  textsCut: {
    name: 'gateway_provider_texts_truncated_total',
    kind: 'counter',
    labels: ['provider', 'connection'],
    help: 'Texts in responses of providers that were truncated.',
  },
  unreadableOrders: {
    name: 'gateway_orders_unreadable_total',
    kind: 'counter',
    labels: ['part'],
    help: 'Orders whose request or response could not be decrypted, each once per process: a lost key or a damaged row.',
  },
  failedStatusChecks: {
    name: 'gateway_provider_status_check_failures_total',
    kind: 'counter',
    labels: ['provider'],
    help: 'Status checks that failed on our side: a request that cannot be decrypted, or a defect.',
  },
  memoryHeld: {
    name: 'gateway_memory_used_bytes',
    kind: 'gauge',
    labels: ['slice'],
    help: 'Memory of requests by slice: money, staff, accounts, clients, files, and strangers on each host.',
  },
  memoryLimit: {
    name: 'gateway_memory_limit_bytes',
    kind: 'gauge',
    labels: ['slice'],
    help: 'Limit of gateway_memory_used_bytes. All slices together are an eighth of the heap.',
  },
  memoryRefusals: {
    name: 'gateway_memory_rejections_total',
    kind: 'counter',
    labels: ['slice'],
    help: 'Requests rejected with 503 because their slice, or their share of it, was used up.',
  },
  overloads: {
    name: 'gateway_overloaded_total',
    kind: 'counter',
    labels: ['host', 'cause'],
    help: 'Requests with the error OVERLOADED by cause: memory, connection, slow_bodies, running (MAX_IN_FLIGHT), payments, uploads, passwords, products.',
  },
  documentBytes: {
    name: 'gateway_documents_bytes',
    kind: 'gauge',
    labels: [],
    help: 'Memory of cached GraphQL documents and compiled operations.',
  },
  documentLimit: {
    name: 'gateway_documents_limit_bytes',
    kind: 'gauge',
    labels: [],
    help: 'A tenth of the heap: above it, the least recently used documents are removed.',
  },
  failedSweeps: {
    name: 'gateway_sweep_failures_total',
    kind: 'counter',
    labels: ['provider', 'trouble'],
    help: 'Failed reads of due orders: the database was unavailable (away), its connection was lost (doubt), or it rejected the statement (data, bug).',
  },
  callbacks: {
    name: 'gateway_provider_callbacks_total',
    kind: 'counter',
    labels: ['provider', 'result'],
    help: 'Callbacks of providers by result.',
  },
  pendingPayments: {
    name: 'gateway_provider_pending_payments',
    kind: 'gauge',
    labels: ['provider'],
    help: 'Production payments without a final status.',
    shared: true,
  },
  pendingRupees: {
    name: 'gateway_provider_pending_rupees',
    kind: 'gauge',
    labels: ['provider'],
    help: 'Sum of the production payments without a final status.',
    shared: true,
  },
  exposureReached: {
    name: 'gateway_provider_exposure_reached',
    kind: 'gauge',
    labels: ['provider'],
    help: '1 while new payments are rejected because of EXPOSURE_LIMIT.',
    shared: true,
  },
  switchedOff: {
    name: 'gateway_provider_disabled',
    kind: 'gauge',
    labels: ['environment', 'provider'],
    help: '1 while staff have disabled the provider.',
    shared: true,
  },

  outbox: {
    name: 'gateway_webhook_outbox_events',
    kind: 'gauge',
    labels: [],
    help: 'Events that are not in the job queue yet; counted up to 100,000.',
    shared: true,
  },
  oldestOutbox: {
    name: 'gateway_webhook_outbox_oldest_seconds',
    kind: 'gauge',
    labels: [],
    help: 'Age of the oldest event that is not in the job queue yet.',
    shared: true,
  },
  deliveries: {
    name: 'gateway_webhook_deliveries_pending',
    kind: 'gauge',
    labels: [],
    help: 'Deliveries that have not succeeded yet, retries included; counted up to 100,000.',
    shared: true,
  },
  overdueDelivery: {
    name: 'gateway_webhook_deliveries_overdue_seconds',
    kind: 'gauge',
    labels: [],
    help: 'Longest time for which the next attempt of a delivery has been due; 0: none.',
    shared: true,
  },
  attempts: {
    name: 'gateway_webhook_attempts_total',
    kind: 'counter',
    labels: ['environment', 'result'],
    help: 'Delivery attempts: delivered, retried, failed (retries exhausted), gone (410), postponed (the endpoint is paused).',
  },
  jobs: {
    name: 'gateway_jobs',
    kind: 'gauge',
    labels: ['queue', 'state'],
    help: 'Jobs of pg-boss, counted within the last minutes. Ready jobs of webhook-dead are the failed deliveries of 30 days.',
    shared: true,
  },
  mails: {
    name: 'gateway_emails_queued',
    kind: 'gauge',
    labels: [],
    help: 'Emails that are not sent yet; counted up to 100,000.',
    shared: true,
  },
  oldestMail: {
    name: 'gateway_emails_oldest_seconds',
    kind: 'gauge',
    labels: [],
    help: 'Age of the oldest email that is not sent yet.',
    shared: true,
  },

  connections: {
    name: 'gateway_pool_connections',
    kind: 'gauge',
    labels: ['pool', 'state'],
    help: 'Connections to the database, used and idle.',
  },
  connectionLimit: {
    name: 'gateway_pool_connections_limit',
    kind: 'gauge',
    labels: ['pool'],
    help: 'DATABASE_POOL_SIZE and CONSOLE_POOL_SIZE.',
  },
  connectionWaiters: {
    name: 'gateway_pool_waiting',
    kind: 'gauge',
    labels: ['pool'],
    help: 'Statements that wait for a connection.',
  },
  countersAway: {
    name: 'gateway_counters_away',
    kind: 'gauge',
    labels: [],
    help: '1 while Redis does not respond and the database counts limits. Absent without REDIS_URL.',
  },
  clockOffset: {
    name: 'gateway_clock_offset_seconds',
    kind: 'gauge',
    labels: [],
    help: 'Time by which the clock of this machine is ahead of the clock of the database.',
  },
  clockSteps: {
    name: 'gateway_clock_steps_total',
    kind: 'counter',
    labels: [],
    help: 'Steps of over a second of the clock of the database that this process noticed.',
  },
  tasks: {
    name: 'gateway_task_last_success_timestamp_seconds',
    kind: 'gauge',
    labels: ['task'],
    help: 'Last success of a background task of this process; before the first, start of the process.',
  },
  workers: {
    name: 'gateway_worker',
    kind: 'gauge',
    labels: ['worker'],
    help: '1 for each of WORKERS of this process.',
  },
  archivedAt: {
    name: 'gateway_archive_timestamp_seconds',
    kind: 'gauge',
    labels: [],
    help: 'Time when a month was last archived; 0: never.',
    shared: true,
  },
  readings: {
    name: 'gateway_reading_timestamp_seconds',
    kind: 'gauge',
    labels: ['what'],
    help: 'Time of the last reading from the database by this process; 0: never.',
  },
  build: {
    name: 'gateway_build_info',
    kind: 'gauge',
    labels: ['version', 'commit', 'node'],
    help: '1, with the version.',
  },
} as const satisfies Readonly<Record<string, MetricRow>>;

export type MetricKey = keyof typeof metricTable;

type OfKind<Kind extends MetricRow['kind']> = {
  [Key in MetricKey]: (typeof metricTable)[Key]['kind'] extends Kind ? Key : never;
}[MetricKey];
export type CounterKey = OfKind<'counter'>;
export type GaugeKey = OfKind<'gauge'>;
export type HistogramKey = OfKind<'histogram'>;
export type LabelsOf<Key extends MetricKey> = (typeof metricTable)[Key]['labels'];
