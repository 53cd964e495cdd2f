import { indianDay, indianDays } from '../../core/clock.js';
import { operatorKeyProblem } from '../../core/operators.js';
import type { Secret } from '../../core/secret.js';
import type { ProviderHttpClient } from '../http-client.js';
import type { StatusCheckOutcome } from '../outcome.js';
import type { RechargeOrder, RechargePort, RechargeStatusCheck } from '../ports/recharge.port.js';
import { amountText } from '../wire.js';
import { balanceIn, judgeRecharge, judgeStatus } from './roundpay.responses.js';

export interface RoundPayOptions {
  /** HTTP client for the base URL that serves `/API/TransactionAPI`. */
  client: ProviderHttpClient;
  /** HTTP client for `/API/StatusCheck`, if the provider serves it from a separate base URL. */
  statusClient?: ProviderHttpClient;
  /** HTTP client for `/API/Balance`, which staff view. It is separate so that its failures do not block recharges. */
  balanceClient?: ProviderHttpClient;
  credentials: { userId: string; token: Secret };
}

/**
 * Creates the adapter for mobile and DTH recharges at RoundPay. The payload is sent unchanged, without `circle`.
 * `notFoundIsFinal` is an assumption that the provider must confirm. APIRequestID is unique there, and a duplicate returns the
 * existing transaction. An ID that no status check finds on any day was therefore never booked.
 */
export function createRoundPayAdapter({
  client,
  statusClient = client,
  balanceClient = client,
  credentials,
}: RoundPayOptions): RechargePort<'ROUNDPAY'> {
  const signIn = () => ({ UserID: credentials.userId, Token: credentials.token.reveal() });

  return {
    provider: 'ROUNDPAY',
    needsCircle: false,
    canCheckStatus: true,
    notFoundIsFinal: true,
    get available() {
      return client.available;
    },
    operatorProblem: operatorKeyProblem,
    async recharge(order, _caller, permit) {
      const query = { ...signIn(), ...rechargeQuery(order) };
      const request = {
        method: 'GET',
        path: '/API/TransactionAPI',
        query,
        number: order.accountNumber,
        permit,
      } as const;
      return judgeRecharge(await client.send(request), order);
    },
    async checkStatus(order) {
      const days = bookingDays(order);
      // runs in parallel, so that a status check for two days does not exceed the lease
      const outcomes = await Promise.all(
        days.slice(0, MAX_DAYS).map(async (day) => {
          const query = { ...signIn(), ...statusQuery(order, day) };
          return judgeStatus(await statusClient.send({ method: 'GET', path: '/API/StatusCheck', query }), order);
        }),
      );
      return concludeDays(outcomes, days.length <= MAX_DAYS);
    },
    async float() {
      const query = { ...signIn(), Format: '1' };
      return balanceIn(await balanceClient.send({ method: 'GET', path: '/API/Balance', query }));
    },
  };
}

/**
 * Returns the query of `/API/TransactionAPI` without credentials. All documented parameters are sent, empty if they have no
 * value.
 */
const rechargeQuery = (order: RechargeOrder): Record<string, string> => ({
  Account: order.accountNumber,
  Amount: amountText(order.amountPaise),
  SPKey: String(order.operatorSpKey),
  APIRequestID: order.reference,
  Optional1: '',
  Optional2: '',
  Optional3: '',
  Optional4: '',
  GEOCode: order.geocode ?? '',
  CustomerNumber: order.customerNumber ?? '',
  Pincode: order.pincode ?? '',
  Format: '1',
});

/** Maximum difference between the provider's clock and our own. */
const CLOCKS_APART_MS = 5 * 60_000;
/** Maximum number of days of a status check. Orders are checked for about a day; the meaning of a longer silence is not known. */
const MAX_DAYS = 7;

/**
 * Returns the calendar days (IST, YYYY-MM-DD) on which the provider may have booked an order: from its placement until this
 * status check or its success. The provider assigns transactions to its own booking day, which can differ from the day we placed
 * the order.
 */
function bookingDays({ placedAt, checkedAt, settledAt }: RechargeStatusCheck): string[] {
  const dayOf = (instantMs: number): string => indianDay(new Date(instantMs));
  return indianDays(
    dayOf(placedAt.getTime() - CLOCKS_APART_MS),
    dayOf((settledAt ?? checkedAt).getTime() + CLOCKS_APART_MS),
  );
}

/** Returns the query of `/API/StatusCheck` for one day, without credentials. */
const statusQuery = (order: RechargeStatusCheck, day: string): Record<string, string> => ({
  RPID: order.providerTxnId ?? '',
  AGENTID: order.reference,
  Optional1: dayText(day),
  Format: '1',
});

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/** Formats "2023-07-12" as "12 JUL 2023". */
function dayText(date: string): string {
  const [year, month, day] = date.split('-');
  return `${day} ${months[Number(month) - 1]} ${year}`;
}

/**
 * Combines the responses for several days. A transaction is booked on one day, so the responses for the other days do not contain
 * it. The result is "not found" if every day returns it, and a failure if no other day can contain a success. If a success and a
 * failure conflict, the outcome is unknown.
 *
 * @param isComplete whether all days that may contain the transaction were checked
 */
export function concludeDays<T>(
  outcomes: readonly StatusCheckOutcome<T>[],
  isComplete: boolean,
): StatusCheckOutcome<T> {
  const firstOf = (kind: StatusCheckOutcome<T>['kind']): StatusCheckOutcome<T> | undefined =>
    outcomes.find((outcome) => outcome.kind === kind);
  const [accepted, declined, unknown] = [firstOf('accepted'), firstOf('declined'), firstOf('unknown')];
  if (accepted && declined) return { kind: 'unknown', evidence: { ...declined.evidence, reason: 'unexpected_answer' } };
  if (accepted) return accepted;
  if (unknown) return unknown;
  if (declined) return declined;
  const [first] = outcomes;
  return first && isComplete ? first : { kind: 'unknown', evidence: { reason: 'provider_not_found' } };
}
