import { getOperationAST, parse } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { FieldPlaces } from '../../src/graphql/documents/places.js';
import type { Answer, TestDeveloper } from '../support/app.js';
import { useSharedApp } from '../support/use-app.js';

const test = useSharedApp();
let developer: TestDeveloper;
beforeAll(async () => {
  developer = await test.developer();
});

type Host = 'uat' | 'production';
const ask = (query: string, variables?: object, host: Host = 'uat'): Promise<Answer> =>
  test.graphql(host, developer.tokens[host], query, variables);
interface Entry {
  path?: (string | number)[];
  locations?: { line: number; column: number }[];
}
const placesIn = ({ body }: Answer): string[][] =>
  body.errors.map(({ locations }: Entry) => (locations ?? []).map(({ line, column }) => `${line}:${column}`));

/** The document without its marks `^`, and where they stood. */
function marked(text: string): { query: string; marks: string[] } {
  const marks: string[] = [];
  let query = '';
  for (const part of text.split('^').slice(0, -1)) {
    query += part;
    const lines = query.split('\n');
    marks.push(`${lines.length}:${lines.at(-1)!.length + 1}`);
  }
  return { query: query + text.split('^').at(-1)!, marks };
}

/** Each mark is the place of an entry of its own. */
async function expectPlaces(text: string, variables?: object, host?: Host): Promise<void> {
  const { query, marks } = marked(text);
  expect(placesIn(await ask(query, variables, host)).toSorted()).toEqual(marks.map((mark) => [mark]).toSorted());
}

describe('a mistake in the document is named by its place', () => {
  it.each([
    ['where it stops being a document', '{ me { id }\n}^}'],
    ['an unknown field', '{ wallet {\n  balance\n  ^ballance } }'],
    ['several of them', '{ ^walet { id }\n me { ^nam } }'],
    ['an unknown argument', '{ wallet(^a: 1) { balance } }'],
    ['an argument that is missing', '{ ^order { id } }'],
    ['an unknown fragment', '{ me { ...^F } }'],
    ['an unknown type', '{ me { ...F } }\nfragment F on ^Usr { id }'],
    ['a second field that moves money', `mutation { a: ${recharge('a')}\n^b: ${recharge('b')} }`],
    ['a wrong word', '{ order(kind: ^RECHARG, clientRequestId: "a") { id } }'],
    ['a wrong word in quotes', '{ order(kind: ^"RECHARGE", clientRequestId: "a") { id } }'],
    ['a wrong word as default', 'query($k: OrderKind! = ^"RECHARGE") { order(kind: $k, clientRequestId: "a") { id } }'],
    ['a wrong condition', '{ me { id @include(if: ^"true") } }'],
    ['a literal inside of an input', `mutation { ${recharge('a').replace(' 10,', ' ^"10",')} }`],
    ['an input field that there is not', `mutation { ${recharge('a').replace('amount:', '^amont: 1, amount:')} }`],
  ])('%s', async (_what, text) => expectPlaces(text));

  it('a question about the schema where none is answered', async () => {
    await expectPlaces('{ me { id }\n^__schema { description } }', undefined, 'production');
  });

  it('several wrong values in one entry, each once', async () => {
    const { query, marks } = marked('{ order(kind: ^"A", clientRequestId: ^{ b: 1 }) { id } }');
    expect(placesIn(await ask(query))).toEqual([marks]);
  });

  it('a variable that does not fit, where it is used', async () => {
    await expectPlaces('mutation M($i: RechargeInput!) {\n  recharge(input: ^$i) { order { status } } }', { i: {} });
    const both = '{ a: wallet { statement(first: ^$n) { edges { cursor } } } }';
    await expectPlaces(`query Q($n: Int!) ${both}`, { n: 'many' });
  });

  it('a variable that may not be null, where it is declared', async () => {
    await expectPlaces('query Q(\n  ^$c: Boolean = false) { me { id @include(if: $c) } }', { c: null });
  });

  it('with ten places at the most', async () => {
    const fields = Array.from({ length: 40 }, (_, n) => `a: ${n % 2 ? 'id' : 'name'}`).join('\n');
    for (const places of placesIn(await ask(`{ me { ${fields} } }`))) expect(places.length).toBeLessThanOrEqual(10);
  });
});

function recharge(key: string): string {
  return `recharge(input: {accountNumber: "9876543210", amount: 10, operatorSpKey: 116, operatorType: MOBILE, clientRequestId: "${key}"}) { order { status } }`;
}

describe('a field that failed is named by its place, however often the document was used', () => {
  const lost = 'order(kind: RECHARGE, clientRequestId: "nothing")';
  const cases: [name: string, text: string, variables?: object][] = [
    ['a root field', `{ me { id }\n  ^${lost} { id } }`],
    ['aliases', `{ ^a: ${lost} { id } ^b: ${lost} { id } }`],
    ['a nested field', '{ wallet {\n  balance ^statement(first: 1000) { edges { cursor } } } }'],
    ['a field of a fragment', `query Q { ...F }\nfragment F on Query { ^${lost} { id } }`],
    ['a field of an inline fragment', `{ ... on Query { ... { ^${lost} { id } } } }`],
    ['a field that is written twice: the first', `{ ^a: ${lost} { id }\n a: ${lost} { status } }`],
    [
      'a field that is written twice, without the one that is left out',
      `query Q($no: Boolean!) { a: ${lost} @include(if: $no) { id }\n ^a: ${lost} @skip(if: $no) { status } }`,
      { no: false },
    ],
    [
      'a condition that is left to its default',
      `query Q($no: Boolean = true) { a: ${lost} @skip(if: $no) { id }\n ^a: ${lost} { status } }`,
    ],
    ['a refusal by rule', `mutation {\n ^${recharge('rule').replace('10,', '0,')} }`],
  ];

  it.each(cases)('%s', async (_name, text, variables) => {
    // the third use is the compiled one
    for (let use = 0; use < 4; use++) await expectPlaces(text, variables);
  });

  it('in a list: all entries stand at one place', () => {
    const document = parse('{ list {\n  field } }');
    const places = new FieldPlaces(document, getOperationAST(document)!, {});
    expect([0, 199].map((index) => places.of(['list', index, 'field']))).toEqual([
      [{ line: 2, column: 3 }],
      [{ line: 2, column: 3 }],
    ]);
    expect(places.of(['list', 0, 'other'])).toEqual([]);
  });

  it('a known order tells of itself where the others are refused, each by its own place', async () => {
    const twice = `mutation { a: ${recharge('known')} }`;
    expect((await ask(twice)).body.errors).toBeUndefined();
    const { query, marks } = marked(
      `mutation {\n  a: ${recharge('known').replace('116', '116, geocode: 1')}\n  ^issueToken(input: {clientId: "a", apiSecret: "b", environment: UAT}) { token } }`,
    );
    const { body } = await ask(query);
    expect([body.data.a, placesIn({ body } as Answer)]).toEqual([{ order: { status: 'SUCCESS' } }, [marks]]);
  });
});

it('what belongs to no point of the document has no place', async () => {
  const { body } = await test.graphql('uat', undefined, '{ me { id } }');
  expect(body.errors[0].locations).toBeUndefined();
});
