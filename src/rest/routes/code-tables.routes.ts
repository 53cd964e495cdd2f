import { successResponse } from '../responses.js';
import { graphql, type RestRoute, route } from '../route.js';

/** Routes of the code tables (interface.md 4.19). */
export const codeTableRoutes: readonly RestRoute[] = [
  route({
    method: 'GET',
    path: '/api/v1/operators',
    isStrict: true,
    document: graphql(`
      query Operators($type: OperatorType) {
        result: operators(type: $type) { name type spKey opcode available maxAmount }
      }
    `),
    fields: { operator_type: { to: 'type', kind: { mobile: 'MOBILE', dth: 'DTH' }, optional: true } },
    example: { operator_type: 'mobile' },
    toResponse: (operators) =>
      successResponse(
        'Operators listed.',
        operators.map(({ name, type, spKey, opcode, available, maxAmount }) => ({
          name,
          operator_type: type.toLowerCase(),
          operator_sp_key: spKey,
          opcode,
          available,
          max_amount: maxAmount,
        })),
      ),
  }),
  route({
    method: 'GET',
    path: '/api/v1/circles',
    isStrict: true,
    document: graphql(`
      query Circles {
        result: circles { code name }
      }
    `),
    fields: {},
    example: {},
    toResponse: (circles) =>
      successResponse(
        'Circles listed.',
        circles.map(({ code, name }) => ({ code, name })),
      ),
  }),
  route({
    method: 'GET',
    path: '/api/v1/banks',
    isStrict: true,
    document: graphql(`
      query Banks {
        result: banks { opcode name }
      }
    `),
    fields: {},
    example: {},
    toResponse: (banks) =>
      successResponse(
        'Banks listed.',
        banks.map(({ opcode, name }) => ({ opcode, name })),
      ),
  }),
];
