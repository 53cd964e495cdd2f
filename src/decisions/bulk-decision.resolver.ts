import type { MikroORM } from '@mikro-orm/postgresql';
import { Arg, Ctx, FieldResolver, Mutation, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../core/context.js';
import { paise } from '../core/money.js';
import type { EntityManager } from '../db/orm.js';
import { orderKeyOf, orderNodeId } from '../graphql-toolkit/node.js';
import { Entries, READ_ALONE, RowsBeside } from '../graphql-toolkit/rows.js';
import { Proposal } from '../proposals/proposal.types.js';
import { proposalView } from '../proposals/proposal.view.js';
import type { BulkDecisionService } from './bulk-decision.service.js';
import { decidedView, ProposedOrder, ResolveOrdersInput, ResolveOrdersPayload } from './bulk-decision.types.js';
import { deciderOf } from './money.payloads.js';
import { proposedOrders } from './proposed-orders.js';

/** What admins decide about many orders at once. */
@Resolver(() => Proposal)
export class BulkDecisionResolver {
  readonly #lists: BulkDecisionService;
  readonly #orm: MikroORM;

  constructor(lists: BulkDecisionService, orm: MikroORM) {
    this.#lists = lists;
    this.#orm = orm;
  }

  @Mutation(() => ResolveOrdersPayload, {
    nullable: true,
    description:
      'Decides many orders in review, or confirms decided ones, in one step; an order that cannot be decided is refused by itself. In production, above the configured amount in all, they become one proposal until a second admin carries it out.',
  })
  async resolveOrders(
    @Arg('input', () => ResolveOrdersInput, { description: 'Which orders, and what became of them.' })
    input: ResolveOrdersInput,
    @Ctx() context: RequestContext,
  ): Promise<ResolveOrdersPayload> {
    const { results, proposal, replayed } = await this.#lists.resolve(
      { ...input, orderIds: [...new Set(input.orderIds.map(orderKeyOf))] },
      deciderOf(context),
    );
    return { results: results.map(decidedView), proposal: proposal ? proposalView(proposal) : null, replayed };
  }

  @FieldResolver(() => [ProposedOrder], {
    nullable: true,
    description: 'The list that it is about; none when it is about no list.',
  })
  // few proposals are about a list
  @Entries(50)
  @RowsBeside(READ_ALONE)
  async orders(@Root() { id }: Proposal): Promise<ProposedOrder[]> {
    const list = await proposedOrders(id, this.#orm.em.fork() as EntityManager);
    return list.map(({ orderId, amountPaise, evidence, ...line }) => ({
      ...line,
      orderId: orderNodeId(orderId),
      amount: amountPaise,
      evidence: evidence && { ...evidence, at: new Date(evidence.at), amount: paise(evidence.amountPaise) },
    }));
  }
}
