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
import { Entries, ExtraReads, READ_SEPARATELY, READ_TOGETHER } from '../graphql-toolkit/rows.js';
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

/** Resolver for approval requests and the records that they are about. */
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
    description: 'Outcome with which a single order would be resolved. Null for actions other than RESOLVE.',
  })
  resolution(@Root() { storedAction }: ApprovalRequest): Resolution | null {
    if (storedAction === 'order.settle') return 'success';
    return storedAction === 'order.refund' ? 'failed' : null;
  }

  @FieldResolver(() => Developer, {
    nullable: true,
    description: 'Account that the approval request is about. Null if there is none.',
  })
  @ExtraReads(READ_TOGETHER)
  async developer(@Root() { developerId }: ApprovalRequest): Promise<Developer | null> {
    return developerId === null ? null : this.parts.developers.byId(developerId);
  }

  @FieldResolver(() => WhiteLabel, {
    nullable: true,
    description: 'White label whose provider would change, or that the account would join. Null if there is none.',
  })
  @ExtraReads(READ_TOGETHER)
  async whiteLabel(@Root() { whiteLabelId }: ApprovalRequest): Promise<WhiteLabel | null> {
    return whiteLabelId === null ? null : ((await this.parts.developers.whiteLabel(whiteLabelId)) ?? null);
  }

  @FieldResolver(() => ProviderEnum, {
    nullable: true,
    description: 'Provider that would be enabled again. Null for other actions.',
  })
  provider(@Root() { storedAction, subject }: ApprovalRequest): string | null {
    return storedAction === 'provider.set_availability' ? placeOfSwitch(subject).provider : null;
  }

  @FieldResolver(() => Order, {
    nullable: true,
    description: 'Order that the approval request is about. Null for other actions.',
  })
  @ExtraReads(READ_SEPARATELY)
  async order(@Root() { orderId }: ApprovalRequest, @Ctx() context: RequestContext): Promise<Order | null> {
    return orderId === null ? null : orderForStaff(orderId, this.parts.store, maskingFor(context));
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'Reason for the rejection or withdrawal, from the audit log. Null in other states.',
  })
  @ExtraReads(READ_TOGETHER)
  async rejectionReason(@Root() { id, state }: ApprovalRequest): Promise<string | null> {
    return state === 'rejected' ? this.parts.approvalRequests.rejectionReason(id) : null;
  }

  @FieldResolver(() => WalletEffect, {
    nullable: true,
    description: 'Effect on the wallet. Null if no money moves or several orders are resolved.',
  })
  @ExtraReads(READ_TOGETHER)
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
      'Earlier approval requests about the same order or, without an order, about the same account or record; newest first.',
  })
  @Entries(EARLIER_SHOWN)
  async earlierRequests(@Root() { id }: ApprovalRequest): Promise<ApprovalRequest[]> {
    return (await this.parts.approvalRequests.earlier(id)).map(approvalRequestView);
  }

  @FieldResolver(() => [ApprovalRequestOrder], {
    nullable: true,
    description: 'Orders of a RESOLVE_MANY approval request. Empty for other actions.',
  })
  // few approval requests have a list of orders
  @Entries(50)
  @ExtraReads(READ_SEPARATELY)
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

/** Resolver for the pending approval request of an order, on every type that shows the order. */
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
    description: 'Pending approval request about the order, or about a list that contains it. Null if there is none.',
  })
  @ExtraReads(READ_TOGETHER)
  approvalRequest(@Root() { id }: Order): Promise<ApprovalRequest | null> {
    return this.#pending.load(id);
  }
}

@Resolver(() => ApprovalRequestConnection)
export class ApprovalRequestCountResolver {
  constructor(private readonly approvalRequests: ApprovalRequestStore) {}

  @FieldResolver(() => Int, {
    nullable: true,
    description: 'Number of approval requests on all pages. Computed only if selected.',
  })
  totalCount(@Root() { selection }: ApprovalRequestConnection): Promise<number> {
    return this.approvalRequests.count(selection);
  }
}
