import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { SetContextLink } from '@apollo/client/link/context';
import { lookupToken } from './tokens.js';

declare const GATEWAY_URL: string;

/** Sends requests directly to the gateway. Set `token` in the context to use another token, for example that of an order. */
export async function createClient(): Promise<ApolloClient> {
  const { possibleTypes } = await (await fetch(`${GATEWAY_URL}/clients.json`)).json();
  const authorized = new SetContextLink(async ({ headers, token }) => ({
    headers: { ...headers, authorization: `Bearer ${token ?? (await lookupToken())}` },
  }));
  return new ApolloClient({
    // HttpLink also receives subscriptions, as multipart responses
    link: authorized.concat(new HttpLink({ uri: `${GATEWAY_URL}/graphql` })),
    cache: new InMemoryCache({ possibleTypes, typePolicies: { ProviderChoice: { keyFields: false } } }),
  });
}
