import { beforeAll, describe, expect, it } from 'vitest';
import { demoLeadCustomerId } from '../../src/simulator/credentials.js';
import { failure, mismatches } from '../rest/schemas/common.js';
import { leadStatusSuccess, leadSuccess, profileSuccess } from '../rest/schemas/leads.schemas.js';
import type { TestDeveloper } from '../support/app.js';
import { useOwnApp } from '../support/use-app.js';
import { callsOf, LEADS, PRODUCT, PROFILE, person, STATUS, salaried, setDefaultCustomer } from './lead.fixture.js';

const environments = ['uat', 'production'] as const;

const test = useOwnApp();
let developer: TestDeveloper;
let call: ReturnType<typeof callsOf>;
beforeAll(async () => {
  developer = await test.developer({ rateLimitPerMinute: 10_000, feesPaise: { lead_generation: 5_000 } });
  call = callsOf(test, developer);
});

const profilesSoFar = async () =>
  (await test.db.query<{ n: number }>('select count(*)::int as n from lead_profile'))[0]!.n;
/** Number of calls that the lead provider received during `work`. */
async function callsDuring(work: () => Promise<void>): Promise<number> {
  const countBefore = (await test.simulator.calls()).length;
  await work();
  return (await test.simulator.calls()).length - countBefore;
}

describe('documented bodies', () => {
  it.each(environments)('profile, lead and status in %s', async (environment) => {
    const balanceBefore = await test.balance(developer, environment);
    const profile = await call.profile(environment, salaried);
    expect(profile.status).toBe(200);
    expect(mismatches(profileSuccess, profile.body)).toEqual([]);
    expect(profile.body).toMatchObject({ fee: 0, wallet_balance: balanceBefore });
    expect(profile.body.data).toMatchObject({ mobile_no: salaried.mobile_no, category_id: '3', product_id: null });

    const lead = await call.lead(environment, {
      product_id: PRODUCT[environment],
      customer_id: profile.body.data.customer_id,
      category_id: 4,
      required_amount: 250000.5,
    });
    expect(lead.status).toBe(200);
    expect(mismatches(leadSuccess, lead.body)).toEqual([]);
    expect(lead.body).toMatchObject({ fee: 0, wallet_balance: balanceBefore });

    const status = await call.status(environment, lead.body.data.lead_code);
    expect(status.status).toBe(200);
    expect(mismatches(leadStatusSuccess, status.body)).toEqual([]);
    expect(status.body).toMatchObject({
      fee: 0,
      wallet_balance: balanceBefore,
      data: { lead_code: lead.body.data.lead_code, lead_status: 'pending' },
    });
    for (const { headers } of [profile, lead, status]) expect(headers.get('x-ratelimit-limit')).toBe('10000');
  });

  it.each(environments)('every path rejects requests without a token and without access in %s', async (environment) => {
    const closed = await test.developer({ disabledServices: ['lead_generation'] });
    const requests = [
      ['POST', PROFILE, salaried],
      ['POST', LEADS, { product_id: '4001' }],
      ['GET', `${STATUS}?lead_code=BS-LEAD-1`, undefined],
    ] as const;
    for (const [method, path, body] of requests) {
      const anonymous = await test.rest(environment, method, path, undefined, body);
      expect(anonymous.status).toBe(401);
      expect(mismatches(failure('error'), anonymous.body)).toEqual([]);
      expect(anonymous.body.code).toBe('UNAUTHENTICATED');
      // access is checked before the input
      for (const sent of [body, body && {}]) {
        const rejection = await test.rest(environment, method, path, closed.tokens[environment], sent);
        expect(rejection.status).toBe(403);
        expect(mismatches(failure('error'), rejection.body)).toEqual([]);
        expect(rejection.body.code).toBe('ACCESS_DISABLED');
      }
    }
  });

  it.each([
    ['0007', 'an HTML page'],
    ['0008', 'a truncated response'],
    ['0012', 'a connection reset'],
  ])('a profile with magic number %s (%s) fails in both environments and is not stored', async (suffix) => {
    const stored = await profilesSoFar();
    for (const environment of environments) {
      const balanceBefore = await test.balance(developer, environment);
      const pan = 'WWWWW9999Q';
      const { status, body } = await call.profile(environment, { ...salaried, mobile_no: `987654${suffix}`, pan });
      expect(status).toBe(400);
      expect(mismatches(failure('error'), body)).toEqual([]);
      expect(body.code).toBe('PROVIDER_FAILED');
      expect(JSON.stringify(body)).not.toContain(pan);
      expect(await test.balance(developer, environment)).toBe(balanceBefore);
    }
    expect(await profilesSoFar()).toBe(stored);
  });

  it.each(environments)(
    'a PAN of a different number is rejected with the reason, and nothing is stored: %s',
    async (environment) => {
      const stored = await profilesSoFar();
      const pan = 'WWWWW9999Q';
      const { status, body } = await call.profile(environment, { ...salaried, mobile_no: '9876540001', pan });
      expect(status).toBe(400);
      expect(mismatches(failure('error'), body)).toEqual([]);
      expect(body).toMatchObject({
        code: 'LEAD_REFUSED',
        reason: 'PAN_ON_OTHER_NUMBER',
        message: 'The PAN belongs to another mobile number at the lead provider.',
      });
      const input = `{ firstName: "Asha", lastName: "Verma", mobile: "9876540001", email: "asha@example.com", dob: "1990-05-21",
      company: 101, occupation: 1, monthlySalary: 65000, itrAmount: 0, gender: FEMALE, pincode: 1001, address: "12 Lake Road",
      category: INDIVIDUAL, categoryId: 3, pan: "${pan}" }`;
      const query = `mutation { upsertProfile(input: ${input}) { fee } }`;
      const graphql = await test.graphql(environment, developer.tokens[environment], query);
      expect(graphql.body.errors[0].extensions).toMatchObject({
        code: 'LEAD_REFUSED',
        reason: 'PAN_ON_OTHER_NUMBER',
        retryable: false,
        charged: false,
      });
      for (const response of [body, graphql.body]) expect(JSON.stringify(response)).not.toMatch(/WWWWW9999Q|X01/);
      expect(await profilesSoFar()).toBe(stored);
    },
  );

  it('accepts an unusual but valid provider response', async () => {
    for (const environment of environments) {
      const { status, body } = await call.profile(environment, person(1, { mobile_no: '9876540013' }));
      expect(status).toBe(200);
      expect(mismatches(profileSuccess, body)).toEqual([]);
      expect(body.data).toMatchObject({ mobile_no: '9876540013', category_id: '3', product_id: null });
    }
  });

  it.each(environments)('an outage of the provider affects only Production: %s', async (environment) => {
    await test.simulator.outage('banksathi', true);
    const responses = [await call.profile(environment, person(2)), await call.lead(environment, leadBody(environment))];
    await test.simulator.outage('banksathi', false);
    for (const { status, body } of responses) {
      expect(status).toBe(environment === 'uat' ? 200 : 400);
      if (environment === 'production') expect(body.code).toBe('PROVIDER_FAILED');
    }
  });
});

