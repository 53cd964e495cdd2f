import type { Environment } from '../../src/core/environment.js';
import { paiseFromNumber } from '../../src/core/money.js';
import { type Service, services } from '../../src/core/services.js';
import { dthInfo, dthPlanFetch, operatorFetch, operatorPlanFetch } from '../rest/schemas/plans.schemas.js';
import type { TestApp, TestDeveloper, TestResponse } from '../support/app.js';

export type Body = Record<string, unknown>;
type Dashed<Name extends string> = Name extends `${infer Head}_${infer Tail}` ? `${Head}-${Dashed<Tail>}` : Name;
/** Every service except those of bills and leads is a lookup with a path of the same name. */
export type LookupName = Dashed<Exclude<Service, 'credit_card_fetch' | 'lead_generation'>>;

interface Lookup {
  field: string;
  inputType: string;
  selection: string;
  /** A valid request body. */
  body: Body;
  /** Field of the body that the provider or sandbox uses for magic numbers. */
  identifier: 'mobile' | 'dth_number';
  feePaise: number;
  /** Expected response body, derived from the interface document. */
  schema: object;
  /** REST `data` rebuilt from the GraphQL result. */
  dataOf: (result: any) => object;
}

const plansOf = (result: {
  operatorName: string;
  clientRequestId: string;
  groups: { name: string; plans: { price: number; type: string; description: string; validity: string }[] }[];
}) => {
  const plans: Record<string, object[]> = {};
  for (const { name, plans: list } of result.groups)
    plans[name] = list.map((plan) => ({
      rs: plan.price,
      Type: plan.type,
      desc: plan.description,
      validity: plan.validity,
    }));
  return { plans, orderid: result.clientRequestId, operator: result.operatorName };
};
const planSelection = 'clientRequestId operatorName groups { name plans { price type description validity } }';

/** The lookups (interface.md 4.6 to 4.9) with their names in both APIs. */
export const lookups: Readonly<Record<LookupName, Lookup>> = {
  'operator-fetch': {
    field: 'operatorFind',
    inputType: 'OperatorFindInput',
    selection: 'clientRequestId mobile operatorName circle { code name }',
    body: { mobile: '9468455123', orderid: 'OPF-1' },
    identifier: 'mobile',
    feePaise: 10,
    schema: operatorFetch,
    dataOf: ({ clientRequestId, mobile, operatorName, circle }) => ({
      circle: circle.name,
      circle_code: circle.code,
      company: operatorName,
      number: mobile,
      orderid: clientRequestId,
    }),
  },
  'operator-plan-fetch': {
    field: 'mobilePlans',
    inputType: 'MobilePlansInput',
    selection: planSelection,
    body: { mobile: '9468455123', opcode: 'BT', circle: '06', orderid: 'OPP-1' },
    identifier: 'mobile',
    feePaise: 25,
    schema: operatorPlanFetch,
    dataOf: plansOf,
  },
  'dth-plan-fetch': {
    field: 'dthPlans',
    inputType: 'DthLookupInput',
    selection: planSelection,
    body: { dth_number: '07210298754', opcode: 'STV', orderid: 'DPL-1' },
    identifier: 'dth_number',
    feePaise: 13,
    schema: dthPlanFetch,
    dataOf: plansOf,
  },
  'dth-info': {
    field: 'dthInfo',
    inputType: 'DthLookupInput',
    selection: 'clientRequestId customers { subscriberNumber name balance minimumRecharge }',
    body: { dth_number: '07210298754', opcode: 'STV', orderid: 'DIN-1' },
    identifier: 'dth_number',
    feePaise: 7,
    schema: dthInfo,
    dataOf: ({ clientRequestId, customers }) => ({
      orderid: clientRequestId,
      customer: customers.map(({ subscriberNumber, name, balance, minimumRecharge }: any) => ({
        VC: subscriberNumber,
        Name: name,
        Balance: balance.toFixed(2),
        Minimum_recharge: String(minimumRecharge),
      })),
    }),
  },
};
export const lookupNames = Object.keys(lookups) as LookupName[];

export const serviceOf = (name: LookupName): Service =>
  services.find((service) => service.replaceAll('_', '-') === name)!;

/** A different fee for each lookup, in paise, so that a mix-up is detected. */
export const feesPaise: Partial<Record<Service, number>> = Object.fromEntries(
  lookupNames.map((name) => [serviceOf(name), lookups[name].feePaise]),
);

const graphqlNames: Record<string, string> = { orderid: 'clientRequestId', dth_number: 'dthNumber' };
const restNames: Record<string, string> = { clientRequestId: 'orderid', dthNumber: 'dth_number' };

/** Outcome of a lookup over either API. */
export type Outcome =
  | { data: object; fee: number; balance: number; replayed: boolean }
  | { code: string; message: string; fields: Record<string, string[]> };

export const viaRest = (
  test: TestApp,
  environment: Environment,
  developer: TestDeveloper,
  name: LookupName,
  body: Body,
): Promise<TestResponse> => test.rest(environment, 'POST', `/api/v1/plan/${name}`, developer.tokens[environment], body);

export function viaGraphql(
  test: TestApp,
  environment: Environment,
  developer: TestDeveloper,
  name: LookupName,
  body: Body,
): Promise<TestResponse> {
  const { field, inputType, selection } = lookups[name];
  const input = Object.fromEntries(Object.entries(body).map(([key, value]) => [graphqlNames[key] ?? key, value]));
  const query = `query($input: ${inputType}!) {
    result: ${field}(input: $input) { fee replayed wallet { balance } ${selection} }
  }`;
  return test.graphql(environment, developer.tokens[environment], query, { input });
}

export function restOutcome({ headers, body }: TestResponse): Outcome {
  if (body.status === 'success') {
    const replayed = headers.get('idempotent-replayed') === 'true';
    return { data: body.data, fee: body.fee, balance: body.wallet_balance, replayed };
  }
  return { code: body.code, message: body.message, fields: body.errors ?? {} };
}

export function graphqlOutcome(name: LookupName, { body }: TestResponse): Outcome {
  const result = body.data?.result;
  if (result)
    return {
      data: lookups[name].dataOf(result),
      fee: result.fee,
      balance: result.wallet.balance,
      replayed: result.replayed,
    };
  const [{ message, extensions }] = body.errors;
  const fields: [string, string[]][] = (extensions.fields ?? []).map(
    ({ path, message: text }: { path: string; message: string }) => {
      const field = path.replace(/^input\./, '');
      return [restNames[field] ?? field, [text]];
    },
  );
  // the message contains the first invalid field with its name in the API
  const first = fields[0];
  return {
    code: extensions.code,
    message: first ? `${first[0]}: ${first[1][0]}` : message,
    fields: Object.fromEntries(fields),
  };
}

/** Transfers of a developer, oldest first, without the opening credit. */
export const transfersOf = (test: TestApp, { id }: TestDeveloper) =>
  test.db.query<{ kind: string; operation: string; paise: number; balance: string | null }>(
    `select kind, operation, amount_paise::int as paise, balance_after_paise::text as balance from transfer
      where developer_id = $1 and kind <> 'top_up' order by transfer.created_at, transfer.step`,
    [id],
  );

/** Converts rupees from a JSON number to paise, so that balances can be compared exactly. */
export const inPaise = (rupees: number): number => Number(paiseFromNumber(rupees));
