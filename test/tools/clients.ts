import { createRequire } from 'node:module';
import path from 'node:path';
import { Client, fetchExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { getOperationAST, type IntrospectionQuery, OperationTypeNode, parse } from 'graphql';
import {
  commitMutation,
  createOperationDescriptor,
  Environment,
  fetchQuery,
  getRequest,
  Network,
  RecordSource,
  Store,
} from 'relay-runtime';

import type { ClientSettings } from '../../src/http/pages/schema-documents.js';

// Apollo Client logs warnings only in development mode, which it detects when it is loaded
Object.assign(globalThis, { __DEV__: true });
const { ApolloClient, HttpLink, InMemoryCache } = await import('@apollo/client');
(await import('@apollo/client/dev')).loadDevMessages();
Reflect.deleteProperty(globalThis, '__DEV__');

/** Address and credentials of a host. */
export interface Access {
  url: string;
  token: string;
  /** Result of schema introspection. */
  schema: IntrospectionQuery;
  /** Client settings served at /clients.json. */
  settings: ClientSettings;
}

/** A client with a normalized cache, as used in frontends. */
export interface CachingClient {
  /** Reads from the cache and requests missing data. */
  query(document: string, variables?: object): Promise<any>;
  /** Reads from the service, regardless of the cache. */
  refresh(document: string, variables?: object): Promise<any>;
  mutate(document: string, variables?: object): Promise<any>;
  /** Reads from the service and returns partial data with errors, for which the other methods throw. */
  partial(document: string, variables?: object): Promise<any>;
  /** Number of calls to the service. */
  calls(): number;
}

function counted({ token }: Access) {
  let calls = 0;
  const counting: typeof fetch = (url, options) => {
    calls++;
    return fetch(url, options);
  };
  return { calls: () => calls, fetch: counting, headers: { authorization: `Bearer ${token}` } };
}

const isMutation = (document: string) => getOperationAST(parse(document))?.operation === OperationTypeNode.MUTATION;

/** urql with Graphcache, configured as documented. */
function graphcache(access: Access): CachingClient {
  const { calls, fetch, headers } = counted(access);
  const keys = Object.fromEntries(Object.keys(access.settings.keys).map((type) => [type, () => null]));
  const client = new Client({
    url: access.url,
    fetch,
    fetchOptions: { headers },
    // lookups are charged, so a GET request cannot contain them
    preferGetMethod: false,
    exchanges: [
      cacheExchange({ schema: access.schema, keys, logger: (severity, message) => console[severity](message) }),
      fetchExchange,
    ],
  });
  const answer = ({ data, error }: { data?: any; error?: Error }) => {
    if (error) throw error;
    return data;
  };
  const fresh = (document: string, variables = {}) =>
    client.query(parse(document), variables, { requestPolicy: 'network-only' }).toPromise();
  const mutate = (document: string, variables = {}) => client.mutation(parse(document), variables).toPromise();
  return {
    query: async (document, variables = {}) => answer(await client.query(parse(document), variables).toPromise()),
    refresh: async (document, variables) => answer(await fresh(document, variables)),
    mutate: async (document, variables) => answer(await mutate(document, variables)),
    partial: async (document, variables) => (await (isMutation(document) ? mutate : fresh)(document, variables)).data,
    calls,
  };
}

/** Apollo Client with its cache, configured only with the interfaces of the schema. */
function apollo(access: Access): CachingClient {
  const { calls, fetch, headers } = counted(access);
  const client = new ApolloClient({
    link: new HttpLink({ uri: access.url, fetch, headers }),
    cache: new InMemoryCache({ possibleTypes: access.settings.possibleTypes as Record<string, string[]> }),
  });
  return {
    query: async (document, variables = {}) => (await client.query({ query: parse(document), variables })).data,
    refresh: async (document, variables = {}) =>
      (await client.query({ query: parse(document), variables, fetchPolicy: 'network-only' })).data,
    mutate: async (document, variables = {}) => (await client.mutate({ mutation: parse(document), variables })).data,
    partial: async (document, variables = {}) => {
      const all = { variables, errorPolicy: 'all' } as const;
      const { data } = isMutation(document)
        ? await client.mutate({ mutation: parse(document), ...all })
        : await client.query({ query: parse(document), ...all, fetchPolicy: 'network-only' });
      return data;
    },
    calls,
  };
}

/**
 * Relay without React.
 *
 * @param artifacts directory with the compiled documents by name
 */
export function relay(access: Access, artifacts: string): CachingClient {
  const { calls, fetch, headers } = counted(access);
  let errors: object[] | undefined;
  const environment = new Environment({
    network: Network.create(async ({ text: query }, variables) => {
      const response = await fetch(access.url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables }),
      });
      const answer = (await response.json()) as any;
      errors = answer.errors;
      return answer;
    }),
    store: new Store(new RecordSource()),
  });
  const require = createRequire(import.meta.url);
  const compiled = (document: string) =>
    require(path.join(artifacts, `${getOperationAST(parse(document))?.name?.value}.graphql.js`));
  const show = (document: string, fetchPolicy: 'store-or-network' | 'network-only', variables = {}) => {
    const query = compiled(document);
    // like a component that shows the query; otherwise Relay discards the data
    environment.retain(createOperationDescriptor(getRequest(query), variables));
    return fetchQuery(environment, query, variables, { fetchPolicy }).toPromise();
  };
  const mutate = (document: string, variables = {}) =>
    new Promise((resolve, reject) => {
      commitMutation(environment, {
        mutation: compiled(document),
        variables,
        onCompleted: resolve,
        onError: reject,
      });
    });
  const completeData = async (data: Promise<any>) => {
    const result = await data;
    if (errors) throw new AggregateError(errors);
    return result;
  };
  return {
    query: (document, variables) => show(document, 'store-or-network', variables),
    refresh: (document, variables) => completeData(show(document, 'network-only', variables)),
    mutate: (document, variables) => completeData(mutate(document, variables)),
    partial: (document, variables) =>
      isMutation(document) ? mutate(document, variables) : show(document, 'network-only', variables),
    calls,
  };
}

export const clients = { graphcache, 'Apollo Client': apollo };
