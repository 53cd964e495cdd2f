import type { Environment } from '../../src/core/environment.js';
import type { Answer, TestApp, TestDeveloper } from './app.js';

export const RECHARGE = '/api/v1/recharge';

/** Body of a REST recharge. It succeeds unless it is changed, for example to a magic number or an invalid value. */
export const aRecharge = <Over extends object>(over = {} as Over) => ({
  account_number: '9876543210',
  amount: 10,
  operator_sp_key: 116,
  operator_type: 'mobile',
  ...over,
});

/** The same recharge as a GraphQL input. */
export const aRechargeInput = <Over extends object>(over = {} as Over) => ({
  accountNumber: '9876543210',
  amount: 10,
  operatorSpKey: 116,
  operatorType: 'MOBILE',
  ...over,
});

/** Sends the recharge over REST. */
export const place = (
  { rest }: Pick<TestApp, 'rest'>,
  { tokens }: Pick<TestDeveloper, 'tokens'>,
  over: object = {},
  environment: Environment = 'production',
  headers?: Record<string, string>,
): Promise<Answer> => rest(environment, 'POST', RECHARGE, tokens[environment], aRecharge(over), headers);
