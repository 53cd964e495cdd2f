import { wholeSeconds } from '../../core/clock.js';
import { listResponse, successResponse } from '../responses.js';
import { graphql, type RestRoute, route } from '../route.js';
import { pageFields } from './pages.js';

/** Routes of the wallet balance and statement (interface.md 4.20 and 4.22). */
export const walletRoutes: readonly RestRoute[] = [
  route({
    method: 'GET',
    path: '/api/v1/wallet/balance',
    isStrict: true,
    document: graphql(`
      query WalletBalance {
        result: wallet { balance held environment }
      }
    `),
    fields: {},
    example: {},
    toResponse: ({ balance, held, environment }) =>
      successResponse('Balance read.', { balance, held, environment: environment.toLowerCase() }),
  }),
  route({
    method: 'GET',
    path: '/api/v1/wallet/statement',
    isStrict: true,
    document: graphql(`
      query WalletStatement(
        $from: DateTime, $to: DateTime, $kinds: [StatementKind!], $reference: String, $first: Int, $after: String
      ) {
        result: wallet {
          statement(from: $from, to: $to, kinds: $kinds, reference: $reference, first: $first, after: $after) {
            edges { node { id at kind amount balanceAfter reference } }
            pageInfo { hasNextPage endCursor }
          }
        }
      }
    `),
    fields: {
      from: {
        to: 'from',
        kind: 'from',
        optional: true,
        description: 'Start of the range: a day (IST) or a time, inclusive.',
      },
      to: {
        to: 'to',
        kind: 'to',
        optional: true,
        description: 'End of the range: a day (IST), inclusive, or a time, exclusive.',
      },
      kinds: {
        to: 'kinds',
        kind: {
          hold: 'HOLD',
          refund: 'REFUND',
          reversal: 'REVERSAL',
          refund_reversal: 'REFUND_REVERSAL',
          lead_fee: 'LEAD_FEE',
          top_up: 'TOP_UP',
          debit: 'DEBIT',
          correction: 'CORRECTION',
        },
        list: true,
        optional: true,
      },
      reference: { to: 'reference', kind: 'text', isKey: true, optional: true },
      ...pageFields,
    },
    example: { limit: 2 },
    toResponse: ({ statement }) =>
      listResponse('Statement listed.', statement!, ({ id, at, kind, amount, balanceAfter, reference }) => ({
        id,
        at: wholeSeconds(at),
        kind: kind.toLowerCase(),
        amount,
        balance_after: balanceAfter,
        reference,
      })),
  }),
];
