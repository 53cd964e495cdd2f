import type { MikroORM } from '@mikro-orm/postgresql';
import { Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import { Developer, WhiteLabel } from '../accounts/developers/developer.types.js';
import type { DevelopersReader } from '../accounts/developers/developers.reader.js';
import { type ApprovalRequestStore, EARLIER_SHOWN } from '../approval-requests/approval-request.store.js';
import {
  ApprovalRequest,
  ApprovalRequestConnection,
  ApprovalRequestsArguments,
  approvalRequestView,
  balanceChange,
  storedActions,
  WalletEffect,
} from '../approval-requests/approval-request.types.js';
import { type RequestContext, sessionOf } from '../core/context.js';
import { paise } from '../core/money.js';
import { batchedLoader, type Loader } from '../db/batched-loader.js';
import type { EntityManager } from '../db/orm.js';
import { Arguments } from '../graphql-toolkit/arguments.js';
import { pageView } from '../graphql-toolkit/connection.js';
import { developerIdOf, orderNodeId } from '../graphql-toolkit/node.js';
import { Entries, READ_ALONE, READ_TOGETHER, RowsBeside } from '../graphql-toolkit/rows.js';
import type { LedgerService } from '../ledger/ledger.service.js';
import type { OrderStore } from '../orders/order.store.js';
import { Order } from '../orders/views/order.types.js';
import { maskingFor } from '../orders/views/order.view.js';
import { ProviderEnum } from '../providers/provider.enum.js';
import { placeOfSwitch } from '../providers/switches.js';
import { approvalRequestOrders } from './bulk-approval-request.js';
import { ApprovalRequestOrder } from './bulk-decision.types.js';
import { orderForStaff } from './locked-order.js';
import { type Resolution, ResolutionEnum } from './review.types.js';

export interface ApprovalRequestResolverParts {
  orm: MikroORM;
  approvalRequests: ApprovalRequestStore;
  developers: DevelopersReader;
  store: OrderStore;
  ledger: LedgerService;
}

/** Approval requests, with the records that they are about. */
@Resolver(() => ApprovalRequest)
export class ApprovalRequestResolver {
  constructor(private readonly parts: ApprovalRequestResolverParts) {}

  @Query(() => ApprovalRequestConnection, {
    nullable: true,
    description: 'Approval requests, oldest first.',
  })
  async approvalRequests(
    @Arguments(ApprovalRequestsArguments) { filter = {}, ...request }: ApprovalRequestsArguments,
    @Ctx() context: RequestContext,
  ): Promise<ApprovalRequestConnection> {
    const { approvalRequests, developers } = this.parts;
    const { state, action, developerId, requestedByMe } = filter;
    const selection = {
      states: state ?? (['pending'] as const),
      actions: action && storedActions(action),
      developerId: developerId == null ? undefined : (await developers.byId(developerIdOf(developerId))).id,
      requestedBy: requestedByMe ? sessionOf(context).userId : undefined,
    };
    return { ...pageView(await approvalRequests.page(selection, request), approvalRequestView), selection };
  }

  @FieldResolver(() => ResolutionEnum, {
    nullable: true,
    description: 'What the one order of RESOLVE would be decided to be; null for all others.',
  })
  resolution(@Root() { storedAction }: ApprovalRequest): Resolution | null {
    if (storedAction === 'order.settle') return 'success';
    return storedAction === 'order.refund' ? 'failed' : null;
  }

  @FieldResolver(() => Developer, { nullable: true, description: 'Whose account it is about.' })
  @RowsBeside(READ_TOGETHER)
  async developer(@Root() { developerId }: ApprovalRequest): Promise<Developer | null> {
    return developerId === null ? null : this.parts.developers.byId(developerId);
  }

  @FieldResolver(() => WhiteLabel, {
    nullable: true,
    description: 'Whose provider it is about, or under which the account would come; null when it is about none.',
  })
  @RowsBeside(READ_TOGETHER)
  async whiteLabel(@Root() { whiteLabelId }: ApprovalRequest): Promise<WhiteLabel | null> {
    return whiteLabelId === null ? null : ((await this.parts.developers.whiteLabel(whiteLabelId)) ?? null);
  }

  @FieldResolver(() => ProviderEnum, {
    nullable: true,
    description: 'Which provider would be switched on; null when it is about none.',
  })
  provider(@Root() { storedAction, subject }: ApprovalRequest): string | null {
    return storedAction === 'provider.set_availability' ? placeOfSwitch(subject).provider : null;
  }

  @FieldResolver(() => Order, { nullable: true, description: 'The order that it is about; null for a credit.' })
  @RowsBeside(READ_ALONE)
  async order(@Root() { orderId }: ApprovalRequest, @Ctx() context: RequestContext): Promise<Order | null> {
    return orderId === null ? null : orderForStaff(orderId, this.parts.store, maskingFor(context));
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'Reason for the rejection or withdrawal, from the audit log; null for a request in another state.',
  })
  @RowsBeside(READ_TOGETHER)
  async rejectionReason(@Root() { id, state }: ApprovalRequest): Promise<string | null> {
    return state === 'rejected' ? this.parts.approvalRequests.rejectionReason(id) : null;
  }

  @FieldResolver(() => WalletEffect, {
    nullable: true,
    description: 'Effect on the wallet; null for a request that moves no money or is about a list of orders.',
  })
  @RowsBeside(READ_TOGETHER)
  async walletEffect(@Root() approvalRequest: ApprovalRequest): Promise<WalletEffect | null> {
    const { developerId, environment, state, balancePaise } = approvalRequest;
    const change = balanceChange(approvalRequest);
    if (change === undefined || balancePaise === null || developerId === null || environment === null) return null;
    if (state !== 'pending') return { balanceAtRequest: balancePaise, balance: null, balanceAfter: null };
    const { balancePaise: balance } = await this.parts.ledger.wallet(developerId, environment);
    return { balanceAtRequest: balancePaise, balance, balanceAfter: paise(balance + change) };
  }

  @FieldResolver(() => [ApprovalRequest], {
    nullable: true,
    description:
      'Earlier approval requests about the same order or, for a request about no order, the same account or record; newest first.',
  })
  @Entries(EARLIER_SHOWN)
  async earlierRequests(@Root() { id }: ApprovalRequest): Promise<ApprovalRequest[]> {
    return (await this.parts.approvalRequests.earlier(id)).map(approvalRequestView);
  }

  @FieldResolver(() => [ApprovalRequestOrder], {
    nullable: true,
    description: 'The list that it is about; none when it is about no list.',
  })
  // few approval requests are about a list
  @Entries(50)
  @RowsBeside(READ_ALONE)
  async orders(@Root() { id }: ApprovalRequest): Promise<ApprovalRequestOrder[]> {
    const list = await approvalRequestOrders(id, this.parts.orm.em.fork() as EntityManager);
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
export class OrderApprovalRequestResolver {
  readonly #pending: Loader<string, ApprovalRequest | null>;

  constructor(approvalRequests: ApprovalRequestStore) {
    this.#pending = batchedLoader(async (ids) => {
      const found = await approvalRequests.pendingFor(ids);
      return ids.map((id) => (found.has(id) ? approvalRequestView(found.get(id)!) : null));
    });
  }

  @FieldResolver(() => ApprovalRequest, {
    nullable: true,
    description: 'Pending approval request about the order, or about a list that contains it; null when there is none.',
  })
  @RowsBeside(READ_TOGETHER)
  approvalRequest(@Root() { id }: Order): Promise<ApprovalRequest | null> {
    return this.#pending.load(id);
  }
}

/** How many approval requests there are. */
@Resolver(() => ApprovalRequestConnection)
export class ApprovalRequestCountResolver {
  constructor(private readonly approvalRequests: ApprovalRequestStore) {}

  @FieldResolver(() => Int, {
    nullable: true,
    description: 'Number of requests on all pages. Counted only if this field is requested.',
  })
  totalCount(@Root() { selection }: ApprovalRequestConnection): Promise<number> {
    return this.approvalRequests.count(selection);
  }
}
