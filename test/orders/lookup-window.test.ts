import { expect, it } from 'vitest';
import { ClientTokenService } from '../../src/accounts/keys/client-token.service.js';
import { BillFetchService } from '../../src/card-bills/bill-fetch.service.js';
import { FetchedBills } from '../../src/card-bills/fetched-bill.store.js';
import { AppError } from '../../src/core/errors.js';
import { FieldEncryption } from '../../src/core/field-encryption.js';
import { createLogger } from '../../src/core/log.js';
import { Metrics } from '../../src/core/metrics.js';
import { paise } from '../../src/core/money.js';
import type { DeveloperPrincipal } from '../../src/core/principal.js';
import { Secret } from '../../src/core/secret.js';
import { type LedgerResolution, LedgerService, type ResolutionResult } from '../../src/ledger/ledger.service.js';
import { ChargedLookups } from '../../src/orders/charged-lookup.js';
import { OrderService } from '../../src/orders/order.service.js';
import { OrderSearch, OrderStore } from '../../src/orders/order.store.js';
import { Outcomes, StatusCheckRegistry } from '../../src/orders/outcomes.js';
import { StatusCheckStore } from '../../src/orders/status-check.store.js';
import { PlanService } from '../../src/plans/plan.service.js';
import { rowKeys } from '../support/row-keys.js';
import { useSharedApp } from '../support/use-app.js';

const test = useSharedApp();
const WINDOW_MS = 150;
const FEE_RUPEES = 2.5;
const evidence = { reason: 'provider_success' } as const;

/** Commits a resolution immediately, but returns only after a given promise. */
class LateLedger extends LedgerService {
  confirmation: Promise<unknown> = Promise.resolve();
  override async resolve(resolution: LedgerResolution): Promise<ResolutionResult> {
    const result = await super.resolve(resolution);
    if (resolution.success) await this.confirmation;
    return result;
  }
}

class LostLedger extends LedgerService {
  override async resolve(): Promise<ResolutionResult> {
    throw new AppError('DEPENDENCY_DOWN');
  }
}

const lookups = {
  'a plan lookup': (services: Services, principal: DeveloperPrincipal) =>
    services.plans.lookUp(principal, 'operatorFetch', { mobile: '9468455123', clientRequestId: 'slow' }),
  'a bill fetch': (services: Services, principal: DeveloperPrincipal) =>
    services.bills.fetch(principal, {
      card: '4111111111111111',
      mobile: '9468455123',
      opcode: 'HDFC',
      clientRequestId: 'slow',
    }),
};

type Services = ReturnType<typeof servicesOn>;
/** The services of a process with a short window, on providers that respond after the promise `answered`. */
function servicesOn(ledger: LedgerService, response: Promise<unknown>) {
  const pepper = new Secret('a pepper for tests only');
  const encryption = new FieldEncryption([{ id: 'k', key: new Secret(Buffer.alloc(32, 5).toString('base64')) }]);
  const store = new OrderStore(test.app.pool, encryption);
  const policy = { scheduleMs: [60_000], visibilityDelayMs: 60_000, manualReviewAfterMs: 600_000 };
  const dependencies = {
    ledger,
    store,
    statusCheckStore: new StatusCheckStore(test.app.pool),
    statusChecks: new StatusCheckRegistry(),
  };
  const outcomes = new Outcomes(dependencies, new OrderSearch(new Secret('a pepper')), policy);
  const options = {
    pepper,
    referenceSecret: pepper,
    syncWindowMs: WINDOW_MS,
    metrics: new Metrics(),
    sendLeaseMs: 60_000,
    maxInFlight: 10,
  };
  const orders = new OrderService(ledger, store, outcomes, options, createLogger('silent'));
  const charged = new ChargedLookups(orders, new ClientTokenService(test.app.pool, rowKeys, 60));
  const plans = {
    provider: 'EKYCHUB',
    available: true,
    operatorFetch: async () => {
      await response;
      return {
        kind: 'accepted',
        evidence,
        value: { number: '9468455xxx', company: 'x', circle: 'y', circleCode: '06' },
      };
    },
  };
  const bills = {
    provider: 'INSPAY',
    available: true,
    fetchBill: async () => {
      await response;
      const amounts = { billAmountPaise: paise(100), minimumDuePaise: paise(100) };
      const bill = { fetchId: 'F1', customerName: 'x', billDate: '2026-11-01', billDueDate: '2026-11-20', ...amounts };
      return { kind: 'accepted', evidence, value: bill };
    },
  };
  return {
    orders,
    plans: new PlanService(charged, { uat: plans, production: plans } as never),
    bills: new BillFetchService(charged, new FetchedBills(test.app.pool, encryption, pepper), {
      uat: bills,
      production: bills,
    } as never),
  };
}

