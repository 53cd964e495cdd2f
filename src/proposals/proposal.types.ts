import { ArgsType, Field, ID } from 'type-graphql';
import { changesOf } from '../audit/audit.reader.js';
import { AuditChange } from '../audit/audit.types.js';
import type { Environment } from '../core/environment.js';
import type { Paise } from '../core/money.js';
import type { DeveloperId, UserId } from '../core/principal.js';
import { connectionOf } from '../graphql-toolkit/connection-types.js';
import { EnvironmentEnum, Output } from '../graphql-toolkit/graphql-types.js';
import { NodeType } from '../graphql-toolkit/node.js';
import { PageArguments } from '../graphql-toolkit/page-arguments.js';
import { Entries, WITH_PARENT } from '../graphql-toolkit/rows.js';
import { Distinct, Input, Text } from '../graphql-toolkit/rules.js';
import { Instant, Rupees } from '../graphql-toolkit/scalars.js';
import { type WordOf, words } from '../graphql-toolkit/words.js';
import {
  changeOf,
  isAboutMoney,
  type ProposalAction,
  type ProposalSelection,
  type ProposalState,
  type StoredProposal,
} from './proposal.store.js';

const ProposalStateEnum = words<ProposalState>('ProposalState', 'What became of a proposal.', {
  waiting: 'It waits for a second person.',
  carried_out: 'A second person carried it out.',
  refused: 'It was refused, or withdrawn by its author.',
  expired: 'Nobody decided in time.',
});

const ProposalActionEnum = words('ProposalAction', 'What a proposal would do.', {
  credit: 'Money is added to a wallet.',
  debit: 'Money is taken out of a wallet.',
  correct_wallet:
    'Correction of a wallet whose balance changed without a transfer; `correction` has the amounts. After approval, `gateway ledger post` posts the correction.',
  resolve: 'An order in review is decided: `resolution` says how.',
  resolve_many: 'A list of orders in review is decided: `orders` says how.',
  reverse: 'A success is taken back.',
  reverse_refund: 'The refund of an order is reversed.',
  unlock_production: 'An account gets live access.',
  set_role: 'A person gets another role.',
  suspend_user: 'Suspends an administrator, or confirms an emergency suspension.',
  reinstate_user: 'Reinstates a suspended member of staff.',
  remove_user: 'Removes an administrator.',
  reset_second_factors: 'Removes all second factors of a user.',
  invite_user: 'A person is invited into an account that has no active owner.',
  set_fee: 'Services of an account are switched, or get another fee: `changes` says which.',
  assign_provider: 'An account or a white label gets another recharge provider, or an account another white label.',
  set_provider_availability: 'A provider is switched on again.',
  set_order_hold: 'New orders, which are held, are taken again.',
});
type ShownAction = WordOf<typeof ProposalActionEnum>;

@NodeType<Proposal>('prp', { description: 'What one person proposed and a second one has to carry out.' })
export class Proposal {
  /** Whose account `developer` reads; null when it is about none. */
  developerId!: DeveloperId | null;
  /** Which order `order` reads; null when it is about none. */
  orderId!: string | null;
  /** Which white label `whiteLabel` reads; null when it is about none. */
  whiteLabelId!: string | null;
  /** The action that has a `resolution`. */
  storedAction!: ProposalAction;
  /** Whom `author` shows, and whether they may still propose. */
  proposedBy!: UserId;
  proposerActive!: boolean;
  /** Balance for `walletEffect.balanceAtRequest`. */
  balancePaise!: Paise | null;
  /** Else it is for admins alone. */
  aboutMoney!: boolean;
  /** Whom `decidedBy` shows. */
  decider!: UserId | null;

  id!: string;

  @Field(() => ProposalStateEnum, { description: 'Whether it waits, or what became of it.' })
  state!: ProposalState;

  @Field(() => ProposalActionEnum, { description: 'What would be done.' })
  action!: ShownAction;

