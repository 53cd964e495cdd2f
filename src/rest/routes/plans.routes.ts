import { opcodesOf } from '../../core/operators.js';
import type { DthOpcode, MobileOpcode, MobilePlansQuery } from '../generated/documents.js';
import { chargedResponse } from '../responses.js';
import { graphql, type RestRoute, type RouteResponse, route } from '../route.js';
import { CHARGED_CALL } from '../service-codes.js';

// the GraphQL enums are created from the same table
const mobileOpcodes = opcodesOf('mobile') as Readonly<Record<string, MobileOpcode>>;
const dthOpcodes = opcodesOf('dth') as Readonly<Record<string, DthOpcode>>;

const orderid = { to: 'input.clientRequestId', kind: 'text', alsoNumber: true, required: true } as const;
const mobile = { to: 'input.mobile', kind: 'text', alsoNumber: true } as const;
const dthFields = {
  dth_number: { to: 'input.dthNumber', kind: 'text' },
  opcode: { to: 'input.opcode', kind: dthOpcodes },
  orderid,
} as const;
const dthExample = { dth_number: '07210298754', opcode: 'STV', orderid: 'DTH-1' };

const plansResponse = (found: NonNullable<MobilePlansQuery['result']>): RouteResponse =>
  chargedResponse('Plans fetched successfully.', found, {
    plans: Object.fromEntries(
      found.groups.map(({ name, plans }) => [
        name,
        plans.map(({ price, type, description, validity }) => ({ rs: price, Type: type, desc: description, validity })),
      ]),
    ),
    orderid: found.clientRequestId,
    operator: found.operatorName,
  });

/** Routes that look up operators and plans (interface.md 4.6 to 4.9). */
export const planRoutes: readonly RestRoute[] = [
  route({
    method: 'POST',
    path: '/api/v1/plan/operator-fetch',
    replays: true,
    document: graphql(`
      query OperatorFind($input: OperatorFindInput!) {
        result: operatorFind(input: $input) {
          fee
          wallet { balance }
          clientRequestId
          mobile
          operatorName
          circle { code name }
        }
      }
    `),
    codes: CHARGED_CALL,
    fields: { mobile, orderid },
    example: { mobile: '9468455123', orderid: 'FIND-1' },
    toResponse: (found) =>
      chargedResponse('Operator fetched successfully.', found, {
        circle: found.circle.name,
        circle_code: found.circle.code,
        company: found.operatorName,
        number: found.mobile,
        orderid: found.clientRequestId,
      }),
  }),
  route({
    method: 'POST',
    path: '/api/v1/plan/operator-plan-fetch',
    replays: true,
    document: graphql(`
      query MobilePlans($input: MobilePlansInput!) {
        result: mobilePlans(input: $input) {
          fee
          wallet { balance }
          clientRequestId
          operatorName
          groups { name plans { price type description validity } }
        }
      }
    `),
    codes: CHARGED_CALL,
    fields: {
      mobile,
      opcode: { to: 'input.opcode', kind: mobileOpcodes },
      circle: { to: 'input.circle', kind: 'text' },
      orderid,
    },
    example: { mobile: '9468455123', opcode: 'BT', circle: '96', orderid: 'PLANS-1' },
    toResponse: plansResponse,
  }),
  route({
    method: 'POST',
    path: '/api/v1/plan/dth-plan-fetch',
    replays: true,
    document: graphql(`
      query DthPlans($input: DthLookupInput!) {
        result: dthPlans(input: $input) {
          fee
          wallet { balance }
          clientRequestId
          operatorName
          groups { name plans { price type description validity } }
        }
      }
    `),
    codes: CHARGED_CALL,
    fields: dthFields,
    example: dthExample,
    toResponse: plansResponse,
  }),
  route({
    method: 'POST',
    path: '/api/v1/plan/dth-info',
    replays: true,
    document: graphql(`
      query DthInfo($input: DthLookupInput!) {
        result: dthInfo(input: $input) {
          fee
          wallet { balance }
          clientRequestId
          customers { subscriberNumber name balance minimumRecharge }
        }
      }
    `),
    codes: CHARGED_CALL,
    fields: dthFields,
    example: dthExample,
    toResponse: (info) =>
      chargedResponse('Customer information fetched successfully.', info, {
        orderid: info.clientRequestId,
        customer: info.customers.map(({ subscriberNumber, name, balance, minimumRecharge }) => ({
          VC: subscriberNumber,
          Name: name,
          Balance: balance.toFixed(2),
          Minimum_recharge: minimumRecharge === null ? '' : String(minimumRecharge),
        })),
      }),
  }),
];
