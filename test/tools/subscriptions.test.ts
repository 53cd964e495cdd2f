import { ApolloClient, ApolloLink, gql, InMemoryCache, Observable } from '@apollo/client';
import { fetchExchange, Client as UrqlClient } from '@urql/core';
import { type ExecutionResult, print } from 'graphql';
import { createClient, type Sink } from 'graphql-sse';
import { expect, it } from 'vitest';
import { aRecharge, RECHARGE } from '../support/recharges.js';
import { until } from '../support/until.js';
import { useSharedApp } from '../support/use-app.js';

const test = useSharedApp();
const CHANGES = 'subscription($id: ID!) { orderChanged(id: $id) { id status timeline { kind } } }';

it('changes of an order come to urql’s own subscriptions, and to Apollo Client through graphql-sse', async () => {
  const { production } = (await test.developer()).tokens;
  await test.simulator.blind('roundpay', true);
  await test.rest('production', 'POST', RECHARGE, production, aRecharge({ account_number: '9876540005' }));
  const placed = await test.graphql('production', production, '{ orders(first: 1) { edges { node { id } } } }');
  const { id } = placed.body.data.orders.edges[0].node;
  const url = `${test.urls.production}/graphql`;
  const urql = new UrqlClient({
    url,
    exchanges: [fetchExchange],
    fetchSubscriptions: true,
    preferGetMethod: false,
    fetchOptions: { headers: { authorization: `Bearer ${production}` } },
  });
  const sse = createClient({ url, headers: { authorization: `Bearer ${production}` }, retryAttempts: 0 });
  const apollo = new ApolloClient({
    cache: new InMemoryCache(),
    link: new ApolloLink(
      ({ query, variables }) =>
        new Observable((observer) =>
          sse.subscribe({ query: print(query), variables }, observer as Sink<ExecutionResult>),
        ),
    ),
  });
  const seen: [urql: string[], apollo: string[]] = [[], []];
  const note = (into: string[]) => (result: { data?: any; error?: unknown }) => {
    const status = result.data?.orderChanged.status ?? String(result.error);
    // urql says the last result once more when the stream is complete
    if (into.at(-1) !== status) into.push(status);
  };
  const subscriptions = [
    urql.subscription(CHANGES, { id }).subscribe(note(seen[0])),
    apollo.subscribe({ query: gql(CHANGES), variables: { id } }).subscribe(note(seen[1])),
  ];
  await until('both know that it is pending', () => seen.every(({ length }) => length === 1));
  await test.simulator.blind('roundpay', false);
  await until('both know more', () => seen.every(({ length }) => length > 1));
  expect(seen).toEqual([
    ['PENDING', 'SUCCESS'],
    ['PENDING', 'SUCCESS'],
  ]);
  for (const subscription of subscriptions) subscription.unsubscribe();
});
