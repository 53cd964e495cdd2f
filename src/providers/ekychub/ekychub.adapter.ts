import { canHoldCardNumber } from '../../core/card-number.js';
import type { Secret } from '../../core/secret.js';
import type { ProviderHttpClient } from '../http-client.js';
import { type Ask, accountOf, everyCall, type PlanCall, type PlansPort } from '../ports/plans.port.js';
import { ekycHubLookups } from './ekychub.mapping.js';

export interface EkycHubOptions {
  /** Its base URL is the provider's host, such as the one that serves `/v3/verification/…`. */
  client: ProviderHttpClient;
  credentials: { username: string; token: Secret };
}

/**
 * Operator, plan and DTH lookups at EkycHub. `orderid` is the caller's: the provider does not use it against duplicates, so one that
 * may hold a card number goes without its digits.
 */
export function createEkycHubAdapter({ client, credentials }: EkycHubOptions): PlansPort<'EKYCHUB'> {
  const call =
    <Call extends PlanCall>(name: Call): Ask<Call> =>
    async (query) => {
      const { path, parameters, judge } = ekycHubLookups[name];
      const answer = await client.send({
        method: 'GET',
        path: `/v3/verification/${path}`,
        query: {
          username: credentials.username,
          token: credentials.token.reveal(),
          orderid: withoutCardNumber(query.clientRequestId),
          ...parameters(query),
        },
        number: accountOf(query),
      });
      return judge(answer, query);
    };

  return {
    provider: 'EKYCHUB',
    get available() {
      return client.available;
    },
    ...everyCall(call),
  };
}

const withoutCardNumber = (key: string): string => (canHoldCardNumber(key) ? key.replace(/\p{N}/gu, 'x') : key);
