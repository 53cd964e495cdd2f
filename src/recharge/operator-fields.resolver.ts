import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../core/context.js';
import type { Paise } from '../core/money.js';
import { Operator } from '../graphql-toolkit/code-tables.types.js';
import { Rupees } from '../graphql-toolkit/scalars.js';
import type { RechargePorts } from '../providers/providers.js';

/** Fields of an operator that depend on the recharge provider and the limits of this service. */
@Resolver(() => Operator)
export class OperatorFieldsResolver {
  constructor(
    private readonly ports: RechargePorts,
    private readonly maxAmountPaise: Paise,
  ) {}

  @FieldResolver(() => Boolean, {
    description: 'Whether your recharge provider supports the operator and is reachable. Always true in the console.',
  })
  available(@Root() { spKey, type }: Operator, @Ctx() { principal }: RequestContext): boolean {
    if (principal?.kind !== 'developer') return true;
    const port = this.ports.of(principal.environment, principal.rechargeProvider);
    return port.available && port.operatorProblem(spKey, type) === undefined;
  }

  @FieldResolver(() => Rupees, { nullable: true, description: 'Maximum recharge amount, in rupees.' })
  maxAmount(): Paise {
    return this.maxAmountPaise;
  }
}
