/**
 * All metrics of the service. /metrics and the list in docs/reference-operation.md are generated from these rows. `nodejs_…` and
 * `process_…` metrics are added separately.
 */
export interface MetricRow {
  readonly name: `gateway_${string}`;
  readonly kind: 'counter' | 'gauge' | 'histogram';
  /** Label names. Their values come from fixed lists (routes, schema fields, codes, providers), never from callers. */
  readonly labels: readonly string[];
  readonly help: string;
  /** Upper bounds of histogram buckets. */
  readonly buckets?: readonly number[];
  /**
   * Set if the value is read from the database and identical in every process. It must be aggregated with max, never with sum.
   */
  readonly shared?: true;
}

/** Bucket bounds in seconds: fine steps for calls without a provider, up to the longest possible call. */
const REQUEST_BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 4, 5, 10, 15, 25, 30, 60];
/** Bucket bounds in seconds. Providers usually take two to four seconds and time out before 60. */
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
    help: 'GraphQL root fields by the first error code of their operation (OK: none).',
  },
  fieldDurations: {
    name: 'gateway_graphql_field_duration_seconds',
    kind: 'histogram',
    labels: ['host', 'field'],
    help: 'Response time of the operation of a GraphQL root field, without streams.',
    buckets: REQUEST_BUCKETS,
  },
  running: {
    name: 'gateway_requests_running',
    kind: 'gauge',
    labels: ['host'],
    help: 'Requests in progress.',
  },
  runningLimit: {
    name: 'gateway_requests_running_limit',
    kind: 'gauge',
    labels: ['host'],
    help: 'MAX_IN_FLIGHT: further requests get 503.',
  },
  limited: {
    name: 'gateway_rate_limited_total',
    kind: 'counter',
    labels: ['endpoint'],
    help: 'Rate-limited requests by endpoint, `order-waiting` (waits for an order), or kind of GraphQL document.',
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
    help: 'Requests and streams that wait for the final status of an order.',
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
    help: 'Orders by outcome: success, failed (refunded), review (manual review), reversed (success reversed).',
  },
  declines: {
    name: 'gateway_order_declines_total',
    kind: 'counter',
    labels: ['provider', 'reason'],
    help: 'Failed orders by the reason returned to the caller.',
  },
  underWay: {
    name: 'gateway_orders_in_flight',
    kind: 'gauge',
    labels: [],
    help: 'Charged calls in progress.',
  },
  unstored: {
    name: 'gateway_outcomes_unstored',
    kind: 'gauge',
    labels: [],
    help: 'Outcomes returned by providers and not yet stored in the database.',
  },
  ordersPaused: {
    name: 'gateway_orders_paused',
    kind: 'gauge',
    labels: ['environment'],
    help: '1 while staff or PAUSE_ORDERS pause new orders.',
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
    help: 'Age of the oldest order without a final status.',
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
    help: 'Age of the oldest order in manual review.',
    shared: true,
  },
  conflicting: {
    name: 'gateway_orders_status_conflict',
    kind: 'gauge',
    labels: ['provider'],
    help: 'Final orders for which the provider reports the opposite status.',
    shared: true,
  },
  differences: {
    name: 'gateway_statement_differences',
    kind: 'gauge',
    labels: ['provider'],
    help: 'Unresolved differences between provider statements and our orders.',
    shared: true,
  },

  violations: {
    name: 'gateway_ledger_violations',
    kind: 'gauge',
    labels: ['check'],
    help: 'Ledger violations: since the last check without one (new), and in the last full check (full).',
    shared: true,
  },
  fullCheckAt: {
    name: 'gateway_ledger_full_check_timestamp_seconds',
    kind: 'gauge',
    labels: [],
    help: 'End of the last full ledger check; initially the time of installation.',
    shared: true,
  },
  fullCheckEndsAt: {
    name: 'gateway_ledger_full_check_end_timestamp_seconds',
    kind: 'gauge',
    labels: [],
    help: 'Estimated end of the current full ledger check; absent if none runs.',
    shared: true,
  },
  unexplained: {
    name: 'gateway_unexplained_rows',
    kind: 'gauge',
    labels: ['kind'],
    help: 'Account rows that differ from the audit log.',
    shared: true,
  },
  macMismatches: {
    name: 'gateway_row_mac_mismatches_total',
    kind: 'counter',
    labels: ['table'],
    help: 'Sessions, tokens, links and second factors rejected because of a wrong MAC.',
  },
  auditLast: {
    name: 'gateway_audit_last_entry',
    kind: 'gauge',
    labels: [],
    help: 'Number of the last audit log entry. Never decreases.',
    shared: true,
  },
  auditMissing: {
    name: 'gateway_audit_entries_missing',
    kind: 'gauge',
    labels: [],
    help: 'Committed audit log entries that disappeared since the process started.',
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
    help: 'Time up to which the ledger was verified, by any process; 0: never.',
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
    help: 'Holds and resolutions that wait for a batch.',
  },
  batchSizes: {
    name: 'gateway_posting_batch_size',
    kind: 'histogram',
    labels: ['kind'],
    help: 'Postings per statement.',
    buckets: BATCH_BUCKETS,
  },
  walletsLow: {
    name: 'gateway_wallets_low',
    kind: 'gauge',
    labels: [],
    help: 'Active production wallets below LOW_BALANCE_RUPEES.',
    shared: true,
  },

  providerCalls: {
    name: 'gateway_provider_calls_total',
    kind: 'counter',
    labels: ['provider', 'connection', 'result', 'reason'],
    help: 'Provider calls by result: success, declined, pending, not_found, not_sent, fault.',
  },
  providerDurations: {
    name: 'gateway_provider_call_duration_seconds',
    kind: 'histogram',
    labels: ['provider', 'connection', 'result'],
    help: 'Duration of a provider call, including queueing.',
    buckets: PROVIDER_BUCKETS,
  },
  breakerOpen: {
    name: 'gateway_provider_breaker_open',
    kind: 'gauge',
    labels: ['provider', 'connection'],
    help: '1 while the breaker rejects calls.',
  },
  callsRunning: {
    name: 'gateway_provider_calls_running',
    kind: 'gauge',
    labels: ['provider', 'connection'],
    help: 'Provider calls in progress; limit 200.',
  },
  callsQueued: {
    name: 'gateway_provider_calls_queued',
    kind: 'gauge',
    labels: ['provider', 'connection'],
    help: 'Queued provider calls; limit 200, then rejected.',
  },
  textsCut: {
    name: 'gateway_provider_texts_truncated_total',
    kind: 'counter',
    labels: ['provider', 'connection'],
    help: 'Truncated texts in provider responses.',
  },
  unreadableOrders: {
    name: 'gateway_orders_unreadable_total',
    kind: 'counter',
    labels: ['part'],
    help: 'Orders whose request or response could not be decrypted, counted once per process.',
  },
  failedStatusChecks: {
    name: 'gateway_provider_status_check_failures_total',
    kind: 'counter',
    labels: ['provider'],
    help: 'Status checks that failed on our side.',
  },
  memoryHeld: {
    name: 'gateway_memory_used_bytes',
    kind: 'gauge',
    labels: ['slice'],
    help: 'Memory of requests by slice.',
  },
  memoryLimit: {
    name: 'gateway_memory_limit_bytes',
    kind: 'gauge',
    labels: ['slice'],
    help: 'Limit of gateway_memory_used_bytes. All slices together use an eighth of the heap.',
  },
  memoryRefusals: {
    name: 'gateway_memory_rejections_total',
    kind: 'counter',
    labels: ['slice'],
    help: 'Requests rejected because their memory slice, or their share of it, was full.',
  },
  overloads: {
    name: 'gateway_overloaded_total',
    kind: 'counter',
    labels: ['host', 'cause'],
    help: 'Requests rejected with OVERLOADED by cause: memory, connection, slow_bodies, running (MAX_IN_FLIGHT), payments, uploads, passwords, products.',
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
    help: 'A tenth of the heap, above which the least recently used documents are removed.',
  },
  failedSweeps: {
    name: 'gateway_sweep_failures_total',
    kind: 'counter',
    labels: ['provider', 'trouble'],
    help: 'Failed reads of due orders: database unavailable (away), connection lost (doubt), statement rejected (data, bug).',
  },
  callbacks: {
    name: 'gateway_provider_callbacks_total',
    kind: 'counter',
    labels: ['provider', 'result'],
    help: 'Provider callbacks by result.',
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
    help: 'Total of the production payments without a final status.',
    shared: true,
  },
  exposureReached: {
    name: 'gateway_provider_exposure_reached',
    kind: 'gauge',
    labels: ['provider'],
    help: '1 while EXPOSURE_LIMIT blocks new payments.',
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
    help: 'Events not yet in the job queue, up to 100,000.',
    shared: true,
  },
  oldestOutbox: {
    name: 'gateway_webhook_outbox_oldest_seconds',
    kind: 'gauge',
    labels: [],
    help: 'Age of the oldest event not yet in the job queue.',
    shared: true,
  },
  deliveries: {
    name: 'gateway_webhook_deliveries_pending',
    kind: 'gauge',
    labels: [],
    help: 'Deliveries that have not succeeded yet, including retries, up to 100,000.',
    shared: true,
  },
  overdueDelivery: {
    name: 'gateway_webhook_deliveries_overdue_seconds',
    kind: 'gauge',
    labels: [],
    help: 'Longest delay of a due delivery attempt.',
    shared: true,
  },
  attempts: {
    name: 'gateway_webhook_attempts_total',
    kind: 'counter',
    labels: ['environment', 'result'],
    help: 'Delivery attempts: delivered, retried, failed (retries exhausted), gone (410), postponed (endpoint paused).',
  },
  jobs: {
    name: 'gateway_jobs',
    kind: 'gauge',
    labels: ['queue', 'state'],
    help: 'Jobs of pg-boss, counted every few minutes. Ready jobs of webhook-dead are the failed deliveries of 30 days.',
    shared: true,
  },
  mails: {
    name: 'gateway_emails_queued',
    kind: 'gauge',
    labels: [],
    help: 'Unsent emails, up to 100,000.',
    shared: true,
  },
  oldestMail: {
    name: 'gateway_emails_oldest_seconds',
    kind: 'gauge',
    labels: [],
    help: 'Age of the oldest unsent email.',
    shared: true,
  },

  connections: {
    name: 'gateway_pool_connections',
    kind: 'gauge',
    labels: ['pool', 'state'],
    help: 'Database connections, used and idle.',
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
    help: '1 while Redis does not respond and limits are counted in the database. Absent without REDIS_URL.',
  },
  clockOffset: {
    name: 'gateway_clock_offset_seconds',
    kind: 'gauge',
    labels: [],
    help: 'Clock of this machine minus clock of the database.',
  },
  clockSteps: {
    name: 'gateway_clock_steps_total',
    kind: 'counter',
    labels: [],
    help: 'Jumps of the database clock by more than a second, as noticed by this process.',
  },
  tasks: {
    name: 'gateway_task_last_success_timestamp_seconds',
    kind: 'gauge',
    labels: ['task'],
    help: 'Last success of a background task of this process; initially its start.',
  },
  workers: {
    name: 'gateway_worker',
    kind: 'gauge',
    labels: ['worker'],
    help: '1 for each worker of this process.',
  },
  archivedAt: {
    name: 'gateway_archive_timestamp_seconds',
    kind: 'gauge',
    labels: [],
    help: 'Time of the last archived month; 0: never.',
    shared: true,
  },
  readings: {
    name: 'gateway_reading_timestamp_seconds',
    kind: 'gauge',
    labels: ['what'],
    help: 'Time at which this process last read these figures; 0: never.',
  },
  build: {
    name: 'gateway_build_info',
    kind: 'gauge',
    labels: ['version', 'commit', 'node'],
    help: 'Version of the process; the value is 1.',
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
