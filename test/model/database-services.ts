import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Pool } from 'pg';
import { accountEntities } from '../../src/accounts/account.entities.js';
import { ApprovalRequestService } from '../../src/approval-requests/approval-request.service.js';
import { ApprovalRequestStore } from '../../src/approval-requests/approval-request.store.js';
import { AuditService } from '../../src/audit/audit.service.js';
import { FieldEncryption } from '../../src/core/field-encryption.js';
import { createLogger } from '../../src/core/log.js';
import { Metrics } from '../../src/core/metrics.js';
import { paise } from '../../src/core/money.js';
import type { DeveloperId } from '../../src/core/principal.js';
import { Secret } from '../../src/core/secret.js';
import { ClockWatch } from '../../src/db/clock-watch.js';
import { closeOrm, type MikroORM, openOrm } from '../../src/db/orm.js';
import { createPool } from '../../src/db/pool.js';
import { BulkDecisionService } from '../../src/decisions/bulk-decision.service.js';
import { moneyActions } from '../../src/decisions/money-actions.js';
import type { MoneyMoved } from '../../src/decisions/money-decision.js';
import { ProviderQuestionService } from '../../src/decisions/provider-question.service.js';
import { leadEntities } from '../../src/leads/lead.entity.js';
import { LeadStatusService } from '../../src/leads/lead-status.service.js';
import { LedgerService } from '../../src/ledger/ledger.service.js';
import { OrderService } from '../../src/orders/order.service.js';
import { OrderSearch, OrderStore } from '../../src/orders/order.store.js';
import { Outcomes, StatusCheckRegistry } from '../../src/orders/outcomes.js';
import { StatusCheckStore } from '../../src/orders/status-check.store.js';
import type { LeasedOrder } from '../../src/orders/stored-order.js';
import type { StatusCheckOutcome } from '../../src/providers/outcome.js';
import type { ProviderCallback } from '../../src/providers/ports/callback.port.js';
import { Callbacks } from '../../src/status-checks/callbacks.js';
import { Reversals, StatusConflicts } from '../../src/status-checks/reversals.js';
import { Sweeper, statusCheckOf } from '../../src/status-checks/sweeper.js';
import { auditKeys } from '../support/audit.js';
import type { TestDatabase } from '../support/database.js';
import { userNumber } from '../support/ids.js';
import { type Capability, SINGLE_ADMIN_PAISE } from './commands.js';
import { LEASE_MS, POLICY, RECHECK_MS } from './machine.js';

const log = createLogger('silent');
/** Number of admins. Users are numbered from 1. */
const ADMIN_COUNT = 2;
export const pepper = new Secret('a pepper for the model only');
const CAPABILITIES: Readonly<Record<Capability, { canCheckStatus: boolean; notFoundIsFinal: boolean }>> = {
  direct: { canCheckStatus: true, notFoundIsFinal: true },
  silent: { canCheckStatus: false, notFoundIsFinal: false },
  cautious: { canCheckStatus: true, notFoundIsFinal: false },
};

/** Services that all sequences of a run share, as the processes of a deployment do. */
export interface SharedServices {
  pool: Pool;
  /** Login of the owner, which moves time. */
  owner: Pool;
  orm: MikroORM;
  ledger: LedgerService;
  encryption: FieldEncryption;
  close(): Promise<void>;
}

export async function openServices(db: TestDatabase): Promise<SharedServices> {
  const pool = createPool(db.url, { max: 10 });
  const owner = createPool(db.url, { max: 4, asOwner: true });
  const orm = openOrm(pool, [...accountEntities, ...leadEntities]);
  await owner.query(
    `insert into app_user (id, email, name, role, password_hash)
      select id, format('admin-%s@test.example', n), 'Admin', 'admin', '' from unnest($1::uuid[]) with ordinality t(id, n) on conflict do nothing`,
    [Array.from({ length: ADMIN_COUNT }, (_, n) => userNumber(n + 1))],
  );
  const encryption = new FieldEncryption([{ id: 'model', key: new Secret(Buffer.alloc(32, 3).toString('base64')) }]);
  return {
    pool,
    owner,
    orm,
    ledger: new LedgerService(pool),
    encryption,
    close: async () => {
      await closeOrm(orm, pool);
      await owner.end();
    },
  };
}

/** Called when a process claims an order that it is about to send. */
export type AroundClaim = (orderId: string, claim: () => Promise<boolean>) => Promise<boolean>;

/** Lets a test act before and after the claim of a sending process; sweepers claim as usual. */
class ClaimedStore extends StatusCheckStore {
  aroundClaim: AroundClaim = (_, claim) => claim();

  override claim(order: { developerId: DeveloperId; id: string }, purpose: 'send' | 'never send'): Promise<boolean> {
    const claim = (): Promise<boolean> => super.claim(order, purpose);
    return purpose === 'send' ? this.aroundClaim(order.id, claim) : claim();
  }
}

