import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { actingUserOf } from '../accounts/account.changes.js';
import type { AccountChangeService } from '../accounts/developers/account-change.service.js';
import { approvalRequestView } from '../approval-requests/approval-request.types.js';
import { environmentInfo } from '../code-tables/environments.resolver.js';
import type { RequestContext } from '../core/context.js';
import type { PauseCommand } from '../providers/order-pause.js';
import type { Switches } from '../providers/switches.js';
import { OrderPausePayload, PauseOrdersInput, ResumeOrdersInput } from './order-pause.types.js';

/** Resolver for the mutations that pause and resume all new orders of an environment. */
@Resolver()
export class OrderPauseResolver {
  constructor(
    private readonly accountChanges: AccountChangeService,
    private readonly switches: Switches,
  ) {}

  @Mutation(() => OrderPausePayload, {
    nullable: true,
    description:
      'Pauses new orders of an environment, or changes the notice of the pause. While orders are paused, new orders are rejected with DEPENDENCY_DOWN before money moves, and open orders continue. Takes effect in every process within seconds.',
  })
  async pauseOrders(
    @Arg('input', () => PauseOrdersInput, { description: 'Environment, and notice of the pause.' })
    { environment, notice, reason }: PauseOrdersInput,
    @Ctx() context: RequestContext,
  ): Promise<OrderPausePayload> {
    return this.#set({ environment, notice, reason: reason ?? undefined }, context);
  }

  @Mutation(() => OrderPausePayload, {
    nullable: true,
    description:
      'Resumes new orders of an environment. Requires the approval of a second administrator if TWO_PEOPLE includes `switches`.',
  })
  async resumeOrders(
    @Arg('input', () => ResumeOrdersInput, { description: 'Environment whose orders are resumed.' })
    { environment, reason }: ResumeOrdersInput,
    @Ctx() context: RequestContext,
  ): Promise<OrderPausePayload> {
    return this.#set({ environment, notice: null, reason: reason ?? undefined }, context);
  }

  async #set(command: PauseCommand, context: RequestContext): Promise<OrderPausePayload> {
    const { approvalRequest } = await this.accountChanges.setOrderPause(command, actingUserOf(context));
    await this.switches.refresh();
    return {
      environment: environmentInfo(command.environment, context, this.switches),
      approvalRequest: approvalRequest ? approvalRequestView(approvalRequest) : null,
    };
  }
}
