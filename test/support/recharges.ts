import type { Environment } from '../../src/core/environment.js';
import type { TestApp, TestDeveloper, TestResponse } from './app.js';

export const RECHARGE = '/api/v1/recharge';

/** Body of a REST recharge. It succeeds unless it is changed, for example to a magic number or an invalid value. */
export const rechargeBody = <Over extends object>(overrides = {} as Over) => ({
  account_number: '9876543210',
  amount: 10,
  operator_sp_key: 116,
  operator_type: 'mobile',
  ...overrides,
});

/** The same recharge as a GraphQL input. */
export const rechargeInput = <Over extends object>(overrides = {} as Over) => ({
  accountNumber: '9876543210',
  amount: 10,
  operatorSpKey: 116,
  operatorType: 'MOBILE',
  ...overrides,
});

/** Sends the recharge over REST. */
export const place = (
  { rest }: Pick<TestApp, 'rest'>,
  { tokens }: Pick<TestDeveloper, 'tokens'>,
  overrides: object = {},
  environment: Environment = 'production',
  headers?: Record<string, string>,
): Promise<TestResponse> => rest(environment, 'POST', RECHARGE, tokens[environment], rechargeBody(overrides), headers);
