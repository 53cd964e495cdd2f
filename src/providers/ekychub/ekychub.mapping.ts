import { z } from 'zod';
import { circleOf, circleOfCode } from '../../core/circles.js';
import { rupeesNumber } from '../../core/money.js';
import type { ProviderResponse } from '../http-client.js';
import type { Outcome } from '../outcome.js';
import { judgeByShape, type StatusWords } from '../outcome-factory.js';
import type {
  DthCustomerInfo,
  OperatorDetection,
  PlanCall,
  PlanGroups,
  PlanQuery,
  PlanValue,
} from '../ports/plans.port.js';
import {
  lowerKeys,
  paiseOf,
  textOrEmptyOf,
  wireArray,
  wireField,
  wireFilledText,
  wireObject,
  wireText,
  wireTextOrEmpty,
} from '../wire.js';

/** EkycHub also returns HTTP 200 for failures, so the outcome depends on `status`. */
const statusWords: StatusWords = new Map([
  ['success', 'success'],
  ['true', 'success'],
  ['failure', 'failure'],
  ['false', 'failure'],
]);

const VISIBLE_DIGITS = 7;

/**
 * Returns the number as masked by the provider ("9468455xxx"). If it is missing or shows more than seven digits, our number is
 * masked in the same way. A full number is never returned.
 */
function maskedNumber(reportedNumber: string, mobile: string): string {
  const isMasked = /^[\dx*]{4,20}$/i.test(reportedNumber) && reportedNumber.replace(/\D/g, '').length <= VISIBLE_DIGITS;
  return isMasked ? reportedNumber : mobile.slice(0, VISIBLE_DIGITS).padEnd(mobile.length, 'x');
}

/**
 * Returns the circle of a response. The code keeps its leading zero ("06"), whether the response contains 6, "6" or "06". If the
 * code is unusable, it is derived from the name of the circle, and vice versa. Unlisted codes (interface.md 2.12) are returned
 * unchanged.
 */
function circleOfResponse(name: string, code: string): { circle: string; circleCode: string } | undefined {
  const hasCode = /^\d{1,3}$/.test(code) && Number(code) > 0;
  const circleCode = hasCode ? String(Number(code)).padStart(2, '0') : circleOf(name)?.code;
  const circle = name || circleOfCode(circleCode ?? '')?.name;
  return circle && circleCode ? { circle, circleCode } : undefined;
}

/**
 * Returns the shape of a detection response.
 * @param mobile requested number, for the mask
 */
const detectionShape = (mobile: string) =>
  wireObject({
    number: wireTextOrEmpty,
    company: wireFilledText,
    circle: wireTextOrEmpty,
    circle_code: wireTextOrEmpty,
  }).transform((body, context): OperatorDetection => {
    const circle = circleOfResponse(body.circle, body.circle_code);
    if (circle) return { number: maskedNumber(body.number, mobile), company: body.company, ...circle };
    context.addIssue('no circle');
    return z.NEVER;
  });

const judgeDetection = (response: ProviderResponse, mobile: string): Outcome<OperatorDetection> =>
  judgeByShape(response, statusWords, detectionShape(mobile));

type Plan = PlanGroups['groups'][number]['plans'][number];

/** Parses a plan. Plans without a usable price cannot be recharged, so they are omitted. */
function planOf(groupName: string, entry: unknown): Plan | undefined {
  const body = lowerKeys(entry);
  const price = paiseOf(body?.rs);
  if (!body || price === undefined || price <= 0n) return undefined;
  const [type, description, validity] = [body.type, body.desc, body.validity].map(textOrEmptyOf);
  if (type === undefined || description === undefined || validity === undefined) return undefined;
  return {
    price: rupeesNumber(price),
    type: (type || groupName).toLowerCase(),
    description,
    validity: validity || 'NA',
  };
}

const plansOf = (groupName: string, entries: unknown[]): Plan[] =>
  entries.flatMap((entry) => planOf(groupName, entry) ?? []);

