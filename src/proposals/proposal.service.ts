import type { MikroORM } from '@mikro-orm/postgresql';
import type { Actor, AuditService } from '../audit/audit.service.js';
import { AppError } from '../core/errors.js';
import { isUuid } from '../core/ids.js';
import type { SessionPrincipal, UserId } from '../core/principal.js';
import { type EntityManager, inTransaction } from '../db/orm.js';
import {
  changeOf,
  type NewProposal,
  type ProposalAction,
  type ProposalStore,
  type StoredProposal,
} from './proposal.store.js';

export const PROPOSAL_DAYS = 7;
/** Why something waits no more, where the later decision gives no reason. */
const REPLACED = 'Something else was decided instead.';

/** A signed-in user, by number and as the audit trail names them. */
export interface Decider extends Actor, Pick<SessionPrincipal, 'confirmedAt'> {
  userId: UserId;
}

/** What the second person says. */
export interface Approval {
  reason: string;
  /** "Failed" counts although the provider need not show the payment yet. */
  allowRecentSend: boolean;
}

/** What a second person can carry out: a row of the table of actions. `Case` is what it is about. */
export interface Proposable<Case, Done> {
  /** What was proposed, as it is now, held until the transaction ends. Errors: CONFLICT when it cannot be done any more. */
  reopen(proposal: StoredProposal, approval: Approval, tx: EntityManager): Promise<Case>;
  /** Does it, with an audit entry that names the proposal when there is one. */
  carryOut(about: Case, by: Decider, tx: EntityManager, proposal?: StoredProposal): Promise<Done>;
}

/** What one person decides alone, or two together. The steps stand here in the order in which `decide` takes them. */
export interface Decision<Command, Case, Done> extends Proposable<Case, Done> {
  /**
   * Holds what it is about until the transaction ends: of two people who decide at once, the second sees what the first did.
   * Errors: RECORD_NOT_FOUND, CONFLICT when its state allows no such decision.
   */
  lock(command: Command, tx: EntityManager): Promise<Case>;
  /** Errors: STEP_UP_REQUIRED where the decision needs a fresh second factor, and its policy row leaves that to it. */
  authorize?(about: Case, by: Decider, tx: EntityManager): Promise<void>;
  /** Confirms what is decided already, which moves no money; undefined when there is something to decide. */
  confirm?(about: Case, by: Decider, tx: EntityManager): Promise<Done | undefined>;
  /** What would wait for a second person. */
  proposal(about: Case): NewProposal;
  /** What the same decision did before. Errors: CONFLICT when that, or the proposal that waits, has its key and is another one. */
  earlier?(about: Case, waiting: StoredProposal | undefined, tx: EntityManager): Promise<Done | undefined>;
  /** The case with what has to be known before it is done or proposed. Errors: why neither may be. */
  examine?(about: Case, tx: EntityManager): Promise<Case>;
  /** Whether this person is enough. */
  alone(about: Case, by: Decider, tx: EntityManager): boolean | Promise<boolean>;
  /** What waits to be decided the other way is refused when this is proposed. */
  opposite?: ProposalAction;
  /** Whether what waits is another decision about the same, in whose place this one comes: then it is refused. */
  replaces?(about: Case, waiting: StoredProposal, by: Decider): boolean;
}

/** A decision that is done, or waits for a second person: then nothing has moved. */
export interface Decided<Done> {
  done?: Done | undefined;
  proposal?: StoredProposal | undefined;
  /** The same was decided before; nothing changed. */
  replayed: boolean;
}

interface RecordingParts {
  audit: AuditService;
  proposals: ProposalStore;
}

export interface DecidingParts extends RecordingParts {
  orm: MikroORM;
}

export interface ProposalParts<Done> extends DecidingParts {
  actions: Readonly<Record<ProposalAction, Proposable<unknown, Done>>>;
}

/** What was carried out, and the proposal as it is then. */
export interface CarriedOut<Done> {
  done: Done;
  proposal: StoredProposal;
}

/** The first of two people: does what one may do alone, and proposes what takes two. */
export class Deciding {
  constructor(protected readonly parts: DecidingParts) {}

  /**
   * Does what a person decides, or proposes it to a second one, in one commit with its audit entry. Errors: those of its steps.
   *
   * @param em the transaction that it is a part of; one of its own when left out
   */
  async decide<Command, Case, Done>(
    decision: Decision<Command, Case, Done>,
    command: Command,
    by: Decider,
    em?: EntityManager,
  ): Promise<Decided<Done>> {
    const { orm, proposals } = this.parts;
    const work = async (tx: EntityManager): Promise<Decided<Done>> => {
      const held = await decision.lock(command, tx);
      await decision.authorize?.(held, by, tx);
      const confirmed = await decision.confirm?.(held, by, tx);
      if (confirmed) return { done: confirmed, replayed: false };
      // in this order: a proposal that is carried out meanwhile is found as what it did
      const found = await proposals.waiting(decision.proposal(held), tx);
      const replaced = found && decision.replaces?.(held, found, by) ? found : undefined;
      const waiting = replaced ? undefined : found;
      const earlier = await decision.earlier?.(held, waiting, tx);
      if (waiting || earlier) return { done: earlier, proposal: waiting, replayed: true };
      const about = decision.examine ? await decision.examine(held, tx) : held;
      const proposal = decision.proposal(about);
      if (replaced) await refuseWaiting(replaced, proposal.reason || REPLACED, by, this.parts, tx);
      if (await decision.alone(about, by, tx)) return { done: await decision.carryOut(about, by, tx), replayed: false };
      const opposite = decision.opposite && (await proposals.waiting({ ...proposal, action: decision.opposite }, tx));
      if (opposite) await refuseWaiting(opposite, proposal.reason, by, this.parts, tx);
      return { proposal: await propose(proposal, by, this.parts, tx), replayed: false };
    };
    return em ? work(em) : inTransaction(orm, work);
  }
}

