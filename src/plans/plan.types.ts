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
import { chargedView, type LookupResult } from '../orders/charged-lookup.js';
import type { DthCustomerInfo, PlanGroups } from '../providers/ports/plans.port.js';

const CLIENT_ID_DESCRIPTION =
  'Your ID for the lookup. An identical request within 10 minutes returns the same data free of charge. This also applies to identical requests without an ID.';

@Input({ description: 'Mobile number whose operator and circle to find.' })
export class OperatorFindInput {
  @Field({ description: 'Mobile number, exactly 10 digits.' })
  @TenDigits()
  mobile!: string;

  @Field(() => String, { nullable: true, description: CLIENT_ID_DESCRIPTION })
  @Text(100)
  clientRequestId?: string;
}

@Input({ description: 'Mobile number, operator and circle whose plans to list.' })
export class MobilePlansInput {
  @Field({ description: 'Mobile number, exactly 10 digits.' })
  @TenDigits()
  mobile!: string;

  @Field(() => MobileOpcodeEnum, { description: 'Opcode of the operator, as returned by `operatorFind`.' })
  opcode!: string;

  @Field(() => CircleCode, { description: 'Code of the circle, as returned by `operatorFind`.' })
  @ListedCircle()
  circle!: string;

  @Field(() => String, { nullable: true, description: CLIENT_ID_DESCRIPTION })
  @Text(100)
  clientRequestId?: string;
}

@Input({ description: 'DTH subscription to look up.' })
export class DthLookupInput {
  @Field({ description: 'Subscriber or VC number, at most 32 characters.' })
  @Text(32)
  dthNumber!: string;

  @Field(() => DthOpcodeEnum, { description: 'Opcode of the DTH operator.' })
  opcode!: string;

  @Field(() => String, { nullable: true, description: CLIENT_ID_DESCRIPTION })
  @Text(100)
  clientRequestId?: string;
}

@Output({ description: 'Operator and circle of a mobile number.', implements: Charged })
export class OperatorFindResult extends Charged {
  /** Full number for the nested plan lookup. Only the masked number is returned. */
  fullMobile!: string;

  @Field(() => String, { nullable: true, description: 'Your ID of the lookup. Null if the request had none.' })
  clientRequestId!: string | null;

  @Field({ description: 'Mobile number, partially masked.' })
  mobile!: string;

  @Field({ description: 'Name of the operator, as spelled by the provider.' })
  operatorName!: string;

  @Field(() => Operator, {
    nullable: true,
    description: 'Operator to use for a recharge. Null if the operator name is not known.',
  })
  operator!: Operator | null;

  @Field(() => Circle, { description: 'Circle, with its name as spelled by the provider.' })
  circle!: Circle;
}

@Output({ description: 'Recharge plan.' })
export class Plan {
  @Field(() => ID, { description: 'ID derived from the content of the plan. Identical plans have the same ID.' })
  id!: string;

  @Field(() => Rupees, { description: 'Price in rupees.' })
  price!: Paise;

  @Field({ description: 'Kind of plan in lowercase, for example stv, data, talktime, addon or combo.' })
  type!: string;

  @Field({ description: 'Benefits of the plan.' })
  description!: string;

  @Field({ description: 'Validity as text, for example a number of days, or NA.' })
  validity!: string;
}

@Output({ description: 'Plans of one kind, as grouped by the provider.' })
export class PlanGroup {
  @Field({ description: 'Name of the group at the provider, for example TOPUP, DATA, STV, AddOn or Combo.' })
  name!: string;

  @Field(() => [Plan], { description: 'Plans of the group, in the provider’s order.' })
  @Entries(WITH_PARENT)
  plans!: Plan[];
}

@Output({ description: 'Plans of an operator.', implements: Charged })
export class PlansResult extends Charged {
  /** All groups, from which `groups` selects. */
  found!: PlanGroups['groups'];
  /** Opcode in the IDs of the plans. */
  opcode!: string;

  @Field(() => String, { nullable: true, description: 'Your ID of the lookup. Null if the request had none.' })
  clientRequestId!: string | null;

  @Field({ description: 'Name of the operator, as spelled by the provider.' })
  operatorName!: string;

  @Field(() => Operator, { nullable: true, description: 'Operator of the request.' })
  operator!: Operator | null;
}

@Output({ description: 'DTH subscriber, according to the operator.' })
export class DthCustomer {
  @Field({ description: 'Subscriber or VC number.' })
  subscriberNumber!: string;

  @Field({ description: 'Name of the subscriber.' })
  name!: string;

  @Field(() => Rupees, { description: 'Balance in rupees.' })
  balance!: Paise;

  @Field(() => Rupees, {
    nullable: true,
    description: 'Minimum recharge amount in rupees. Null if the operator has none.',
  })
  minimumRecharge!: Paise | null;
}

@Output({ description: 'Subscribers of a DTH subscription.', implements: Charged })
export class DthInfoResult extends Charged {
  @Field(() => String, { nullable: true, description: 'Your ID of the lookup. Null if the request had none.' })
  clientRequestId!: string | null;

  @Field(() => [DthCustomer], { description: 'Subscribers with this number, usually one.' })
  @Entries(WITH_PARENT)
  customers!: DthCustomer[];
}

export function plansView(
  result: LookupResult<PlanGroups>,
  { clientRequestId, opcode }: { clientRequestId?: string | undefined; opcode: string },
  context: RequestContext,
): PlansResult {
  const operator = operatorOfOpcode(opcode);
  return {
    ...chargedView(result, context),
    clientRequestId: clientRequestId ?? null,
    // this uses the name of the opcode if the provider returns no operator
    operatorName: result.value.operator || (operator?.name ?? opcode),
    operator: operator ? operatorView(operator) : null,
    opcode,
    found: result.value.groups,
  };
}

export const customerView = ({ subscriberNumber, name, balance, minimumRecharge }: DthCustomerInfo): DthCustomer => ({
  subscriberNumber,
  name,
  balance: nearestPaise(balance),
  minimumRecharge: minimumRecharge === '' ? null : nearestPaise(minimumRecharge),
});

/** Converts decimal text and rounds fractions of a paisa. */
const nearestPaise = (text: string): Paise => paise(Math.round(Number(text) * 100));

type FoundPlan = PlanGroups['groups'][number]['plans'][number];

/**
 * Plan with an ID. Providers send plans without IDs and list them separately each time, so the ID is derived from the content of
 * the plan.
 */
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
    const identity = canonicalJson([this.#opcode, this.#group, this.plan]);
    return `pln_${hash('sha256', identity, 'base64url').slice(0, 22)}`;
  }

  get price(): Paise {
    // the port guarantees at most two decimals, so every price is a valid amount
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