export const MAX_GROUPS = 200;
/** Maximum number of plans for an operator in a circle, in all groups together. The longest known list has a few hundred. */
export const MAX_PLANS = 2_000;
const MAX_CUSTOMERS = 50;

/**
 * Returns whether the number of plans is within the limit. This is checked before the plans are parsed, because each one takes
 * time. A longer response is rejected and the fee refunded, because a truncated list would look complete.
 */
function isWithinLimits(groups: unknown): boolean {
  if (groups === null || typeof groups !== 'object') return true;
  const values = Object.values(groups);
  if (values.length > MAX_GROUPS) return false;
  const entriesOf = (value: unknown): number =>
    value === null || typeof value !== 'object' ? 0 : Object.keys(value).length;
  return values.reduce((total: number, value) => total + entriesOf(value), 0) <= MAX_PLANS;
}

/** A group without plans can be null or an empty string, and PHP encodes an object without groups as a list. */
const emptyValue = z.union([z.null(), z.literal('')]);
const groupsShape = z
  .unknown()
  .refine(isWithinLimits)
  .pipe(z.union([z.tuple([]).transform(() => ({})), z.record(z.string(), z.union([emptyValue, wireArray(MAX_PLANS)]))]))
  .transform((data): PlanGroups['groups'] =>
    Object.entries(data).flatMap(([name, entries]) =>
      Array.isArray(entries) ? { name, plans: plansOf(name, entries) } : [],
    ),
  );

const planGroupsShape = wireObject({ operator: wireTextOrEmpty, data: groupsShape }).transform(
  ({ operator, data }): PlanGroups => ({ operator, groups: data }),
);

export const judgePlans = (response: ProviderResponse): Outcome<PlanGroups> =>
  judgeByShape(response, statusWords, planGroupsShape);

/**
 * Text of a balance or an amount. Longer text is rejected, because accepted values are charged and must be short enough to
 * display.
 */
const decimalText = wireText.refine((text) => /^-?\d{1,13}(\.\d+)?$/.test(text));

const customerShape = wireObject({
  vc: wireFilledText,
  name: wireTextOrEmpty,
  balance: decimalText,
  minimum_recharge: z.union([decimalText, wireTextOrEmpty.refine((text) => text === '')]),
}).transform(
  (customer): DthCustomerInfo => ({
    subscriberNumber: customer.vc,
    name: customer.name,
    balance: customer.balance,
    minimumRecharge: customer.minimum_recharge,
  }),
);

/** Customers of a response. A success without a customer contains no information, so it is rejected. */
const customersShape = wireField('data', wireArray(MAX_CUSTOMERS).pipe(z.array(customerShape).min(1)));

export const judgeCustomers = (response: ProviderResponse): Outcome<DthCustomerInfo[]> =>
  judgeByShape(response, statusWords, customersShape);

interface Lookup<Call extends PlanCall> {
  /** Path below `/v3/verification`. */
  path: string;
  parameters(query: PlanQuery<Call>): Record<string, string>;
  judge(response: ProviderResponse, query: PlanQuery<Call>): Outcome<PlanValue<Call>>;
}

export const ekycHubLookups: { [Call in PlanCall]: Lookup<Call> } = {
  operatorFetch: {
    path: 'operator_fetch',
    parameters: ({ mobile }) => ({ mobile }),
    judge: (response, { mobile }) => judgeDetection(response, mobile),
  },
  mobilePlans: {
    path: 'operator_plan_fetch',
    parameters: ({ mobile, opcode, circleCode }) => ({ mobile, opcode, circle: circleCode }),
    judge: judgePlans,
  },
  dthPlans: {
    path: 'dth_plan_fetch',
    parameters: ({ dthNumber, opcode }) => ({ dth_number: dthNumber, opcode }),
    judge: judgePlans,
  },
  dthInfo: {
    path: 'dth_info',
    parameters: ({ dthNumber, opcode }) => ({ dth_number: dthNumber, opcode }),
    judge: judgeCustomers,
  },
};
