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
    'The process serves reads and accepts no orders, for example after a restore. `gateway serve --pause-orders` is equivalent.',
  ),
  syncWindowMs: setting('SYNC_WINDOW_MS', duration(), '25s').about(
    'A call whose outcome is not known by then is answered with `pending`. At least `PROVIDER_TIMEOUT_MS` + 500ms.',
  ),
  providerTimeoutMs: setting('PROVIDER_TIMEOUT_MS', duration(), '24s').about('What a provider may take for one call.'),
  providerConcurrency: setting('PROVIDER_CONCURRENCY', concurrencyLimits, '').about(
    'Calls of a provider, status checks too, that all processes together may have under way at once, such as ' +
      '`roundpay:50,mokshiq:20`. A provider that is not named has 200 in each process.',
  ),
  leaseMarginMs: setting('LEASE_MARGIN_MS', duration(), '20s').about(
    'Beyond `PROVIDER_TIMEOUT_MS`: what storing an outcome may take before another process looks at the order.',
  ),
  statusCheckScheduleMs: setting('STATUS_CHECK_SCHEDULE_MS', durations, '5s,15s,30s,1m,3m,10m,30m,1h').about(
    'When the provider of an order without an outcome is asked: the first pause, the next ones, and the last again and again.',
  ),
  visibilityDelayMs: setting('VISIBILITY_DELAY_MS', duration(), '15m').about(
    'How long after the last possible send a provider\'s "not found" is believed. Longer than `PROVIDER_TIMEOUT_MS` + `LEASE_MARGIN_MS`.',
  ),
  manualReviewAfterMs: setting('MANUAL_REVIEW_AFTER_MS', duration(), '24h').about(
    'Time after which an order without a final status enters manual review.',
  ),
  recheckAfter: setting('RECHECK_AFTER_MS', recheckAfter, '24h').about(
    'When a settled payment is asked about once more, of a provider that can be asked. `24h,inspay:0` leaves a provider ' +
      'out, whose statement is reconciled every day.',
  ),
  rewriteMonths: setting('REWRITE_MONTHS', flag, 'true').about(
    'Rewrite the tables of a month three days after its end, which returns a third of its disk space. The copy needs about ' +
      '1 kB of free disk space per order.',
  ),
  exposureLimits: setting('EXPOSURE_LIMIT', exposureLimits, '2000:10000000').about(
    'Number and sum of payments without a final status at which a provider gets no new payments; 0: no limit. ' +
      '`2000:10000000,mokshiq:500:2500000` sets another limit for Mokshiq.',
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
      'Connections that a check of all the books works over at once: the weekly check of all processes together, and ' +
        '`gateway doctor --full` and `gateway restore`. Each keeps up to one core of the database busy. The same in all processes.',
    ),
    share: setting('LEDGER_CHECK_SHARE', whole(1, 100), '20').about(
      'Percent of the time that each connection of the weekly check works. It rests for the other time.',
    ),
  },
};

export const amounts = {
  maxRechargePaise: setting('MAX_RECHARGE_RUPEES', wholeRupees(1), '25000').about('The largest recharge.'),
  maxBillPaymentPaise: setting('MAX_BILL_PAYMENT_RUPEES', wholeRupees(1), '1000000').about('The largest bill payment.'),
  resolveAlone: {
    atOncePaise: setting('RESOLVE_APPROVAL_ABOVE_RUPEES', wholeRupees(0), '5000').about(
      'Amount of a production order above which its resolution requires approval.',
    ),
    perDayPaise: setting('RESOLVE_DAILY_LIMIT_RUPEES', wholeRupees(0), '100000').about(
      'Sum of the production orders that one user resolves in one calendar day (IST). Above the sum, a resolution requires approval.',
    ),
  },
  creditAlone: {
    atOncePaise: setting('CREDIT_APPROVAL_ABOVE_RUPEES', wholeRupees(0), '50000').about(
      'Amount of a production credit above which the credit requires approval; 0: every production credit.',
    ),
    perDayPaise: setting('CREDIT_DAILY_LIMIT_RUPEES', wholeRupees(0), '200000').about(
      'Sum of the production credits of one user in one calendar day (IST). Above the sum, a credit requires approval.',
    ),
  },
  twoPeople: {
    of: setting('TWO_PEOPLE', someOf(TWO_PEOPLE), 'none').about(
      'What of accounts takes two admins: live access, fees above `TWO_PEOPLE_FEE_ABOVE`, recharge providers, roles of ' +
        'people, and that a disabled provider is enabled again, or paused orders are resumed. With roles go suspending and removing admins and removing second factors. They take two for good ' +
        'once two admins had a second factor; `all` is right from then on.',
    ),
    feeAbovePaise: setting('TWO_PEOPLE_FEE_ABOVE', wholeRupees(0), '10').about(
      'With `fees` in `TWO_PEOPLE`, a fee per call above it needs a second admin.',
    ),
  },
  lowBalancePaise: setting('LOW_BALANCE_RUPEES', wholeRupees(0), '1000').about(
    'Production wallets that hold less are counted in the metric `gateway_wallets_low`.',
  ),
};

export const callbacks = {
  callbackSecrets: setting('CALLBACK_SECRETS', callbackSecrets, '').about(
    'What callbacks of providers show. A provider stands twice while one secret replaces the other.',
  ),
  callbackQuerySecret: setting('CALLBACK_QUERY_SECRET', flag, 'true').about(
    '`false`: the secret counts in the header `X-Callback-Secret` alone, and not in the query, which proxies log.',
  ),
  callbackAddresses: setting('CALLBACK_ADDRESSES', callbackAddresses, '').about(
    'Where callbacks of a provider come from. Those of the others are taken from any address, with the secret.',
  ),
};
