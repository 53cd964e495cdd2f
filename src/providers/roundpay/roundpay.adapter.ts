import { indianDay, indianDays } from '../../core/clock.js';
import { operatorKeyProblem } from '../../core/operators.js';
import type { Secret } from '../../core/secret.js';
import type { ProviderHttpClient } from '../http-client.js';
import type { StatusCheckOutcome } from '../outcome.js';
import type { RechargeOrder, RechargePort, RechargeStatusCheck } from '../ports/recharge.port.js';
import { amountText } from '../wire.js';
import { balanceIn, judgeRecharge, judgeStatus } from './roundpay.answers.js';

export interface RoundPayOptions {
  /** Its base URL is the one that serves `/API/TransactionAPI`. */
  client: ProviderHttpClient;
  /** For `/API/StatusCheck`, when the provider serves it from another base. */
  statusClient?: ProviderHttpClient;
  /** For `/API/Balance`, which staff look at: what fails there must keep no recharge back. */
  balanceClient?: ProviderHttpClient;
  credentials: { userId: string; token: Secret };
}

/**
 * Mobile and DTH recharges at RoundPay. The payload is used as it is; `circle` is not sent.
 *
 * `notFoundIsFinal` is our reading, to be confirmed with the provider: APIRequestID is unique there and a repeated one returns
 * the existing transaction, so an id that no status call knows, whatever day it is asked for, was never booked.
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
      // in parallel, so that a status check about two days takes no longer than its lease allows for one
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

/** The query of `/API/TransactionAPI`, sign-in excepted. Every documented parameter is sent, empty when there is nothing to say. */
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

/** The provider's clock and ours may be as far apart. */
const CLOCKS_APART_MS = 5 * 60_000;
/** An order is asked about for a day or so; what a longer silence means is not known. */
const MAX_DAYS = 7;

/**
 * The Indian calendar days (YYYY-MM-DD) on which the provider may have booked an order: from its placing to this status check, or to its
 * success. It files transactions by its own day, which need not be the day that we placed the order on.
 */
function bookingDays({ placedAt, askedAt, settledAt }: RechargeStatusCheck): string[] {
  const dayOf = (instantMs: number): string => indianDay(new Date(instantMs));
  return indianDays(
    dayOf(placedAt.getTime() - CLOCKS_APART_MS),
    dayOf((settledAt ?? askedAt).getTime() + CLOCKS_APART_MS),
  );
}

/** The query of `/API/StatusCheck` for one day, sign-in excepted. */
const statusQuery = (order: RechargeStatusCheck, day: string): Record<string, string> => ({
  RPID: order.providerTxnId ?? '',
  AGENTID: order.reference,
  Optional1: dayText(day),
  Format: '1',
});

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/** "2023-07-12" as "12 JUL 2023". */
function dayText(date: string): string {
  const [year, month, day] = date.split('-');
  return `${day} ${months[Number(month) - 1]} ${year}`;
}

/**
 * What the answers for several days say together. A transaction is filed under one day, so the others do not know it: "not found"
 * counts when every day says so, a failure when no other day may hold a success, and two verdicts that contradict each other are
 * none.
 *
 * @param complete every day that may hold the transaction was asked
 */
export function concludeDays<T>(outcomes: readonly StatusCheckOutcome<T>[], complete: boolean): StatusCheckOutcome<T> {
  const of = (kind: StatusCheckOutcome<T>['kind']): StatusCheckOutcome<T> | undefined =>
    outcomes.find((outcome) => outcome.kind === kind);
  const [accepted, declined, unknown] = [of('accepted'), of('declined'), of('unknown')];
  if (accepted && declined) return { kind: 'unknown', evidence: { ...declined.evidence, reason: 'unexpected_answer' } };
  if (accepted) return accepted;
  if (unknown) return unknown;
  if (declined) return declined;
  const [first] = outcomes;
  return first && complete ? first : { kind: 'unknown', evidence: { reason: 'provider_not_found' } };
}
