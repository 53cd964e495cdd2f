import { duration, durations, flag, someOf, whole, wholeRupees } from './kinds.js';
import {
  callbackAddresses,
  callbackSecrets,
  concurrencyLimits,
  exposureLimits,
  recheckAfter,
} from './provider-kinds.js';
import { setting } from './setting.js';

/** What of accounts, people and providers can take two admins. */
export const TWO_PEOPLE = ['unlock', 'fees', 'provider', 'roles', 'switches'] as const;

export const orders = {
  pauseOrders: setting('PAUSE_ORDERS', flag, 'false').about(
    'The process serves reads and accepts no orders. Equivalent to `gateway serve --pause-orders`.',
  ),
  syncWindowMs: setting('SYNC_WINDOW_MS', duration(), '25s').about(
    'Time after which a call without a final status returns `pending`. At least `PROVIDER_TIMEOUT_MS` + 500ms.',
  ),
  providerTimeoutMs: setting('PROVIDER_TIMEOUT_MS', duration(), '24s').about('Time limit for one call to a provider.'),
  providerConcurrency: setting('PROVIDER_CONCURRENCY', concurrencyLimits, '').about(
    'Concurrent calls to a provider over all processes, status checks included: `roundpay:50,mokshiq:20`. Without an entry, a provider has 200 in each process.',
  ),
  leaseMarginMs: setting('LEASE_MARGIN_MS', duration(), '20s').about(
    'Time for storing an outcome, in addition to `PROVIDER_TIMEOUT_MS`, before another process takes over the order.',
  ),
  statusCheckScheduleMs: setting('STATUS_CHECK_SCHEDULE_MS', durations, '5s,15s,30s,1m,3m,10m,30m,1h').about(
    'Pauses before the status checks of an order without a final status. The last pause repeats.',
  ),
  visibilityDelayMs: setting('VISIBILITY_DELAY_MS', duration(), '15m').about(
    'Time after the last possible send before a provider\'s "not found" is accepted. Longer than `PROVIDER_TIMEOUT_MS` + `LEASE_MARGIN_MS`.',
  ),
  manualReviewAfterMs: setting('MANUAL_REVIEW_AFTER_MS', duration(), '24h').about(
    'Time after which an order without a final status enters manual review.',
  ),
  recheckAfter: setting('RECHECK_AFTER_MS', recheckAfter, '24h').about(
    'Time after which the status of a successful payment is checked again. `24h,inspay:0` excludes a provider whose statement is reconciled every day.',
  ),
  rewriteMonths: setting('REWRITE_MONTHS', flag, 'true').about(
    'Rewrite the tables of a month three days after its end, which returns a third of its disk space. The copy needs about ' +
      '1 kB of free disk space per order.',
  ),
  exposureLimits: setting('EXPOSURE_LIMIT', exposureLimits, '2000:10000000').about(
    'Number and sum of payments without a final status at which a provider gets no new payments; 0: no limit. `2000:10000000,mokshiq:500:2500000` sets another limit for Mokshiq.',
  ),
};

/** Connections and time that checks of all the books may take. */
export interface LedgerCheck {
  workers: number;
  /** Percent of the time of each. */
  share: number;
}

export const checks = {
  ledgerCheck: {
    workers: setting('LEDGER_CHECK_WORKERS', whole(1, 16), '1').about(
      'Connections of a check of all the books, for all processes together. Each uses up to one core of the database. At most `CONSOLE_POOL_SIZE`.',
    ),
    share: setting('LEDGER_CHECK_SHARE', whole(1, 100), '20').about(
      'Percent of the time for which each connection of the weekly check works.',
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
      'Amount of a production order above which its resolution requires approval.',
    ),
    perDayPaise: setting('RESOLVE_DAILY_LIMIT_RUPEES', wholeRupees(0), '100000').about(
      'Sum of the production orders that one user resolves in one calendar day (IST) without approval.',
    ),
  },
  creditAlone: {
    atOncePaise: setting('CREDIT_APPROVAL_ABOVE_RUPEES', wholeRupees(0), '50000').about(
      'Amount of a production credit above which the credit requires approval; 0: every production credit.',
    ),
    perDayPaise: setting('CREDIT_DAILY_LIMIT_RUPEES', wholeRupees(0), '200000').about(
      'Sum of the production credits of one user in one calendar day (IST) without approval.',
    ),
  },
  twoPeople: {
    of: setting('TWO_PEOPLE', someOf(TWO_PEOPLE), 'none').about(
      'Changes that require a second administrator: Production access (`unlock`), fees above `TWO_PEOPLE_FEE_ABOVE`, recharge providers, roles (also suspending and removing administrators, and removing second factors), and enabling a provider or resuming orders (`switches`). `roles` applies permanently once two administrators have had a second factor; set `all` from then on.',
    ),
    feeAbovePaise: setting('TWO_PEOPLE_FEE_ABOVE', wholeRupees(0), '10').about(
      'Fee per call above which `fees` in `TWO_PEOPLE` requires a second administrator.',
    ),
  },
  lowBalancePaise: setting('LOW_BALANCE_RUPEES', wholeRupees(0), '1000').about(
    'Balance below which the metric `gateway_wallets_low` counts a production wallet.',
  ),
};

export const callbacks = {
  callbackSecrets: setting('CALLBACK_SECRETS', callbackSecrets, '').about(
    'Secrets that providers send with callbacks. List a provider twice while you replace its secret.',
  ),
  callbackQuerySecret: setting('CALLBACK_QUERY_SECRET', flag, 'true').about(
    '`false`: accept the secret only in the header `X-Callback-Secret`, and not in the query, which proxies log.',
  ),
  callbackAddresses: setting('CALLBACK_ADDRESSES', callbackAddresses, '').about(
    "Source addresses of a provider's callbacks. Without an entry, any address with the secret is accepted.",
  ),
};
