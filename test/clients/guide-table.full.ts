import { setTimeout as sleep } from 'node:timers/promises';
import { bulkhead } from 'cockatiel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RechargeGateway, type RechargeOrder } from '../../clients/node/recharge-gateway.mjs';
import { errorCatalogue } from '../../src/core/error-catalogue.js';
import { rupees } from '../../src/core/money.js';
import { knownFetchId } from '../card-bills/card-bills.fixture.js';
import { isUncertainResponse, portedStep, STEPS } from '../recharge/php-sample.js';
import { seed, type TestDeveloper } from '../support/app.js';
import { creditWallet } from '../support/credit.js';
import { until } from '../support/until.js';
import { useOwnApp } from '../support/use-app.js';
import { type Fault, type Gate, openGate } from './gate.fixture.js';
import { type Books, booksOf, FAR_DEADLINES, mobileNumber, newRecharge } from './shop.fixture.js';

/**
 * Sends one order at a time with clients that follow the table in docs/guide/orders.md literally, or with the client library.
 * Adds faults to requests and responses, or returns error codes from the catalogue in place of the service. Then compares the
 * client's decision with the ledger and the provider's book. `FAULTS=full` combines every pair of faults with every outcome.
 */
const test = useOwnApp(FAR_DEADLINES);
const isFull = process.env.FAULTS === 'full';
/** Client timeout. A busy machine can exceed it by itself, which only adds another fault. */
const TIMEOUT_MS = 1_500;
const MS_FOR_A_SECOND = 15;
/** Only an endless loop needs more attempts. */
const MAX_ATTEMPTS = 600;
const LIMIT_MS = 240_000;
const turns = bulkhead(24, Number.POSITIVE_INFINITY);

/** Decision of a client about the money of its customer. `open`: it would continue to check. */
type Action = 'deliver' | 'refund' | 'open';
const ACTIONS = { success: 'deliver', failed: 'refund', pending: 'open' } as const;

interface CustomerOrder {
  path: string;
  key: string;
  account: string;
  amount: number;
  /** Resolves with the decision of the client. */
  fulfil: (url: string) => Promise<Action>;
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
      ...customerOrderOf(order),
      fulfil: async (url) => {
        let isUncertain = false;
        for (let n = 0; n < MAX_ATTEMPTS; n++) {
          const response = await place(url);
          isUncertain ||= isUncertainResponse(...response);
          const step = portedStep([...response, isUncertain]);
          if (step === 'deliver' || step === 'refund') return step;
          await sleep(5 * MS_FOR_A_SECOND);
        }
        return 'open';
      },
    };
  },
  'the client library': async (suffix, of) => {
    const order = newRecharge(mobileNumber(suffix));
    const fulfil = async (url: string) => ACTIONS[(await libraryAt(url, of).recharge(order as RechargeOrder)).status];
    return { ...customerOrderOf(order), fulfil };
  },
  'the client library, for a bill': async (suffix, of) => {
    const mobile = mobileNumber(suffix);
    const orderid = `#Bill-${++bills}`;
    const fetch_id = await knownFetchId(test, of, 'production', mobile);
    const payment = { orderid, card: '3008', mobile, opcode: 'ICIC', amount: 12, fetch_id };
    const fulfil = async (url: string) => ACTIONS[(await libraryAt(url, of).payBill(payment)).status];
    return { path: '/bill-pay', key: orderid, account: mobile, amount: 12, fulfil };
  },
} satisfies Record<string, (suffix: string | undefined, of: TestDeveloper) => Promise<CustomerOrder>>;
type Client = keyof typeof clients;
const NAMES = Object.keys(clients) as Client[];

const customerOrderOf = ({
  client_request_id: key,
  account_number: account,
  amount,
}: ReturnType<typeof newRecharge>) => ({
  path: '/recharge',
  key,
  account,
  amount,
});

/** The client library with a stored token, so that it does not exchange credentials. */
const libraryAt = (baseUrl: string, { keys, tokens }: TestDeveloper): RechargeGateway =>
  new RechargeGateway({
    ...keys.production,
    baseUrl,
    environment: 'production',
    tokens: { load: async () => tokens.production, save: async () => {} },
    timeoutMs: TIMEOUT_MS,
    waitMs: LIMIT_MS * MS_FOR_A_SECOND,
    sleep: (ms) => sleep((ms * MS_FOR_A_SECOND) / 1_000),
  });

/** Final decision of the client. Held requests arrive after all faults, or after the client has decided. */
async function live(
  customerOrder: CustomerOrder,
  faults: readonly Fault[],
  beforeArrival?: () => Promise<unknown>,
): Promise<Action> {
  const gate = await openGate(test.urls.production);
  gates.push(gate);
  gate.faults(customerOrder.path, ...faults);
  let isDone = false;
  const result = customerOrder.fulfil(gate.url).finally(() => (isDone = true));
  if (faults.includes('held')) {
    await until('all faults have occurred', () => isDone || gate.count(customerOrder.path) >= faults.length, LIMIT_MS);
    await beforeArrival?.();
    await gate.release();
  }
  return result;
}

/** Expects no refund of a success, no second payment, no delivery without a payment, and a decision for every order. */
function expectConsistent(action: Action, amount: number, { orders, taken, performed }: Books): void {
  expect({ decision: action, orders, taken, performed }).toEqual(
    action === 'deliver'
      ? { decision: action, orders: 1, taken: amount, performed: 1 }
      : { decision: 'refund', orders: expect.toSatisfy((n: number) => n <= 1), taken: 0, performed: 0 },
  );
}

