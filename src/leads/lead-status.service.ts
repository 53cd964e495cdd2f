import { LockMode, type MikroORM } from '@mikro-orm/postgresql';
import { fieldError, insufficientBalance } from '../core/errors.js';
import { type Paise, ZERO } from '../core/money.js';
import { type DeveloperPrincipal, feeOf } from '../core/principal.js';
import { type EntityManager, inTransaction } from '../db/orm.js';
import type { LedgerService, WalletState } from '../ledger/ledger.service.js';
import { sendFreeCall } from '../providers/calls.js';
import { type KnownLead, LeadEntity, type LeadRow } from './lead.entity.js';
import type { LeadPorts } from './lead.ports.js';
import { type LeadStatus, leadStatusOf } from './lead.status.js';

export interface LeadStatusCheck {
  lead: KnownLead;
  /** Fee of the call. It is zero unless this call is the first to find the lead approved. */
  feePaise: Paise;
  /** Wallet after the fee was charged. */
  wallet?: WalletState;
}

/** Checks the status of a lead, and charges the fee of an approved lead (interface.md 3.1 and 4.12). */
export class LeadStatusService {
  constructor(
    private readonly ports: LeadPorts,
    private readonly ledger: LedgerService,
    private readonly orm: MikroORM,
  ) {}

  /**
   * Returns the current status. Throws VALIDATION_FAILED for a lead that does not belong to the caller (unless there is sample
   * data), PROVIDER_UNAVAILABLE, PROVIDER_FAILED, INSUFFICIENT_BALANCE if the fee of an approval cannot be paid. In that case
   * the approval is not stored, and a later call charges the fee.
   */
  async status(principal: DeveloperPrincipal, leadCode: string): Promise<LeadStatusCheck> {
    const { developerId, environment } = principal;
    const port = this.ports[environment];
    const lead = await this.orm.em.fork().findOne(LeadEntity, { developerId, environment, leadCode });
    if (lead && port.nextStatus)
      return this.#store(principal, lead, ({ productId, status }) =>
        port.nextStatus!({ productId, status: status ?? null }),
      );
    if (!lead && !port.acceptsAnyId) throw fieldError('leadCode', 'REFERENCE', 'Unknown lead.');

    const { leadStatus: providerStatus } = await sendFreeCall(port, () => port.leadStatus(leadCode));
    const status = leadStatusOf(providerStatus);
    // most calls find an unchanged status, which is not stored again
    if (!lead) return { lead: sampleLead(principal, leadCode, status), feePaise: ZERO };
    if (status === undefined || status === lead.status) return { lead, feePaise: ZERO };
    return this.#store(principal, lead, () => providerStatus);
  }

  /** Stores a status under the lock of the lead, and the fee of a first approval. Both are committed, or neither. */
  #store(
    principal: DeveloperPrincipal,
    { id }: LeadRow,
    statusFor: (lead: LeadRow) => string,
  ): Promise<LeadStatusCheck> {
    const { developerId } = principal;
    return inTransaction(this.orm, async (tx) => {
      const lead = await tx.findOneOrFail(LeadEntity, { developerId, id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
      const status = leadStatusOf(statusFor(lead));
      if (status === undefined || status === lead.status) return { lead, feePaise: ZERO };
      const isFirstApproval = status === 'approved' && !lead.approvedAt;
      const fee = isFirstApproval ? await this.#charge(principal, lead, tx) : { feePaise: ZERO };
      const now = new Date();
      if (isFirstApproval) lead.approvedAt = now;
      lead.status = status;
      lead.statusAt = now;
      return { lead, ...fee };
    });
  }

  async #charge(
    principal: DeveloperPrincipal,
    lead: LeadRow,
    tx: EntityManager,
  ): Promise<Pick<LeadStatusCheck, 'feePaise' | 'wallet'>> {
    const { developerId, environment } = principal;
    const amountPaise = feeOf(principal, 'lead_generation');
    if (amountPaise === ZERO) return { feePaise: ZERO };
    const { outcome, ...wallet } = await this.ledger.post(
      { developerId, environment, subjectId: lead.id, kind: 'lead_fee', amountPaise, reference: lead.leadCode },
      tx,
    );
    switch (outcome) {
      case 'posted':
        return { feePaise: amountPaise, wallet };
      case 'duplicate':
        return { feePaise: ZERO };
      case 'insufficient':
      case 'no_wallet':
        throw insufficientBalance(amountPaise, wallet.balancePaise);
    }
  }
}

/** Returns a sample lead that was never created, in an environment where any code returns sample data. */
const sampleLead = (
  { environment }: DeveloperPrincipal,
  leadCode: string,
  status: LeadStatus | undefined,
): KnownLead => ({
  id: leadCode,
  environment,
  leadCode,
  productId: null,
  status: status ?? null,
  approvedAt: null,
  createdAt: new Date(),
});
