import { beforeAll, expect, it } from 'vitest';
import { OrderSearch, type SearchTerms } from '../../src/orders/order.store.js';
import { fetchIdOf, owner, payBill } from '../card-bills/card-bills.fixture.js';
import type { TestDeveloper } from '../support/app.js';
import { place } from '../support/recharges.js';
import { useSharedApp } from '../support/use-app.js';
import { orderRow } from './order.fixture.js';

const test = useSharedApp();
let search: OrderSearch;
let developer: TestDeveloper;
beforeAll(async () => {
  search = new OrderSearch(test.app.config.pepper);
  developer = await test.developer();
});

const idsOf = async (hash: Buffer): Promise<string[]> =>
  (
    await test.db.query<{ id: string }>(
      `select s.order_id as id from order_search s join orders o on o.id = s.order_id
        where s.hash = encode($1, 'hex')::uuid and o.developer_id = $2 order by 1`,
      [hash, developer.id],
    )
  ).map(({ id }) => id);
const recharge = (key: string, account: string) =>
  place(test, developer, { client_request_id: key, account_number: account });

it('a recharge is found by its account, operator reference and provider transaction ID, in any case', async () => {
  const { body } = await recharge('first', '9876512345');
  await recharge('second', '9876512345');
  const [first, second] = [await orderRow(test, developer, 'first'), await orderRow(test, developer, 'second')];
  expect(await idsOf(search.ofAccount('9876512345'))).toEqual([first.id, second.id]);
  const { operator_ref, provider_txn_id } = body.data;
  for (const [kind, text] of [
    ['operatorRef', operator_ref],
    ['operatorRef', ` ${operator_ref.toLowerCase()} `],
    ['providerTxnId', provider_txn_id],
  ] as [keyof SearchTerms, string][])
    expect(await idsOf(search.of(kind, text))).toEqual([first.id]);
  // the hash of each kind is different
  expect(await idsOf(search.of('utr', operator_ref))).toEqual([]);
  expect(await idsOf(search.ofAccount(provider_txn_id))).toEqual([]);
});

it('a card payment is found by its mobile number, the last four digits of its card and its UTR', async () => {
  const fetchId = await fetchIdOf(test, developer, 'production');
  const { body } = await payBill(test, developer, 'production', {
    ...owner,
    amount: 100,
    orderid: 'paid',
    fetch_id: fetchId,
  });
  const { id } = await orderRow(test, developer, 'paid');
  expect(await idsOf(search.of('utr', body.data.utr))).toEqual([id]);
  expect(await idsOf(search.of('cardLast4', owner.card.slice(-4)))).toEqual([id]);
  expect(await idsOf(search.ofAccount(owner.mobile))).toContain(id);
});

it('a reference of four digits matches a card, with or without mask, or the idempotency key of another order', async () => {
  const end = owner.card.slice(-4);
  await recharge(end, '9876512346');
  const list = async (reference: string) => {
    const query = '{ orders(filter: { reference: $r }) { edges { node { clientRequestId } } } }'.replace(
      '$r',
      JSON.stringify(reference),
    );
    const { body } = await test.graphql('production', developer.tokens.production, query);
    return body.data.orders.edges.map(({ node }: { node: { clientRequestId: string } }) => node.clientRequestId);
  };
  expect(await list(end)).toEqual([end, 'paid']);
  for (const reference of [`xxxx${end}`, `XXXX${end}`]) expect(await list(reference)).toEqual(['paid']);
  for (const reference of [`x${end}`, `${end}0`, '0000']) expect(await list(reference)).toEqual([]);
});

it('lookups are not found, and search hashes reveal no values', async () => {
  const rows = await test.db.query<{ operation: string; hash: string }>(
    `select o.operation, encode(uuid_send(s.hash), 'escape') as hash from order_search s join orders o on o.id = s.order_id`,
  );
  expect([...new Set(rows.map(({ operation }) => operation))].toSorted()).toEqual(['card_payment', 'recharge']);
  for (const { hash } of rows) expect(hash).not.toContain('987651234');
});
