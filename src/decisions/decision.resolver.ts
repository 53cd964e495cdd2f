import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { type AccountChanged, actingUserOf, actorOf } from '../accounts/account.changes.js';
import type { DevelopersReader } from '../accounts/developers/developers.reader.js';
import type { PeopleReader } from '../accounts/people/people.reader.js';
import type { ApprovalRequestService, Approved, Decided } from '../approval-requests/approval-request.service.js';
import {
  ApprovalRequestPayload,
  ApproveApprovalRequestInput,
  approvalRequestView,
  RejectApprovalRequestInput,
} from '../approval-requests/approval-request.types.js';
import type { RequestContext } from '../core/context.js';
import { normalUtr } from '../core/utr.js';
import { developerIdOf, orderIdOf, orderKeyOf, orderNodeId } from '../graphql-toolkit/node.js';
import type { LedgerService } from '../ledger/ledger.service.js';
import { entryView, walletView } from '../ledger/wallet.types.js';
import type { Emails } from '../mails/emails.room.js';
import type { OrderStore } from '../orders/order.store.js';
import type { BulkDecisionService } from './bulk-decision.service.js';
import { type ResolvedOrder, ResolveOrdersInput, ResolveOrdersPayload } from './bulk-decision.types.js';
import { orderForStaff } from './locked-order.js';
import {
  CheckOrderStatusesInput,
  CheckOrderStatusesPayload,
  CheckOrderStatusInput,
  CreditWalletInput,
  DebitWalletInput,
  type MoneyOutcome,
  MoneyPayload,
  OrderPayload,
  ReverseOrderInput,
  ReverseRefundInput,
} from './money.types.js';
import type { MoneyActions } from './money-actions.js';
import type { MoneyDecision, MoneyMoved } from './money-decision.js';
import type { ProviderQuestionService } from './provider-question.service.js';
import { ResolveOrderInput } from './review.types.js';

export interface DecisionResolverParts {
  actions: MoneyActions;
  approvalRequests: ApprovalRequestService<Done>;
  lists: BulkDecisionService;
  questions: ProviderQuestionService;
  ledger: LedgerService;
  store: OrderStore;
  developers: DevelopersReader;
  people: PeopleReader;
  mails: Pick<Emails, 'ready' | 'wake'>;
}

/** Result of an approved change of any action. */
export type Done = MoneyMoved & AccountChanged;

/** Resolver for staff changes to money and orders, with or without a second person. */
@Resolver()
export class DecisionResolver {
  constructor(private readonly parts: DecisionResolverParts) {}

  @Mutation(() => MoneyPayload, {
    nullable: true,
    description:
      'Adds money to a wallet. Each reference and each bank transfer is credited only once, even if the request is retried. In Production, a credit becomes an approval request if it has no UTR, or if it exceeds the limit per credit or per day. Nothing is posted until a second administrator or finance user approves it.',
  })
  async creditWallet(
    @Arg('input', () => CreditWalletInput, { description: 'Amount, wallet and source of the credit.' })
    { developerId, amount, utr, ...credit }: CreditWalletInput,
    @Ctx() context: RequestContext,
  ): Promise<MoneyPayload> {
    const money = {
      developerId: developerIdOf(developerId),
      amountPaise: amount,
      utr: utr == null ? undefined : normalUtr(utr),
    };
    return this.#decide(this.parts.actions['wallet.credit'], { ...credit, ...money }, context);
  }

  @Mutation(() => MoneyPayload, {
    nullable: true,
    description:
      'Takes money out of a wallet, at most its balance. Each reference is debited only once, even if the request is retried. In Production, a debit becomes an approval request. Nothing is posted until a second person approves it. To undo a debit, use `creditWallet`.',
  })
  async debitWallet(
    @Arg('input', () => DebitWalletInput, { description: 'Amount, wallet, reference and reason of the debit.' })
    { developerId, amount, ...debit }: DebitWalletInput,
    @Ctx() context: RequestContext,
  ): Promise<MoneyPayload> {
    const money = { developerId: developerIdOf(developerId), amountPaise: amount };
    return this.#decide(this.parts.actions['wallet.debit'], { ...debit, ...money }, context);
  }

