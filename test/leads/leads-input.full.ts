import { beforeAll, describe, expect, it } from 'vitest';
import { FieldEncryption } from '../../src/core/field-encryption.js';
import { type ProfileKey, profileContext } from '../../src/leads/profile.store.js';
import { failure, mismatches } from '../rest/schemas/common.js';
import type { TestDeveloper } from '../support/app.js';
import { useSharedApp } from '../support/use-app.js';
import { callsOf, LEADS, PROFILE, person, STATUS } from './lead.fixture.js';

const test = useSharedApp();
let developer: TestDeveloper;
let call: ReturnType<typeof callsOf>;
beforeAll(async () => {
  developer = await test.developer({ rateLimitPerMinute: 10_000 });
  call = callsOf(test, developer);
});

/** The profile that was stored and sent last, decrypted. */
async function newestProfile(): Promise<object> {
  const rows = await test.db.query<ProfileKey & { profile: Buffer }>(
    'select * from lead_profile where developer_id = $1 order by updated_at desc limit 1',
    [developer.id],
  );
  const encryption = new FieldEncryption(test.app.config.encryptionKeys);
  return encryption.decrypt<object>(profileContext(rows[0]!), rows[0]!.profile);
}

/** Runs the independent checks in parallel. */
const forEach = (values: readonly unknown[], check: (value: unknown) => Promise<void>) =>
  Promise.all(values.map(check));

const NUL = String.fromCharCode(0);
const LONG = 'x'.repeat(256);

/** Values that every text field rejects, in addition to its own invalid values. */
const nonTexts = [1.5, true, ['a'], { a: 1 }];
/** Values that every number field rejects. PHP clients may send only plain decimal strings. */
const notANumber = ['abc', '1e3', '0x10', '1,000', '٣', true, [1], { a: 1 }, 'NaN', 'Infinity'];
const notAnId = [...notANumber, 0, -1, 1.5, '1.5', 3_000_000_000];
const notAnAmount = [...notANumber, 1.005, '1.005'];
const negative = [-0.01, '-1'];

/** Rejected values of each field. All fields except customer_id are required. */
const wrongProfile: Record<string, readonly unknown[]> = {
  first_name: [...nonTexts, '', '   ', 'a'.repeat(51), `As${NUL}ha`],
  last_name: [...nonTexts, '', '   ', 'ü'.repeat(51), 'Ver\nma'],
  mobile_no: [
    ...nonTexts,
    9876543210.5,
    '',
    '12345',
    '98765432101',
    '5876543210',
    '+919876543210',
    '٩٨٧٦٥٤٣٢١٠',
    '98765 43210',
  ],
  email: [
    ...nonTexts,
    '',
    'asha',
    'asha@',
    '@example.com',
    'a b@example.com',
    `${LONG}@example.com`,
    'asha@exam\u0000ple.com',
  ],
  dob: [
    ...nonTexts,
    '',
    '21-05-1990',
    '1990-5-21',
    '1990-02-30',
    '1990-05-21T00:00:00Z',
    '2999-01-01',
    '1899-12-31',
    '१९९०-०५-२१',
  ],
  company: notAnId,
  occupation: notAnId,
  monthly_salary: [...notAnAmount, ...negative],
  itr_amount: notAnAmount,
  gender: [...nonTexts, '', 'F', 'Weiblich', 'FEMALE ONE', 'constructor', '__proto__'],
  pincode: notAnId,
  address: [...nonTexts, '', ' ', LONG, `12${NUL}Lake`],
  category: [...nonTexts, '', 'NonIndividual', 'Non_Individual', 'individuals'],
  category_id: notAnId,
  pan: [...nonTexts, '', 'ABCDE1234', 'ABCDE1234FF', '12345ABCDE', 'ABCDE12E4F', 'ＡBCDE1234F', 'ABCDE１234F'],
};

