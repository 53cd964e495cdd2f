import { getOperationAST, parse } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { FieldPlaces } from '../../src/graphql/documents/places.js';
import type { TestDeveloper, TestResponse } from '../support/app.js';
import { useSharedApp } from '../support/use-app.js';

const test = useSharedApp();
let developer: TestDeveloper;
beforeAll(async () => {
  developer = await test.developer();
});

type Host = 'uat' | 'production';
const send = (query: string, variables?: object, host: Host = 'uat'): Promise<TestResponse> =>
  test.graphql(host, developer.tokens[host], query, variables);
interface Entry {
  path?: (string | number)[];
  locations?: { line: number; column: number }[];
}
const placesIn = ({ body }: TestResponse): string[][] =>
  body.errors.map(({ locations }: Entry) => (locations ?? []).map(({ line, column }) => `${line}:${column}`));

/** The document without its marks `^`, and their positions. */
function parseMarks(text: string): { query: string; marks: string[] } {
  const marks: string[] = [];
  let query = '';
  for (const part of text.split('^').slice(0, -1)) {
    query += part;
    const lines = query.split('\n');
    marks.push(`${lines.length}:${lines.at(-1)!.length + 1}`);
  }
  return { query: query + text.split('^').at(-1)!, marks };
}

/** Each mark is the location of a separate error. */
async function expectPlaces(text: string, variables?: object, host?: Host): Promise<void> {
  const { query, marks } = parseMarks(text);
  expect(placesIn(await send(query, variables, host)).toSorted()).toEqual(marks.map((mark) => [mark]).toSorted());
}

describe('the location of a document error', () => {
  it.each([
    ['a syntax error', '{ me { id }\n}^}'],
    ['an unknown field', '{ wallet {\n  balance\n  ^ballance } }'],
    ['several unknown fields', '{ ^walet { id }\n me { ^nam } }'],
    ['an unknown argument', '{ wallet(^a: 1) { balance } }'],
    ['a missing argument', '{ ^order { id } }'],
    ['an unknown fragment', '{ me { ...^F } }'],
    ['an unknown type', '{ me { ...F } }\nfragment F on ^Usr { id }'],
    ['a second field that moves money', `mutation { a: ${recharge('a')}\n^b: ${recharge('b')} }`],
    ['an invalid enum value', '{ order(kind: ^RECHARG, clientRequestId: "a") { id } }'],
    ['an enum value in quotes', '{ order(kind: ^"RECHARGE", clientRequestId: "a") { id } }'],
    [
      'an invalid default value',
      'query($k: OrderKind! = ^"RECHARGE") { order(kind: $k, clientRequestId: "a") { id } }',
    ],
    ['an invalid condition', '{ me { id @include(if: ^"true") } }'],
    ['an invalid literal inside an input', `mutation { ${recharge('a').replace(' 10,', ' ^"10",')} }`],
    ['an unknown input field', `mutation { ${recharge('a').replace('amount:', '^amont: 1, amount:')} }`],
  ])('is marked for %s', async (_name, text) => expectPlaces(text));

  it('is marked for a disabled introspection query', async () => {
    await expectPlaces('{ me { id }\n^__schema { description } }', undefined, 'production');
  });

  it('is one of several for one error, each once', async () => {
    const { query, marks } = parseMarks('{ order(kind: ^"A", clientRequestId: ^{ b: 1 }) { id } }');
    expect(placesIn(await send(query))).toEqual([marks]);
  });

  it('is the use of a variable whose type does not match', async () => {
    await expectPlaces('mutation M($i: RechargeInput!) {\n  recharge(input: ^$i) { order { status } } }', { i: {} });
    const twoFields = '{ a: wallet { statement(first: ^$n) { edges { cursor } } } }';
    await expectPlaces(`query Q($n: Int!) ${twoFields}`, { n: 'many' });
  });

  it('is the declaration of a variable that must not be null', async () => {
    await expectPlaces('query Q(\n  ^$c: Boolean = false) { me { id @include(if: $c) } }', { c: null });
  });

  it('is one of at most ten', async () => {
    const fields = Array.from({ length: 40 }, (_, n) => `a: ${n % 2 ? 'id' : 'name'}`).join('\n');
    for (const places of placesIn(await send(`{ me { ${fields} } }`))) expect(places.length).toBeLessThanOrEqual(10);
  });
});

function recharge(key: string): string {
  return `recharge(input: {accountNumber: "9876543210", amount: 10, operatorSpKey: 116, operatorType: MOBILE, clientRequestId: "${key}"}) { order { status } }`;
}

describe('a failed field has its location, however often the document was used', () => {
  const missingOrder = 'order(kind: RECHARGE, clientRequestId: "nothing")';
  const cases: [name: string, text: string, variables?: object][] = [
    ['a root field', `{ me { id }\n  ^${missingOrder} { id } }`],
    ['aliases', `{ ^a: ${missingOrder} { id } ^b: ${missingOrder} { id } }`],
    ['a nested field', '{ wallet {\n  balance ^statement(first: 1000) { edges { cursor } } } }'],
    ['a field of a fragment', `query Q { ...F }\nfragment F on Query { ^${missingOrder} { id } }`],
    ['a field of an inline fragment', `{ ... on Query { ... { ^${missingOrder} { id } } } }`],
    ['a field that is written twice: the first one', `{ ^a: ${missingOrder} { id }\n a: ${missingOrder} { status } }`],
    [
      'a field that is written twice, once skipped',
      `query Q($no: Boolean!) { a: ${missingOrder} @include(if: $no) { id }\n ^a: ${missingOrder} @skip(if: $no) { status } }`,
      { no: false },
    ],
    [
      'a condition with its default value',
      `query Q($no: Boolean = true) { a: ${missingOrder} @skip(if: $no) { id }\n ^a: ${missingOrder} { status } }`,
    ],
    ['a violated rule', `mutation {\n ^${recharge('rule').replace('10,', '0,')} }`],
  ];

  it.each(cases)('%s', async (_name, text, variables) => {
    // The third use is the compiled one.
    for (let use = 0; use < 4; use++) await expectPlaces(text, variables);
  });

  it('in a list: all entries have the same location', () => {
    const document = parse('{ list {\n  field } }');
    const places = new FieldPlaces(document, getOperationAST(document)!, {});
    expect([0, 199].map((index) => places.of(['list', index, 'field']))).toEqual([
      [{ line: 2, column: 3 }],
      [{ line: 2, column: 3 }],
    ]);
    expect(places.of(['list', 0, 'other'])).toEqual([]);
  });

  it('a replayed order is returned where other fields fail, each with its own location', async () => {
    const twice = `mutation { a: ${recharge('known')} }`;
    expect((await send(twice)).body.errors).toBeUndefined();
    const { query, marks } = parseMarks(
      `mutation {\n  a: ${recharge('known').replace('116', '116, geocode: 1')}\n  ^issueToken(input: {clientId: "a", apiSecret: "b", environment: UAT}) { token } }`,
    );
    const { body } = await send(query);
    expect([body.data.a, placesIn({ body } as TestResponse)]).toEqual([{ order: { status: 'SUCCESS' } }, [marks]]);
  });
});

it('an error that concerns the whole request has no location', async () => {
  const { body } = await test.graphql('uat', undefined, '{ me { id } }');
  expect(body.errors[0].locations).toBeUndefined();
});
