import { hash } from 'node:crypto';
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { expect, it } from 'vitest';
import { useSharedApp } from '../support/use-app.js';

const test = useSharedApp();

it.each([true, false])(
  'Apollo Client with persisted queries sends the document after one hash (useGETForHashedQueries: %s)',
  async (useGETForHashedQueries) => {
    const { tokens } = await test.developer();
    const sent: string[] = [];
    const link = new HttpLink({
      uri: `${test.urls.production}/graphql`,
      headers: { authorization: `Bearer ${tokens.production}` },
      fetch: (url, options) => {
        sent.push(`${options?.method} ${String(options?.body ?? '').includes('"query"') ? 'document' : 'hash'}`);
        return fetch(url, options);
      },
    });
    const sha256 = (text: string) => hash('sha256', text);
    const client = new ApolloClient({
      cache: new InMemoryCache(),
      link: new PersistedQueryLink({ sha256, useGETForHashedQueries }).concat(link),
    });
    for (const query of [gql`{ me { id name } }`, gql`{ wallet { id balance } }`])
      expect((await client.query({ query })).data).toBeDefined();
    expect(sent).toEqual([`${useGETForHashedQueries ? 'GET' : 'POST'} hash`, 'POST document', 'POST document']);
  },
);
