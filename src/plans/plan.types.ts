import { hash } from 'node:crypto';
import { Field, ID } from 'type-graphql';
import type { RequestContext } from '../core/context.js';
import { type Paise, paise, paiseFromNumber, ZERO } from '../core/money.js';
import { operatorOfOpcode } from '../core/operators.js';
import { canonicalJson } from '../core/secret.js';
import { Circle, Operator, operatorView } from '../graphql-toolkit/code-tables.types.js';
import { Output } from '../graphql-toolkit/graphql-types.js';
import { DthOpcodeEnum, MobileOpcodeEnum } from '../graphql-toolkit/opcodes.js';
import { Entries, WITH_PARENT } from '../graphql-toolkit/rows.js';
import { Input, ListedCircle, TenDigits, Text } from '../graphql-toolkit/rules.js';
import { CircleCode, Rupees } from '../graphql-toolkit/scalars.js';
import { Charged } from '../ledger/charged.types.js';
import { chargedView, type LookupAnswer } from '../orders/charged-lookup.js';
import type { DthCustomerInfo, PlanGroups } from '../providers/ports/plans.port.js';

const KEY =
  'Your id of the lookup: an equal request within ten minutes gets the same data again, free of charge. So do equal requests without one.';

@Input({ description: 'The operator of which mobile number is looked for.' })
export class OperatorFindInput {
  @Field({ description: 'Exactly 10 digits.' })
  @TenDigits()
  mobile!: string;

  @Field(() => String, { nullable: true, description: KEY })
  @Text(100)
  clientRequestId?: string;
}

@Input({ description: 'The plans of which mobile number, operator and circle are asked for.' })
export class MobilePlansInput {
  @Field({ description: 'Exactly 10 digits.' })
  @TenDigits()
  mobile!: string;

  @Field(() => MobileOpcodeEnum, { description: 'The operator, as operatorFind returns it.' })
  opcode!: string;

  @Field(() => CircleCode, { description: 'The circle, as operatorFind returns it.' })
  @ListedCircle()
  circle!: string;

  @Field(() => String, { nullable: true, description: KEY })
  @Text(100)
  clientRequestId?: string;
}

@Input({ description: 'Which DTH subscription is asked about.' })
export class DthLookupInput {
  @Field({ description: 'Subscriber or VC number, at most 32 characters.' })
  @Text(32)
  dthNumber!: string;

  @Field(() => DthOpcodeEnum, { description: 'The DTH operator.' })
  opcode!: string;

  @Field(() => String, { nullable: true, description: KEY })
  @Text(100)
  clientRequestId?: string;
}

@Output({ description: 'The operator and circle of a mobile number.', implements: Charged })
export class OperatorFindResult extends Charged {
  /** The whole number, for the nested plan lookup; only the masked one is shown. */
  wholeMobile!: string;

  @Field(() => String, { nullable: true, description: 'Echo of the request; null when it had none.' })
  clientRequestId!: string | null;

  @Field({ description: 'The mobile number, partially masked.' })
  mobile!: string;

  @Field({ description: 'Name of the operator, as the provider writes it.' })
  operatorName!: string;

  @Field(() => Operator, {
    nullable: true,
    description: 'The operator to recharge with; null when its name is not in our table.',
  })
  operator!: Operator | null;

  @Field(() => Circle, { description: 'The circle, its name as the provider writes it.' })
  circle!: Circle;
}

@Output({ description: 'A recharge plan.' })
export class Plan {
  @Field(() => ID, { description: 'Follows from what the plan is: the same plan has the same id.' })
  id!: string;

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
  @Entries(WITH_PARENT)
  plans!: Plan[];
}

@Output({ description: 'The plans of an operator.', implements: Charged })
export class PlansResult extends Charged {
  /** What `groups` chooses from. */
  found!: PlanGroups['groups'];
  /** What the ids of its plans begin with. */
  opcode!: string;

  @Field(() => String, { nullable: true, description: 'Echo of the request; null when it had none.' })
  clientRequestId!: string | null;

  @Field({ description: 'Name of the operator, as the provider writes it.' })
  operatorName!: string;

  @Field(() => Operator, { nullable: true, description: 'The operator that was asked for.' })
  operator!: Operator | null;
}

@Output({ description: 'A DTH subscriber as the operator knows them.' })
export class DthCustomer {
  @Field({ description: 'Subscriber or VC number.' })
  subscriberNumber!: string;

  @Field({ description: 'Name of the subscriber.' })
  name!: string;

  @Field(() => Rupees, { description: 'Balance in rupees.' })
  balance!: Paise;

  @Field(() => Rupees, {
    nullable: true,
    description: 'Least amount of a recharge in rupees, if the operator says one.',
  })
  minimumRecharge!: Paise | null;
}

@Output({ description: 'Whom a DTH subscription belongs to.', implements: Charged })
export class DthInfoResult extends Charged {
  @Field(() => String, { nullable: true, description: 'Echo of the request; null when it had none.' })
  clientRequestId!: string | null;

  @Field(() => [DthCustomer], { description: 'The subscribers with this number, usually one.' })
  @Entries(WITH_PARENT)
  customers!: DthCustomer[];
}

export function plansView(
  answer: LookupAnswer<PlanGroups>,
  { clientRequestId, opcode }: { clientRequestId?: string | undefined; opcode: string },
  context: RequestContext,
): PlansResult {
  const operator = operatorOfOpcode(opcode);
  return {
    ...chargedView(answer, context),
    clientRequestId: clientRequestId ?? null,
    // a provider that names no operator gets the name of the opcode
    operatorName: answer.value.operator || (operator?.name ?? opcode),
    operator: operator ? operatorView(operator) : null,
    opcode,
    found: answer.value.groups,
  };
}

export const customerView = ({ subscriberNumber, name, balance, minimumRecharge }: DthCustomerInfo): DthCustomer => ({
  subscriberNumber,
  name,
  balance: nearestPaise(balance),
  minimumRecharge: minimumRecharge === '' ? null : nearestPaise(minimumRecharge),
});

/** Of decimal text; what is finer than a paisa is nobody's money. */
const nearestPaise = (text: string): Paise => paise(Math.round(Number(text) * 100));

type FoundPlan = PlanGroups['groups'][number]['plans'][number];

/** Providers give plans no ids, and list them anew each time: what a plan is says which one it is. */
export class ListedPlan implements Plan {
  readonly #opcode: string;
  readonly #group: string;

  constructor(
    opcode: string,
    group: string,
    private readonly plan: FoundPlan,
  ) {
    this.#opcode = opcode;
    this.#group = group;
  }

  get id(): string {
    const what = canonicalJson([this.#opcode, this.#group, this.plan]);
    return `pln_${hash('sha256', what, 'base64url').slice(0, 22)}`;
  }

  get price(): Paise {
    // the port promises at most two decimals, so every price has an amount
    return paiseFromNumber(this.plan.price) ?? ZERO;
  }

  get type(): string {
    return this.plan.type;
  }

  get description(): string {
    return this.plan.description;
  }

  get validity(): string {
    return this.plan.validity;
  }
}
