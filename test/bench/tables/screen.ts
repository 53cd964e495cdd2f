import { strict as assert } from 'node:assert';
import { graphql, headersOf } from '../support/calls.js';
import { delayed } from '../support/delay.js';
import { LoadConnection, type LoadRequest } from '../support/load.js';
import { processorMs } from '../support/processor-time.js';
import { integer, short, type Table } from '../support/report.js';
import { at, median } from '../support/statistics.js';
import type { Service, World } from '../support/world.js';

const CLIENTS = 8;
const ROUND_TRIPS_MS = [0, 20];
const MOBILE = '9876543210';

const FIND = `operatorFind(input: $find) {
  fee wallet { balance } clientRequestId mobile operatorName circle { code name }
  plans { fee wallet { balance } operatorName groups { name plans { price type description validity } } }
}`;
const PRODUCTS = 'productId title subTitle logo';
/** Data of a screen, and the REST calls that return the same data. */
const SCREENS = [
  {
    name: 'four calls',
    document: `query Four($find: OperatorFindInput!, $category: Int!) { ${FIND}
      productCategories { fee wallet { balance } categories { categoryId title } }
      products(categoryId: $category) { fee wallet { balance } products { ${PRODUCTS} } } }`,
    productsOf: (categories: readonly number[]) => categories.slice(0, 1),
  },
  {
    name: 'products of each category',
    document: `query Whole($find: OperatorFindInput!) { ${FIND}
      productCategories { fee wallet { balance } categories { categoryId title products { ${PRODUCTS} } } } }`,
    productsOf: (categories: readonly number[]) => categories,
  },
] as const;

interface ScreenData {
  token: string;
  opcode: string;
  circle: string;
  categories: readonly number[];
}

let requestCount = 0;

async function bodyOf(connection: LoadConnection, request: LoadRequest): Promise<string> {
  const { status, body } = await connection.send(request);
  const text = body.toString();
  if (status !== 200 || text.includes('"errors"')) throw new Error(`${status} ${text.slice(0, 500)}`);
  return text;
}

const restCalls = ({ token, opcode, circle, categories }: ScreenData, id: string) => {
  const headers = headersOf(token);
  const post = (path: string, body: object): LoadRequest => ({ path, headers, body: JSON.stringify(body) });
  const get = (path: string): LoadRequest => ({ method: 'GET', path, headers });
  return {
    find: post('/api/v1/plan/operator-fetch', { mobile: MOBILE, orderid: id }),
    plans: post('/api/v1/plan/operator-plan-fetch', { mobile: MOBILE, opcode, circle, orderid: id }),
    categories: get('/api/v1/products/categories'),
    products: categories.map((category) => get(`/api/v1/products?category_id=${category}`)),
  };
};

type Way = (connections: readonly LoadConnection[], data: ScreenData, document: string, id: string) => Promise<unknown>;

/**
 * Each way loads the complete screen. Plans depend on the lookup and products on the categories, so the parallel way waits for
 * those too.
 */
const ways: Record<'GraphQL' | 'REST in parallel' | 'REST in sequence', Way> = {
  GraphQL: ([first], { token, categories }, document, id) =>
    bodyOf(
      first!,
      graphql(token, document, {
        find: { mobile: MOBILE, clientRequestId: id },
        ...(document.includes('$category') ? { category: categories[0] } : {}),
      }),
    ),
  'REST in parallel': async (connections, data) => {
    const calls = restCalls(data, `screen-${++requestCount}`);
    const [first, second] = connections as [LoadConnection, LoadConnection];
    await Promise.all([
      bodyOf(first, calls.find).then(() => bodyOf(first, calls.plans)),
      bodyOf(second, calls.categories).then(() =>
        Promise.all(calls.products.map((products, n) => bodyOf(connections[n + 1]!, products))),
      ),
    ]);
  },
  'REST in sequence': async ([first], data) => {
    const { find, plans, categories, products } = restCalls(data, `screen-${++requestCount}`);
    for (const call of [find, plans, categories, ...products]) await bodyOf(first!, call);
  },
};
const WAYS = Object.keys(ways) as (keyof typeof ways)[];