describe('leads/profile', () => {
  it.each(Object.entries(wrongProfile))('rejects a wrong %s and reports only that field', async (field, values) => {
    await forEach([...values, undefined, null], async (value) => {
      const response = await call.profile('uat', person(1, { [field]: value }));
      expect([field, value, response.status]).toEqual([field, value, 422]);
      expect(mismatches(failure('error'), response.body)).toEqual([]);
      expect(response.body.code).toBe('VALIDATION_FAILED');
      expect([value, Object.keys(response.body.errors)]).toEqual([value, [field]]);
      expect(response.body.message).toBe(`${field}: ${response.body.errors[field][0]}`);
      // the response never quotes a rejected value
      if (typeof value === 'string' && value.trim().length > 4)
        expect(JSON.stringify(response.body)).not.toContain(JSON.stringify(value).slice(1, -1));
    });
  });

  it('rejects a wrong customer_id', async () => {
    await forEach([...nonTexts, 'y'.repeat(513), `a${NUL}b`], async (value) => {
      const response = await call.profile('uat', person(1, { customer_id: value }));
      expect([value, response.status]).toEqual([value, 422]);
      expect(Object.keys(response.body.errors)).toEqual(['customer_id']);
    });
  });

  it('reports all invalid fields at once', async () => {
    const { status, body } = await call.profile('uat', {});
    expect(status).toBe(422);
    expect(Object.keys(body.errors).toSorted()).toEqual(Object.keys(wrongProfile).toSorted());
    const mixed = await call.profile('uat', person(1, { pan: 'x', dob: 'x', email: 'x', category_id: 'x' }));
    expect(Object.keys(mixed.body.errors).toSorted()).toEqual(['category_id', 'dob', 'email', 'pan']);
  });

  it.each([
    // occupation, monthly_salary, itr_amount, invalid fields
    [1, 65_000, 0, []],
    [1, 0, 0, []],
    [3, '65000.50', '0', []],
    [1, -1, 0, ['monthly_salary']],
    [2, 0, 400_000, []],
    ['2', '0', '400000.25', []],
    [2, 0, 0, ['itr_amount']],
    [2, 1, 0, ['itr_amount']],
    [2, 0, -1, ['itr_amount']],
    [2, 0, null, ['itr_amount']],
    [2, null, 400_000, ['monthly_salary']],
    [null, 1, 1, ['occupation']],
  ])('occupation %s with salary %s and tax return %s: %j', async (occupation, monthly_salary, itr_amount, invalid) => {
    for (const environment of ['uat', 'production'] as const) {
      const { status, body } = await call.profile(environment, person(2, { occupation, monthly_salary, itr_amount }));
      expect(status).toBe(invalid.length === 0 ? 200 : 422);
      expect(Object.keys(body.errors ?? {}).toSorted()).toEqual(invalid);
    }
  });

  it.each([
    [1, '65000', 99_999, { monthlySalary: '65000.00', itrAmount: '0.00' }],
    [3, 65_000, -1, { monthlySalary: '65000.00', itrAmount: '0.00' }],
    [2, 50_000, '400000.25', { monthlySalary: '0.00', itrAmount: '400000.25' }],
  ])(
    'occupation %s: sets the irrelevant income to 0 (salary %s, tax return %s)',
    async (occupation, monthly_salary, itr_amount, stored) => {
      const { status } = await call.profile('production', person(2, { occupation, monthly_salary, itr_amount }));
      expect([status, await newestProfile()]).toMatchObject([200, stored]);
    },
  );

  it('accepts an address of several lines and joins them', async () => {
    const address = `  12 Lake Road\r\nPowai\nMumbai\u2028${'x'.repeat(229)}\n`;
    const { status } = await call.profile('production', person(3, { address }));
    expect([status, await newestProfile()]).toMatchObject([
      200,
      { address: `12 Lake Road Powai Mumbai ${'x'.repeat(229)}` },
    ]);
    const longer = await call.profile('production', person(3, { address: address.replace('Lake', 'Lakes') }));
    expect(Object.keys(longer.body.errors)).toEqual(['address']);
  });

  it.each([
    ['names of 50 characters', { first_name: 'a'.repeat(50), last_name: 'अ'.repeat(50) }],
    ['an address of 255 characters', { address: '𝒳'.repeat(255) }],
    ['a lowercase PAN', { pan: 'pqrst0003z' }],
    ['enum values in any case', { gender: 'female', category: 'non-INDIVIDUAL' }],
    [
      'spaces around every value',
      { first_name: '  Asha ', pan: ' PQRST0003Z ', gender: ' Other ', company: ' 216001 ' },
    ],
    [
      'numbers as decimal strings',
      { company: '101', occupation: '1', monthly_salary: '65000', pincode: '1001', category_id: '13' },
    ],
    ['an empty customer_id', { customer_id: '' }],
    ['unknown fields', { utm_source: 'x', status: 'approved' }],
  ])('accepts %s', async (_name, more) => {
    for (const environment of ['uat', 'production'] as const) {
      const { status, body } = await call.profile(environment, person(3, more));
      expect([environment, status, body.errors]).toEqual([environment, 200, undefined]);
    }
  });

  it.each([
    ['invalid JSON', '{"first_name":', 400, 'MALFORMED_REQUEST'],
    ['a list', '[]', 400, 'MALFORMED_REQUEST'],
    ['more than 64 KiB', JSON.stringify({ address: 'x'.repeat(70_000) }), 413, 'PAYLOAD_TOO_LARGE'],
  ])('rejects %s', async (_name, text, httpStatus, code) => {
    const { status, body } = await call.profile('uat', text);
    expect([status, body.code]).toEqual([httpStatus, code]);
    expect(mismatches(failure('error'), body)).toEqual([]);
  });

  it('returns the same errors over GraphQL, which rejects strings for numbers and unknown fields', async () => {
    const query = `mutation($input: UpsertProfileInput!) {
      upsertProfile(input: $input) { customer { customerId mobile categoryId productId } fee replayed }
    }`;
    const input = {
      firstName: 'Asha',
      lastName: 'Verma',
      mobile: '9811100004',
      email: 'asha@example.com',
      dob: '1990-05-21',
      company: 101,
      occupation: 2,
      monthlySalary: 0,
      itrAmount: 400_000.5,
      gender: 'OTHER',
      pincode: 1001,
      address: '12 Lake Road',
      category: 'NON_INDIVIDUAL',
      categoryId: 3,
      pan: 'pqrst0004z',
    };
    const send = (more: object) =>
      test.graphql('production', developer.tokens.production, query, { input: { ...input, ...more } });
    const valid = await send({});
    expect(valid.body.errors).toBeUndefined();
    expect(valid.body.data.upsertProfile).toEqual({
      customer: { customerId: expect.stringMatching(/./), mobile: '9811100004', categoryId: 3, productId: null },
      fee: 0,
      replayed: false,
    });
    for (const [more, path] of [
      [{ monthlySalary: '0' }, 'input.monthlySalary'],
      [{ itrAmount: 0 }, 'input.itrAmount'],
      [{ company: '101' }, 'input.company'],
      [{ mobile: '12345' }, 'input.mobile'],
      [{ pan: 'ABCDE1234' }, 'input.pan'],
      [{ gender: 'Female' }, 'input.gender'],
      [{ nickname: 'A' }, 'input.nickname'],
    ] as const) {
      const { body } = await send(more);
      expect(body.errors[0].extensions).toMatchObject({ code: 'VALIDATION_FAILED', fields: [{ path }] });
    }
  });
});

