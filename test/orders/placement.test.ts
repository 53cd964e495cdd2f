import { expect, it } from 'vitest';
import { createLogger } from '../../src/core/log.js';
import { Metrics } from '../../src/core/metrics.js';
import { Secret } from '../../src/core/secret.js';
import { OrderService } from '../../src/orders/order.service.js';
import { developerNumber } from '../support/ids.js';

it('placing an order is rejected without a transfer when its idempotency key stays neither free nor assigned', async () => {
  let holds = 0;
  const ledger = {
    backlog: 0,
    hold: async () => {
      holds++;
      return { outcome: 'duplicate', orderId: 'another', balancePaise: 0n, version: 1 };
    },
  };
  const store = { encrypt: () => Buffer.alloc(0), byStoredKey: async () => undefined };
  const service = new OrderService(
    ledger as never,
    store as never,
    {} as never,
    {
      pepper: new Secret('a pepper'),
      referenceSecret: new Secret('another'),
      syncWindowMs: 1_000,
      metrics: new Metrics(),
      sendLeaseMs: 1_000,
      maxInFlight: 10,
    },
    createLogger('silent'),
  );
  const sent: string[] = [];
  const order = service.place({
    principal: { developerId: developerNumber(1), environment: 'production' } as never,
    operation: 'lookup',
    amountPaise: 100n as never,
    clientKey: 'released',
    identity: {},
    account: '9876543210',
    provider: 'EKYCHUB',
    request: {},
    send: async (reference) => {
      sent.push(reference);
      return { kind: 'declined', evidence: { reason: 'never_sent' } };
    },
  });
  await expect(order).rejects.toMatchObject({ code: 'OVERLOADED' });
  expect([holds, sent, service.inFlight]).toEqual([3, [], 0]);
});
