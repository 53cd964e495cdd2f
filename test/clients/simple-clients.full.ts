import { setTimeout as sleep } from 'node:timers/promises';
import { bulkhead } from 'cockatiel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestDeveloper } from '../support/app.js';
import { until } from '../support/until.js';
import { useSharedApp } from '../support/use-app.js';
import { type Gate, openGate } from './gate.fixture.js';
import { Journey } from './journey.fixture.js';
import { mobileNumber, newRecharge } from './shop.fixture.js';
import { type Action, type ClientName, clients, type Order } from './simple-clients.js';
import { type End, type Host, type Situation, SLOW, situations } from './situations.js';
import { DEFAULT_SETTINGS, environmentOf, Stage, type Troubled } from './stage.fixture.js';

const test = useSharedApp(DEFAULT_SETTINGS);
const NAMES = Object.keys(clients) as ClientName[];
const PAUSE_MS = 100;
/** Timeout of a hanging stage, twenty times its usual duration. */
const STAGE_LIMIT_MS = 240_000;
/** Limits concurrent situations so that responses arrive long before their timeouts, even on a busy machine. */
const turns = bulkhead(6, Number.POSITIVE_INFINITY);

/** An order of one client in one situation, and the decision of the client. */
interface Case {
  order: Order;
  action: Action | undefined;
}

interface OrderRow {
  client_key: string;
  state: 'open' | 'success' | 'failed' | 'review';
  reversed: boolean;
  taken: number;
}

const rows = situations.flatMap((situation) =>
  situation.on.map((host) => ({
    ...situation,
    host,
    name: `${situation.what}${situation.suffix ? ` (${situation.suffix})` : ''}, ${host}`,
    cases: Object.fromEntries(
      NAMES.map((name): [ClientName, Case] => [
        name,
        {
          order: newRecharge(mobileNumber(situation.suffix), { circle: 'Delhi', ...situation.change }),
          action: undefined,
        },
      ]),
    ) as Record<ClientName, Case>,
  })),
);
type Row = (typeof rows)[number];

/** Orders by client_request_id, and numbers of payments that the provider completed by account. */
let orders = new Map<string, OrderRow[]>();
let payments = new Map<string, number>();

async function readOrders(): Promise<void> {
  const found = await test.db.query<OrderRow>(
    `select client_key, state, reversed_at is not null as reversed, (
       select coalesce(sum(case when kind in ('hold', 'refund_reversal') then t.amount_paise
                                when kind in ('refund', 'reversal') then -t.amount_paise end), 0)::float / 100
       from transfer t where t.developer_id = o.developer_id and t.subject_id = o.id
     ) as taken from orders o where client_key = any($1)`,
    [rows.flatMap(({ cases }) => NAMES.map((name) => cases[name].order.client_request_id))],
  );
  orders = Map.groupBy(found, ({ client_key }) => client_key);
}

const stateOf = ({ client_request_id }: Order): string => orders.get(client_request_id)?.[0]?.state ?? 'none';

function endOf({ client_request_id }: Order): End | 'open' {
  const [row] = orders.get(client_request_id) ?? [];
  if (!row) return 'none';
  return row.reversed ? 'reversed' : row.state;
}

let stage: Stage;
const accounts = {} as Record<Host, TestDeveloper>;
const gates: Gate[] = [];

/** Runs all three clients in one situation. Resolves when their first requests have ended and the problem has ended. */
async function runSituation(row: Row): Promise<{ done: Promise<unknown> }> {
  const developer = accounts[row.host];
  const troubled: Troubled = row.trouble
    ? await stage.troubled(row.trouble)
    : { developer, token: developer.tokens[environmentOf(row.host)] };
  const defaultUrl = stage.urlOf(row.host, SLOW.includes(row.suffix));
  const { begin: start, meanwhile, end } = troubled;
  let finish!: () => void;
  const isOver = new Promise<void>((resolve) => (finish = resolve));
  await start?.();
  const journeys = await Promise.all(
    NAMES.map(async (name) => {
      const gate = await openGate(troubled.url ?? defaultUrl);
      gates.push(gate);
      if (row.fault) gate.faults('/recharge', row.fault);
      const testCase = row.cases[name];
      const environment = environmentOf(row.host);
      const way = new Journey({
        url: gate.url,
        environment,
        keys: troubled.developer.keys[environment],
        token: troubled.token,
        troubleIsOver: isOver,
        stateNow: () => stateOf(testCase.order),
      });
      gate.onSilence = () => way.giveUp();
      return { name, one: testCase, gate, way };
    }),
  );
  const done = Promise.all(
    journeys.map(async ({ name, one, way }) => void (one.action = await clients[name](way, one.order))),
  );
  await meanwhile?.(journeys.map(({ one }) => one.order));
  await Promise.all(journeys.map(({ way }) => way.firstEnded));
  await end?.();
  for (const { gate } of journeys) gate.leadTo(defaultUrl);
  finish();
  return { done };
}