const leadBody = (environment: 'uat' | 'production') => ({
  product_id: PRODUCT[environment],
  customer_id: environment === 'uat' ? 'any-customer' : customer,
});
let customer = '';
beforeAll(async () => {
  customer = (await call.profile('production', person(3))).body.data.customer_id;
});

describe('customers', () => {
  it.each(environments)('can be updated by number with and without the customer ID in %s', async (environment) => {
    const first = await call.profile(environment, person(10));
    const { customer_id } = first.body.data;
    const without = await call.profile(environment, person(10, { first_name: 'Neha' }));
    const withId = await call.profile(environment, person(10, { address: '9 Hill Street', customer_id }));
    for (const { status, body } of [without, withId]) {
      expect(status).toBe(200);
      expect(body.data.customer_id).toBe(customer_id);
    }
    const rows = await test.db.query(
      `select 1 from lead_customer c join lead_profile p using (developer_id, environment, mobile_hash)
        where c.developer_id = $1 and c.environment = $2 and p.updated_at > p.created_at`,
      [developer.id, environment],
    );
    expect(rows).toHaveLength(1);
  });

  it('of other developers are rejected in Production before anything is sent', async () => {
    const otherAccount = await test.developer();
    const otherCustomerId = (await callsOf(test, otherAccount).profile('production', person(11))).body.data.customer_id;
    const sent = await callsDuring(async () => {
      for (const customer_id of [otherCustomerId, 'no-such-customer']) {
        for (const response of [
          await call.profile('production', person(12, { customer_id })),
          await call.lead('production', { product_id: '4001', customer_id }),
        ]) {
          expect(response.status).toBe(422);
          expect(mismatches(failure('error'), response.body)).toEqual([]);
          expect(response.body.code).toBe('VALIDATION_FAILED');
          expect(Object.keys(response.body.errors)).toEqual(['customer_id']);
        }
      }
    });
    expect(sent).toBe(0);
  });

  it('cannot be overwritten with each other’s data', async () => {
    const customerId = (await call.profile('production', person(13))).body.data.customer_id;
    await call.profile('production', person(14));
    const mixed = await call.profile('production', person(14, { customer_id: customerId }));
    expect(mixed.status).toBe(422);
    expect(Object.keys(mixed.body.errors)).toEqual(['customer_id']);
    // an unused number can become the new number of a customer
    expect((await call.profile('production', person(15, { customer_id: customerId }))).status).toBe(200);
  });

  it('of the two environments are separate', async () => {
    const { customer_id } = (await call.profile('uat', person(16))).body.data;
    const { status, body } = await call.profile('production', person(16, { customer_id }));
    expect(status).toBe(422);
    expect(Object.keys(body.errors)).toEqual(['customer_id']);
  });

  it('default to the configured customer for leads without one', async () => {
    for (const environment of environments) {
      const body = { product_id: PRODUCT[environment] };
      const rejection = await call.lead(environment, body);
      expect(rejection.status).toBe(422);
      expect(Object.keys(rejection.body.errors)).toEqual(['customer_id']);
      await setDefaultCustomer(test, environment);
      for (const customer_id of [undefined, null, '', '  ', demoLeadCustomerId]) {
        const lead = await call.lead(environment, { ...body, customer_id });
        expect(lead.status).toBe(200);
        expect(mismatches(leadSuccess, lead.body)).toEqual([]);
      }
    }
    // the default customer cannot be changed
    const changed = await call.profile('production', person(17, { customer_id: demoLeadCustomerId }));
    expect(changed.status).toBe(422);
    expect(Object.keys(changed.body.errors)).toEqual(['customer_id']);
  });
});

