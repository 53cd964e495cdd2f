import { Arg, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { CreditWalletInput, DebitWalletInput } from '../accounts/developers/developer.inputs.js';
import { Developer } from '../accounts/developers/developer.types.js';
import type { DevelopersReader } from '../accounts/developers/developers.reader.js';
import { type RequestContext, sessionOf } from '../core/context.js';
import { normalUtr } from '../core/utr.js';
import { Arguments } from '../graphql-toolkit/arguments.js';
import { developerIdOf } from '../graphql-toolkit/node.js';
import { READ_ALONE, READ_TOGETHER, RowsBeside } from '../graphql-toolkit/rows.js';
import { Order } from '../order-views/order.types.js';
import type { ProposalService } from '../proposals/proposal.service.js';
import type { ProposalStore } from '../proposals/proposal.store.js';
import {
  ApproveProposalInput,
  Proposal,
  ProposalConnection,
  ProposalPayload,
  ProposalsArguments,
  RefuseProposalInput,
} from '../proposals/proposal.types.js';
import { proposalView, storedActions } from '../proposals/proposal.view.js';
import type { CreditService } from './credit.service.js';
import type { DebitService } from './debit.service.js';
import { deciderOf, type MoneyPayloads } from './money.payloads.js';
import { MoneyPayload } from './money.types.js';
import type { ListDecision, MoneyDecision } from './money-decision.js';
import { type Resolution, ResolutionEnum } from './review.types.js';

export interface MoneyParts {
  credits: CreditService;
  debits: DebitService;
  proposals: ProposalService<MoneyDecision | ListDecision>;
  waiting: ProposalStore;
  developers: DevelopersReader;
  payloads: MoneyPayloads;
}

/** What admins decide about money, alone or by two. */
@Resolver(() => Proposal)
export class MoneyResolver {
  readonly #parts: MoneyParts;

  constructor(parts: MoneyParts) {
    this.#parts = parts;
  }

  @Query(() => ProposalConnection, {
    nullable: true,
    description: 'What waits for a second person, or what became of it; oldest first.',
  })
  async proposals(
    @Arguments(ProposalsArguments) { filter = {}, ...request }: ProposalsArguments,
    @Ctx() context: RequestContext,
  ): Promise<ProposalConnection> {
    const { state, action, developerId, mine } = filter;
    const selection = {
      states: state ?? (['waiting'] as const),
      actions: action && storedActions(action),
      developerId: developerId == null ? undefined : (await this.#parts.developers.byId(developerIdOf(developerId))).id,
      proposedBy: mine ? sessionOf(context).userId : undefined,
    };
    const { edges, pageInfo } = await this.#parts.waiting.page(selection, request);
    return { pageInfo, selection, edges: edges.map(({ cursor, node }) => ({ cursor, node: proposalView(node) })) };
  }

  @Mutation(() => MoneyPayload, {
    nullable: true,
    description:
      'Adds money to a wallet, once per reference and bank transfer however often it is submitted. In production, above what one admin may credit alone (at once or in a day), it becomes a proposal and nothing is posted until a second admin carries it out.',
  })
  async creditWallet(
    @Arg('input', () => CreditWalletInput, { description: 'What arrived.' }) input: CreditWalletInput,
    @Ctx() context: RequestContext,
  ): Promise<MoneyPayload> {
    const { environment, amount, reference, reason } = input;
    const utr = input.utr == null ? undefined : normalUtr(input.utr);
    const credit = { environment, amountPaise: amount, reference, utr, reason };
    const developerId = developerIdOf(input.developerId);
    return this.#parts.payloads.of(await this.#parts.credits.credit({ ...credit, developerId }, deciderOf(context)));
  }

  @Mutation(() => MoneyPayload, {
    nullable: true,
    description:
      'Takes money out of a wallet, once per reference however often it is submitted; never more than is in it. In production it becomes a proposal and nothing is posted until a second admin carries it out. Undone by creditWallet.',
  })
  async debitWallet(
    @Arg('input', () => DebitWalletInput, { description: 'What has to leave, and why.' }) input: DebitWalletInput,
    @Ctx() context: RequestContext,
  ): Promise<MoneyPayload> {
    const { environment, amount, reference, reason } = input;
    const debit = {
      developerId: developerIdOf(input.developerId),
      environment,
      amountPaise: amount,
      reference,
      reason,
    };
    return this.#parts.payloads.of(await this.#parts.debits.debit(debit, deciderOf(context)));
  }

  @Mutation(() => MoneyPayload, {
    nullable: true,
    description: 'Carries out what another admin proposed. One’s own proposal needs somebody else.',
  })
  async approveProposal(
    @Arg('input', () => ApproveProposalInput, { description: 'Which proposal.' }) input: ApproveProposalInput,
    @Ctx() context: RequestContext,
  ): Promise<MoneyPayload> {
    const { proposalId, reason, allowRecentSend } = input;
    const { proposals, payloads } = this.#parts;
    return payloads.of(await proposals.approve(keyOfProposal(proposalId), reason, deciderOf(context), allowRecentSend));
  }

  @Mutation(() => ProposalPayload, {
    nullable: true,
    description: 'Ends a proposal without carrying it out; its author may withdraw it so.',
  })
  async refuseProposal(
    @Arg('input', () => RefuseProposalInput, { description: 'Which proposal, and why.' })
    { proposalId, reason }: RefuseProposalInput,
    @Ctx() context: RequestContext,
  ): Promise<ProposalPayload> {
    return {
      proposal: proposalView(await this.#parts.proposals.refuse(keyOfProposal(proposalId), reason, deciderOf(context))),
    };
  }

  @FieldResolver(() => ResolutionEnum, {
    nullable: true,
    description: 'What the one order of RESOLVE would be decided to be; null for all others.',
  })
  resolution(@Root() { storedAction }: Proposal): Resolution | null {
    if (storedAction === 'order.settle') return 'success';
    return storedAction === 'order.refund' ? 'failed' : null;
  }

  @FieldResolver(() => Developer, { nullable: true, description: 'Whose account it is about.' })
  @RowsBeside(READ_TOGETHER)
  async developer(@Root() { developerId }: Proposal): Promise<Developer | null> {
    return developerId === null ? null : this.#parts.developers.byId(developerId);
  }

  @FieldResolver(() => Order, { nullable: true, description: 'The order that it is about; null for a credit.' })
  @RowsBeside(READ_ALONE)
  async order(@Root() { orderId }: Proposal): Promise<Order | null> {
    return orderId === null ? null : this.#parts.payloads.order(orderId);
  }
}

/** How many proposals there are. */
@Resolver(() => ProposalConnection)
export class ProposalCountResolver {
  readonly #proposals: ProposalStore;

  constructor(proposals: ProposalStore) {
    this.#proposals = proposals;
  }

  @FieldResolver(() => Int, {
    nullable: true,
    description: 'How many there are on all pages; counted when it is asked for.',
  })
  totalCount(@Root() { selection }: ProposalConnection): Promise<number> {
    return this.#proposals.count(selection);
  }
}

const keyOfProposal = (id: string): string => id.replace(/^prp_/, '');
