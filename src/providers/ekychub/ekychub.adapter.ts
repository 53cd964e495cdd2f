import { canHoldCardNumber } from '../../core/card-number.js';
import type { Secret } from '../../core/secret.js';
import type { ProviderHttpClient } from '../http-client.js';
import { accountOf, everyCall, type PlanCall, type PlanLookup, type PlansPort } from '../ports/plans.port.js';
import { ekycHubLookups } from './ekychub.mapping.js';

export interface EkycHubOptions {
  /** HTTP client for the provider's host, which serves `/v3/verification/…`. */
  client: ProviderHttpClient;
  credentials: { username: string; token: Secret };
}

/**
 * Creates the adapter for operator, plan and DTH lookups at EkycHub. `orderid` is the idempotency key of the caller. The
 * provider does not use it to detect duplicates, so a key that could contain a card number is sent without its digits.
 */
export function createEkycHubAdapter({ client, credentials }: EkycHubOptions): PlansPort<'EKYCHUB'> {
  const call =
    <Call extends PlanCall>(name: Call): PlanLookup<Call> =>
    async (query) => {
      const { path, parameters, judge } = ekycHubLookups[name];
      const response = await client.send({
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
      return judge(response, query);
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
