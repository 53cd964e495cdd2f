import type { IssueTokenMutation, MeQuery, RechargeMutation } from './generated/graphql.js';
import type { RestRoute } from './route.js';

const ENVIRONMENTS = { uat: 'UAT', production: 'PRODUCTION' };
const OPERATOR_TYPES = { mobile: 'MOBILE', dth: 'DTH' };

/** How long a client waits before it asks again about a pending order. */
const PENDING_RETRY_S = 5;

type Result<Operation extends { result: unknown }> = NonNullable<Operation['result']>;

/** The REST paths of section 4, one row each: names, words, and the envelope. Everything else is the stored operation's. */
export const routes: readonly RestRoute[] = [
  {
    method: 'POST',
    path: '/api/v1/auth/client-credentials',
    operation: 'IssueToken',
    failure: 'error',
    validationStatus: 422,
    fields: {
      client_id: { to: 'input.clientId', kind: 'text' },
      api_secret: { to: 'input.apiSecret', kind: 'text' },
      environment: { to: 'input.environment', kind: ENVIRONMENTS },
      device_name: { to: 'input.deviceName', kind: 'text', optional: true },
    },
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
        expires_at: expiresAt,
        user: { id, name, email },
      },
    }),
  },
  {
    method: 'GET',
    path: '/api/v1/auth/me',
    operation: 'Me',
    failure: 'error',
    validationStatus: 422,
    fields: {},
    answer: (user: Result<MeQuery>) => ({ body: { ...user } }),
  },
  {
    method: 'POST',
    path: '/api/v1/recharge',
    operation: 'Recharge',
    failure: 'failed',
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
    answer: (result: Result<RechargeMutation>) => {
      // while nobody knows the outcome, unknown keys are null; a success holds every key as text
      const pending = result.status === 'PENDING';
      const unknown = pending ? null : '';
      return {
        ...(pending ? { httpStatus: 202, retryAfterS: PENDING_RETRY_S } : {}),
        body: {
          status: result.status.toLowerCase(),
          message: result.message,
          data: {
            amount: result.amount,
            created_at: result.createdAt,
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
] as const;
