import { beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { codesOf, useConsole } from '../console/console.fixture.js';
import { UNKNOWN_ID } from '../support/ids.js';
import { until } from '../support/until.js';
import { isSignedWith, type Receiver, startReceiver } from './receiver.fixture.js';
import {
  type Account,
  accountOf,
  createEndpoint,
  DISABLE,
  logOf,
  publicId,
  REDELIVER,
  SEND_TEST,
} from './webhooks.fixture.js';

// more retries than those of a test message
const on = useConsole({ WEBHOOK_RETRIES: '5' });

async function listening({ onTestFinished }: TestContext) {
  const receiver: Receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const listener = await accountOf(on);
  return { receiver, listener, ...(await createEndpoint(on, listener, receiver.url)) };
}

const waitForState = (state: string, listener: Account, id: string): Promise<void> =>
  until(`it is ${state}`, async () => (await logOf(on, listener, id))[0]?.state === state);
const endpointOf = async (id: string) =>
  (
    await on.test.db.query('select failing_since, unanswered, disabled_at from webhook_endpoint where id = $1', [id])
  )[0];

describe.concurrent('a test message', () => {
  it('is signed like other messages, marked as a test, and listed in the delivery log', async (context) => {
    const { receiver, listener, id, secret } = await listening(context);
    const { body } = await on.call(listener.session, SEND_TEST, { id: publicId(id) });
    const { delivery } = body.data.sendTestEvent;
    expect(delivery).toEqual({
      id: expect.any(String),
      endpointId: publicId(id),
      type: 'TEST_SENT',
      apiRequestId: expect.stringMatching(/^test-[0-9A-Z]{25}$/),
      state: 'PENDING',
      attemptCount: 0,
      httpStatus: null,
    });
    const [message] = await receiver.has(1);
    expect(isSignedWith(secret, message!)).toBe(true);
    expect(message!.id).toBe(`msg_${delivery.apiRequestId}_sent`);
    expect(message!.body).toEqual({
      type: 'test.sent',
      timestamp: expect.any(String),
      data: { test: true, environment: 'production' },
    });
    await waitForState('DELIVERED', listener, id);
    expect(await logOf(on, listener, id)).toMatchObject([{ id: delivery.id, attemptCount: 1, httpStatus: 200 }]);
    expect(await on.test.db.query('select from orders where developer_id = $1', [listener.developer.id])).toEqual([]);
  });

  it('can be sent with a token, has a new ID each time, and writes an audit entry', async (context) => {
    const { receiver, listener, id } = await listening(context);
    const { tokens, id: developerId } = listener.developer;
    for (const endpointId of [publicId(id), id])
      expect(codesOf(await on.test.graphql('production', tokens.production, SEND_TEST, { id: endpointId }))).toEqual(
        [],
      );
    const messages = await receiver.has(2);
    expect(new Set(messages.map((message) => message.id)).size).toBe(2);
    const auditLog = await on.test.db.query(
      `select actor, before, after from audit_entry where action = 'webhook.send_test' and subject = $1`,
      [`developer:${developerId}/production/webhook:${id}`],
    );
    const after = { delivery: expect.any(String), type: 'test.sent' };
    expect(auditLog).toEqual([1, 2].map(() => ({ actor: `token:${developerId}`, before: null, after })));
  });

  it('is attempted three times per request, and its failure does not count against the endpoint', async (context) => {
    const { receiver, listener, id } = await listening(context);
    receiver.react(...Array.from({ length: 20 }, () => 500));
    const { body } = await on.call(listener.session, SEND_TEST, { id });
    await waitForState('FAILED', listener, id);
    expect((await logOf(on, listener, id))[0]).toMatchObject({
      attemptCount: 3,
      httpStatus: 500,
      error: 'HTTP_STATUS',
    });
    expect(await endpointOf(id)).toEqual({ failing_since: null, unanswered: 0, disabled_at: null });
    expect(await on.codes(listener.session, REDELIVER, { id: body.data.sendTestEvent.delivery.id })).toEqual([]);
    await receiver.has(6);
    await waitForState('FAILED', listener, id);
    expect(new Set(receiver.received.map((message) => message.id)).size).toBe(1);
  });
});

describe('a test message is rejected', () => {
  let owner: Account;
  let other: Account;
  let id: string;
  beforeAll(async () => {
    owner = await accountOf(on);
    other = await accountOf(on);
    ({ id } = await createEndpoint(on, owner, 'https://hooks.test.example/'));
  });
  const deliveries = () => on.test.db.query('select from webhook_delivery where endpoint_id = $1', [id]);

  it('for an endpoint that does not exist or belongs to another account or environment', async () => {
    for (const unknown of [UNKNOWN_ID, publicId(UNKNOWN_ID), 'nonsense', '']) {
      expect(await on.codes(owner.session, SEND_TEST, { id: unknown })).toEqual(['RECORD_NOT_FOUND']);
      const { tokens } = owner.developer;
      const response = await on.test.graphql('production', tokens.production, SEND_TEST, { id: unknown });
      expect(codesOf(response)).toEqual(['RECORD_NOT_FOUND']);
    }
    expect(await on.codes(other.session, SEND_TEST, { id })).toEqual(['RECORD_NOT_FOUND']);
    for (const [{ developer }, host] of [
      [other, 'production'],
      [other, 'uat'],
      [owner, 'uat'],
    ] as const)
      expect(codesOf(await on.test.graphql(host, developer.tokens[host], SEND_TEST, { id }))).toEqual([
        'RECORD_NOT_FOUND',
      ]);
    expect(await on.codes(on.staff.support, SEND_TEST, { id })).toEqual(['FORBIDDEN']);
    expect(await deliveries()).toEqual([]);
  });

  it('for a disabled endpoint', async () => {
    await on.call(owner.session, DISABLE, { id });
    for (const session of [owner.session, on.staff.admin])
      expect(await on.codes(session, SEND_TEST, { id })).toEqual(['CONFLICT']);
    const { production } = owner.developer.tokens;
    expect(codesOf(await on.test.graphql('production', production, SEND_TEST, { id }))).toEqual(['CONFLICT']);
    expect(await deliveries()).toEqual([]);
  });
});