  @Field(() => EnvironmentEnum, { nullable: true, description: 'Whose money it is about; null when it is about none.' })
  environment!: Environment | null;

  @Field({ description: 'The wallet or record that it would be done to.' })
  subject!: string;

  @Field({
    description:
      'The reference of a credit or debit, the api_request_id of the order, how many orders, or what of the account.',
  })
  reference!: string;

  @Field(() => String, {
    nullable: true,
    description: 'UTR of the bank transfer of a credit; null for a credit without a UTR and for all other actions.',
  })
  utr!: string | null;

  @Field(() => Instant, { description: 'When it was proposed.' })
  at!: Date;

  @Field(() => Instant, { nullable: true, description: 'When it was decided, or found to have expired; null before.' })
  decidedAt!: Date | null;

  @Field({ description: 'Why; empty when no reason was given.' })
  reason!: string;

  @Field(() => Rupees, { nullable: true, description: 'Rupees; null when it moves no money.' })
  amount!: Paise | null;

  @Field(() => [AuditChange], {
    description: 'What would change, as its audit entry will say; empty for what moves money.',
  })
  @Entries(WITH_PARENT)
  changes!: AuditChange[];

  @Field(() => Instant, { description: 'From then on it cannot be carried out.' })
  expiresAt!: Date;
}

@Output({ description: 'Effect of an approval request on the balance of a wallet.' })
export class WalletEffect {
  @Field(() => Rupees, { description: 'Balance when approval was requested.' })
  balanceAtRequest!: Paise;

  @Field(() => Rupees, {
    nullable: true,
    description: 'Current balance; null when the request is not pending.',
  })
  balance!: Paise | null;

  @Field(() => Rupees, {
    nullable: true,
    description: 'Balance after approval, computed from the current balance; null when the request is not pending.',
  })
  balanceAfter!: Paise | null;
}

@Input({ description: 'Which proposals are listed: those that fit everything that is given.' })
export class ProposalFilter {
  @Field(() => [ProposalStateEnum], { nullable: true, description: 'In one of these; those that wait when left out.' })
  @Distinct(1, 4)
  state?: ProposalState[];

  @Field(() => [ProposalActionEnum], { nullable: true, description: 'Which would do one of these.' })
  @Distinct(1, Object.keys(ProposalActionEnum).length)
  action?: ShownAction[];

  @Field(() => ID, { nullable: true, description: 'About this developer.' })
  developerId?: string;

  @Field(() => Boolean, {
    nullable: true,
    description: 'True: those of the signed-in user alone; false is as if it were left out.',
  })
  mine?: boolean;
}

@ArgsType()
export class ProposalsArguments extends PageArguments {
  @Field(() => ProposalFilter, { nullable: true, description: 'Which proposals; without it those that wait.' })
  filter?: ProposalFilter;
}

@Output({ description: 'A page of proposals, oldest first.' })
export class ProposalConnection extends connectionOf('Proposal', Proposal, { one: 'proposal' }) {
  /** What `totalCount` counts. */
  selection!: ProposalSelection;
}

@Output({ description: 'A proposal that was decided.' })
export class ProposalPayload {
  @Field(() => Proposal, { description: 'The proposal; it waits no more.' })
  proposal!: Proposal;
}

@Input({ description: 'A proposal of somebody else that is to be carried out.' })
export class ApproveProposalInput {
  @Field(() => ID, { description: 'The proposal.' })
  proposalId!: string;

  @Field(() => String, { nullable: true, description: 'For the audit trail; at most 500 characters.' })
  @Text(500)
  reason?: string;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'It calls a payment failed that its provider need not show yet, and counts; else that is SENT_RECENTLY.',
  })
  allowRecentSend?: boolean;
}

@Input({ description: 'A proposal that is not to be carried out; one’s own may be withdrawn so.' })
export class RefuseProposalInput {
  @Field(() => ID, { description: 'The proposal.' })
  proposalId!: string;

