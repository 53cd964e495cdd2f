import { setTimeout as sleep } from 'node:timers/promises';
import { bulkhead } from 'cockatiel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RechargeGateway, type RechargeOrder } from '../../clients/node/recharge-gateway.mjs';
import { errorCatalogue } from '../../src/core/error-catalogue.js';
import { rupees } from '../../src/core/money.js';
import { knownFetchId } from '../card-bills/card-bills.fixture.js';
import { portedDoubt, portedStep, STEPS } from '../recharge/php-sample.js';
import { seed, type TestDeveloper } from '../support/app.js';
import { creditWallet } from '../support/credit.js';
import { until } from '../support/until.js';
import { useOwnApp } from '../support/use-app.js';
import { type Accident, type Gate, openGate } from './gate.fixture.js';
import { type Books, booksOf, FAR_DEADLINES, mobileNumber, newRecharge } from './shop.fixture.js';

/**
 * Customers wish for one thing each, of a client that does what the table of docs/guide/orders.md says, word by word, or of the
 * kit. Requests and answers meet accidents on their way, or somebody answers with a code of the catalogue. Then what the client
 * believes is held against the books. `FAULTS=full`: every accident after every other one, with every outcome.
 */
const test = useOwnApp(FAR_DEADLINES);
const isFull = process.env.FAULTS === 'full';
/** After it a client gives up waiting for an answer. A busy machine may be as slow by itself: that is one accident more. */
const TIMEOUT_MS = 1_500;
const MS_FOR_A_SECOND = 15;
/** Only what never ends takes so many. */
const TRIES_AT_MOST = 600;
const LIMIT_MS = 240_000;
const turns = bulkhead(24, Number.POSITIVE_INFINITY);

/** What a client made of its customer's money. `open`: it would go on asking. */
type Belief = 'deliver' | 'refund' | 'open';
const BELIEFS = { success: 'deliver', failed: 'refund', pending: 'open' } as const;

interface Wish {
  path: string;
  key: string;
  account: string;
  amount: number;
  /** To the decision of the client. */
  fulfil: (url: string) => Promise<Belief>;
}

let developer: TestDeveloper;
let bills = 0;
const gates: Gate[] = [];

const clients = {
  'the table': async (suffix, { tokens }) => {
    const order = newRecharge(mobileNumber(suffix));
    const place = async (url: string): Promise<readonly [number, unknown]> => {
      try {
        const response = await fetch(`${url}/api/v1/recharge`, {
          method: 'POST',
          headers: { authorization: `Bearer ${tokens.production}`, 'content-type': 'application/json' },
          body: JSON.stringify(order),
          signal: AbortSignal.timeout(TIMEOUT_MS),
        });
        return [response.status, await response.json().catch(() => undefined)];
      } catch {
        return [0, undefined];
      }
    };
    return {
      ...wishOf(order),
      fulfil: async (url) => {
        let inDoubt = false;
        for (let n = 0; n < TRIES_AT_MOST; n++) {
          const answer = await place(url);
          inDoubt ||= portedDoubt(...answer);
          const step = portedStep([...answer, inDoubt]);
          if (step === 'deliver' || step === 'refund') return step;
          await sleep(5 * MS_FOR_A_SECOND);
        }
        return 'open';
      },
    };
  },
  'the kit': async (suffix, of) => {
    const order = newRecharge(mobileNumber(suffix));
    const fulfil = async (url: string) => BELIEFS[(await kitAt(url, of).recharge(order as RechargeOrder)).status];
    return { ...wishOf(order), fulfil };
  },
  'the kit, for a bill': async (suffix, of) => {
    const mobile = mobileNumber(suffix);
    const orderid = `#Bill-${++bills}`;
    const fetch_id = await knownFetchId(test, of, 'production', mobile);
    const payment = { orderid, card: '3008', mobile, opcode: 'ICIC', amount: 12, fetch_id };
    const fulfil = async (url: string) => BELIEFS[(await kitAt(url, of).payBill(payment)).status];
    return { path: '/bill-pay', key: orderid, account: mobile, amount: 12, fulfil };
  },
} satisfies Record<string, (suffix: string | undefined, of: TestDeveloper) => Promise<Wish>>;
type Client = keyof typeof clients;
const NAMES = Object.keys(clients) as Client[];

const wishOf = ({ client_request_id: key, account_number: account, amount }: ReturnType<typeof newRecharge>) => ({
  path: '/recharge',
  key,
  account,
  amount,
});

/** The kit with a token that it does not have to ask for. */
const kitAt = (baseUrl: string, { keys, tokens }: TestDeveloper): RechargeGateway =>
  new RechargeGateway({
    ...keys.production,
    baseUrl,
    environment: 'production',
    tokens: { load: async () => tokens.production, save: async () => {} },
    timeoutMs: TIMEOUT_MS,
    waitMs: LIMIT_MS * MS_FOR_A_SECOND,
    sleep: (ms) => sleep((ms * MS_FOR_A_SECOND) / 1_000),
  });

/** What the client believes in the end. What is held arrives after all accidents, or when the client has decided. */
async function live(
  wish: Wish,
  accidents: readonly Accident[],
  beforeArrival?: () => Promise<unknown>,
): Promise<Belief> {
  const gate = await openGate(test.urls.production);
  gates.push(gate);
  gate.accidents(wish.path, ...accidents);
  let isDecided = false;
  const decided = wish.fulfil(gate.url).finally(() => (isDecided = true));
  if (accidents.includes('held')) {
    await until('the accidents happen', () => isDecided || gate.count(wish.path) >= accidents.length, LIMIT_MS);
    await beforeArrival?.();
    await gate.letGo();
  }
  return decided;
}

