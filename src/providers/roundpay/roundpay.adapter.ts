import type { Secret } from '../../core/secret.js';
import type { ProviderHttpClient } from '../http-client.js';
import { operatorKeyProblem } from '../operator-key.js';
import type { RechargePort } from '../ports/recharge.port.js';
import { judgeRecharge, judgeStatus } from './roundpay.answers.js';
import { concludeDays } from './roundpay.days.js';
import { bookingDays, MAX_DAYS, rechargeQuery, statusQuery } from './roundpay.requests.js';

export interface RoundPayOptions {
  /** Its base URL is the one that serves `/API/TransactionAPI`. */
  client: ProviderHttpClient;
  /** For `/API/StatusCheck`, when the provider serves it from another base. */
  statusClient?: ProviderHttpClient;
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
  credentials,
}: RoundPayOptions): RechargePort<'ROUNDPAY'> {
  const signIn = () => ({ UserID: credentials.userId, Token: credentials.token.reveal() });

  return {
    provider: 'ROUNDPAY',
    needsCircle: false,
    canEnquire: true,
    notFoundIsFinal: true,
    get available() {
      return client.available;
    },
    operatorProblem: operatorKeyProblem,
    async recharge(order, _caller, permit) {
      const query = { ...signIn(), ...rechargeQuery(order) };
      return judgeRecharge(await client.send({ method: 'GET', path: '/API/TransactionAPI', query, permit }), order);
    },
    async enquire(order) {
      const days = bookingDays(order);
      // at once, so that an enquiry about two days takes no longer than its lease allows for one
      const outcomes = await Promise.all(
        days.slice(0, MAX_DAYS).map(async (day) => {
          const query = { ...signIn(), ...statusQuery(order, day) };
          return judgeStatus(await statusClient.send({ method: 'GET', path: '/API/StatusCheck', query }), order);
        }),
      );
      return concludeDays(outcomes, days.length <= MAX_DAYS);
    },
  };
}
