import { opcodesOf } from '../../core/operators.js';
import type { DthInfoQuery, DthPlansQuery, MobilePlansQuery, OperatorFindQuery } from '../generated/graphql.js';
import type { RestAnswer, RestField, RestRoute, Result } from '../route.js';

type Plans = Result<MobilePlansQuery> | Result<DthPlansQuery>;
type Charged = Pick<Plans, 'message' | 'fee' | 'walletBalance'>;

/** The envelope (interface.md 2.1) of a lookup: every one answers its fee and the balance beside the data. */
const charged = ({ message, fee, walletBalance }: Charged, data: object): RestAnswer => ({
  body: { status: 'success', message, fee, wallet_balance: walletBalance, data },
});

const plansAnswer = (result: Plans): RestAnswer =>
  charged(result, {
    plans: Object.fromEntries(
      result.groups.map(({ name, plans }) => [
        name,
        plans.map(({ price, type, description, validity }) => ({ rs: price, Type: type, desc: description, validity })),
      ]),
    ),
    orderid: result.orderId,
    operator: result.operator,
  });

/** What the four rows have in common. */
const lookup = (row: Pick<RestRoute, 'path' | 'operation' | 'fields' | 'example' | 'answer'>): RestRoute => ({
  method: 'POST',
  validationStatus: 422,
  ...row,
  fields: { ...row.fields, orderid: { to: 'input.orderId', kind: 'text' } },
});

const mobile: RestField = { to: 'input.mobile', kind: 'text' };
const dth: Record<string, RestField> = {
  dth_number: { to: 'input.dthNumber', kind: 'text' },
  opcode: { to: 'input.opcode', kind: opcodesOf('dth') },
};
const dthExample = { dth_number: '07210298754', opcode: 'STV', orderid: 'DTH-1' };

/** The lookups (interface.md 4.6 to 4.9). */
export const planRoutes: readonly RestRoute[] = [
  lookup({
    path: '/api/v1/plan/operator-fetch',
    operation: 'OperatorFind',
    fields: { mobile },
    example: { mobile: '9468455123', orderid: 'FIND-1' },
    answer: (found: Result<OperatorFindQuery>) =>
      charged(found, {
        circle: found.circle,
        circle_code: found.circleCode,
        company: found.company,
        number: found.number,
        orderid: found.orderId,
      }),
  }),
  lookup({
    path: '/api/v1/plan/operator-plan-fetch',
    operation: 'MobilePlans',
    fields: {
      mobile,
      opcode: { to: 'input.opcode', kind: opcodesOf('mobile') },
      circle: { to: 'input.circle', kind: 'text' },
    },
    example: { mobile: '9468455123', opcode: 'BT', circle: '96', orderid: 'PLANS-1' },
    answer: plansAnswer,
  }),
  lookup({
    path: '/api/v1/plan/dth-plan-fetch',
    operation: 'DthPlans',
    fields: dth,
    example: dthExample,
    answer: plansAnswer,
  }),
  lookup({
    path: '/api/v1/plan/dth-info',
    operation: 'DthInfo',
    fields: dth,
    example: dthExample,
    answer: (info: Result<DthInfoQuery>) =>
      charged(info, {
        orderid: info.orderId,
        customer: info.customers.map(({ subscriberNumber, name, balance, minimumRecharge }) => ({
          VC: subscriberNumber,
          Name: name,
          Balance: balance,
          Minimum_recharge: minimumRecharge,
        })),
      }),
  }),
];
