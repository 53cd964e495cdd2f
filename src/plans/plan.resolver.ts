import { Arg, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { developerOf, type RequestContext } from '../core/context.js';
import { Entries, WITH_PARENT } from '../graphql-toolkit/rows.js';
import { chargedView } from '../orders/charged-lookup.js';
import type { PlanService } from './plan.service.js';
import {
  customerView,
  DthInfoResult,
  DthLookupInput,
  ListedPlan,
  MobilePlansInput,
  PlanGroup,
  PlansResult,
  plansView,
} from './plan.types.js';

@Resolver(() => PlansResult)
export class PlanResolver {
  constructor(private readonly plans: PlanService) {}

  @Query(() => PlansResult, {
    nullable: true,
    description: 'Plans of a mobile operator in a circle. Charged per call.',
  })
  async mobilePlans(
    @Arg('input', () => MobilePlansInput, { description: 'Mobile number, operator and circle.' })
    { circle, ...query }: MobilePlansInput,
    @Ctx() context: RequestContext,
  ): Promise<PlansResult> {
    const result = await this.plans.lookUp(developerOf(context), 'mobilePlans', { ...query, circleCode: circle });
    return plansView(result, query, context);
  }

  @Query(() => PlansResult, { nullable: true, description: 'Packs of a DTH operator. Charged per call.' })
  async dthPlans(
    @Arg('input', () => DthLookupInput, { description: 'DTH subscription.' }) input: DthLookupInput,
    @Ctx() context: RequestContext,
  ): Promise<PlansResult> {
    return plansView(await this.plans.lookUp(developerOf(context), 'dthPlans', input), input, context);
  }

  @Query(() => DthInfoResult, {
    nullable: true,
    description: 'Subscriber of a DTH subscription. Charged per call.',
  })
  async dthInfo(
    @Arg('input', () => DthLookupInput, { description: 'DTH subscription.' }) input: DthLookupInput,
    @Ctx() context: RequestContext,
  ): Promise<DthInfoResult> {
    const result = await this.plans.lookUp(developerOf(context), 'dthInfo', input);
    return {
      ...chargedView(result, context),
      clientRequestId: input.clientRequestId ?? null,
      customers: result.value.map(customerView),
    };
  }

  @FieldResolver(() => [PlanGroup], { description: 'Groups of plans in the provider’s order.' })
  @Entries(WITH_PARENT)
  groups(
    @Root() { found, opcode }: PlansResult,
    @Arg('names', () => [String], {
      nullable: true,
      description: 'Names of the groups to return, as spelled by the provider. Omit to return all groups.',
    })
    names: string[] | undefined,
  ): PlanGroup[] {
    const requestedNames = names && new Set(names);
    return found
      .filter(({ name }) => !requestedNames || requestedNames.has(name))
      .map(({ name, plans }) => ({
        name,
        plans: plans.map((plan) => new ListedPlan(opcode, name, plan)),
      }));
  }
}
