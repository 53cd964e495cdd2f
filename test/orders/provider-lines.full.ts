import { beforeAll, expect, it } from 'vitest';
import type { TestDeveloper } from '../support/app.js';
import { type LogLine, logLines } from '../support/log-lines.js';
import { place } from '../support/recharges.js';
import { until } from '../support/until.js';
import { useSharedApp } from '../support/use-app.js';
import { orderRow, sentReference } from './order.fixture.js';

const lines = logLines();
// status checks run only when the test makes an order due
const test = useSharedApp({ STATUS_CHECK_SCHEDULE_MS: '60s' }, lines.takes);
let developer: TestDeveloper;
beforeAll(async () => {
  developer = await test.developer({ rateLimitPerMinute: 1_000, feesPaise: { operator_plan_fetch: 100 } });
});

const recharge = (account: string, key: string) =>
  place(test, developer, { account_number: account, client_request_id: key });
const callsOf = (orderId: string): LogLine[] => lines.of('provider call').filter((line) => line.orderId === orderId);

it.each([
  ['a success', '9876543210', { level: 30, result: 'accepted', reason: 'provider_success', httpStatus: 200 }],
  ['a decline', '9876540001', { level: 30, result: 'declined', reason: 'provider_failure' }],
  ['an error page', '9876540007', { level: 30, result: 'unknown', reason: 'http_error', httpStatus: 500 }],
  ['a dropped connection', '9876540012', { level: 30, result: 'unknown', reason: 'connection_lost' }],
])(
  '%s writes one log line that links the order and the request to the provider response',
  async (key, account, expected) => {
    const response = await recharge(account, key);
    const { id } = await orderRow(test, developer, key);
    await until('the log line of the call', () => callsOf(id).length > 0);
    expect(callsOf(id)).toEqual([
      expect.objectContaining({
        ...expected,
        provider: 'ROUNDPAY',
        call: 'recharge',
        requestId: response.headers.get('x-request-id'),
        apiRequestId: await sentReference(test, id),
        ms: expect.any(Number),
      }),
    ]);
  },
);

it('the log line of a status check names the sweeper and the order', async () => {
  await recharge('9876540005', 'pending');
  const { id } = await orderRow(test, developer, 'pending');
  await test.db.query('update order_due set due_at = now() where order_id = $1', [id]);
  await until('a status check', () => callsOf(id).some(({ call }) => call === 'checkStatus'));
  const statusCheck = callsOf(id).find(({ call }) => call === 'checkStatus')!;
  expect(statusCheck).toMatchObject({
    loop: 'sweeper',
    provider: 'ROUNDPAY',
    result: 'unknown',
    reason: 'provider_pending',
    apiRequestId: await sentReference(test, id),
  });
  expect(statusCheck).not.toHaveProperty('requestId');
});

it('a lookup writes a log line too, without the request data or a URL', async () => {
  const { headers } = await test.graphql(
    'production',
    developer.tokens.production,
    '{ mobilePlans(input: {mobile: "9876543210", opcode: BT, circle: "96", clientRequestId: "plans-1"}) { groups { name } } }',
  );
  const requestId = headers.get('x-request-id');
  await until('the log line', () => lines.of('provider call').some((line) => line.requestId === requestId));
  expect(lines.of('provider call').find((line) => line.requestId === requestId)).toMatchObject({
    provider: 'EKYCHUB',
    call: 'mobilePlans',
    result: 'accepted',
    orderId: expect.any(String),
  });
  const all = lines.texts.join('');
  for (const text of ['98765', 'http://', 'TransactionAPI']) expect(all.includes(text), text).toBe(false);
});
