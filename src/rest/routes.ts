import { wholeSeconds } from '../core/clock.js';
import type { IssueTokenMutation, MeQuery, RechargeMutation } from './generated/graphql.js';
import { PENDING_RETRY_S, type RestRoute, type Result } from './route.js';
import { cardBillRoutes } from './routes/card-bills.routes.js';
import { leadRoutes } from './routes/leads.routes.js';
import { orderRoutes } from './routes/orders.routes.js';
import { planRoutes } from './routes/plans.routes.js';
import { productRoutes } from './routes/products.routes.js';

const ENVIRONMENTS = { uat: 'UAT', production: 'PRODUCTION' };
const OPERATOR_TYPES = { mobile: 'MOBILE', dth: 'DTH' };

/** The REST paths of interface.md 4, one row each: names, words, and the envelope. Everything else is the stored operation's. */
export const routes: readonly RestRoute[] = [
  {
    method: 'POST',
    path: '/api/v1/auth/client-credentials',
    operation: 'IssueToken',
    validationStatus: 422,
    fields: {
      client_id: { to: 'input.clientId', kind: 'text' },
      api_secret: { to: 'input.apiSecret', kind: 'text' },
      environment: { to: 'input.environment', kind: ENVIRONMENTS },
      device_name: { to: 'input.deviceName', kind: 'text', optional: true },
    },
    example: { client_id: 'cid_uat_…', api_secret: 'sk_uat_…', environment: 'uat', device_name: 'till 4' },
    answer: ({
      token,
      tokenType,
      environment,
      baseUrl,
      expiresAt,
      user: { id, name, email },
    }: Result<IssueTokenMutation>) => ({
      body: {
        token,
        token_type: tokenType,
        environment: environment.toLowerCase(),
        base_url: baseUrl,
        expires_at: wholeSeconds(expiresAt),
        user: { id, name, email },
      },
    }),
  },
  {
    method: 'GET',
    path: '/api/v1/auth/me',
    operation: 'Me',
    validationStatus: 422,
    fields: {},
    example: {},
    answer: (user: Result<MeQuery>) => ({ body: { ...user } }),
  },
  {
    method: 'POST',
    path: '/api/v1/recharge',
    operation: 'Recharge',
    keyField: 'client_request_id',
    mayHaveFailed: true,
    validationStatus: 400,
    fields: {
      account_number: { to: 'input.accountNumber', kind: 'text' },
      amount: { to: 'input.amount', kind: 'number' },
      operator_sp_key: { to: 'input.operatorSpKey', kind: 'number' },
      operator_type: { to: 'input.operatorType', kind: OPERATOR_TYPES },
      client_request_id: { to: 'input.clientRequestId', kind: 'text', optional: true },
      circle: { to: 'input.circle', kind: 'text', optional: true },
      geocode: { to: 'input.geocode', kind: 'text', optional: true },
      pincode: { to: 'input.pincode', kind: 'text', optional: true },
      customer_number: { to: 'input.customerNumber', kind: 'text', optional: true },
    },
    example: {
      account_number: '9876543210',
      amount: 199,
      operator_sp_key: 116,
      operator_type: 'mobile',
      client_request_id: '#Order28',
    },
    mayBePending: true,
    answer: (result: Result<RechargeMutation>) => {
      // while nobody knows the outcome, unknown keys are null; a success holds every key as text
      const pending = result.status === 'PENDING';
      const unknown = pending ? null : '';
      return {
        ...(pending ? { retryAfterS: PENDING_RETRY_S } : {}),
        body: {
          status: result.status.toLowerCase(),
          message: result.message,
          data: {
            amount: result.amount,
            created_at: wholeSeconds(result.createdAt),
            operator_ref: result.operatorRef ?? unknown,
            account_number: result.accountNumber,
            api_request_id: result.apiRequestId,
            provider_txn_id: result.providerTxnId ?? unknown,
            client_request_id: result.clientRequestId ?? unknown,
          },
        },
      };
    },
  },
  ...cardBillRoutes,
  ...orderRoutes,
  ...planRoutes,
  ...leadRoutes,
  ...productRoutes,
] as const;
