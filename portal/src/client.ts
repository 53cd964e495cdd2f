import { type Cache, cacheExchange, type DataFields, type Variables } from '@urql/exchange-graphcache';
import { Client, fetchExchange } from 'urql';
import { callLog, forgetCalls } from './call-log.js';
import type { SetServiceAccessManyInput, WorkQuery } from './generated/documents.js';
import keys from './generated/keys.json';
import { forgetUat } from './uat.js';
import { WORK } from './work.js';

const withoutKey = Object.fromEntries(Object.keys(keys).map((type) => [type, () => null]));

/**
 * What switches will show when the console agrees; its answer, or its refusal, takes the place of this. A fee is money: it changes
 * with the answer alone.
 */
function accessAfter({ input }: { input: SetServiceAccessManyInput }, cache: Cache): DataFields {
  const access = input.changes.flatMap(({ developerId, service, enabled }) => {
    const developer = { __typename: 'Developer', id: developerId };
    const known = (cache.resolve(developer, 'services') ?? []) as string[];
    const entry = known.find((one) => cache.resolve(one, 'service') === service);
    if (entry === undefined) return [];
    const of = (field: string) => cache.resolve(entry, field);
    return [
      {
        __typename: 'ServiceAccess',
        id: of('id'),
        service,
        enabled: enabled ?? of('enabled'),
        fee: of('fee'),
        changedAt: null,
        changedBy: null,
      },
    ];
  });
  return { __typename: 'SetServiceAccessManyPayload', access, undo: [], approvalRequests: [] } as unknown as DataFields;
}

/** What waits, and what one person may still do alone, is another thing after each decision. */
function invalidateDecided(cache: Cache): void {
  for (const field of ['reviewOrders', 'approvalRequests', 'viewer']) cache.invalidate('Query', field);
}

const theConsole = {
  url: '/graphql',
  // what is sent while the page goes away arrives all the same
  fetchOptions: () => ({ credentials: 'same-origin', keepalive: document.visibilityState === 'hidden' }) as const,
  preferGetMethod: false,
} as const;

/** Asks without a memory: what it hears changes nothing that is shown. */
export const withoutMemory = new Client({ ...theConsole, exchanges: [fetchExchange] });

/** One memory of what was read, for one signed-in person. Nothing of it is kept anywhere else. */
export function newClient(): Client {
  forgetCalls();
  forgetUat();
  return new Client({
    ...theConsole,
    fetchSubscriptions: true,
    requestPolicy: 'cache-and-network',
    exchanges: [
      callLog,
      cacheExchange({
        keys: withoutKey,
        optimistic: {
          setServiceAccessMany: (variables: Variables, cache) =>
            accessAfter(variables as unknown as { input: SetServiceAccessManyInput }, cache),
        },
        updates: {
          Mutation: {
            createCredential: (_result, _args, cache) => cache.invalidate('Query', 'viewer'),
            rotateCredential: (_result, _args, cache) => cache.invalidate('Query', 'viewer'),
            resolveOrder: (_result, _args, cache) => invalidateDecided(cache),
            resolveOrders: (_result, _args, cache) => invalidateDecided(cache),
            creditWallet: (_result, _args, cache) => invalidateDecided(cache),
            debitWallet: (_result, _args, cache) => invalidateDecided(cache),
            reverseOrder: (_result, _args, cache) => invalidateDecided(cache),
            reverseRefund: (_result, _args, cache) => invalidateDecided(cache),
            approveApprovalRequest: (_result, _args, cache) => {
              invalidateDecided(cache);
              // orders may have been resumed
              cache.invalidate('Query', 'environments');
            },
            rejectApprovalRequest: (_result, _args, cache) => invalidateDecided(cache),
            revokeSession: (_result, _args, cache) => cache.invalidate('Query', 'viewer'),
            revokeSessions: (_result, _args, cache) => cache.invalidate('Query', 'viewer'),
          },
          Subscription: {
            workChanged: ({ workChanged }, _args, cache) => {
              cache.updateQuery({ query: WORK }, () => ({ __typename: 'Query', work: workChanged }) as WorkQuery);
            },
          },
        },
      }),
      fetchExchange,
    ],
  });
}
