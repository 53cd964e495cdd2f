import type { Environment } from '../../src/core/environment.js';
import { demoLeadCustomerId } from '../../src/simulator/credentials.js';
import type { TestApp, TestDeveloper, TestResponse } from '../support/app.js';

export const PROFILE = '/api/v1/leads/profile';
export const LEADS = '/api/v1/leads';
export const STATUS = '/api/v1/leads/status';

/** Products of the simulator and of UAT whose leads are approved with the third status call. */
export const PRODUCT: Record<Environment, string> = { uat: '4001', production: '4001' };

/** Complete profile of a salaried customer as shown in interface.md 4.10. */
export const salaried = {
  first_name: 'Asha',
  last_name: 'Verma',
  mobile_no: '9876500001',
  email: 'asha@example.com',
  dob: '1990-05-21',
  company: 101,
  occupation: 1,
  monthly_salary: 65000,
  itr_amount: 0,
  gender: 'Female',
  pincode: 1001,
  address: '12 Lake Road',
  category: 'Individual',
  category_id: 3,
  pan: 'ABCDE1234F',
} as const;

/** Profile of another person, because the provider accepts each PAN only once. */
export const person = (n: number, more: object = {}) => ({
  ...salaried,
  mobile_no: `98111${String(n).padStart(5, '0')}`,
  pan: `PQRST${String(n).padStart(4, '0')}Z`,
  ...more,
});

/** API calls of one developer. */
export function callsOf(test: TestApp, developer: TestDeveloper) {
  const post = (path: string) => (environment: Environment, body: unknown) =>
    test.rest(environment, 'POST', path, developer.tokens[environment], body);
  return {
    profile: post(PROFILE),
    lead: post(LEADS),
    status: (environment: Environment, leadCode: string): Promise<TestResponse> =>
      test.rest(
        environment,
        'GET',
        `${STATUS}?lead_code=${encodeURIComponent(leadCode)}`,
        developer.tokens[environment],
      ),
  };
}

/** Sets the default customer of leads, like the demo seed. */
export async function setDefaultCustomer(
  test: TestApp,
  environment: Environment,
  customerId = demoLeadCustomerId,
): Promise<void> {
  await test.app.orm.em
    .fork()
    .transactional((em) => test.app.settings.set(environment, 'default_lead_customer', customerId, em as never));
}
