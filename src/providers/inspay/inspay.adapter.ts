import { rupeesNumber } from '../../core/money.js';
import type { Secret } from '../../core/secret.js';
import type { ProviderHttpClient } from '../http-client.js';
import type { CardBillsPort } from '../ports/card-bills.port.js';
import { judgeBill, judgePayment, judgeStatus } from './inspay.mapping.js';

export interface InspayOptions {
  /** HTTP client for the provider's host. Card bills are below `/v4`, the status check is below `/v3`. */
  client: ProviderHttpClient;
  credentials: { username: string; token: Secret };
}

/**
 * Creates the adapter for card bills at Inspay. The status check is documented only for recharges, and the provider must confirm
 * it for cards. Its "not found" therefore proves nothing: the money of such a payment remains held, and the payment enters
 * manual review.
 */
export function createInspayAdapter({ client, credentials }: InspayOptions): CardBillsPort<'INSPAY'> {
  const signIn = () => ({ username: credentials.username, token: credentials.token.reveal() });

  return {
    provider: 'INSPAY',
    canCheckStatus: true,
    notFoundIsFinal: false,
    get available() {
      return client.available;
    },
    async fetchBill({ reference, mobile, card, opcode }) {
      const json = { ...signIn(), mobile, card, opcode, orderid: reference };
      const request = { method: 'POST', path: '/v4/credit_card/bill_fetch', body: { json }, number: mobile } as const;
      return judgeBill(await client.send(request));
    },
    async pay(order, _caller, permit) {
      const json = {
        ...signIn(),
        mobile: order.mobile,
        card: order.card,
        opcode: order.opcode,
        orderid: order.reference,
        amount: rupeesNumber(order.amountPaise),
        fetch_id: order.fetchId,
        ...(order.pan === undefined ? {} : { pan: order.pan }),
      };
      const path = '/v4/credit_card/bill_pay';
      const response = await client.send({ method: 'POST', path, body: { json }, number: order.mobile, permit });
      return judgePayment(response, order);
    },
    async checkStatus(order) {
      // without `format`, the provider's recharge API may not return JSON
      const query = { ...signIn(), orderid: order.reference, format: 'json' };
      return judgeStatus(await client.send({ method: 'GET', path: '/v3/recharge/status', query }), order);
    },
  };
}
