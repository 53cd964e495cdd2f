import { type Operator, type OperatorType, operatorOfOpcode } from '../core/operators.js';
import { dthCatalogue, mobileCatalogue, type SamplePlans } from '../samples/plans.js';
import { companyOf, sampleDthCustomer } from '../samples/subscribers.js';
import type { Call } from './call.js';
import { json } from './reply.js';
import { lookUp } from './scripted-replies.js';
import { subscriberOf } from './subscribers.js';
import type { Route, Routes, World } from './world.js';

/** Returns a failure. The provider returns failures with HTTP 200. */
const failure = (message: string) => ({ status: 'Failure', message });
const badNumber = failure('Please enter correct Mobile number ');
const badSubscriber = failure('Please enter correct DTH number');
const badOperator = failure('Please enter correct opcode');

/** Company names that differ from the operator's usual name in an unusual response. */
const oddCompanies: Readonly<Record<string, string>> = {
  airtel: 'BHARTI AIRTEL',
  vi: 'VODAFONE IDEA',
  jio: 'RELIANCE JIO',
};

type Lookup = (get: (name: string) => string, world: World) => ReturnType<Route>;

/** Checks the common parameters of all lookups first. */
const lookup =
  (handler: Lookup): Route =>
  ({ query }: Call, world) => {
    const get = (name: string): string => query.get(name) ?? '';
    const { username, token } = world.credentials.ekychub;
    if (get('username') !== username || get('token') !== token) return json(failure('Invalid username or token'));
    return get('orderid') ? handler(get, world) : json(failure('Please enter orderid'));
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

/** Plan in the format of EkycHub. */
interface PlanRow {
  rs: number;
  validity: string;
  desc: string;
  Type: string;
}

type PlanData = Record<string, PlanRow[] | null>;

const rowsOf = ({ groups }: SamplePlans): PlanData =>
  Object.fromEntries(
    groups.map(({ name, plans }) => [
      name,
      plans.map(({ price, validity, description, type }) => ({ rs: price, validity, desc: description, Type: type })),
    ]),
  );

const rateCutters: PlanRow[] = [
  { rs: 15, validity: '28 Days', desc: 'Local and STD calls at 30p per minute', Type: 'ratecutter' },
  { rs: 39, validity: '14 Days', desc: 'Rs. 39 Talktime, calls at 2.5p per second', Type: 'ratecutter' },
];

/** Adds an undocumented group and a group that is null, as the provider does. */
function mobileRows(plans: SamplePlans): PlanData {
  const { TOPUP, FULLTT, DATA, STV } = rowsOf(plans);
  return { TOPUP: TOPUP!, ...(FULLTT && { FULLTT }), DATA: DATA!, STV: STV!, 'RATE CUTTER': rateCutters, SMS: null };
}

/** Returns plans with lowercase keys, prices as text, no types, and a group that is null. */
function oddPlans(operator: string, data: PlanData): object {
  const groups = Object.entries(data).map(([name, plans]) => [
    name,
    plans?.map(({ rs, validity, desc }) => ({ rs: String(rs), validity, desc })) ?? null,
  ]);
  return { status: 'SUCCESS', operator, data: { ...Object.fromEntries(groups), ROAMING: null } };
}

const planReply = (world: World, identifier: string, operator: Operator, failed: object, data: PlanData) => {
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

const operatorPlanFetch: Lookup = (get, world) => {
  const mobile = get('mobile');
  if (!/^\d{10}$/.test(mobile)) return json(badNumber);
  const operator = operatorOf(get('opcode'), 'mobile');
  if (!operator) return json(badOperator);
  const plans = mobileCatalogue(operator.opcode, get('circle'));
  if (!plans) return json(failure('Please enter correct circle'));
  return planReply(world, mobile, operator, badNumber, mobileRows(plans));
};

/** Checks the parameters of a DTH lookup. */
const dthLookup =
  (respond: (dthNumber: string, operator: Operator, world: World) => ReturnType<Route>): Lookup =>
  (get, world) => {
    const dthNumber = get('dth_number');
    if (!/^\w{4,32}$/.test(dthNumber)) return json(badSubscriber);
    const operator = operatorOf(get('opcode'), 'dth');
    return operator ? respond(dthNumber, operator, world) : json(badOperator);
  };

const dthPlanFetch = dthLookup((dthNumber, operator, world) =>
  planReply(world, dthNumber, operator, badSubscriber, rowsOf(dthCatalogue(operator.opcode)!)),
);

const dthInfo = dthLookup((dthNumber, operator, world) => {
  const { name, balance, minimumRecharge } = sampleDthCustomer(operator.opcode, dthNumber);
  const customer = { VC: dthNumber, Name: name, Balance: balance, Minimum_recharge: minimumRecharge };
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