  @Mutation(() => MoneyPayload, {
    nullable: true,
    description:
      'Resolves an order in review, or confirms an order whose provider reports a conflicting status. In Production, an amount above the configured limit requires approval. The order then stays PENDING until a second person approves the resolution. A resolution with the opposite outcome replaces the pending approval request.',
  })
  async resolveOrder(
    @Arg('input', () => ResolveOrderInput, { description: 'Order, outcome and evidence.' })
    { outcome, ...input }: ResolveOrderInput,
    @Ctx() context: RequestContext,
  ): Promise<MoneyPayload> {
    const action = outcome === 'success' ? 'order.settle' : 'order.refund';
    return this.#decide(this.parts.actions[action], { ...input, orderId: orderIdOf(input.orderId) }, context);
  }

  @Mutation(() => MoneyPayload, {
    nullable: true,
    description:
      'Reverses a successful order that the provider did not complete. The amount is refunded to the wallet, and the order status becomes REVERSED. In Production, a second person must approve it. To undo a reversal, use `reverseRefund`.',
  })
  async reverseOrder(
    @Arg('input', () => ReverseOrderInput, { description: 'Order to reverse, and the reason.' })
    { orderId, reason }: ReverseOrderInput,
    @Ctx() context: RequestContext,
  ): Promise<MoneyPayload> {
    return this.#decide(this.parts.actions['order.reverse'], { orderId: orderIdOf(orderId), reason }, context);
  }

  @Mutation(() => MoneyPayload, {
    nullable: true,
    description:
      'Reverses the refund of a failed or reversed order that the provider did complete. The wallet is debited, and the order becomes successful. In Production, a second person must approve it. If the balance is insufficient at approval, nothing changes and the approval request remains pending. To undo, use `reverseOrder`.',
  })
  async reverseRefund(
    @Arg('input', () => ReverseRefundInput, { description: 'Order with the refund to reverse, and the reason.' })
    { orderId, reason }: ReverseRefundInput,
    @Ctx() context: RequestContext,
  ): Promise<MoneyPayload> {
    return this.#decide(this.parts.actions['order.reverse_refund'], { orderId: orderIdOf(orderId), reason }, context);
  }

  @Mutation(() => ResolveOrdersPayload, {
    nullable: true,
    description:
      'Resolves or confirms several orders in review. An order that cannot be resolved is rejected; the other orders are resolved. In Production, a total amount above the configured limit becomes one approval request, which a second person must approve.',
  })
  async resolveOrders(
    @Arg('input', () => ResolveOrdersInput, { description: 'Orders, outcome and evidence.' })
    input: ResolveOrdersInput,
    @Ctx() context: RequestContext,
  ): Promise<ResolveOrdersPayload> {
    const orderIds = [...new Set(input.orderIds.map(orderKeyOf))];
    const { results, approvalRequest, replayed } = await this.parts.lists.resolve(
      { ...input, orderIds },
      actingUserOf(context),
    );
    return {
      results: results.map(shown),
      approvalRequest: approvalRequest ? approvalRequestView(approvalRequest) : null,
      replayed,
    };
  }

  @Mutation(() => OrderPayload, {
    nullable: true,
    description:
      'Checks the status of an order with its provider, in any order state. The result appears in the timeline of the order. If the provider reports success for a refunded order, the order enters the review queue and no money moves.',
  })
  async checkOrderStatus(
    @Arg('input', () => CheckOrderStatusInput, { description: 'Order to check.' }) { orderId }: CheckOrderStatusInput,
    @Ctx() context: RequestContext,
  ): Promise<OrderPayload> {
    const { id } = await this.parts.questions.ask(orderIdOf(orderId), actorOf(context));
    return { order: (await orderForStaff(id, this.parts.store))! };
  }