async function caller() {
  const developer = await test.developer({ liveRupees: 100 });
  const fee = { enabled: true, feePaise: paise(FEE_RUPEES * 100) };
  return {
    developer,
    principal: {
      kind: 'developer',
      developerId: developer.id,
      environment: 'production',
      services: new Map([
        ['operator_fetch', fee],
        ['credit_card_fetch', fee],
      ]),
    } as unknown as DeveloperPrincipal,
    balance: () => test.balance(developer, 'production'),
    postings: async () =>
      (
        await test.db.query<{ kind: string }>(
          `select kind from transfer where developer_id = $1 and kind <> 'top_up' order by step`,
          [developer.id],
        )
      ).map(({ kind }) => kind),
  };
}

it.each(Object.entries(lookups))(
  '%s fails if its provider responds after the window, and the late response charges nothing',
  async (_name, lookUp) => {
    const { principal, balance, postings } = await caller();
    const response = Promise.withResolvers<void>();
    const services = servicesOn(test.app.ledger, response.promise);
    await expect(lookUp(services, principal)).rejects.toMatchObject({ code: 'PROVIDER_FAILED' });
    expect(await postings()).toEqual(['hold', 'refund']);
    response.resolve();
    await services.orders.drain();
    expect(await postings()).toEqual(['hold', 'refund']);
    expect(await balance()).toBe(100);
  },
);

it.each(Object.entries(lookups))(
  '%s that is settled before the window ends returns success even if the confirmation is late',
  async (_name, lookUp) => {
    const { principal, balance, postings } = await caller();
    const ledger = new LateLedger(test.app.pool);
    const confirmed = Promise.withResolvers<void>();
    ledger.confirmation = confirmed.promise;
    const services = servicesOn(ledger, Promise.resolve());
    const response = await lookUp(services, principal);
    expect(response).toMatchObject({ replayed: false, feePaise: BigInt(FEE_RUPEES * 100) });
    expect(response.value).toBeDefined();
    expect(await postings()).toEqual(['hold', 'settle']);
    expect(await balance()).toBe(100 - FEE_RUPEES);
    confirmed.resolve();
    await services.orders.drain();
  },
);

it('a possibly retained fee counts towards the spending limit of a client token; a refunded one does not', async () => {
  const { principal, developer } = await caller();
  const document = 'mutation { createClientToken(input: { scopes: [LOOKUPS], maxSpend: 10 }) { token } }';
  const { body } = await test.graphql('production', developer.tokens.production, document);
  const hash = rowKeys.lookup('client_token', body.data.createClientToken.token);
  const spent = async () =>
    (
      await test.db.query('select spent_paise::float / 100 as rupees from client_token where token_hash = $1', [hash])
    )[0];
  const client = { ...principal, tokenHash: hash, client: { scopes: ['lookups'] } } as unknown as DeveloperPrincipal;
  const response = Promise.withResolvers<void>();
  const services = servicesOn(test.app.ledger, response.promise);
  await expect(lookups['a plan lookup'](services, client)).rejects.toMatchObject({ code: 'PROVIDER_FAILED' });
  expect(await spent()).toEqual({ rupees: 0 });
  response.resolve();
  await services.orders.drain();
  const lostServices = servicesOn(new LostLedger(test.app.pool), Promise.resolve());
  await expect(lookups['a plan lookup'](lostServices, client)).rejects.toMatchObject({ code: 'DEPENDENCY_DOWN' });
  expect(await spent()).toEqual({ rupees: FEE_RUPEES });
  await test.db.query('update order_due set due_at = now() where developer_id = $1', [developer.id]);
  await test.app.sweeper.sweep();
});

it('a lookup that cannot be settled because of a database outage is not a failure of the provider', async () => {
  const { principal, postings } = await caller();
  const services = servicesOn(new LostLedger(test.app.pool), Promise.resolve());
  const error = await lookups['a plan lookup'](services, principal).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'DEPENDENCY_DOWN' });
  expect((error as Error).message).toMatch(/to get the result without a second fee; otherwise the fee is refunded\.$/);
  expect(await postings()).toEqual(['hold']);
  await test.db.query('update order_due set due_at = now() where developer_id = $1', [principal.developerId]);
  await test.app.sweeper.sweep();
  expect(await postings()).toEqual(['hold', 'refund']);
});
