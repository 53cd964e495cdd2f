import { Arg, Ctx, Query, Resolver } from 'type-graphql';
import { ServiceAccess } from '../accounts/developers/developer.types.js';
import { banks } from '../core/banks.js';
import { circles } from '../core/circles.js';
import { developerOf, type RequestContext } from '../core/context.js';
import { type OperatorType, operators } from '../core/operators.js';
import { feeOf } from '../core/principal.js';
import { services } from '../core/services.js';
import { Bank, Circle, Operator, operatorView } from '../graphql-toolkit/code-tables.types.js';
import { OperatorTypeEnum } from '../graphql-toolkit/graphql-types.js';
import { Entries, WITH_PARENT } from '../graphql-toolkit/rows.js';

const byName = (a: { name: string }, b: { name: string }): number => a.name.localeCompare(b.name, 'en');
const OPERATORS = operators.map(operatorView);
const CIRCLES = circles.map(({ code, name }) => ({ code, name })).toSorted(byName);
const BANKS = banks.toSorted(byName);

/** Codes and names that a page can offer before it calls a provider. They are free of charge. */
@Resolver()
export class CodeTablesResolver {
  @Query(() => [Operator], {
    nullable: true,
    description: 'Operators whose numbers can be recharged, in display order.',
  })
  @Entries(WITH_PARENT)
  operators(
    @Arg('type', () => OperatorTypeEnum, {
      nullable: true,
      description: 'Type of the operators. Omit to list all operators.',
    })
    type: OperatorType | undefined,
  ): Operator[] {
    return OPERATORS.filter((operator) => !type || operator.type === type);
  }

  @Query(() => [Circle], { nullable: true, description: 'Telecom circles, sorted by name.' })
  @Entries(WITH_PARENT)
  circles(): Circle[] {
    return CIRCLES;
  }

  @Query(() => [Bank], { nullable: true, description: 'Banks whose card bills can be paid, sorted by name.' })
  @Entries(WITH_PARENT)
  banks(): Bank[] {
    return BANKS;
  }
}

/** Services of the caller, with their fees. */
@Resolver()
export class OwnServicesResolver {
  @Query(() => [ServiceAccess], {
    nullable: true,
    description: 'Services of the account, with access and fee per call in this environment.',
  })
  @Entries(WITH_PARENT)
  services(@Ctx() context: RequestContext): ServiceAccess[] {
    return ownServices(developerOf(context));
  }
}

/** Returns the services that an application of an account can call, with the fees in its environment. */
export const ownServices = (principal: ReturnType<typeof developerOf>): ServiceAccess[] =>
  services.map((service) => ({
    developerId: principal.developerId,
    service,
    enabled: principal.services.get(service)?.enabled ?? false,
    fee: feeOf(principal, service),
  }));
