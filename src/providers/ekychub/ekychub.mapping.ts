import { z } from 'zod';
import { circleOf, circleOfCode } from '../../core/circles.js';
import { rupeesNumber } from '../../core/money.js';
import type { ProviderAnswer } from '../http-client.js';
import type { Outcome } from '../outcome.js';
import type {
  DthCustomerInfo,
  OperatorDetection,
  PlanCall,
  PlanGroups,
  PlanQuery,
  PlanValue,
} from '../ports/plans.port.js';
import { judgeByShape, type StatusWords } from '../verdict.js';
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

/** EkycHub answers HTTP 200 for failures too: the word decides. */
const statusWords: StatusWords = new Map([
  ['success', 'success'],
  ['true', 'success'],
  ['failure', 'failure'],
  ['false', 'failure'],
]);

const DIGITS_SHOWN = 7;

/**
 * The number as the provider masks it ("9468455xxx"). When it is missing or shows more than seven digits, ours takes its
 * place, masked the same way: a full number is never passed on.
 */
function maskedNumber(given: string, mobile: string): string {
  const isMasked = /^[\dx*]{4,20}$/i.test(given) && given.replace(/\D/g, '').length <= DIGITS_SHOWN;
  return isMasked ? given : mobile.slice(0, DIGITS_SHOWN).padEnd(mobile.length, 'x');
}

/**
 * The code keeps its leading zero ("06") whether it came as 6, "6" or "06"; without a usable one the circle's name decides, and
 * the other way round. Codes that are not listed (interface.md 2.12) pass through.
 */
function circleOfAnswer(name: string, code: string): { circle: string; circleCode: string } | undefined {
  const hasCode = /^\d{1,3}$/.test(code) && Number(code) > 0;
  const circleCode = hasCode ? String(Number(code)).padStart(2, '0') : circleOf(name)?.code;
  const circle = name || circleOfCode(circleCode ?? '')?.name;
  return circle && circleCode ? { circle, circleCode } : undefined;
}

/** @param mobile the number that was asked about, for the mask */
const detectionShape = (mobile: string) =>
  wireObject({
    number: wireTextOrEmpty,
    company: wireFilledText,
    circle: wireTextOrEmpty,
    circle_code: wireTextOrEmpty,
  }).transform((body, context): OperatorDetection => {
    const circle = circleOfAnswer(body.circle, body.circle_code);
    if (circle) return { number: maskedNumber(body.number, mobile), company: body.company, ...circle };
    context.addIssue('no circle');
    return z.NEVER;
  });

const judgeDetection = (answer: ProviderAnswer, mobile: string): Outcome<OperatorDetection> =>
  judgeByShape(answer, statusWords, detectionShape(mobile));

type Plan = PlanGroups['groups'][number]['plans'][number];

/** A plan without a usable price cannot be recharged: it is left out, the rest stays. */
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
/** Of an operator in a circle, all groups together; the longest that is known has a few hundred. */
export const MAX_PLANS = 2_000;
const MAX_CUSTOMERS = 50;

/**
 * Counted before any plan is read: each costs time. A longer answer is refused and the fee given back, because a part of the plans
 * would look like all of them.
 */
function isModest(groups: unknown): boolean {
  if (groups === null || typeof groups !== 'object') return true;
  const values = Object.values(groups);
  if (values.length > MAX_GROUPS) return false;
  const entriesOf = (value: unknown): number =>
    value === null || typeof value !== 'object' ? 0 : Object.keys(value).length;
  return values.reduce((total: number, value) => total + entriesOf(value), 0) <= MAX_PLANS;
}

/** A group without plans may be null or empty text, and PHP writes an object without groups as a list. */
const nothing = z.union([z.null(), z.literal('')]);
const groupsShape = z
  .unknown()
  .refine(isModest)
  .pipe(z.union([z.tuple([]).transform(() => ({})), z.record(z.string(), z.union([nothing, wireArray(MAX_PLANS)]))]))
  .transform((data): PlanGroups['groups'] =>
    Object.entries(data).flatMap(([name, entries]) =>
      Array.isArray(entries) ? { name, plans: plansOf(name, entries) } : [],
    ),
  );

const planGroupsShape = wireObject({ operator: wireTextOrEmpty, data: groupsShape }).transform(
  ({ operator, data }): PlanGroups => ({ operator, groups: data }),
);

export const judgePlans = (answer: ProviderAnswer): Outcome<PlanGroups> =>
  judgeByShape(answer, statusWords, planGroupsShape);

/** More digits are no balance, and no amount of ours: what is accepted here is charged, so it has to be shown. */
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

/** A success without a customer says nothing, so it is not one. */
const customersShape = wireField('data', wireArray(MAX_CUSTOMERS).pipe(z.array(customerShape).min(1)));

export const judgeCustomers = (answer: ProviderAnswer): Outcome<DthCustomerInfo[]> =>
  judgeByShape(answer, statusWords, customersShape);

interface Lookup<Call extends PlanCall> {
  /** Below `/v3/verification`. */
  path: string;
  parameters(query: PlanQuery<Call>): Record<string, string>;
  judge(answer: ProviderAnswer, query: PlanQuery<Call>): Outcome<PlanValue<Call>>;
}

export const ekycHubLookups: { [Call in PlanCall]: Lookup<Call> } = {
  operatorFetch: {
    path: 'operator_fetch',
    parameters: ({ mobile }) => ({ mobile }),
    judge: (answer, { mobile }) => judgeDetection(answer, mobile),
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
