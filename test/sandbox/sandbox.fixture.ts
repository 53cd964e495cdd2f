import { expect } from 'vitest';
import type { Environment } from '../../src/core/environment.js';
import { failure, mismatches } from '../rest/schemas/common.js';
import * as schemas from '../rest/schemas/sandbox.schemas.js';
import type { TestApp, TestDeveloper, TestResponse } from '../support/app.js';
import { rechargeBody } from '../support/recharges.js';

export const SCENARIO = '/api/v1/sandbox/scenario';
export const REFILL = '/api/v1/sandbox/refill';

/** API calls of one developer, in UAT by default. */
export function callsOf(test: TestApp, developer: TestDeveloper) {
  const post = (path: string, body: unknown, environment: Environment = 'uat'): Promise<TestResponse> =>
    test.rest(environment, 'POST', path, developer.tokens[environment], body);
  return {
    post,
    recharge: (client_request_id: string, account_number = '9876543210', environment: Environment = 'uat') =>
      post('/api/v1/recharge', rechargeBody({ account_number, client_request_id }), environment),
    /** Sets a scenario. */
    async chooseOutcome(target: object, outcome: string, reason?: string): Promise<TestResponse> {
      const response = await post(SCENARIO, { outcome, reason, ...target });
      expect(mismatches(schemas.scenario, response.body)).toEqual([]);
      return response;
    },
  };
}

/** Validates the shape of an error response and returns its status and code. */
export const rejectionOf = ({ status, body }: TestResponse, word: 'failed' | 'error' = 'error'): [number, string] => {
  expect(mismatches(failure(word), body)).toEqual([]);
  return [status, body.code];
};
