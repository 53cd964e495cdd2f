import { Field } from 'type-graphql';
import { Operator } from '../code-tables/code-tables.types.js';
import type { Paise } from '../core/money.js';
import { Charged, Output } from '../graphql-toolkit/graphql-types.js';
import { CircleCode, Rupees } from '../graphql-toolkit/scalars.js';
import type { PlanGroups } from '../providers/ports/plans.port.js';

@Output({ description: 'The operator and circle of a mobile number.', implements: Charged })
export class OperatorFindResult extends Charged {
  /** The whole number, for the nested plan lookup; only the masked one is shown. */
  mobile!: string;

  @Field({ description: 'Echo of the request.' })
  orderId!: string;

  @Field({ description: 'The mobile number, partially masked.' })
  number!: string;

  @Field({ description: 'Name of the operator, as the provider writes it.' })
  company!: string;

  @Field(() => Operator, {
    nullable: true,
    description: 'The operator to recharge with; null when its name is not in our table.',
  })
  operator!: Operator | null;

  @Field({ description: 'Name of the circle.' })
  circle!: string;

  @Field(() => CircleCode, { description: 'Code of the circle.' })
  circleCode!: string;
}

@Output({ description: 'A recharge plan.' })
export class Plan {
  @Field(() => Rupees, { description: 'Price in rupees.' })
  price!: Paise;

  @Field({ description: 'Lower-case kind, such as stv, data, talktime, addon or combo.' })
  type!: string;

  @Field({ description: 'What the plan gives.' })
  description!: string;

  @Field({ description: 'Text such as a number of days, or NA.' })
  validity!: string;
}

@Output({ description: 'Plans of one kind, as the provider groups them.' })
export class PlanGroup {
  @Field({ description: 'The provider’s name of the group, such as TOPUP, DATA, STV, AddOn or Combo.' })
  name!: string;

  @Field(() => [Plan], { description: 'Its plans, in the provider’s order.' })
  plans!: Plan[];
}

@Output({ description: 'The plans of an operator.', implements: Charged })
export class PlansResult extends Charged {
  /** What `groups` chooses from. */
  found!: PlanGroups['groups'];

  @Field({ description: 'Echo of the request.' })
  orderId!: string;

  @Field({ description: 'Name of the operator.' })
  operator!: string;
}

@Output({ description: 'A DTH subscriber as the operator knows them.' })
export class DthCustomer {
  @Field({ description: 'Subscriber or VC number.' })
  subscriberNumber!: string;

  @Field({ description: 'Name of the subscriber.' })
  name!: string;

  @Field({ description: 'Balance in rupees, as decimal text.' })
  balance!: string;

  @Field({ description: 'Least amount of a recharge in rupees, as numeric text.' })
  minimumRecharge!: string;
}

@Output({ description: 'Whom a DTH subscription belongs to.', implements: Charged })
export class DthInfoResult extends Charged {
  @Field({ description: 'Echo of the request.' })
  orderId!: string;

  @Field(() => [DthCustomer], { description: 'The subscribers with this number, usually one.' })
  customers!: DthCustomer[];
}
