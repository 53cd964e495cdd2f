import type { Pool } from 'pg';
import { AuditService } from '../../src/audit/audit.service.js';
import { createLogger } from '../../src/core/log.js';
import { paise } from '../../src/core/money.js';
import { Secret } from '../../src/core/secret.js';
import { FieldEncryption } from '../../src/db/field-encryption.js';
import { closeOrm, type MikroORM, openOrm } from '../../src/db/orm.js';
import { createPool } from '../../src/db/pool.js';
import { leadEntities } from '../../src/leads/lead.entity.js';
import { LeadStatusService } from '../../src/leads/lead-status.service.js';
import { LedgerService } from '../../src/ledger/ledger.service.js';
import { Callbacks } from '../../src/orders/callbacks.js';
import { Contradictions } from '../../src/orders/contradictions.js';
import { EnquiryRegistry } from '../../src/orders/enquiries.js';
import { OrderService } from '../../src/orders/order.service.js';
import { OrderStore } from '../../src/orders/order.store.js';
import { OrderSearch } from '../../src/orders/order-search.js';
import { Outcomes } from '../../src/orders/outcomes.js';
import { Reversals } from '../../src/orders/reversals.js';
import { ReviewService } from '../../src/orders/review.service.js';
import type { LeasedOrder } from '../../src/orders/stored-order.js';
import { enquiryOf, Sweeper } from '../../src/orders/sweeper.js';
import type { MoneyDecision } from '../../src/proposals/money-decision.js';
import { type ProposalParts, ProposalService } from '../../src/proposals/proposal.service.js';
import { ProposalStore } from '../../src/proposals/proposal.store.js';
import type { EnquiryOutcome } from '../../src/providers/outcome.js';
import type { ProviderCallback } from '../../src/providers/ports/callback.port.js';
import { auditKeys } from '../support/audit.js';
import type { TestDatabase } from '../support/database.js';
import { ALONE_PAISE, type Capability } from './commands.js';
import { LEASE_MS, POLICY, RECHECK_MS } from './machine.js';

const log = createLogger('silent');
/** Admins who decide; the users are numbered from 1. */
const PEOPLE = 2;
const pepper = new Secret('a pepper for the model only');
const CAPABILITIES: Readonly<Record<Capability, { canEnquire: boolean; notFoundIsFinal: boolean }>> = {
  direct: { canEnquire: true, notFoundIsFinal: true },
  silent: { canEnquire: false, notFoundIsFinal: false },
  cautious: { canEnquire: true, notFoundIsFinal: false },
};

/** What all sequences of a run share, as the processes of a deployment do. */
export interface SharedServices {
  pool: Pool;
  /** The owner: moves time. */
  owner: Pool;
  orm: MikroORM;
  ledger: LedgerService;
  store: OrderStore;
  close(): Promise<void>;
}

export async function openServices(db: TestDatabase): Promise<SharedServices> {
  const pool = createPool(db.url, { max: 10 });
  const owner = createPool(db.url, { max: 4, asOwner: true });
  const orm = openOrm(pool, leadEntities);
  await owner.query(
    `insert into app_user (id, email, name, role, password_hash) overriding system value
      select n, format('admin-%s@test.example', n), 'Admin', 'admin', '' from generate_series(1, $1::integer) n on conflict do nothing`,
    [PEOPLE],
  );
  const encryption = new FieldEncryption([{ id: 'model', key: new Secret(Buffer.alloc(32, 3).toString('base64')) }]);
  return {
    pool,
    owner,
    orm,
    ledger: new LedgerService(pool),
    store: new OrderStore(pool, encryption),
    close: async () => {
      await closeOrm(orm, pool);
      await owner.end();
    },
  };
}

/** The edge of the system: what the world plays. */
export interface Edge {
  /** The provider's name for a capability: one developer's own, so that sweeps do not meet. */
  providerOf(capability: Capability): string;
  enquire(order: LeasedOrder): EnquiryOutcome<{ providerTxnId: string }>;
  leadStatus(): string;
}

/** The services of one developer's calls, as src/app.ts wires them. */
export function servicesFor({ ledger, store, orm, pool }: SharedServices, edge: Edge) {
  const registry = new EnquiryRegistry();
  const register = (operation: 'recharge' | 'card_payment', capability: Capability): void => {
    registry.register(operation, edge.providerOf(capability), {
      ...CAPABILITIES[capability],
      recheckAfterMs: RECHECK_MS,
      receiptOf: ({ providerTxnId }) => ({ providerTxnId }),
      enquire: async (order) => edge.enquire(order),
    });
  };
  register('recharge', 'direct');
  register('recharge', 'silent');
  register('card_payment', 'cautious');
  const providers = (['direct', 'silent', 'cautious'] as const).map((capability) => edge.providerOf(capability));
  const outcomes = new Outcomes(ledger, store, registry, new OrderSearch(new Secret('a pepper')), POLICY);
  const reversals = new Reversals(ledger, store, registry, POLICY, log);
  const contradictions = new Contradictions(store, registry, POLICY.scheduleMs[0]!, log);
  const audit = new AuditService(auditKeys);
  const proposalStore = new ProposalStore(pool);
  const reviews = new ReviewService({
    orm,
    ledger,
    store,
    audit,
    proposals: proposalStore,
    enquiries: registry,
    alonePaise: paise(ALONE_PAISE),
  });
  const leads = {
    available: true,
    leadStatus: async (leadCode: string) => ({
      kind: 'accepted',
      value: { leadCode, leadStatus: edge.leadStatus() },
      evidence: { reason: 'provider_success' },
    }),
  };
  return {
    /** @param syncWindowMs how long a repetition waits for a call that is under way elsewhere, or was and died */
    newProcess: (syncWindowMs = 10_000): OrderService =>
      new OrderService(
        ledger,
        store,
        outcomes,
        {
          pepper,
          referenceSecret: pepper,
          syncWindowMs,
          sendLeaseMs: LEASE_MS,
          sendWithinMs: LEASE_MS,
          maxInFlight: 1_000,
        },
        log,
      ),
    sweeper: new Sweeper(
      (order) => enquiryOf(order, { outcomes, reversals, contradictions }),
      store,
      { providers, intervalMs: 1_000, perProvider: 100, leaseMs: LEASE_MS, mayAsk: async () => true },
      log,
    ),
    callbacks: new Callbacks(
      store,
      providers.map((provider) => ({
        name: provider,
        provider,
        parse: (fields) => Object.fromEntries(fields) as unknown as ProviderCallback,
      })),
      log,
    ),
    reviews,
    proposals: new ProposalService<MoneyDecision>({
      orm,
      audit,
      store: proposalStore,
      actions: {
        'order.settle': (...args) => reviews.carryOut('success', ...args),
        'order.refund': (...args) => reviews.carryOut('failed', ...args),
      } as ProposalParts<MoneyDecision>['actions'],
    }),
    leads: new LeadStatusService({ uat: leads, production: leads } as never, ledger, orm),
  };
}
