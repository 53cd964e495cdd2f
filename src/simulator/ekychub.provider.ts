import { type Circle, circleOfCode } from '../core/circles.js';
import { decimalText, paise } from '../core/money.js';
import { type Operator, type OperatorType, operatorOfOpcode } from '../core/operators.js';
import type { Call } from './call.js';
import { subscriberOf } from './directory.js';
import { pick } from './fingerprint.js';
import { personOf } from './people.js';
import { lookUp } from './perform.js';
import { dthPlans, mobilePlans, type PlanData } from './plan-catalogue.js';
import { json } from './reply.js';
import type { Route, Routes, World } from './world.js';

/** The provider's failures are HTTP 200. */
const failure = (message: string) => ({ status: 'Failure', message });
const badNumber = failure('Please enter correct Mobile number ');
const badSubscriber = failure('Please enter correct DTH number');
const badOperator = failure('Please enter correct opcode');

/** The company names that differ from the operator's plain name in an odd answer. */
const oddCompanies: Readonly<Record<string, string>> = {
  airtel: 'BHARTI AIRTEL',
  vi: 'VODAFONE IDEA',
  jio: 'RELIANCE JIO',
};

const companyOf = (operator: Operator): string => (operator.id === 'bsnl-topup' ? 'BSNL' : operator.name);

type Lookup = (get: (name: string) => string, world: World) => ReturnType<Route>;

/** Checks what every lookup needs before its own parameters. */
const lookup =
  (own: Lookup): Route =>
  ({ query }: Call, world) => {
    const get = (name: string): string => query.get(name) ?? '';
    const { username, token } = world.credentials.ekychub;
    if (get('username') !== username || get('token') !== token) return json(failure('Invalid username or token'));
    return get('orderid') ? own(get, world) : json(failure('Please enter orderid'));
  };

const operatorFetch: Lookup = (get, world) => {
  const mobile = get('mobile');
  const subscriber = subscriberOf(mobile);
  if (!subscriber) return json(badNumber);
  const { operator, circle } = subscriber;
  const number = `${mobile.slice(0, 7)}xxx`;
  return lookUp(world.scripts.lookupOf(mobile), {
    success: () => ({
      status: 'Success',
      number,
      company: companyOf(operator),
      circle: circle.name,
      circle_code: circle.code,
      message: 'Operator fetched Successfully',
    }),
    failure: () => badNumber,
    odd: () => ({
      status: 'SUCCESS',
      number,
      company: oddCompanies[operator.id] ?? companyOf(operator),
      circle: circle.upstream,
      circle_code: circle.code,
    }),
  });
};

/** Lower-case keys, prices as text, no kinds, and a group that is null. */
function oddPlans(operator: string, data: PlanData): object {
  const groups = Object.entries(data).map(([name, plans]) => [
    name,
    plans?.map(({ rs, validity, desc }) => ({ rs: String(rs), validity, desc })) ?? null,
  ]);
  return { status: 'SUCCESS', operator, data: { ...Object.fromEntries(groups), ROAMING: null } };
}

const planAnswer = (world: World, identifier: string, operator: Operator, failed: object, data: PlanData) => {
  const name = operator.name.toUpperCase();
  return lookUp(world.scripts.lookupOf(identifier), {
    success: () => ({ status: 'Success', Operator: name, message: 'Plans fetched Successfully', data }),
    failure: () => failed,
    odd: () => oddPlans(name, data),
  });
};

const operatorOf = (opcode: string, type: OperatorType): Operator | undefined => {
  const operator = operatorOfOpcode(opcode);
  return operator?.type === type ? operator : undefined;
};

/** Plans are made once per operator and circle. */
const mobilePlansMade = new Map<string, PlanData>();
function mobilePlansOf(operator: Operator, circle: Circle): PlanData {
  const key = `${operator.id} ${circle.code}`;
  const plans = mobilePlansMade.get(key) ?? mobilePlans(operator, circle);
  mobilePlansMade.set(key, plans);
  return plans;
}

const operatorPlanFetch: Lookup = (get, world) => {
  const mobile = get('mobile');
  if (!/^\d{10}$/.test(mobile)) return json(badNumber);
  const operator = operatorOf(get('opcode'), 'mobile');
  if (!operator) return json(badOperator);
  const circle = circleOfCode(get('circle'));
  if (!circle) return json(failure('Please enter correct circle'));
  return planAnswer(world, mobile, operator, badNumber, mobilePlansOf(operator, circle));
};

/** A DTH lookup's own parameters, checked. */
const dthLookup =
  (answer: (dthNumber: string, operator: Operator, world: World) => ReturnType<Route>): Lookup =>
  (get, world) => {
    const dthNumber = get('dth_number');
    if (!/^\w{4,32}$/.test(dthNumber)) return json(badSubscriber);
    const operator = operatorOf(get('opcode'), 'dth');
    return operator ? answer(dthNumber, operator, world) : json(badOperator);
  };

const dthPlanFetch = dthLookup((dthNumber, operator, world) =>
  planAnswer(world, dthNumber, operator, badSubscriber, dthPlans(operator)),
);

const dthInfo = dthLookup((dthNumber, operator, world) => {
  const { firstName, lastName } = personOf(dthNumber);
  const customer = {
    VC: dthNumber,
    Name: `${firstName} ${lastName}`,
    Balance: decimalText(paise(pick('dth balance', dthNumber, 60_000))),
    Minimum_recharge: String(100 + 50 * pick('dth minimum', `${operator.id} ${dthNumber}`, 5)),
  };
  return lookUp(world.scripts.lookupOf(dthNumber), {
    success: () => ({ status: 'Success', data: [customer] }),
    failure: () => badSubscriber,
    odd: () => ({
      status: 'SUCCESS',
      data: [
        {
          vc: customer.VC,
          name: customer.Name,
          balance: Number(customer.Balance),
          minimum_recharge: Number(customer.Minimum_recharge),
        },
      ],
    }),
  });
});

export const ekychubRoutes: Routes = {
  '/v3/verification/operator_fetch': { method: 'GET', handle: lookup(operatorFetch) },
  '/v3/verification/operator_plan_fetch': { method: 'GET', handle: lookup(operatorPlanFetch) },
  '/v3/verification/dth_plan_fetch': { method: 'GET', handle: lookup(dthPlanFetch) },
  '/v3/verification/dth_info': { method: 'GET', handle: lookup(dthInfo) },
};
