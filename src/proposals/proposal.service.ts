import type { MikroORM } from '@mikro-orm/postgresql';
import type { Actor, AuditService } from '../audit/audit.service.js';
import { AppError } from '../core/errors.js';
import { isUuid } from '../core/ids.js';
import type { UserId } from '../core/principal.js';
import { type EntityManager, inTransaction } from '../db/orm.js';
import type { NewProposal, ProposalAction, ProposalStore, StoredProposal } from './proposal.store.js';

const LIFE_DAYS = 7;

/** A signed-in user, by number and as the audit trail names them. */
export interface Decider extends Actor {
  userId: UserId;
}

/**
 * Carries a proposal out in the transaction of `tx`, with an audit entry that names the proposal. Errors: whatever the action may
 * answer; the proposal then goes on waiting. `allowRecentSend`: see `Decision`.
 */
export type CarryOut<Result> = (
  proposal: StoredProposal,
  by: Decider,
  reason: string | undefined,
  tx: EntityManager,
  allowRecentSend?: boolean,
) => Promise<Result>;

export interface ProposalParts<Result> {
  orm: MikroORM;
  audit: AuditService;
  store: ProposalStore;
  actions: Readonly<Record<ProposalAction, CarryOut<Result>>>;
}

/** Two people for what one must not do alone: one proposes, another one carries out. */
export class ProposalService<Result> {
  readonly #parts: ProposalParts<Result>;

  constructor(parts: ProposalParts<Result>) {
    this.#parts = parts;
  }

  /**
   * Carries a proposal out; what it does, its decision and the audit entry are one commit, and of two people at once one does
   * it. Errors: RECORD_NOT_FOUND, FORBIDDEN for one's own, CONFLICT when it was decided or has expired or its proposer lost the
   * right to propose, and those of the action.
   */
  async approve(id: string, reason: string | undefined, by: Decider, allowRecentSend?: boolean): Promise<Result> {
    const { store, actions } = this.#parts;
    return this.#decide(id, async (proposal, tx) => {
      if (proposal.proposedBy === by.userId)
        throw new AppError('FORBIDDEN', { message: 'You have proposed this: somebody else has to carry it out.' });
      if (!proposal.proposerActive)
        throw new AppError('CONFLICT', { message: 'Its author is no admin any more: propose it again.' });
      const result = await actions[proposal.action](proposal, by, reason, tx, allowRecentSend);
      await store.decide(id, 'carried_out', by.userId, tx);
      return result;
    });
  }

  /** Ends a proposal without carrying it out; its proposer may, too. Errors: RECORD_NOT_FOUND, CONFLICT. */
  async refuse(id: string, reason: string, by: Decider): Promise<StoredProposal> {
    return this.#decide(id, async (proposal, tx) => {
      await refuseWaiting(proposal, reason, by, this.#parts, tx);
      return (await this.#parts.store.lock(id, tx))!;
    });
  }

  #decide<T>(id: string, decide: (proposal: StoredProposal, tx: EntityManager) => Promise<T>): Promise<T> {
    return inTransaction(this.#parts.orm, async (tx) => {
      const proposal = isUuid(id) ? await this.#parts.store.lock(id, tx) : undefined;
      if (!proposal) throw new AppError('RECORD_NOT_FOUND', { message: 'There is no such proposal.' });
      if (proposal.decision === 'carried_out')
        throw new AppError('CONFLICT', { message: 'This proposal was carried out already.' });
      if (proposal.decision === 'refused') throw new AppError('CONFLICT', { message: 'This proposal was refused.' });
      if (proposal.expired) throw new AppError('CONFLICT', { message: 'This proposal has expired: propose it again.' });
      return decide(proposal, tx);
    });
  }
}

/** Makes a proposal in the caller's transaction, with its audit entry. */
export async function propose(
  proposal: NewProposal,
  by: Decider,
  { store, audit }: { store: ProposalStore; audit: AuditService },
  tx: EntityManager,
): Promise<StoredProposal> {
  const id = await store.add(proposal, by.userId, LIFE_DAYS, tx);
  const made = (await store.lock(id, tx))!;
  await audit.record(
    by,
    {
      action: 'proposal.make',
      subject: proposal.subject,
      before: null,
      after: traceOf(made),
      reason: proposal.reason,
    },
    tx,
  );
  return made;
}

/** Ends a proposal that waits, in the caller's transaction, with its audit entry. */
export async function refuseWaiting(
  proposal: StoredProposal,
  reason: string,
  by: Decider,
  { store, audit }: { store: ProposalStore; audit: AuditService },
  tx: EntityManager,
): Promise<void> {
  await store.decide(proposal.id, 'refused', by.userId, tx);
  const entry = {
    action: 'proposal.refuse' as const,
    subject: proposal.subject,
    before: traceOf(proposal),
    after: null,
    reason,
  };
  await audit.record(by, entry, tx);
}

/** What the audit trail shows of the person who proposed what another one carries out. */
export const proposerOf = ({ id, proposedBy }: StoredProposal) => ({
  proposalId: id,
  proposedBy: `user:${proposedBy}`,
});

/** What the audit trail shows of a proposal. */
const traceOf = ({ id, action, key, amountPaise }: StoredProposal) => ({
  proposalId: id,
  action,
  key,
  amountPaise: amountPaise === null ? null : String(amountPaise),
});
