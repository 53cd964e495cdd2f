import type { MikroORM } from '@mikro-orm/postgresql';
import { Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import { Developer, WhiteLabel } from '../accounts/developers/developer.types.js';
import type { DevelopersReader } from '../accounts/developers/developers.reader.js';
import { type RequestContext, sessionOf } from '../core/context.js';
import { paise } from '../core/money.js';
import { batchedLoader, type Loader } from '../db/batched-loader.js';
import type { EntityManager } from '../db/orm.js';
import { Arguments } from '../graphql-toolkit/arguments.js';
import { developerIdOf, orderNodeId } from '../graphql-toolkit/node.js';
import { Entries, READ_ALONE, READ_TOGETHER, RowsBeside } from '../graphql-toolkit/rows.js';
import type { LedgerService } from '../ledger/ledger.service.js';
import type { OrderStore } from '../orders/order.store.js';
import { Order } from '../orders/views/order.types.js';
import { maskingFor } from '../orders/views/order.view.js';
import { EARLIER_SHOWN, type ProposalStore } from '../proposals/proposal.store.js';
import {
  balanceChange,
  Proposal,
  ProposalConnection,
  ProposalsArguments,
  proposalView,
  storedActions,
  WalletEffect,
} from '../proposals/proposal.types.js';
import { ProviderEnum } from '../providers/provider.enum.js';
import { placeOfSwitch } from '../providers/switches.js';
import { ProposedOrder } from './bulk-decision.types.js';
import { proposedOrders } from './bulk-proposal.js';
import { orderForStaff } from './locked-order.js';
import { type Resolution, ResolutionEnum } from './review.types.js';

export interface ProposalResolverParts {
  orm: MikroORM;
  proposals: ProposalStore;
  developers: DevelopersReader;
  store: OrderStore;
  ledger: LedgerService;
}

/** What waits for a second person, with what it is about. */
@Resolver(() => Proposal)
export class ProposalResolver {
  constructor(private readonly parts: ProposalResolverParts) {}

  @Query(() => ProposalConnection, {
    nullable: true,
    description: 'What waits for a second person, or what became of it; oldest first.',
  })
  async proposals(
    @Arguments(ProposalsArguments) { filter = {}, ...request }: ProposalsArguments,
    @Ctx() context: RequestContext,
  ): Promise<ProposalConnection> {
    const { proposals, developers } = this.parts;
    const { state, action, developerId, mine } = filter;
    const selection = {
      states: state ?? (['waiting'] as const),
      actions: action && storedActions(action),
      developerId: developerId == null ? undefined : (await developers.byId(developerIdOf(developerId))).id,
      proposedBy: mine ? sessionOf(context).userId : undefined,
    };
    const { edges, pageInfo } = await proposals.page(selection, request);
    return { pageInfo, selection, edges: edges.map(({ cursor, node }) => ({ cursor, node: proposalView(node) })) };
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
    return developerId === null ? null : this.parts.developers.byId(developerId);
  }

  @FieldResolver(() => WhiteLabel, {
    nullable: true,
    description: 'Whose provider it is about, or under which the account would come; null when it is about none.',
  })
  @RowsBeside(READ_TOGETHER)
  async whiteLabel(@Root() { whiteLabelId }: Proposal): Promise<WhiteLabel | null> {
    return whiteLabelId === null ? null : ((await this.parts.developers.whiteLabel(whiteLabelId)) ?? null);
  }

  @FieldResolver(() => ProviderEnum, {
    nullable: true,
    description: 'Which provider would be switched on; null when it is about none.',
  })
  provider(@Root() { storedAction, subject }: Proposal): string | null {
    return storedAction === 'provider.set_availability' ? placeOfSwitch(subject).provider : null;
  }

  @FieldResolver(() => Order, { nullable: true, description: 'The order that it is about; null for a credit.' })
  @RowsBeside(READ_ALONE)
  async order(@Root() { orderId }: Proposal, @Ctx() context: RequestContext): Promise<Order | null> {
    return orderId === null ? null : orderForStaff(orderId, this.parts.store, maskingFor(context));
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'Why it was refused or withdrawn, as the audit trail has it; null for what was not.',
  })
  @RowsBeside(READ_TOGETHER)
  async refusalReason(@Root() { id, state }: Proposal): Promise<string | null> {
    return state === 'refused' ? this.parts.proposals.refusalReason(id) : null;
  }

  @FieldResolver(() => WalletEffect, {
    nullable: true,
    description: 'Effect on the wallet; null for a request that moves no money or is about a list of orders.',
  })
  @RowsBeside(READ_TOGETHER)
  async walletEffect(@Root() proposal: Proposal): Promise<WalletEffect | null> {
    const { developerId, environment, state, balancePaise } = proposal;
    const change = balanceChange(proposal);
    if (change === undefined || balancePaise === null || developerId === null || environment === null) return null;
    if (state !== 'waiting') return { balanceAtRequest: balancePaise, balance: null, balanceAfter: null };
    const { balancePaise: balance } = await this.parts.ledger.wallet(developerId, environment);
    return { balanceAtRequest: balancePaise, balance, balanceAfter: paise(balance + change) };
  }

  @FieldResolver(() => [Proposal], {
    nullable: true,
    description:
      'Earlier approval requests about the same order or, for a request about no order, the same account or record; newest first.',
  })
  @Entries(EARLIER_SHOWN)
  async earlier(@Root() { id }: Proposal): Promise<Proposal[]> {
    return (await this.parts.proposals.earlier(id)).map(proposalView);
  }

  @FieldResolver(() => [ProposedOrder], {
    nullable: true,
    description: 'The list that it is about; none when it is about no list.',
  })
  // few proposals are about a list
  @Entries(50)
  @RowsBeside(READ_ALONE)
  async orders(@Root() { id }: Proposal): Promise<ProposedOrder[]> {
    const list = await proposedOrders(id, this.parts.orm.em.fork() as EntityManager);
    return list.map(({ orderId, amountPaise, evidence, ...line }) => ({
      ...line,
      orderId: orderNodeId(orderId),
      amount: amountPaise,
      evidence: evidence && { ...evidence, at: new Date(evidence.at), amount: paise(evidence.amountPaise) },
    }));
  }
}

/** What waits about an order, wherever that is shown. */
@Resolver(() => Order)
export class OrderProposalResolver {
  readonly #waiting: Loader<string, Proposal | null>;

  constructor(proposals: ProposalStore) {
    this.#waiting = batchedLoader(async (ids) => {
      const found = await proposals.waitingFor(ids);
      return ids.map((id) => (found.has(id) ? proposalView(found.get(id)!) : null));
    });
  }

  @FieldResolver(() => Proposal, {
    nullable: true,
    description: 'What waits for a second person about it, alone or in a list; null when nothing does.',
  })
  @RowsBeside(READ_TOGETHER)
  proposal(@Root() { id }: Order): Promise<Proposal | null> {
    return this.#waiting.load(id);
  }
}

/** How many proposals there are. */
@Resolver(() => ProposalConnection)
export class ProposalCountResolver {
  constructor(private readonly proposals: ProposalStore) {}

  @FieldResolver(() => Int, {
    nullable: true,
    description: 'How many there are on all pages; counted when it is asked for.',
  })
  totalCount(@Root() { selection }: ProposalConnection): Promise<number> {
    return this.proposals.count(selection);
  }
}
