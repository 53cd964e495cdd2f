import type { Environment } from '../../src/core/environment.js';
import type { Answer, TestApp, TestDeveloper } from './app.js';

export const RECHARGE = '/api/v1/recharge';

/** The body of a recharge over REST. It succeeds, unless what is changed is a magic number or a mistake. */
export const aRecharge = <Over extends object>(over = {} as Over) => ({
  account_number: '9876543210',
  amount: 10,
  operator_sp_key: 116,
  operator_type: 'mobile',
  ...over,
});

/** The same as an input of GraphQL. */
export const aRechargeInput = <Over extends object>(over = {} as Over) => ({
  accountNumber: '9876543210',
  amount: 10,
  operatorSpKey: 116,
  operatorType: 'MOBILE',
  ...over,
});

/** Sends it over REST. */
export const place = (
  { rest }: Pick<TestApp, 'rest'>,
  { tokens }: Pick<TestDeveloper, 'tokens'>,
  over: object = {},
  environment: Environment = 'production',
  headers?: Record<string, string>,
): Promise<Answer> => rest(environment, 'POST', RECHARGE, tokens[environment], aRecharge(over), headers);
