import { duration, durations, flag, someOf, wholeNumber, wholeRupees } from './kinds.js';
import {
  callbackAddresses,
  callbackSecrets,
  concurrencyLimits,
  exposureLimits,
  recheckAfter,
} from './provider-kinds.js';
import { setting } from './setting.js';

/** Changes to accounts, users and providers that can require a second administrator. */
export const TWO_PEOPLE = ['unlock', 'fees', 'provider', 'roles', 'switches'] as const;

export const orders = {
  pauseOrders: setting('PAUSE_ORDERS', flag, 'false').about(
    'Pauses orders in this process: it serves reads and rejects new orders, like `gateway serve --pause-orders`.',
  ),
  syncWindowMs: setting('SYNC_WINDOW_MS', duration(), '25s').about(
    'Time after which a call without a final status returns `pending`. At least `PROVIDER_TIMEOUT_MS` + 500ms.',
  ),
  providerTimeoutMs: setting('PROVIDER_TIMEOUT_MS', duration(), '24s').about('Time limit for one call to a provider.'),
  providerConcurrency: setting('PROVIDER_CONCURRENCY', concurrencyLimits, '').about(
    'Concurrent calls per provider over all processes, including status checks: `roundpay:50,mokshiq:20`. Other providers have 200 per process.',
  ),
  leaseMarginMs: setting('LEASE_MARGIN_MS', duration(), '20s').about(
    'Time for storing an outcome, added to `PROVIDER_TIMEOUT_MS`, before another process takes over the order.',
  ),
  statusCheckScheduleMs: setting('STATUS_CHECK_SCHEDULE_MS', durations, '5s,15s,30s,1m,3m,10m,30m,1h').about(
    'Delays before the status checks of an order without a final status. The last one repeats.',
  ),
  visibilityDelayMs: setting('VISIBILITY_DELAY_MS', duration(), '15m').about(
    'Time after the last possible send before "not found" from a provider is accepted. Must exceed `PROVIDER_TIMEOUT_MS` + `LEASE_MARGIN_MS`.',
  ),
  manualReviewAfterMs: setting('MANUAL_REVIEW_AFTER_MS', duration(), '24h').about(
    'Age at which an order without a final status needs manual review.',
  ),
  recheckAfter: setting('RECHECK_AFTER_MS', recheckAfter, '24h').about(
    'Age at which the status of a successful payment is checked again. `24h,inspay:0` excludes a provider that you reconcile daily.',
  ),
  rewriteMonths: setting('REWRITE_MONTHS', flag, 'true').about(
    'Rewrites the tables of a month three days after its end, which frees a third of their disk space. The copy needs about 1 kB per order.',
  ),
  exposureLimits: setting('EXPOSURE_LIMIT', exposureLimits, '2000:10000000').about(
    'Number and sum of payments without a final status at which a provider gets no new payments; `0` for no limit. `2000:10000000,mokshiq:500:2500000` sets another limit for Mokshiq.',
  ),
};

/** Connections and share of time that full ledger checks can use. */
export interface LedgerCheck {
  workers: number;
  /** Percentage of time for which each connection works. */
  share: number;
}

export const checks = {
  ledgerCheck: {
    workers: setting('LEDGER_CHECK_WORKERS', wholeNumber(1, 16), '1').about(
      'Connections of a full ledger check, over all processes. Each uses up to one database core. At most `CONSOLE_POOL_SIZE`.',
    ),
    share: setting('LEDGER_CHECK_SHARE', wholeNumber(1, 100), '20').about(
      'Percentage of time for which each connection of the weekly check works.',
    ),
  },
};

export const amounts = {
  maxRechargePaise: setting('MAX_RECHARGE_RUPEES', wholeRupees(1), '25000').about('Maximum amount of a recharge.'),
  maxBillPaymentPaise: setting('MAX_BILL_PAYMENT_RUPEES', wholeRupees(1), '1000000').about(
    'Maximum amount of a bill payment.',
  ),
  resolveAlone: {
    atOncePaise: setting('RESOLVE_APPROVAL_ABOVE_RUPEES', wholeRupees(0), '5000').about(
      'Amount above which resolving a production order requires approval.',
    ),
    perDayPaise: setting('RESOLVE_DAILY_LIMIT_RUPEES', wholeRupees(0), '100000').about(
      'Total of production orders that one user resolves per calendar day (IST) without approval.',
    ),
  },
  creditAlone: {
    atOncePaise: setting('CREDIT_APPROVAL_ABOVE_RUPEES', wholeRupees(0), '50000').about(
      'Amount above which a production credit requires approval; `0` for every credit.',
    ),
    perDayPaise: setting('CREDIT_DAILY_LIMIT_RUPEES', wholeRupees(0), '200000').about(
      'Total of production credits of one user per calendar day (IST) without approval.',
    ),
  },
  twoPeople: {
    of: setting('TWO_PEOPLE', someOf(TWO_PEOPLE), 'none').about(
      'Changes that require approval by a second administrator: Production access (`unlock`), fees above `TWO_PEOPLE_FEE_ABOVE`, recharge providers, roles (including suspending and removing administrators, and removing second factors), enabling a provider or resuming orders (`switches`). `roles` applies permanently once two administrators have had a second factor; set `all` from then on.',
    ),
    feeAbovePaise: setting('TWO_PEOPLE_FEE_ABOVE', wholeRupees(0), '10').about(
      'Fee per call above which `fees` in `TWO_PEOPLE` requires approval.',
    ),
  },
  lowBalancePaise: setting('LOW_BALANCE_RUPEES', wholeRupees(0), '1000').about(
    'Balance below which `gateway_wallets_low` counts a production wallet.',
  ),
};

export const callbacks = {
  callbackSecrets: setting('CALLBACK_SECRETS', callbackSecrets, '').about(
    'Secrets in callbacks of providers. List a provider twice while you replace its secret.',
  ),
  callbackQuerySecret: setting('CALLBACK_QUERY_SECRET', flag, 'true').about(
    'Accepts the secret in the query, which proxies log, as well as in the header `X-Callback-Secret`.',
  ),
  callbackAddresses: setting('CALLBACK_ADDRESSES', callbackAddresses, '').about(
    'Source addresses of callbacks. Without an entry, every address is accepted.',
  ),
};
