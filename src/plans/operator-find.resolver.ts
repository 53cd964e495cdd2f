import { Arg, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { developerOf, type RequestContext } from '../core/context.js';
import { fieldError } from '../core/errors.js';
import { operatorOfName } from '../core/operators.js';
import { type Operator, operatorView } from '../graphql-toolkit/code-tables.types.js';
import { MobileOpcodeEnum } from '../graphql-toolkit/opcodes.js';
import { chargedView } from '../orders/charged-lookup.js';
import type { PlanService } from './plan.service.js';
import { OperatorFindInput, OperatorFindResult, PlansResult, plansView } from './plan.types.js';

@Resolver(() => OperatorFindResult)
export class OperatorFindResolver {
  readonly #plans: PlanService;

  constructor(plans: PlanService) {
    this.#plans = plans;
  }

  @Query(() => OperatorFindResult, {
    nullable: true,
    description: 'Finds the operator and circle of a mobile number. Charged per call.',
  })
  async operatorFind(
    @Arg('input', () => OperatorFindInput, { description: 'Mobile number to look up.' }) input: OperatorFindInput,
    @Ctx() context: RequestContext,
  ): Promise<OperatorFindResult> {
    const result = await this.#plans.lookUp(developerOf(context), 'operatorFetch', input);
    const { number, company, circle, circleCode } = result.value;
    return {
      ...chargedView(result, context),
      mobile: number,
      fullMobile: input.mobile,
      operatorName: company,
      operator: operatorOfCompany(company) ?? null,
      circle: { code: circleCode, name: circle },
      clientRequestId: input.clientRequestId ?? null,
    };
  }

  /** Looks up the plans. Throws VALIDATION_FAILED for `opcode`, before any charge, if the company is not in our table. */
  @FieldResolver(() => PlansResult, {
    nullable: true,
    description:
      'Plans of the operator and circle that were found. Charged as one plan lookup. `opcode` overrides the operator. For BSNL, the default is BT.',
  })
  async plans(
    @Root() { fullMobile, operator, circle, clientRequestId }: OperatorFindResult,
    @Arg('opcode', () => MobileOpcodeEnum, {
      nullable: true,
      description: 'Opcode to use instead of the operator that was found.',
    })
    opcode: string | undefined,
    @Ctx() context: RequestContext,
  ): Promise<PlansResult> {
    const chosenOpcode = opcode ?? operator?.opcode;
    if (!chosenOpcode)
      throw fieldError('opcode', 'REQUIRED', 'Required because the operator that was found has no known opcode.');
    const query = {
      mobile: fullMobile,
      opcode: chosenOpcode,
      circleCode: circle.code,
      clientRequestId: clientRequestId ?? undefined,
    };
    return plansView(await this.#plans.lookUp(developerOf(context), 'mobilePlans', query), query, context);
  }
}

function operatorOfCompany(company: string): Operator | undefined {
  const operator = operatorOfName(company);
  return operator?.type === 'mobile' ? operatorView(operator) : undefined;
}
