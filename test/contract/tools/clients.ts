import { Client, fetchExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { type IntrospectionQuery, parse } from 'graphql';

// Apollo Client warns only where its user develops, which it reads while it is loaded
Object.assign(globalThis, { __DEV__: true });
const { ApolloClient, HttpLink, InMemoryCache } = await import('@apollo/client');
(await import('@apollo/client/dev')).loadDevMessages();
Reflect.deleteProperty(globalThis, '__DEV__');

/** A host, as somebody may use it. */
export interface Access {
  url: string;
  token: string;
  /** What the host says about its schema. */
  schema: IntrospectionQuery;
}

/** A client with a normalized cache, as frontends have one. */
export interface CachingClient {
  /** Out of the cache; what is not there is asked for. */
  query(document: string, variables?: object): Promise<any>;
  /** From the service, whatever the cache holds. */
  refresh(document: string, variables?: object): Promise<any>;
  mutate(document: string, variables?: object): Promise<any>;
  /** How often the service was called. */
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

const typesOf = ({ __schema }: IntrospectionQuery) => __schema.types.filter(({ name }) => !name.startsWith('__'));

/** Types without an id are values: part of what they are read with. */
function valueTypes(schema: IntrospectionQuery): string[] {
  const roots = ['Query', 'Mutation', 'Subscription'];
  return typesOf(schema).flatMap((type) =>
    type.kind === 'OBJECT' && !roots.includes(type.name) && !type.fields.some(({ name }) => name === 'id')
      ? [type.name]
      : [],
  );
}

/** urql with its Graphcache, set up as its documentation says. */
function graphcache(access: Access): CachingClient {
  const { calls, fetch, headers } = counted(access);
  const keys = Object.fromEntries(valueTypes(access.schema).map((type) => [type, () => null]));
  const client = new Client({
    url: access.url,
    fetch,
    fetchOptions: { headers },
    // lookups cost money, which a GET never does
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
  return {
    query: async (document, variables = {}) => answer(await client.query(parse(document), variables).toPromise()),
    refresh: async (document, variables = {}) =>
      answer(await client.query(parse(document), variables, { requestPolicy: 'network-only' }).toPromise()),
    mutate: async (document, variables = {}) => answer(await client.mutation(parse(document), variables).toPromise()),
    calls,
  };
}

/** Apollo Client with its cache, which is told of the interfaces alone. */
function apollo(access: Access): CachingClient {
  const { calls, fetch, headers } = counted(access);
  const possibleTypes = Object.fromEntries(
    typesOf(access.schema).flatMap((type) =>
      type.kind === 'INTERFACE' ? [[type.name, type.possibleTypes.map(({ name }) => name)]] : [],
    ),
  );
  const client = new ApolloClient({
    link: new HttpLink({ uri: access.url, fetch, headers }),
    cache: new InMemoryCache({ possibleTypes }),
  });
  return {
    query: async (document, variables = {}) => (await client.query({ query: parse(document), variables })).data,
    refresh: async (document, variables = {}) =>
      (await client.query({ query: parse(document), variables, fetchPolicy: 'network-only' })).data,
    mutate: async (document, variables = {}) => (await client.mutate({ mutation: parse(document), variables })).data,
    calls,
  };
}

export const clients = { graphcache, 'Apollo Client': apollo };
