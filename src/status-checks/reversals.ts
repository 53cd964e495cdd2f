import type { Logger } from '../core/log.js';
import { Metrics } from '../core/metrics.js';
import type { Queryable } from '../db/pool.js';
import { countResolved, type StatusCheckParts } from '../orders/outcomes.js';
import { nextDoubtStep, type StatusCheckPolicy } from '../orders/states.js';
import type { LeasedOrder, StoredOrder } from '../orders/stored-order.js';
import type { StatusCheckOutcome } from '../providers/outcome.js';

/**
 * Records a doubt about a success, so that its status is checked as soon as no other check is in progress. Returns false if
 * the order is not, or is no longer, a success.
 */
export async function doubtSuccess(db: Queryable, developerId: string, orderId: string): Promise<boolean> {
  const { rows } = await db.query<{ doubted: boolean }>({
    text: 'select order_doubt($1, $2, 0) as doubted',
    values: [developerId, orderId],
  });
  return rows[0]!.doubted;
}

/** Checks successes that are in doubt or due for a routine check. If the provider has reversed a payment, refunds it once. */
export class Reversals {
  constructor(
    private readonly parts: StatusCheckParts,
    private readonly policy: StatusCheckPolicy,
    private readonly log: Logger,
    private readonly metrics = new Metrics(),
  ) {}

  /** Checks the status of a leased success. `nextDoubtStep` defines the proof of a reversal. */
  async check(order: LeasedOrder): Promise<void> {
    const { ledger, store, statusCheckStore, statusChecks } = this.parts;
    const providerChecks = statusChecks.of(order.operation, order.provider);
    const outcome: StatusCheckOutcome<unknown> = providerChecks?.canCheckStatus
      ? await statusChecks.check(providerChecks, order, () => store.decrypt(order.id, order.request))
      : { kind: 'unknown', evidence: { reason: 'provider_pending' } };
    // without a status check, no check is scheduled
    const recheckAfterMs = providerChecks?.canCheckStatus ? providerChecks.recheckAfterMs : 0;
    const settledAgeMs = order.settledAgeMs ?? 0;
    const routine = order.doubtAgeMs === null;
    const step = nextDoubtStep(
      outcome.kind,
      {
        canCheckStatus: providerChecks?.canCheckStatus ?? false,
        namesTransaction: namesTransaction(order, outcome),
        routine,
        statusChecks: order.checksSinceCallback,
        ageMs: order.doubtAgeMs ?? settledAgeMs - recheckAfterMs,
      },
      this.policy,
    );
    const { developerId, id, provider } = order;
    if (step.kind === 'reverse') {
      const reversal = await ledger.reverse(developerId, id, outcome.evidence, order.leasedAt);
      if (reversal === 'reversed') countResolved(this.metrics, order, 'reversed');
      if (reversal !== 'decided_by_people') {
        this.log.warn({ orderId: id, developerId, provider }, 'a success was reversed by the provider');
        return;
      }
    }
    switch (step.kind) {
      case 'reverse':
        this.log.error(
          { orderId: id, developerId, provider },
          'a provider reports failure for an order that staff resolved as successful',
        );
        await statusCheckStore.recordConflict(order, false, outcome.evidence);
        break;
      case 'over':
        if (outcome.kind !== 'accepted')
          this.log.warn(
            { orderId: id, developerId, provider },
            'a success remains after status checks: none confirmed it and none proved a reversal',
          );
        if (outcome.kind === 'declined') await statusCheckStore.recordConflict(order, false, outcome.evidence);
        break;
      case 'review':
        await statusCheckStore.recordConflict(order, false, { note: NO_STATUS_CHECK });
        break;
      case 'wait':
        break;
    }
    // a doubt before the routine check does not replace that check
    const leftUntilRecheck = !routine && settledAgeMs < recheckAfterMs ? recheckAfterMs - settledAgeMs : undefined;
    await statusCheckStore.markStillSuccess(order, {
      dueMs: step.kind === 'wait' ? step.dueMs : leftUntilRecheck,
      pauseMs: this.policy.scheduleMs[0]!,
      over: step.kind !== 'wait',
      // records the time of the check, for comparison with a later response
      detail: providerChecks?.canCheckStatus ? { ...outcome.evidence, askedAt: order.leasedAt } : undefined,
    });
  }
}

const NO_STATUS_CHECK = 'reported as failed or reversed; the provider has no status check';

/**
 * Whether the evidence names the transaction of a success. If its transaction ID is unknown, any transaction proves its
 * reversal, because the adapters compare the reference of the order.
 */
function namesTransaction(order: StoredOrder, { evidence }: StatusCheckOutcome<unknown>): boolean {
  const transactionId = evidence.providerTxnId;
  return transactionId !== undefined && (order.providerTxnId === '' || transactionId === order.providerTxnId);
}

/** Checks refunded payments on request. Staff must judge whether a conflicting status is correct. */
export class StatusConflicts {
  /** @param pauseMs minimum time between two checks */
  constructor(
    private readonly parts: Omit<StatusCheckParts, 'ledger'>,
    private readonly pauseMs: number,
    private readonly log: Logger,
  ) {}

  /** Checks the status of a leased order that failed or was reversed. It moves no money, whatever the provider reports. */
  async check(order: LeasedOrder): Promise<void> {
    const { statusCheckStore } = this.parts;
    const outcome = await this.#checkStatus(order);
    await statusCheckStore.markStillFinal(order, this.pauseMs, outcome?.evidence);
    if (outcome?.kind !== 'accepted') return;
    await statusCheckStore.recordConflict(order, true, outcome.evidence);
    const { id: orderId, developerId, provider } = order;
    this.log.error({ orderId, developerId, provider }, 'a provider reports success for a refunded order');
  }

  /**
   * Checks the status. A check that fails ends like one without a response; otherwise the order would remain due. Returns
   * undefined if the provider has no status check.
   */
  async #checkStatus(order: LeasedOrder): Promise<StatusCheckOutcome<unknown> | undefined> {
    const { statusChecks, store } = this.parts;
    const providerChecks = statusChecks.of(order.operation, order.provider);
    if (!providerChecks?.canCheckStatus) return undefined;
    try {
      return await providerChecks.checkStatus(order, store.decrypt(order.id, order.request));
    } catch (error) {
      this.log.error({ err: error as Error, orderId: order.id, provider: order.provider }, 'status check failed');
    }
    return { kind: 'unknown', evidence: { reason: 'never_sent' } };
  }
}
