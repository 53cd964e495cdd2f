import {
  ApolloClient,
  CombinedGraphQLErrors,
  CombinedProtocolErrors,
  gql,
  HttpLink,
  InMemoryCache,
} from '@apollo/client';
import { fetchExchange, Client as UrqlClient } from '@urql/core';
import { expect, it } from 'vitest';
import { RECHARGE, rechargeBody } from '../support/recharges.js';
import { until } from '../support/until.js';
import { useSharedApp } from '../support/use-app.js';

const test = useSharedApp();
const CHANGES = 'subscription($id: ID!) { orderChanged(id: $id) { id status } }';

/** Configured as documented, without another link. */
const apolloOf = (token: string) =>
  new ApolloClient({
    cache: new InMemoryCache(),
    link: new HttpLink({ uri: `${test.urls.production}/graphql`, headers: { authorization: `Bearer ${token}` } }),
  });

/** ID of an order that stays pending until the provider is no longer blind. */
async function pendingOrder(token: string): Promise<string> {
  await test.simulator.blind('roundpay', true);
  await test.rest('production', 'POST', RECHARGE, token, rechargeBody({ account_number: '9876540005' }));
  const placed = await test.graphql('production', token, '{ orders(first: 1) { edges { node { id } } } }');
  return placed.body.data.orders.edges[0].node.id;
}

it('urql and Apollo Client receive order changes by subscription without another link', async () => {
  const { production } = (await test.developer()).tokens;
  const id = await pendingOrder(production);
  const urql = new UrqlClient({
    url: `${test.urls.production}/graphql`,
    exchanges: [fetchExchange],
    fetchSubscriptions: true,
    preferGetMethod: false,
    fetchOptions: { headers: { authorization: `Bearer ${production}` } },
  });
  const seen: [urql: string[], apollo: string[]] = [[], []];
  const note = (into: string[]) => (result: { data?: any; error?: unknown }) => {
    const status = result.data?.orderChanged.status ?? String(result.error);
    // urql repeats the last result when the stream is complete
    if (into.at(-1) !== status) into.push(status);
  };
  let isComplete = false;
  const subscriptions = [
    urql.subscription(CHANGES, { id }).subscribe(note(seen[0])),
    apolloOf(production)
      .subscribe({ query: gql(CHANGES), variables: { id } })
      .subscribe({ next: note(seen[1]), complete: () => (isComplete = true) }),
  ];
  await until('both have received the pending state', () => seen.every(({ length }) => length === 1));
  await test.simulator.blind('roundpay', false);
  await until('both have received the change', () => isComplete && seen.every(({ length }) => length > 1));
  expect(seen).toEqual([
    ['PENDING', 'SUCCESS'],
    ['PENDING', 'SUCCESS'],
  ]);
  for (const subscription of subscriptions) subscription.unsubscribe();
});

it('Apollo Client receives the reason of a rejected or ended subscription', async () => {
  const { production } = (await test.developer()).tokens;
  const id = await pendingOrder(production);
  const errors: unknown[] = [];
  const watch = (token: string, orderId = id) =>
    apolloOf(token)
      .subscribe({ query: gql(CHANGES), variables: { id: orderId } })
      .subscribe({ next: ({ error }) => error && errors.push(error), error: (error) => errors.push(error) });
  watch(production, 'x');
  await until('the subscription is rejected', () => errors.length === 1);
  expect(CombinedGraphQLErrors.is(errors[0]) && errors[0].errors[0]!.extensions?.code).toBe('RECORD_NOT_FOUND');
  const clientToken = async () => {
    const mutation = 'mutation($id: ID!) { createClientToken(input: { scopes: [ORDER], orderId: $id }) { token } }';
    return (await test.graphql('production', production, mutation, { id })).body.data.createClientToken.token;
  };
  const before = test.app.waiters.count;
  watch(await clientToken());
  await until('the subscription is open', () => test.app.waiters.count === before + 1);
  const newest = watch(await clientToken());
  await until('the older subscription ends', () => errors.length === 2);
  expect(CombinedProtocolErrors.is(errors[1]) && errors[1].errors[0]!.extensions?.code).toBe('STREAM_REPLACED');
  newest.unsubscribe();
  await test.simulator.blind('roundpay', false);
});
