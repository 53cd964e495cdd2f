import { expect } from 'vitest';
import type { Environment } from '../../src/core/environment.js';
import { failure, mismatches } from '../rest/schemas/common.js';
import * as schemas from '../rest/schemas/sandbox.schemas.js';
import type { Answer, TestApp, TestDeveloper } from '../support/app.js';
import { aRecharge } from '../support/recharges.js';

export const SCENARIO = '/api/v1/sandbox/scenario';
export const REFILL = '/api/v1/sandbox/refill';

/** API calls of one developer, in UAT by default. */
export function callsOf(test: TestApp, developer: TestDeveloper) {
  const post = (path: string, body: unknown, environment: Environment = 'uat'): Promise<Answer> =>
    test.rest(environment, 'POST', path, developer.tokens[environment], body);
  return {
    post,
    recharge: (client_request_id: string, account_number = '9876543210', environment: Environment = 'uat') =>
      post('/api/v1/recharge', aRecharge({ account_number, client_request_id }), environment),
    /** Sets a scenario. */
    async wants(target: object, outcome: string, reason?: string): Promise<Answer> {
      const answer = await post(SCENARIO, { outcome, reason, ...target });
      expect(mismatches(schemas.scenario, answer.body)).toEqual([]);
      return answer;
    },
  };
}

/** Validates the shape of an error response and returns its status and code. */
export const refused = ({ status, body }: Answer, word: 'failed' | 'error' = 'error'): [number, string] => {
  expect(mismatches(failure(word), body)).toEqual([]);
  return [status, body.code];
};