/** No refund of a success, no second performance, no delivery of nothing, and no wish that is left open. */
function expectRight(belief: Belief, amount: number, { orders, taken, performed }: Books): void {
  expect({ belief, orders, taken, performed }).toEqual(
    belief === 'deliver'
      ? { belief, orders: 1, taken: amount, performed: 1 }
      : { belief: 'refund', orders: expect.toSatisfy((n: number) => n <= 1), taken: 0, performed: 0 },
  );
}

interface Case {
  name: string;
  client: Client;
  suffix: string | undefined;
  accidents: readonly Accident[];
}

const ACCIDENTS: readonly Accident[] = [
  ...(['none', 'reset before', 'half before', 'page before', 'reset after', 'cut', 'page after', 'silence'] as const),
  ...(['held', 'doubled'] as const),
];
const SOME: readonly Accident[] = ['none', 'reset after', 'held'];
/** Performed, declined, pending and then performed, pending and then declined. */
const OUTCOMES = [undefined, '0001', '0005', '0006'] as const;
const faults: Case[] = NAMES.flatMap((client) =>
  OUTCOMES.flatMap((suffix) => {
    const ways = suffix === undefined || isFull ? ACCIDENTS.map((one) => [one]) : SOME.map((one) => [one]);
    const longer = isFull ? ACCIDENTS.flatMap((first) => ACCIDENTS.map((then) => [first, then])) : [];
    return [...ways, ...longer].map((accidents) => {
      const name = `${client}: ${suffix ?? 'a success'}, ${accidents.join(', ')}`;
      return { name, client, suffix, accidents };
    });
  }),
);

/** Every code, before and after a request that may be performed; from the service none of them names another order. */
const refusals: Case[] = Object.entries(errorCatalogue).flatMap(([code, { onRecharge, charged, ...entry }]) => {
  const httpStatus = code === 'VALIDATION_FAILED' ? 400 : entry.httpStatus;
  const said = { answer: { status: onRecharge, code, message: code }, httpStatus, arrives: false };
  const afterwards: Accident[] = onRecharge === 'failed' || isFull ? ['reset after', 'held'] : ['reset after'];
  const ways: [string, readonly Accident[]][] = [
    [`${code} at first`, [said]],
    ...afterwards.map((first): [string, Accident[]] => [`${code} after "${first}"`, [first, said, said]]),
    // nobody knows how far these came
    ...(charged === 'unknown' ? [[`${code}, performed`, [{ ...said, arrives: true }]] as [string, Accident[]]] : []),
  ];
  return ways.map(([name, accidents]): Case => ({ name, client: 'the table', suffix: undefined, accidents }));
});

const results = new Map<Case, { wish: Wish; belief: Belief }>();
let orders: Map<string, { client_key: string; taken: number }[]>;
let performed: Map<string, unknown[]>;

beforeAll(async () => {
  developer = await test.developer({ rateLimitPerMinute: 1_000_000 });
  await Promise.all(
    [...faults, ...refusals].map((one) =>
      turns.execute(async () => {
        const wish = await clients[one.client](one.suffix, developer);
        results.set(one, { wish, belief: await live(wish, one.accidents) });
      }),
    ),
  );
  const isOver = async (): Promise<boolean> =>
    (await test.db.query(`select from orders where state = 'open' limit 1`)).length === 0;
  await until('every order is decided', isOver, LIMIT_MS);
  const rows = await test.db.query<{ client_key: string; taken: number }>(
    `select client_key, (
       select coalesce(sum(case kind when 'hold' then t.amount_paise when 'refund' then -t.amount_paise end), 0)::float / 100
       from transfer t where t.developer_id = o.developer_id and t.subject_id = o.id
     ) as taken from orders o where developer_id = $1`,
    [developer.id],
  );
  orders = Map.groupBy(rows, ({ client_key }) => client_key);
  const book = (await test.simulator.book()).filter(({ outcome }) => outcome === 'succeeded');
  performed = Map.groupBy(book, ({ account }) => account);
}, LIMIT_MS);
afterAll(() => Promise.all(gates.map((gate) => gate.close())));

const booksFor = ({ key, account }: Wish): Books => {
  const own = orders.get(key) ?? [];
  const taken = own.reduce((sum, order) => sum + order.taken, 0);
  return { orders: own.length, state: undefined, taken, performed: performed.get(account)?.length ?? 0 };
};

describe.each([...faults, ...refusals])('$name', (one) => {
  it('ends right', () => {
    const { wish, belief } = results.get(one)!;
    expectRight(belief, wish.amount, booksFor(wish));
  });
});

it('has the words that a client can obey', () => {
  expect([...STEPS].filter(([, step]) => step === 'deliver').map(([said]) => said)).toEqual(['200 success']);
  expect(STEPS.get('200 pending')).toBe('retry');
});

describe('want of money while the first request is on its way', () => {
  it.each(NAMES)('%s', async (client) => {
    const poor = await test.developer({ liveRupees: 4, rateLimitPerMinute: 10_000 });
    const credit = { developerId: poor.id, environment: 'production', amountPaise: rupees(100) } as const;
    const wish = await clients[client](undefined, poor);
    const belief = await live(wish, ['held', 'none', 'none'], () =>
      creditWallet(test.app, { ...credit, reference: client }, seed),
    );
    expectRight(belief, wish.amount, await booksOf(test, poor, wish.key, wish.account));
  });
});