describe('leads', () => {
  it('for an unknown product are rejected without a reason', async () => {
    const { status, body } = await call.lead('production', { product_id: 'nonsense', customer_id: customer });
    expect(status).toBe(400);
    expect(mismatches(failure('error'), body)).toEqual([]);
    expect(body).toMatchObject({ code: 'LEAD_REFUSED', reason: 'UNSPECIFIED' });
  });

  it('are shown only to the developer who created them, in the same environment', async () => {
    const { lead_code } = (await call.lead('production', leadBody('production'))).body.data;
    const otherAccount = await test.developer();
    const sent = await callsDuring(async () => {
      for (const response of [
        await callsOf(test, otherAccount).status('production', lead_code),
        await call.status('production', 'BS-LEAD-0'),
        await call.status('production', (await call.lead('uat', leadBody('uat'))).body.data.lead_code),
      ]) {
        expect(response.status).toBe(422);
        expect(mismatches(failure('error'), response.body)).toEqual([]);
        expect(Object.keys(response.body.errors)).toEqual(['lead_code']);
      }
    });
    expect(sent).toBe(0);
  });

  it('return a sample for any code in UAT', async () => {
    const { status, body } = await call.status('uat', 'BS-LEAD-987654');
    expect(status).toBe(200);
    expect(mismatches(leadStatusSuccess, body)).toEqual([]);
    expect(body.data).toEqual({ lead_code: 'BS-LEAD-987654', lead_status: 'pending' });
    expect(body.fee).toBe(0);
  });

  it('call no provider in UAT', async () => {
    const sent = await callsDuring(async () => {
      await call.profile('uat', person(20));
      const lead = await call.lead('uat', leadBody('uat'));
      await call.status('uat', lead.body.data.lead_code);
    });
    expect(sent).toBe(0);
  });

  it.each([
    ['4001', ['pending', 'submitted', 'approved', 'approved']],
    ['99901', ['pending', 'submitted', 'rejected', 'rejected']],
    ['99902', ['pending', 'submitted', 'failed', 'failed']],
  ])('of product %s go through %j in UAT, free of charge', async (product_id, walk) => {
    const balanceBefore = await test.balance(developer, 'uat');
    const { lead_code } = (await call.lead('uat', { product_id, customer_id: 'c' })).body.data;
    const statuses: string[] = [];
    for (const _ of walk) {
      const { body } = await call.status('uat', lead_code);
      expect(body.fee).toBe(0);
      statuses.push(body.data.lead_status);
    }
    expect(statuses).toEqual(walk);
    expect(await test.balance(developer, 'uat')).toBe(balanceBefore);
  });
});

describe('directories of the provider', () => {
  const LISTS = `{
    leadCompanies(search: "ta") { providerId name }
    leadOccupations { providerId name }
    leadPincodes(search: "560001") { providerId name }
  }`;
  it.each(environments)('return companies, occupations and pincodes in %s', async (environment) => {
    const { status, body } = await test.graphql(environment, developer.tokens[environment], LISTS);
    expect(status).toBe(200);
    expect(body.errors).toBeUndefined();
    for (const list of Object.values(body.data) as { providerId: number; name: string }[][]) {
      expect(list.length).toBeGreaterThan(0);
      for (const { providerId, name } of list) {
        expect(Number.isInteger(providerId)).toBe(true);
        expect(name).not.toBe('');
      }
    }
    expect(body.data.leadOccupations.find(({ providerId }: { providerId: number }) => providerId === 2).name).toMatch(
      /self/i,
    );
  });

  it('require access and reject a search that is not text', async () => {
    const closed = await test.developer({ disabledServices: ['lead_generation'] });
    const rejection = await test.graphql('uat', closed.tokens.uat, LISTS);
    expect(rejection.body.errors.map(({ extensions }: never) => (extensions as { code: string }).code)).toEqual(
      Array(3).fill('ACCESS_DISABLED'),
    );
    const query =
      'query($search: String!) { leadCompanies(search: $search) { providerId } leadPincodes(search: $search) { providerId } }';
    for (const search of ['x'.repeat(101), 'a\u0000b']) {
      const { body } = await test.graphql('uat', developer.tokens.uat, query, { search });
      expect(body.errors).toHaveLength(2);
      for (const { extensions } of body.errors) expect(extensions.code).toBe('VALIDATION_FAILED');
    }
    expect((await test.graphql('uat', developer.tokens.uat, query, { search: '' })).body.errors).toBeUndefined();
  });
});
