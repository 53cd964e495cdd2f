import { Arg, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { actorOf, developerNumber } from '../accounts/acting-user.js';
import type { Credited, CreditService } from '../accounts/credit.service.js';
import { CreditWalletInput } from '../accounts/developer.inputs.js';
import { Developer } from '../accounts/developer.types.js';
import type { DevelopersReader } from '../accounts/developers.reader.js';
import { type RequestContext, sessionOf } from '../core/context.js';
import type { LedgerService } from '../ledger/ledger.service.js';
import type { Decider, ProposalService } from '../proposals/proposal.service.js';
import type { ProposalStore, StoredProposal } from '../proposals/proposal.store.js';
import {
  ApproveProposalInput,
  Proposal,
  ProposalConnection,
  ProposalPayload,
  RefuseProposalInput,
} from '../proposals/proposal.types.js';
import { MoneyPayload } from './money.types.js';
import type { OrderStore } from './order.store.js';
import { Order } from './order.types.js';
import { orderView } from './order.view.js';
import type { ReviewQueue } from './review.queue.js';

const FIRST = 50;

export interface MoneyParts {
  credits: CreditService;
  proposals: ProposalService<Credited>;
  waiting: ProposalStore;
  developers: DevelopersReader;
  ledger: LedgerService;
  queue: ReviewQueue;
  store: OrderStore;
}

/** What admins decide about money, alone or by two. */
@Resolver(() => Proposal)
export class MoneyResolver {
  readonly #parts: MoneyParts;

  constructor(parts: MoneyParts) {
    this.#parts = parts;
  }

  @Query(() => ProposalConnection, { nullable: true, description: 'What waits for a second person, oldest first.' })
  async proposals(
    @Arg('first', () => Int, { nullable: true, description: 'Proposals per page, 1 to 200; 50 when left out.' })
    first: number | undefined,
    @Arg('after', () => String, { nullable: true, description: 'endCursor of the page before.' })
    after: string | undefined,
  ): Promise<ProposalConnection> {
    const { edges, pageInfo } = await this.#parts.waiting.page(first ?? FIRST, after);
    return { pageInfo, edges: edges.map(({ cursor, node }) => ({ cursor, node: proposalView(node) })) };
  }

  @Mutation(() => MoneyPayload, {
    nullable: true,
    description:
      'Adds money to a wallet, once per reference however often it is submitted. In production, above what one admin may credit alone (at once or in a day), it becomes a proposal and nothing is posted until a second admin carries it out.',
  })
  async creditWallet(
    @Arg('input', () => CreditWalletInput, { description: 'What arrived.' }) input: CreditWalletInput,
    @Ctx() context: RequestContext,
  ): Promise<MoneyPayload> {
    const { environment, amount, reference, reason } = input;
    const credit = { environment, amountPaise: amount, reference, reason };
    const developerId = developerNumber(input.developerId);
    return this.#payload(await this.#parts.credits.credit({ ...credit, developerId }, deciderOf(context)));
  }

  @Mutation(() => MoneyPayload, {
    nullable: true,
    description: 'Carries out what another admin proposed. One’s own proposal needs somebody else.',
  })
  async approveProposal(
    @Arg('input', () => ApproveProposalInput, { description: 'Which proposal.' }) input: ApproveProposalInput,
    @Ctx() context: RequestContext,
  ): Promise<MoneyPayload> {
    return this.#payload(await this.#parts.proposals.approve(input.proposalId, input.reason, deciderOf(context)));
  }

  @Mutation(() => ProposalPayload, {
    nullable: true,
    description: 'Ends a proposal without carrying it out; whoever made it may withdraw it so.',
  })
  async refuseProposal(
    @Arg('input', () => RefuseProposalInput, { description: 'Which proposal, and why.' })
    { proposalId, reason }: RefuseProposalInput,
    @Ctx() context: RequestContext,
  ): Promise<ProposalPayload> {
    return { proposal: proposalView(await this.#parts.proposals.refuse(proposalId, reason, deciderOf(context))) };
  }

  @FieldResolver(() => Developer, { nullable: true, description: 'Whose account it is about.' })
  async developer(@Root() { developerId }: Proposal): Promise<Developer | null> {
    return developerId === null ? null : this.#parts.developers.byId(developerId);
  }

  @FieldResolver(() => Order, { nullable: true, description: 'The order that it is about; null for a credit.' })
  async order(@Root() { orderId }: Proposal): Promise<Order | null> {
    const order = orderId === null ? undefined : await this.#parts.queue.find(orderId);
    return order ? orderView(order, this.#parts.store, { walletBalance: null, masked: true }) : null;
  }

  async #payload({ developerId, environment, line, proposal, replayed }: Credited): Promise<MoneyPayload> {
    if (!line)
      return { wallet: null, entry: null, order: null, proposal: proposal ? proposalView(proposal) : null, replayed };
    const { amountPaise, balanceAfterPaise, ...entry } = line;
    return {
      wallet: { developerId, environment, balance: await this.#parts.ledger.balance(developerId, environment) },
      entry: { ...entry, amount: amountPaise, balanceAfter: balanceAfterPaise },
      order: null,
      proposal: null,
      replayed,
    };
  }
}

const deciderOf = (context: RequestContext): Decider => ({ ...actorOf(context), userId: sessionOf(context).userId });

const proposalView = (proposal: StoredProposal): Proposal => ({
  id: proposal.id,
  action: proposal.action,
  subject: proposal.subject,
  reference: proposal.key,
  by: proposal.proposerName,
  at: proposal.createdAt,
  reason: proposal.reason,
  amount: proposal.amountPaise,
  expiresAt: proposal.expiresAt,
  developerId: proposal.developerId,
  orderId: proposal.orderId,
});
