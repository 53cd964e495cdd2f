import { type Cache, cacheExchange, type DataFields, type Variables } from '@urql/exchange-graphcache';
import { Client, fetchExchange } from 'urql';
import { callLog, clearCalls } from './call-log.js';
import type { SetServiceAccessManyInput, WorkQuery } from './generated/documents.js';
import keys from './generated/keys.json';
import { clearUat } from './uat.js';
import { WORK } from './work.js';

const withoutKey = Object.fromEntries(Object.keys(keys).map((type) => [type, () => null]));

/**
 * Optimistic result of a service access change, which the response replaces. Fees are not updated optimistically, because they
 * affect money.
 */
function optimisticAccess({ input }: { input: SetServiceAccessManyInput }, cache: Cache): DataFields {
  const access = input.changes.flatMap(({ developerId, service, enabled }) => {
    const developer = { __typename: 'Developer', id: developerId };
    const cached = (cache.resolve(developer, 'services') ?? []) as string[];
    const entry = cached.find((candidate) => cache.resolve(candidate, 'service') === service);
    if (entry === undefined) return [];
    const valueOf = (field: string) => cache.resolve(entry, field);
    return [
      {
        __typename: 'ServiceAccess',
        id: valueOf('id'),
        service,
        enabled: enabled ?? valueOf('enabled'),
        fee: valueOf('fee'),
        changedAt: null,
        changedBy: null,
      },
    ];
  });
  return { __typename: 'SetServiceAccessManyPayload', access, undo: [], approvalRequests: [] } as unknown as DataFields;
}

/** Invalidates the queues and the remaining approval limits of the viewer, which change with each resolution. */
function invalidateResolved(cache: Cache): void {
  for (const field of ['reviewOrders', 'approvalRequests', 'viewer']) cache.invalidate('Query', field);
}

const clientOptions = {
  url: '/graphql',
  // Keeps requests alive that are sent while the page is being closed, so that they reach the console.
  fetchOptions: () => ({ credentials: 'same-origin', keepalive: document.visibilityState === 'hidden' }) as const,
  preferGetMethod: false,
} as const;

/** Client without a cache, so that its results do not update pages. */
export const uncachedClient = new Client({ ...clientOptions, exchanges: [fetchExchange] });

/** Creates a client with its own in-memory cache for one signed-in user. */
export function newClient(): Client {
  clearCalls();
  clearUat();
  return new Client({
    ...clientOptions,
    fetchSubscriptions: true,
    requestPolicy: 'cache-and-network',
    exchanges: [
      callLog,
      cacheExchange({
        keys: withoutKey,
        optimistic: {
          setServiceAccessMany: (variables: Variables, cache) =>
            optimisticAccess(variables as unknown as { input: SetServiceAccessManyInput }, cache),
        },
        updates: {
          Mutation: {
            createCredential: (_result, _args, cache) => cache.invalidate('Query', 'viewer'),
            rotateCredential: (_result, _args, cache) => cache.invalidate('Query', 'viewer'),
            resolveOrder: (_result, _args, cache) => invalidateResolved(cache),
            resolveOrders: (_result, _args, cache) => invalidateResolved(cache),
            creditWallet: (_result, _args, cache) => invalidateResolved(cache),
            debitWallet: (_result, _args, cache) => invalidateResolved(cache),
            reverseOrder: (_result, _args, cache) => invalidateResolved(cache),
            reverseRefund: (_result, _args, cache) => invalidateResolved(cache),
            approveApprovalRequest: (_result, _args, cache) => {
              invalidateResolved(cache);
              // The approval may have resumed orders.
              cache.invalidate('Query', 'environments');
            },
            rejectApprovalRequest: (_result, _args, cache) => invalidateResolved(cache),
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
