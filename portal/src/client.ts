import { type Cache, cacheExchange, type DataFields, type Variables } from '@urql/exchange-graphcache';
import { Client, fetchExchange } from 'urql';
import { callLog, forgetCalls } from './call-log.js';
import type { SetServiceAccessInput } from './generated/documents.js';
import keys from './generated/keys.json';

const withoutKey = Object.fromEntries(Object.keys(keys).map((type) => [type, () => null]));

/** What a switch of the access matrix will show when the console agrees; its answer, or its refusal, takes the place of this. */
function accessAfter({ input }: { input: SetServiceAccessInput }, cache: Cache): DataFields {
  const developer = { __typename: 'Developer', id: input.developerId };
  const access = (cache.resolve(developer, 'services') ?? []) as string[];
  const services = access.map((entry) => {
    const service = cache.resolve(entry, 'service') as string;
    const isMeant = service === input.service;
    return {
      __typename: 'ServiceAccess',
      service,
      enabled: isMeant ? input.enabled : cache.resolve(entry, 'enabled'),
      fee: (isMeant ? input.fee : undefined) ?? cache.resolve(entry, 'fee'),
    };
  });
  return {
    __typename: 'DeveloperPayload',
    proposal: null,
    developer: { ...developer, services },
  } as unknown as DataFields;
}

/** What waits, and what one person may still do alone, is another thing after each decision. */
function invalidateDecided(cache: Cache): void {
  for (const field of ['reviewOrders', 'proposals', 'viewer']) cache.invalidate('Query', field);
}

/** One memory of what was read, for one signed-in person. Nothing of it is kept anywhere else. */
export function newClient(): Client {
  forgetCalls();
  return new Client({
    url: '/graphql',
    fetchOptions: { credentials: 'same-origin' },
    preferGetMethod: false,
    requestPolicy: 'cache-and-network',
    exchanges: [
      callLog,
      cacheExchange({
        keys: withoutKey,
        optimistic: {
          setServiceAccess: (variables: Variables, cache) =>
            accessAfter(variables as unknown as { input: SetServiceAccessInput }, cache),
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
            chargeAgain: (_result, _args, cache) => invalidateDecided(cache),
            approveProposal: (_result, _args, cache) => invalidateDecided(cache),
            refuseProposal: (_result, _args, cache) => invalidateDecided(cache),
            endSession: (_result, _args, cache) => cache.invalidate('Query', 'viewer'),
            endSessions: (_result, _args, cache) => cache.invalidate('Query', 'viewer'),
          },
        },
      }),
      fetchExchange,
    ],
  });
}