beforeAll(async () => {
  stage = await Stage.open(test);
  const [ROUNDPAY, MOKSHIQ] = await Promise.all([stage.developer('ROUNDPAY'), stage.developer('MOKSHIQ')]);
  Object.assign(accounts, { uat: ROUNDPAY, ROUNDPAY, MOKSHIQ });

  let reading = true;
  const watching = (async () => {
    for (; reading; await sleep(PAUSE_MS)) await readOrders();
  })();
  const situationsWith = (trouble: Situation['trouble']) => rows.filter((row) => row.trouble === trouble);
  const start = (some: Row[]) => Promise.all(some.map(runSituation));

  // an unavailable provider or database affects all clients that use it, so these situations run separately
  const providerRows = await start(situationsWith('provider unavailable'));
  const databaseRows = (async () => [
    ...(await start(situationsWith('database unavailable until after the response'))),
    ...(await start(situationsWith('database unavailable'))),
  ])();
  const separate: Situation['trouble'][] = [
    'provider unavailable',
    'database unavailable',
    'database unavailable until after the response',
  ];
  const [slow = [], quick = []] = [true, false].map((isSlow) =>
    rows.filter(({ trouble, suffix }) => !separate.includes(trouble) && SLOW.includes(suffix) === isSlow),
  );
  const slowRows = start(slow);
  const isPlaced = ({ cases }: Row): boolean => NAMES.every((name) => stateOf(cases[name].order) !== 'none');
  // slow situations start first, so that the others do not delay them
  await until('the slow orders wait for their providers', () => slow.every(isPlaced), STAGE_LIMIT_MS);
  const quickRows = await Promise.all(quick.map((row) => turns.execute(() => runSituation(row))));
  const all = [...providerRows, ...(await databaseRows), ...(await slowRows), ...quickRows];
  await Promise.all(all.map(({ done }) => done));

  const settled = (): boolean =>
    rows.every(({ end, cases }) =>
      NAMES.every(
        (name, n) =>
          stateOf(cases[name].order) !== 'open' && (end[n] !== 'reversed' || endOf(cases[name].order) === 'reversed'),
      ),
    );
  // the tests of the individual rows show unsettled orders
  await until('every order is final or in review', settled, STAGE_LIMIT_MS / 2).catch(() => {});
  reading = false;
  await watching;
  await readOrders();
  const book = (await test.simulator.book()).filter(({ outcome }) => outcome === 'succeeded');
  payments = new Map(
    [...Map.groupBy(book, ({ account }) => account)].map(([account, lines]) => [account, lines.length]),
  );
}, STAGE_LIMIT_MS);
afterAll(async () => {
  await Promise.all(gates.map((gate) => gate.close()));
  await stage?.close();
});

describe.each(rows)('$name', ({ host, cases, end, does, misled }) => {
  it.each(NAMES.map((name, n) => [name, cases[name], end[n]!, does[n]!] as const))(
    'client %s',
    (name, { order, action }, ends, expectedAction) => {
      const books = orders.get(order.client_request_id) ?? [];
      expect([endOf(order), action]).toEqual([ends, expectedAction]);
      // no client is charged twice or for a recharge that was not completed
      expect(books.length).toBeLessThanOrEqual(1);
      const isTaken = ends === 'success' || ends === 'review';
      expect(books.reduce((sum, { taken }) => sum + taken, 0)).toBe(isTaken ? order.amount : 0);
      const times = payments.get(order.account_number) ?? 0;
      if (host !== 'uat' && ends !== 'review') expect(times).toBe(ends === 'success' || ends === 'reversed' ? 1 : 0);
      expect(times).toBeLessThanOrEqual(1);
      // no client delivers a recharge and also refunds it
      const isMisled = action === 'refund' && (ends === 'success' || ends === 'review');
      expect(isMisled).toBe(name === 'A' && misled !== undefined);
    },
  );
});

it('the situations include every magic number', async () => {
  const { magicNumbers } = await import('../../src/core/magic-numbers.js');
  for (const host of ['uat', 'ROUNDPAY'] as const)
    expect(rows.flatMap((row) => (row.host === host && row.suffix ? [row.suffix] : []))).toEqual(
      expect.arrayContaining(Object.keys(magicNumbers)),
    );
});
