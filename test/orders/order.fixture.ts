import { expect } from 'vitest';
import type { Environment } from '../../src/core/environment.js';
import { newId } from '../../src/core/ids.js';
import { paise } from '../../src/core/money.js';
import type { DeveloperPrincipal, Role } from '../../src/core/principal.js';
import {
  CALLBACK_SECRET,
  FROM_TEST,
  seed,
  type TestApp,
  type TestDeveloper,
  type TestResponse,
} from '../support/app.js';
import { backdateSend } from '../support/orders.js';

export const RECHARGE_STATUS = '/api/v1/recharge/status';

export interface OrderRow {
  id: string;
  state: string;
  statusChecks: number;
  not_found: number;
  due_at: string | null;
  doubted_since: string | null;
  reversed_at: string | null;
  developer_id: string;
}

/** The row of the order with this idempotency key. */
export async function orderRow(test: TestApp, developer: TestDeveloper, key: string): Promise<OrderRow> {
  const [row] = await test.db.query<OrderRow>(
    `select id, state, status_checks as "statusChecks", not_found, (select due_at from order_due where order_id = id), doubted_since, reversed_at, developer_id
     from orders where developer_id = $1 and client_key = $2`,
    [developer.id, key],
  );
  if (!row) throw new Error(`There is no order ${key}.`);
  return row;
}

/** ID of an order in the form that clients see. */
export const publicId = (orderId: string): string => `ord_${orderId}`;

/** Reference sent to the provider for an order. */
export const sentReference = async (test: TestApp, orderId: string): Promise<string> =>
  (await test.db.query<{ reference: string }>('select reference from orders where id = $1', [orderId]))[0]!.reference;

/** Kinds of all transfers of an order, oldest first. */
export const transfersOf = async (test: TestApp, orderId: string): Promise<string[]> =>
  (
    await test.db.query<{ kind: string }>('select kind from transfer where subject_id = $1 order by step', [orderId])
  ).map(({ kind }) => kind);

export const eventsOf = async (test: TestApp, orderId: string): Promise<string[]> =>
  (
    await test.db.query<{ kind: string }>('select kind from order_event where order_id = $1 order by at, id', [orderId])
  ).map(({ kind }) => kind);

/** Number of RoundPay status checks for an order. */
export const statusCalls = async (test: TestApp, orderId: string): Promise<number> => {
  const reference = await sentReference(test, orderId);
  return (await test.simulator.calls()).filter(
    (call) => call.path.endsWith('StatusCheck') && call.reference === reference,
  ).length;
};

/** Sends a callback in RoundPay's format. */
export const callBack = (
  test: TestApp,
  fields: Record<string, string>,
  secret: string | null = CALLBACK_SECRET,
  provider = 'roundpay',
): Promise<TestResponse> =>
  test.rest(
    'production',
    'GET',
    `/callbacks/${provider}?${new URLSearchParams({ ...fields, ...(secret === null ? {} : { secret }) })}`,
  );

/**
 * Creates a recharge in review and returns its ID, as if its response had been unreadable, an hour ago or just now. Calls no
 * provider, so no circuit breaker opens. Mokshiq has no status check, so the order needs review immediately.
 */
export async function inReview(
  test: TestApp,
  developer: TestDeveloper,
  {
    key = newId(),
    account = '9876543210',
    rupees: amount = 10,
    environment = 'production' as Environment,
    justNow = false,
  } = {},
): Promise<string> {
  const order = await test.app.orders.place({
    principal: { developerId: developer.id, environment } as DeveloperPrincipal,
    operation: 'recharge',
    amountPaise: paise(Math.round(amount * 100)),
    clientKey: key,
    identity: { key },
    account,
    provider: 'MOKSHIQ',
    request: { accountNumber: account, operatorSpKey: 116, operatorType: 'mobile' },
    send: async () => ({ kind: 'unknown', evidence: { reason: 'not_json' } }),
  });
  expect(order.status).toBe('pending');
  if (!justNow) await backdateSend(test.db, order.orderId);
  return order.orderId;
}

let users = 0;

/** Console session of a new user. */
export async function signedIn(test: TestApp, role: Role, developer?: TestDeveloper): Promise<string> {
  const email = `user-${++users}@console.example`;
  const password = 'a long enough password';
  await test.app.users.create({ email, name: `User ${users}`, password, role, developerId: developer?.id }, seed);
  return (await test.app.sessions.signIn({ email, password }, FROM_TEST)).token;
}
