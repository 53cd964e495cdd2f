import { hash } from 'node:crypto';
import type { RequestContext } from '../core/context.js';
import { type Paise, paise, paiseFromNumber, ZERO } from '../core/money.js';
import { operatorOfOpcode } from '../core/operators.js';
import { canonicalJson } from '../core/secret.js';
import { operatorView } from '../graphql-toolkit/code-tables.types.js';
import { chargedView, type LookupAnswer } from '../orders/charged-lookup.js';
import type { DthCustomerInfo, PlanGroups } from '../providers/ports/plans.port.js';
import type { DthCustomer, Plan, PlansResult } from './plan.types.js';

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
