import { LockMode, type MikroORM } from '@mikro-orm/postgresql';
import { fieldError, insufficientBalance } from '../core/errors.js';
import { type Paise, ZERO } from '../core/money.js';
import { type DeveloperPrincipal, feeOf } from '../core/principal.js';
import { type EntityManager, inTransaction } from '../db/orm.js';
import type { LedgerService, WalletState } from '../ledger/ledger.service.js';
import { askForFree } from '../providers/calls.js';
import { type KnownLead, LeadEntity, type LeadRow } from './lead.entity.js';
import type { LeadPorts } from './lead.ports.js';
import { type LeadStatus, leadStatusOf } from './lead.status.js';

export interface SeenStatus {
  lead: KnownLead;
  /** Zero unless this call saw the lead approved for the first time. */
  feePaise: Paise;
  /** Right after the fee was taken. */
  wallet?: WalletState;
}

/** Asks for the status of a lead, and charges the fee of an approved one (interface.md 3.1 and 4.12). */
export class LeadStatusService {
  constructor(
    private readonly ports: LeadPorts,
    private readonly ledger: LedgerService,
    private readonly orm: MikroORM,
  ) {}

  /**
   * The status now. Errors: VALIDATION_FAILED for a lead that is not the caller's (where there are no samples), PROVIDER_UNAVAILABLE,
   * PROVIDER_FAILED, INSUFFICIENT_BALANCE when the fee of an approval cannot be paid: then the approval is not stored, and a
   * later call charges it.
   */
  async status(principal: DeveloperPrincipal, leadCode: string): Promise<SeenStatus> {
    const { developerId, environment } = principal;
    const port = this.ports[environment];
    const lead = await this.orm.em.fork().findOne(LeadEntity, { developerId, environment, leadCode });
    if (lead && port.nextStatus)
      return this.#store(principal, lead, ({ productId, status }) =>
        port.nextStatus!({ productId, status: status ?? null }),
      );
    if (!lead && !port.answersForAnyId) throw fieldError('leadCode', 'REFERENCE', 'There is no such lead.');

    const { leadStatus: word } = await askForFree(port, () => port.leadStatus(leadCode));
    const status = leadStatusOf(word);
    // most calls find what the one before them found: nothing to store
    if (!lead) return { lead: sampleOf(principal, leadCode, status), feePaise: ZERO };
    if (status === undefined || status === lead.status) return { lead, feePaise: ZERO };
    return this.#store(principal, lead, () => word);
  }

  /** Stores a status under the lead's lock, and the fee of a first approval with it: both commit, or neither. */
  #store(principal: DeveloperPrincipal, { id }: LeadRow, wordFor: (lead: LeadRow) => string): Promise<SeenStatus> {
    const { developerId } = principal;
    return inTransaction(this.orm, async (tx) => {
      const lead = await tx.findOneOrFail(LeadEntity, { developerId, id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
      const status = leadStatusOf(wordFor(lead));
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
  ): Promise<Pick<SeenStatus, 'feePaise' | 'wallet'>> {
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

/** A lead that nobody created, where any code gets a sample. */
const sampleOf = (
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