/** Both people: one proposes, another one carries out. */
export class ProposalService<Done> extends Deciding {
  readonly #actions: ProposalParts<Done>['actions'];

  constructor({ actions, ...parts }: ProposalParts<Done>) {
    super(parts);
    this.#actions = actions;
  }

  /**
   * Carries a proposal out; what it does, its decision and the audit entry are one commit, and of two people at once one does
   * it. Errors: RECORD_NOT_FOUND, FORBIDDEN for one's own and for who may decide about money no more, CONFLICT when it was decided or has expired, its proposer lost the
   * right to propose, or its order has had another transfer since, and those of the action; the proposal then goes on waiting.
   */
  async approve(
    id: string,
    { reason, allowRecentSend = false }: Partial<Approval>,
    by: Decider,
  ): Promise<CarriedOut<Done>> {
    const { proposals } = this.parts;
    return this.#whileWaiting(id, async (proposal, tx) => {
      if (proposal.proposedBy === by.userId)
        throw new AppError('FORBIDDEN', { message: 'You have proposed this: somebody else has to carry it out.' });
      if (!proposal.proposerActive)
        throw new AppError('CONFLICT', { message: 'Its author may decide about money no more: propose it again.' });
      // what the request began with may be of yesterday
      if (!(await proposals.decidesNow(by.userId, proposal, tx))) throw new AppError('FORBIDDEN');
      const action = this.#actions[proposal.action];
      const about = await action.reopen(proposal, { reason: reason ?? proposal.reason, allowRecentSend }, tx);
      // the second person approves an order that the first one has seen
      if (await proposals.isOutdated(id, tx))
        throw new AppError('CONFLICT', {
          message: 'The order has changed since approval was requested. Request approval again.',
        });
      const done = await action.carryOut(about, by, tx, proposal);
      await proposals.decide(id, 'carried_out', by.userId, tx);
      return { done, proposal: (await proposals.lock(id, tx))! };
    });
  }

  /** Ends a proposal without carrying it out; its proposer may, too. Errors: RECORD_NOT_FOUND, CONFLICT. */
  async refuse(id: string, reason: string, by: Decider): Promise<StoredProposal> {
    return this.#whileWaiting(id, async (proposal, tx) => {
      await refuseWaiting(proposal, reason, by, this.parts, tx);
      return (await this.parts.proposals.lock(id, tx))!;
    });
  }

  #whileWaiting<T>(id: string, decide: (proposal: StoredProposal, tx: EntityManager) => Promise<T>): Promise<T> {
    return inTransaction(this.parts.orm, async (tx) => {
      const proposal = isUuid(id) ? await this.parts.proposals.lock(id, tx) : undefined;
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
  { proposals, audit }: RecordingParts,
  tx: EntityManager,
): Promise<StoredProposal> {
  const { subject, reason } = proposal;
  const { before = null } = changeOf(proposal);
  const id = await proposals.add(proposal, by.userId, PROPOSAL_DAYS, tx);
  const made = (await proposals.lock(id, tx))!;
  await audit.record(by, { action: 'proposal.make', subject, before, after: traceOf(made), reason }, tx);
  return made;
}

/** Ends a proposal that waits, in the caller's transaction, with its audit entry. */
export async function refuseWaiting(
  proposal: StoredProposal,
  reason: string,
  by: Decider,
  { proposals, audit }: RecordingParts,
  tx: EntityManager,
): Promise<void> {
  const { id, subject } = proposal;
  const { before: after = null } = changeOf(proposal);
  await proposals.decide(id, 'refused', by.userId, tx);
  await audit.record(by, { action: 'proposal.refuse', subject, before: traceOf(proposal), after, reason }, tx);
}

/** What the audit trail shows of the person who proposed what another one carries out. */
export const proposerOf = ({ id, proposedBy }: StoredProposal) => ({
  proposalId: id,
  proposedBy: `user:${proposedBy}`,
});

const utrIn = ({ payload }: StoredProposal): { utr?: string } => {
  const { utr } = payload as { utr?: string };
  return utr === undefined ? {} : { utr };
};

/** What the audit trail shows of a proposal, with what would be there. */
const traceOf = (proposal: StoredProposal) => ({
  proposalId: proposal.id,
  action: proposal.action,
  key: proposal.key,
  amountPaise: proposal.amountPaise === null ? null : String(proposal.amountPaise),
  // the second person looks up the UTR in the bank statement
  ...utrIn(proposal),
  ...changeOf(proposal).after,
});
