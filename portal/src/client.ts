import { type Cache, cacheExchange, type DataFields, type Variables } from '@urql/exchange-graphcache';
import { Client, fetchExchange } from 'urql';
import { callLog, forgetCalls } from './call-log.js';
import type { SetServiceAccessManyInput, WorkQuery } from './generated/documents.js';
import keys from './generated/keys.json';
import { forgetUat } from './uat.js';
import { WORK } from './work.js';

const withoutKey = Object.fromEntries(Object.keys(keys).map((type) => [type, () => null]));

/**
 * Optimistic result of a service access change, which the response replaces. Fees are not updated optimistically, because they
 * affect money.
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

/** Invalidates the queues and the remaining approval limits of the viewer, which change with each resolution. */
function invalidateDecided(cache: Cache): void {
  for (const field of ['reviewOrders', 'approvalRequests', 'viewer']) cache.invalidate('Query', field);
}

const theConsole = {
  url: '/graphql',
  // Keeps requests alive that are sent while the page is being closed, so that they reach the console.
  fetchOptions: () => ({ credentials: 'same-origin', keepalive: document.visibilityState === 'hidden' }) as const,
  preferGetMethod: false,
} as const;

/** Client without a cache, so that its results do not update pages. */
export const withoutMemory = new Client({ ...theConsole, exchanges: [fetchExchange] });

/** Creates a client with its own in-memory cache for one signed-in user. */
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
              // The approval may have resumed orders.
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