  @Field({ description: 'Why, for the audit trail; 1 to 500 characters.' })
  @Text(500)
  reason!: string;
}

/**
 * What clients are shown of an action: that an order is decided is one, whatever it is decided to be, and so is every way to another
 * recharge provider.
 */
const SHOWN: Readonly<Record<ProposalAction, ShownAction>> = {
  'wallet.credit': 'credit',
  'wallet.debit': 'debit',
  'wallet.correct': 'correct_wallet',
  'order.settle': 'resolve',
  'order.refund': 'resolve',
  'orders.resolve': 'resolve_many',
  'order.reverse': 'reverse',
  'order.reverse_refund': 'reverse_refund',
  'developer.unlock_production': 'unlock_production',
  'service_access.set': 'set_fee',
  'developer.assign_provider': 'assign_provider',
  'developer.set_white_label': 'assign_provider',
  'white_label.assign_provider': 'assign_provider',
  'user.set_role': 'set_role',
  'user.disable': 'suspend_user',
  'user.enable': 'reinstate_user',
  'user.remove': 'remove_user',
  'user.reset_factors': 'reset_second_factors',
  'user.invite': 'invite_user',
  'provider.set_availability': 'set_provider_availability',
  'orders.set_hold': 'set_order_hold',
};

/** Those that are stored of some that are shown. */
export const storedActions = (shown: readonly ShownAction[]): ProposalAction[] =>
  (Object.keys(SHOWN) as ProposalAction[]).filter((action) => shown.includes(SHOWN[action]));

/** Sign of the change of the wallet balance. Other actions change no wallet, or several. */
const BALANCE_SIGN: Readonly<Partial<Record<ProposalAction, 1n | 0n | -1n>>> = {
  'wallet.credit': 1n,
  'wallet.debit': -1n,
  // the hold took the amount from the balance
  'order.settle': 0n,
  'order.refund': 1n,
  'order.reverse': 1n,
  'order.reverse_refund': -1n,
};

/** Change of the balance in paise; undefined if the request changes no wallet, or several. */
export function balanceChange({ storedAction, amount }: Pick<Proposal, 'storedAction' | 'amount'>): bigint | undefined {
  const sign = BALANCE_SIGN[storedAction];
  return sign === undefined || amount === null ? undefined : sign * amount;
}

const stateOf = ({ decision, expired }: StoredProposal): ProposalState => decision ?? (expired ? 'expired' : 'waiting');

/** Play money needs no second person: what is about an order is about real money. */
const environmentOf = ({ payload, amountPaise }: StoredProposal): Environment | null =>
  (payload as { environment?: Environment }).environment ?? (amountPaise === null ? null : 'production');

/** A proposal as staff see it. */
export const proposalView = (proposal: StoredProposal): Proposal => ({
  id: proposal.id,
  state: stateOf(proposal),
  action: SHOWN[proposal.action],
  storedAction: proposal.action,
  environment: environmentOf(proposal),
  subject: proposal.subject,
  reference: proposal.key,
  utr: (proposal.payload as { utr?: string }).utr ?? null,
  balancePaise: proposal.balancePaise,
  proposedBy: proposal.proposedBy,
  proposerActive: proposal.proposerActive,
  aboutMoney: isAboutMoney(proposal),
  decider: proposal.decidedBy,
  at: proposal.createdAt,
  decidedAt: proposal.decidedAt,
  reason: proposal.reason,
  amount: proposal.amountPaise,
  changes: changesOf(changeOf(proposal)),
  expiresAt: proposal.expiresAt,
  developerId: proposal.developerId,
  whiteLabelId: labelOf(proposal),
  orderId: proposal.orderId,
});

/** Whose provider it is about, or under which an account would come. */
function labelOf(proposal: StoredProposal): string | null {
  const of = /^white_label:(.+)$/.exec(proposal.subject)?.[1];
  return of ?? (changeOf(proposal).after?.whiteLabelId as string | undefined) ?? null;
}