describe('leads and leads/status', () => {
  it.each([
    ['product_id', [...nonTexts, '', '  ', 'x'.repeat(65), `4${NUL}1`, undefined, null]],
    ['customer_id', [...nonTexts, 'y'.repeat(513), `a${NUL}b`]],
    ['category_id', notAnId],
    ['required_amount', [...notAnAmount, ...negative]],
  ])('rejects a wrong %s', async (field, values) => {
    await forEach(values, async (value) => {
      const { status, body } = await call.lead('uat', { product_id: '4001', customer_id: 'c', [field]: value });
      expect([field, value, status]).toEqual([field, value, 422]);
      expect(mismatches(failure('error'), body)).toEqual([]);
      expect(Object.keys(body.errors)).toEqual([field]);
    });
  });

  it('accepts the optional fields as decimal strings, empty, null and zero', async () => {
    for (const more of [
      { category_id: '4', required_amount: '250000.50' },
      { category_id: '', required_amount: '' },
      { category_id: null, required_amount: null },
      { required_amount: 0 },
      { product_id: 'x'.repeat(64), customer_id: 'y'.repeat(512) },
    ]) {
      const { status } = await call.lead('uat', { product_id: '4001', customer_id: 'c', ...more });
      expect([more, status]).toEqual([more, 200]);
    }
  });

  it('rejects a wrong lead_code', async () => {
    for (const query of [
      '',
      '?lead_code=',
      '?lead_code=%20%20',
      `?lead_code=${'x'.repeat(65)}`,
      '?lead_code=a&lead_code=b',
      '?lead_code=a%00b',
      '?leadCode=a',
    ]) {
      const { status, body } = await test.rest('uat', 'GET', `${STATUS}${query}`, developer.tokens.uat);
      expect([query, status]).toEqual([query, 422]);
      expect(mismatches(failure('error'), body)).toEqual([]);
      expect(Object.keys(body.errors)).toEqual(['lead_code']);
    }
  });

  it('returns 405 with the allowed method for a wrong method', async () => {
    for (const [method, path, allowed] of [
      ['GET', PROFILE, 'POST'],
      ['PUT', LEADS, 'POST'],
      ['POST', STATUS, 'GET'],
    ] as const) {
      const { status, headers } = await test.rest('uat', method, path, developer.tokens.uat);
      expect([path, status, headers.get('allow')]).toEqual([path, 405, allowed]);
    }
  });
});
