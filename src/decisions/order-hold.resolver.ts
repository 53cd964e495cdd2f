import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { deciderOf } from '../accounts/account.changes.js';
import type { AccountDeciding } from '../accounts/developers/account.deciding.js';
import { approvalRequestView } from '../approval-requests/approval-request.types.js';
import { environmentInfo } from '../code-tables/environments.resolver.js';
import type { RequestContext } from '../core/context.js';
import type { Switches } from '../providers/switches.js';
import { OrderHoldPayload, SetOrderHoldInput } from './order-hold.types.js';

/** The switch that stops all new orders of an environment. */
@Resolver()
export class OrderHoldResolver {
  constructor(
    private readonly deciding: AccountDeciding,
    private readonly switches: Switches,
  ) {}

  @Mutation(() => OrderHoldPayload, {
    nullable: true,
    description:
      'Holds new orders of an environment with a notice that callers and developers read: they are refused with DEPENDENCY_DOWN before money moves. What was placed before goes on. Every process knows it within seconds. That they are taken again waits for a second admin where TWO_PEOPLE says so.',
  })
  async setOrderHold(
    @Arg('input', () => SetOrderHoldInput, { description: 'Where, whether, and what callers read.' })
    { environment, notice, reason }: SetOrderHoldInput,
    @Ctx() context: RequestContext,
  ): Promise<OrderHoldPayload> {
    const command = { environment, notice: notice ?? null, reason: reason ?? undefined };
    const { approvalRequest } = await this.deciding.holdOrders(command, deciderOf(context));
    await this.switches.refresh();
    return {
      environment: environmentInfo(environment, context, this.switches),
      approvalRequest: approvalRequest ? approvalRequestView(approvalRequest) : null,
    };
  }
}