/** Simulated environment of the services. */
export interface Edge {
  /** Name of the provider for a capability, unique to the developer so that sweeps stay separate. */
  providerOf(capability: Capability): string;
  checkStatus(order: LeasedOrder): StatusCheckOutcome<{ providerTxnId: string }>;
  leadStatus(): string;
}

/** The services of one developer, as src/app.ts wires them. */
export function servicesFor({ ledger, encryption, orm, pool }: SharedServices, edge: Edge) {
  const store = new OrderStore(pool, encryption);
  const statusCheckStore = new ClaimedStore(pool);
  const registry = new StatusCheckRegistry();
  const register = (operation: 'recharge' | 'card_payment', capability: Capability): void => {
    registry.register(operation, edge.providerOf(capability), {
      ...CAPABILITIES[capability],
      recheckAfterMs: RECHECK_MS,
      receiptOf: ({ providerTxnId }) => ({ providerTxnId }),
      checkStatus: async (order) => edge.checkStatus(order),
    });
  };
  register('recharge', 'direct');
  register('recharge', 'silent');
  register('card_payment', 'cautious');
  const providers = (['direct', 'silent', 'cautious'] as const).map((capability) => edge.providerOf(capability));
  const dependencies = { ledger, store, statusCheckStore, statusChecks: registry };
  const outcomes = new Outcomes(dependencies, new OrderSearch(new Secret('a pepper')), POLICY);
  const reversals = new Reversals(dependencies, POLICY, log);
  const statusConflicts = new StatusConflicts(dependencies, POLICY.scheduleMs[0]!, log);
  const audit = new AuditService(auditKeys);
  const actionParts = {
    orm,
    ledger,
    audit,
    store,
    statusChecks: registry,
    approvalRequests: new ApprovalRequestStore(pool),
    resolveAlone: { atOncePaise: paise(SINGLE_ADMIN_PAISE), perDayPaise: paise(10n ** 15n) },
    creditAlone: { atOncePaise: paise(SINGLE_ADMIN_PAISE), perDayPaise: paise(SINGLE_ADMIN_PAISE) },
    manualReviewAfterMs: POLICY.manualReviewAfterMs,
    visibilityDelayMs: POLICY.visibilityDelayMs,
  };
  const actions = moneyActions(actionParts, new BulkDecisionService(actionParts));
  const checkStatus = (order: LeasedOrder): Promise<void> =>
    statusCheckOf(order, { outcomes, reversals, statusConflicts });
  const sweeperOptions = { providers, perProvider: 100, leaseMs: LEASE_MS, onFailure: () => {} };
  const leads = {
    available: true,
    leadStatus: async (leadCode: string) => ({
      kind: 'accepted',
      value: { leadCode, leadStatus: edge.leadStatus() },
      evidence: { reason: 'provider_success' },
    }),
  };
  return {
    /** @param syncWindowMs time for which a duplicate waits for a call of another process, even if that process has stopped */
    newProcess: (syncWindowMs = 10_000): OrderService =>
      new OrderService(
        ledger,
        store,
        outcomes,
        {
          pepper,
          referenceSecret: pepper,
          syncWindowMs,
          metrics: new Metrics(),
          sendLeaseMs: LEASE_MS,
          maxInFlight: 1_000,
        },
        log,
      ),
    /** Sets the actions around the claim of the next order. */
    onClaim: (aroundClaim: AroundClaim): void => {
      statusCheckStore.aroundClaim = aroundClaim;
    },
    store,
    statusCheckStore,
    /** The sweeper of another process, with a correct clock. */
    sweeper: new Sweeper(checkStatus, statusCheckStore, { ...sweeperOptions, canCheck: async () => true }, log),
    /** One round, as when work is due, with its clock comparison; `asked` runs between the comparison and the round. */
    sweepOnce: async (onClockCompared: () => void): Promise<void> => {
      const watch = new ClockWatch(pool, log);
      const { promise: started, resolve: markStarted } = Promise.withResolvers<void>();
      const canCheck = async (): Promise<boolean> => {
        const isRight = await watch.isRight();
        onClockCompared();
        markStarted();
        return isRight;
      };
      const sweeper = new Sweeper(checkStatus, statusCheckStore, { ...sweeperOptions, canCheck }, log);
      sweeper.start();
      const wakeups = providers.map((provider) => sweeper.wake(provider));
      await started;
      // the round continues after the callers that wait for the clock
      await nextTurn();
      await Promise.all(wakeups);
      await sweeper.stop();
    },
    callbacks: new Callbacks(
      statusCheckStore,
      providers.map((provider) => ({
        name: provider,
        provider,
        parse: (fields) => Object.fromEntries(fields) as unknown as ProviderCallback,
      })),
      log,
    ),
    actions,
    questions: new ProviderQuestionService({ orm, audit, statusChecks: registry }),
    approvalRequests: new ApprovalRequestService<MoneyMoved>({ ...actionParts, actions: actions as never }),
    leads: new LeadStatusService({ uat: leads, production: leads } as never, ledger, orm),
  };
}