  @Mutation(() => CheckOrderStatusesPayload, {
    nullable: true,
    description:
      'Checks the status of several orders with their providers. An order whose status cannot be checked is rejected; the other orders are checked.',
  })
  async checkOrderStatuses(
    @Arg('input', () => CheckOrderStatusesInput, { description: 'Orders to check.' }) {
      orderIds,
    }: CheckOrderStatusesInput,
    @Ctx() context: RequestContext,
  ): Promise<CheckOrderStatusesPayload> {
    const asked = await this.parts.questions.askAll([...new Set(orderIds.map(orderKeyOf))], actorOf(context));
    return {
      results: [...asked].map(([id, refusal]) => ({ orderId: orderNodeId(id), code: refusal?.code ?? null })),
    };
  }

  @Mutation(() => MoneyPayload, {
    nullable: true,
    description:
      'Approves an approval request of another user and makes the change. You cannot approve your own approval request.',
  })
  async approveApprovalRequest(
    @Arg('input', () => ApproveApprovalRequestInput, { description: 'Approval request to approve.' })
    { approvalRequestId, ...approval }: ApproveApprovalRequestInput,
    @Ctx() context: RequestContext,
  ): Promise<MoneyPayload> {
    const { approvalRequests, mails } = this.parts;
    // the change may send emails
    await mails.ready();
    const approved = await approvalRequests.approve(
      approvalRequestKeyOf(approvalRequestId),
      approval,
      actingUserOf(context),
    );
    mails.wake();
    return { outcome: await this.#afterTwo(approved) };
  }

  @Mutation(() => ApprovalRequestPayload, {
    nullable: true,
    description:
      'Rejects an approval request without making the change. The requester withdraws an approval request with the same mutation.',
  })
  async rejectApprovalRequest(
    @Arg('input', () => RejectApprovalRequestInput, { description: 'Approval request to reject, and the reason.' })
    { approvalRequestId, reason }: RejectApprovalRequestInput,
    @Ctx() context: RequestContext,
  ): Promise<ApprovalRequestPayload> {
    const rejected = await this.parts.approvalRequests.reject(
      approvalRequestKeyOf(approvalRequestId),
      reason,
      actingUserOf(context),
    );
    return { approvalRequest: approvalRequestView(rejected) };
  }

  async #decide<Command, Case>(
    decision: MoneyDecision<Command, Case>,
    command: Command,
    context: RequestContext,
  ): Promise<MoneyPayload> {
    const decided = await this.parts.approvalRequests.decide(decision, command, actingUserOf(context));
    return { outcome: await this.#outcomeOf(decided) };
  }

  async #outcomeOf({ done, approvalRequest, replayed }: Decided<MoneyMoved>): Promise<MoneyOutcome> {
    const { ledger, store } = this.parts;
    if (approvalRequest)
      return { unionType: 'ApprovalRequestCreated', approvalRequest: approvalRequestView(approvalRequest), replayed };
    const { wallet, line, orderId } = done!;
    const order = orderId ? await orderForStaff(orderId, store) : null;
    if (!wallet) return { unionType: 'OrderUnchanged', order, replayed };
    return {
      unionType: 'WalletUpdated',
      wallet: walletView(wallet, await ledger.wallet(wallet.developerId, wallet.environment)),
      entry: line ? entryView(line) : null,
      order,
      replayed,
    };
  }

  async #afterTwo({ done, approvalRequest }: Approved<Done>): Promise<MoneyOutcome> {
    const { developers, people } = this.parts;
    const { wallet, developerId, userId, results } = done;
    const owner = wallet?.developerId ?? developerId;
    return {
      unionType: 'ApprovalRequestApproved',
      approvalRequest: approvalRequestView(approvalRequest),
      developer: owner ? await developers.byId(owner) : null,
      user: (userId && (await people.find(userId))) ?? null,
      results: results?.map(shown) ?? null,
    };
  }
}

const approvalRequestKeyOf = (id: string): string => id.replace(/^apr_/, '');

const shown = ({ orderId, ...decided }: ResolvedOrder): ResolvedOrder => ({
  orderId: orderNodeId(orderKeyOf(orderId)),
  ...decided,
});
