import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../core/context.js';
import type { Paise } from '../core/money.js';
import { Operator } from '../graphql-toolkit/code-tables.types.js';
import { Rupees } from '../graphql-toolkit/scalars.js';
import type { RechargePorts } from '../providers/providers.js';

/** What recharges with an operator depend on here. */
@Resolver(() => Operator)
export class OperatorFieldsResolver {
  constructor(
    private readonly ports: RechargePorts,
    private readonly maxAmountPaise: Paise,
  ) {}

  @FieldResolver(() => Boolean, {
    description:
      'Whether the provider that recharges for you takes it, and can be reached; on the console always true.',
  })
  available(@Root() { spKey, type }: Operator, @Ctx() { principal }: RequestContext): boolean {
    if (principal?.kind !== 'developer') return true;
    const port = this.ports.of(principal.environment, principal.rechargeProvider);
    return port.available && port.operatorProblem(spKey, type) === undefined;
  }

  @FieldResolver(() => Rupees, { nullable: true, description: 'The most that is taken here.' })
  maxAmount(): Paise {
    return this.maxAmountPaise;
  }
}
