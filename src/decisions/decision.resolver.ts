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
import type { Mails } from '../mails/mails.room.js';
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
  mails: Pick<Mails, 'ready' | 'wake'>;
}

/** What carrying out an approval request did, whatever it was about. */
export type Done = MoneyMoved & AccountChanged;

/** What admins decide about money and orders, alone or by two. */
@Resolver()
export class DecisionResolver {
  constructor(private readonly parts: DecisionResolverParts) {}

  @Mutation(() => MoneyPayload, {
    nullable: true,
    description:
      'Adds money to a wallet, once per reference and bank transfer; a retry does not credit again. In production, a credit without a UTR or above the limits of one administrator (per credit and per day) becomes an approval request: nothing is posted until a second administrator or finance user approves it.',
  })
  async creditWallet(
    @Arg('input', () => CreditWalletInput, { description: 'What arrived.' })
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
      'Takes money out of a wallet, once per reference however often it is submitted; never more than is in it. In production it becomes an approval request and nothing is posted until a second admin carries it out. Undone by creditWallet.',
  })
  async debitWallet(
    @Arg('input', () => DebitWalletInput, { description: 'What has to leave, and why.' })
    { developerId, amount, ...debit }: DebitWalletInput,
    @Ctx() context: RequestContext,
  ): Promise<MoneyPayload> {
    const money = { developerId: developerIdOf(developerId), amountPaise: amount };
    return this.#decide(this.parts.actions['wallet.debit'], { ...debit, ...money }, context);
  }

  @Mutation(() => MoneyPayload, {
    nullable: true,
    description:
      'Decides an order in review, or confirms a decided one that its provider contradicts. In production above the configured amount it becomes an approval request (the order stays PENDING) until a second admin carries it out; who decides the opposite replaces it.',
  })
  async resolveOrder(
    @Arg('input', () => ResolveOrderInput, { description: 'What became of it.' })
    { outcome, ...input }: ResolveOrderInput,
    @Ctx() context: RequestContext,
  ): Promise<MoneyPayload> {
    const action = outcome === 'success' ? 'order.settle' : 'order.refund';
    return this.#decide(this.parts.actions[action], { ...input, orderId: orderIdOf(input.orderId) }, context);
  }

  @Mutation(() => MoneyPayload, {
    nullable: true,
    description:
      'Takes a success back that was not performed: the money returns to the wallet, and its key answers REVERSED. In production it becomes an approval request until a second admin carries it out. Undone by reverseRefund.',
  })
  async reverseOrder(
    @Arg('input', () => ReverseOrderInput, { description: 'Which success, and why.' })
    { orderId, reason }: ReverseOrderInput,
    @Ctx() context: RequestContext,
  ): Promise<MoneyPayload> {
    return this.#decide(this.parts.actions['order.reverse'], { orderId: orderIdOf(orderId), reason }, context);
  }

  @Mutation(() => MoneyPayload, {
    nullable: true,
    description:
      'Charges an order that has failed or was reversed although it was performed: it is a success again. In production it becomes an approval request until a second admin carries it out; without the balance nothing changes and the approval request goes on waiting. Undone by reverseOrder.',
  })
  async reverseRefund(
    @Arg('input', () => ReverseRefundInput, { description: 'Order whose refund is reversed, and the reason.' })
    { orderId, reason }: ReverseRefundInput,
    @Ctx() context: RequestContext,
  ): Promise<MoneyPayload> {
    return this.#decide(this.parts.actions['order.reverse_refund'], { orderId: orderIdOf(orderId), reason }, context);
  }

  @Mutation(() => ResolveOrdersPayload, {
    nullable: true,
    description:
      'Decides many orders in review, or confirms decided ones, in one step; an order that cannot be decided is refused by itself. In production, above the configured amount in all, they become one approval request until a second admin carries it out.',
  })
  async resolveOrders(
    @Arg('input', () => ResolveOrdersInput, { description: 'Which orders, and what became of them.' })
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
      'Has the provider asked about an order now, whatever its state; the answer appears on its timeline. An answer that contradicts an order which was given back puts it into the review queue and moves no money.',
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
    description: 'Carries out what another person requested. One’s own approval request needs somebody else.',
  })
  async approveApprovalRequest(
    @Arg('input', () => ApproveApprovalRequestInput, { description: 'Which approval request.' })
    { approvalRequestId, ...approval }: ApproveApprovalRequestInput,
    @Ctx() context: RequestContext,
  ): Promise<MoneyPayload> {
    const { approvalRequests, mails } = this.parts;
    // what is carried out may be mailed
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
    description: 'Ends an approval request without carrying it out; its author may withdraw it so.',
  })
  async rejectApprovalRequest(
    @Arg('input', () => RejectApprovalRequestInput, { description: 'Which approval request, and why.' })
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
