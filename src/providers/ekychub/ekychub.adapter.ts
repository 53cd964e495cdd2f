import { mayHoldCardNumber } from '../../core/card-number.js';
import type { Secret } from '../../core/secret.js';
import type { ProviderAnswer, ProviderHttpClient } from '../http-client.js';
import type { PlansPort } from '../ports/plans.port.js';
import { judgeCustomers, judgeDetection, judgePlans } from './ekychub.mapping.js';

export interface EkycHubOptions {
  /** Its base URL is the provider's host, such as the one that serves `/v3/verification/…`. */
  client: ProviderHttpClient;
  credentials: { username: string; token: Secret };
}

type Lookup = 'operator_fetch' | 'operator_plan_fetch' | 'dth_plan_fetch' | 'dth_info';

/**
 * Operator, plan and DTH lookups at EkycHub. `orderid` is the caller's: the provider does not use it against duplicates, so one that
 * may hold a card number goes without its digits.
 */
export function createEkycHubAdapter({ client, credentials }: EkycHubOptions): PlansPort<'EKYCHUB'> {
  const ask = (lookup: Lookup, clientRequestId: string, query: Record<string, string>): Promise<ProviderAnswer> =>
    client.send({
      method: 'GET',
      path: `/v3/verification/${lookup}`,
      query: {
        username: credentials.username,
        token: credentials.token.reveal(),
        orderid: mayHoldCardNumber(clientRequestId) ? clientRequestId.replace(/\p{N}/gu, 'x') : clientRequestId,
        ...query,
      },
    });

  return {
    provider: 'EKYCHUB',
    get available() {
      return client.available;
    },
    async operatorFetch({ mobile, clientRequestId }) {
      return judgeDetection(await ask('operator_fetch', clientRequestId, { mobile }), mobile);
    },
    async mobilePlans({ mobile, opcode, circleCode, clientRequestId }) {
      return judgePlans(await ask('operator_plan_fetch', clientRequestId, { mobile, opcode, circle: circleCode }));
    },
    async dthPlans({ dthNumber, opcode, clientRequestId }) {
      return judgePlans(await ask('dth_plan_fetch', clientRequestId, { dth_number: dthNumber, opcode }));
    },
    async dthInfo({ dthNumber, opcode, clientRequestId }) {
      return judgeCustomers(await ask('dth_info', clientRequestId, { dth_number: dthNumber, opcode }));
    },
  };
}