/** Screens per second, and the time of each. */
async function screens(port: number, way: Way, data: ScreenData, document: string, seconds: number) {
  const latencies: number[] = [];
  const clients = await Promise.all(
    Array.from({ length: CLIENTS }, () =>
      Promise.all(Array.from({ length: 1 + data.categories.length }, () => LoadConnection.open(port))),
    ),
  );
  const startedAt = performance.now();
  await Promise.all(
    clients.map(async (connections) => {
      while (performance.now() < startedAt + seconds * 1_000) {
        const screenStartedAt = performance.now();
        await way(connections, data, document, `screen-${++requestCount}`);
        latencies.push(performance.now() - screenStartedAt);
      }
    }),
  );
  const elapsedMs = performance.now() - startedAt;
  for (const connection of clients.flat()) connection.close();
  return { rate: (latencies.length / elapsedMs) * 1_000, count: latencies.length, latencies };
}

/** Data that the service has about the number, so that the REST clients request the same plans. */
async function screenDataOf(port: number, token: string): Promise<ScreenData> {
  const connection = await LoadConnection.open(port);
  const response = await bodyOf(
    connection,
    graphql(
      token,
      `query($find: OperatorFindInput!) { operatorFind(input: $find) { operator { opcode } circle { code } }
        productCategories { categories { categoryId } } }`,
      { find: { mobile: MOBILE, clientRequestId: 'screen-first' } },
    ),
  );
  connection.close();
  const { operatorFind, productCategories } = JSON.parse(response).data;
  return {
    token,
    opcode: operatorFind.operator.opcode,
    circle: operatorFind.circle.code,
    categories: productCategories.categories.map(({ categoryId }: { categoryId: number }) => categoryId),
  };
}

/** Table C: a screen in one round trip. */
export async function screen(world: World, service: Service, rounds = { rounds: 3, seconds: 1.5 }): Promise<Table[]> {
  const all = await screenDataOf(service.ports.uat, world.accounts[0]!.tokens.uat);
  const rows: string[][] = [];
  const goals = [];
  for (const { name, document, productsOf } of SCREENS) {
    const data = { ...all, categories: productsOf(all.categories) };
    const calls = 3 + data.categories.length;
    for (const roundTripMs of ROUND_TRIPS_MS) {
      const link = roundTripMs > 0 ? await delayed(service.ports.uat, roundTripMs) : undefined;
      const port = link?.port ?? service.ports.uat;
      const results = WAYS.map((way) => ({ way, rates: [] as number[], latencies: [] as number[], count: 0, ms: 0 }));
      for (const { way } of results) await screens(port, ways[way], data, document, 0.5);
      for (let n = 0; n < rounds.rounds; n++)
        for (const result of n % 2 === 0 ? results : results.toReversed()) {
          const initialMs = processorMs(service.process.pid);
          const { rate, count, latencies } = await screens(port, ways[result.way], data, document, rounds.seconds);
          result.ms += processorMs(service.process.pid) - initialMs;
          result.rates.push(rate);
          result.count += count;
          result.latencies.push(...latencies);
        }
      await link?.cut();
      const [own, parallel, sequence] = results as [(typeof results)[0], (typeof results)[0], (typeof results)[0]];
      assert.equal(own.way, 'GraphQL');
      const times = (other: typeof own): number => median(own.rates.map((rate, n) => rate / other.rates[n]!));
      for (const result of results)
        rows.push([
          `${name}, ${result.way}`,
          result === own ? '1' : String(calls),
          String(roundTripMs),
          integer(median(result.rates)),
          short(at(result.latencies, 0.5)),
          short(at(result.latencies, 0.99)),
          integer((result.ms / result.count) * 1_000),
          result === own ? '' : `${short(times(result), 2)}×`,
        ]);
      goals.push(
        {
          what: `${name}, ${roundTripMs} ms: compared with REST in sequence`,
          is: times(sequence),
          atLeast: roundTripMs === 0 ? 1.15 : 4.5,
        },
        { what: `${name}, ${roundTripMs} ms: compared with REST in parallel`, is: times(parallel), atLeast: 1 },
      );
    }
  }
  return [
    {
      id: 'C',
      title: 'a screen in one round trip',
      columns: ['', 'calls', 'round trip ms', 'screens/s', 'p50 ms', 'p99 ms', 'process µs', 'ratio'],
      rows,
      goals,
      notes: [
        'Operator and circle of a number, the plans of both, the product categories, and the products of one of them ' +
          `(four calls) or of all ${all.categories.length}. UAT, ${CLIENTS} clients at once, each with open keep-alive ` +
          'connections. A proxy in the process of the load adds the round trip.',
        'In parallel: as many simultaneous calls as possible. Plans require the operator, and products the categories, so ' +
          'two calls follow one another. Four calls in sequence can take at most four times as long as one.',
      ],
    },
  ];
}