interface Case {
  name: string;
  client: Client;
  suffix: string | undefined;
  faults: readonly Fault[];
}

const FAULTS: readonly Fault[] = [
  ...([
    'none',
    'reset before',
    'half before',
    'page before',
    'reset after',
    'cut',
    'page after',
    'no response',
  ] as const),
  ...(['held', 'doubled'] as const),
];
const SOME: readonly Fault[] = ['none', 'reset after', 'held'];
/** Success, decline, pending with later success, pending with later failure. */
const OUTCOMES = [undefined, '0001', '0005', '0006'] as const;
const faultCases: Case[] = NAMES.flatMap((client) =>
  OUTCOMES.flatMap((suffix) => {
    const ways = suffix === undefined || isFull ? FAULTS.map((fault) => [fault]) : SOME.map((one) => [one]);
    const longer = isFull ? FAULTS.flatMap((first) => FAULTS.map((second) => [first, second])) : [];
    return [...ways, ...longer].map((faults) => {
      const name = `${client}: ${suffix ?? 'a success'}, ${faults.join(', ')}`;
      return { name, client, suffix, faults };
    });
  }),
);

/** Every error code, before and after a request that may succeed. None of the responses identifies another order. */
const errorCases: Case[] = Object.entries(errorCatalogue).flatMap(([code, { onRecharge, charged, ...entry }]) => {
  const httpStatus = code === 'VALIDATION_FAILED' ? 400 : entry.httpStatus;
  const errorResponse = { answer: { status: onRecharge, code, message: code }, httpStatus, arrives: false };
  const afterwards: Fault[] = onRecharge === 'failed' || isFull ? ['reset after', 'held'] : ['reset after'];
  const ways: [string, readonly Fault[]][] = [
    [`${code} at first`, [errorResponse]],
    ...afterwards.map((first): [string, Fault[]] => [
      `${code} after "${first}"`,
      [first, errorResponse, errorResponse],
    ]),
    // the request may have been processed
    ...(charged === 'unknown'
      ? [[`${code}, processed`, [{ ...errorResponse, arrives: true }]] as [string, Fault[]]]
      : []),
  ];
  return ways.map(([name, faults]): Case => ({ name, client: 'the table', suffix: undefined, faults }));
});

const results = new Map<Case, { customerOrder: CustomerOrder; action: Action }>();
let orders: Map<string, { client_key: string; taken: number }[]>;
let payments: Map<string, unknown[]>;

beforeAll(async () => {
  developer = await test.developer({ rateLimitPerMinute: 1_000_000 });
  await Promise.all(
    [...faultCases, ...errorCases].map((testCase) =>
      turns.execute(async () => {
        const customerOrder = await clients[testCase.client](testCase.suffix, developer);
        results.set(testCase, { customerOrder, action: await live(customerOrder, testCase.faults) });
      }),
    ),
  );
  const areFinal = async (): Promise<boolean> =>
    (await test.db.query(`select from orders where state = 'open' limit 1`)).length === 0;
  await until('every order is final', areFinal, LIMIT_MS);
  const rows = await test.db.query<{ client_key: string; taken: number }>(
    `select client_key, (
       select coalesce(sum(case kind when 'hold' then t.amount_paise when 'refund' then -t.amount_paise end), 0)::float / 100
       from transfer t where t.developer_id = o.developer_id and t.subject_id = o.id
     ) as taken from orders o where developer_id = $1`,
    [developer.id],
  );
  orders = Map.groupBy(rows, ({ client_key }) => client_key);
  const book = (await test.simulator.book()).filter(({ outcome }) => outcome === 'succeeded');
  payments = Map.groupBy(book, ({ account }) => account);
}, LIMIT_MS);
afterAll(() => Promise.all(gates.map((gate) => gate.close())));

const booksFor = ({ key, account }: CustomerOrder): Books => {
  const own = orders.get(key) ?? [];
  const charged = own.reduce((sum, order) => sum + order.taken, 0);
  return { orders: own.length, state: undefined, taken: charged, performed: payments.get(account)?.length ?? 0 };
};

describe.each([...faultCases, ...errorCases])('$name', (testCase) => {
  it('leads to the right decision', () => {
    const { customerOrder, action } = results.get(testCase)!;
    expectConsistent(action, customerOrder.amount, booksFor(customerOrder));
  });
});

it('the table contains only next steps that a client can follow', () => {
  expect([...STEPS].filter(([, step]) => step === 'deliver').map(([result]) => result)).toEqual(['200 success']);
  expect(STEPS.get('200 pending')).toBe('retry');
});

describe('an insufficient balance while the first request is delayed', () => {
  it.each(NAMES)('%s', async (client) => {
    const poor = await test.developer({ liveRupees: 4, rateLimitPerMinute: 10_000 });
    const credit = { developerId: poor.id, environment: 'production', amountPaise: rupees(100) } as const;
    const customerOrder = await clients[client](undefined, poor);
    const action = await live(customerOrder, ['held', 'none', 'none'], () =>
      creditWallet(test.app, { ...credit, reference: client }, seed),
    );
    expectConsistent(action, customerOrder.amount, await booksOf(test, poor, customerOrder.key, customerOrder.account));
  });
});
