import { Writable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLogger } from '../../src/core/log.js';
import { startTestApp, type TestApp, type TestDeveloper, type TestResponse } from '../support/app.js';
import { rechargeBody } from '../support/recharges.js';

/** Values that occur nowhere else, so any output that contains one of them has leaked it. */
const canary = {
  pan: 'CNRYP7531Q',
  mobile: '9753186420',
  profileMobile: '9753186421',
  email: 'canary.bird@mine.example',
  address: '77 Canary Wharf Lane',
  firstName: 'Canarina',
  card: '7531',
  fullCard: '4539578763621486',
  /** An idempotency key that is a card number. */
  cardKey: '5425233430109903',
  dth: '97531864207531',
};

let lines = '';
const sink = new Writable({
  write(chunk: Buffer, _encoding, done) {
    lines += chunk.toString();
    done();
  },
});

let test: TestApp;
let developer: TestDeveloper;
const failures: TestResponse[] = [];
beforeAll(async () => {
  test = await startTestApp({ LOG_LEVEL: 'trace' }, createLogger('trace', sink));
  developer = await test.developer({
    rateLimitPerMinute: 10_000,
    feesPaise: {
      operator_fetch: 10,
      operator_plan_fetch: 25,
      dth_info: 10,
      dth_plan_fetch: 10,
      credit_card_fetch: 10,
      lead_generation: 500,
    },
  });
});
afterAll(() => test.close());

const profile = {
  first_name: canary.firstName,
  last_name: 'Bird',
  mobile_no: canary.profileMobile,
  email: canary.email,
  dob: '1990-01-01',
  company: 1,
  occupation: 1,
  monthly_salary: 50_000,
  itr_amount: 0,
  gender: 'Female',
  pincode: 1,
  address: canary.address,
  category: 'Individual',
  category_id: 3,
  pan: canary.pan,
};

/** Sends every request with personal data, once valid and once invalid. */
async function sendEverything(environment: 'uat' | 'production'): Promise<void> {
  const token = developer.tokens[environment];
  const post = async (path: string, body: object, as = token): Promise<TestResponse> => {
    const response = await test.rest(environment, 'POST', `/api/v1/${path}`, as, body);
    if (response.status >= 400) failures.push(response);
    return response;
  };
  const recharge = rechargeBody({ account_number: canary.mobile, customer_number: canary.mobile });
  expect((await post('recharge', { ...recharge, client_request_id: `c-${environment}` })).status).toBe(200);
  const keyed = { ...recharge, client_request_id: `${canary.cardKey}-${environment}` };
  for (let n = 0; n < 2; n++) expect((await post('recharge', keyed)).status).toBe(200);
  const statusResponse = await test.rest(
    environment,
    'GET',
    `/api/v1/recharge/status?client_request_id=${keyed.client_request_id}`,
    token,
  );
  expect(statusResponse.body.data.client_request_id).toBe(keyed.client_request_id);
  await post('recharge', { ...recharge, amount: canary.pan });
  await post('recharge', { ...recharge, account_number: Number(canary.mobile) });
  expect((await post('plan/operator-fetch', { mobile: canary.mobile, orderid: 'c1' })).status).toBe(200);
  await post('plan/operator-fetch', { mobile: `${canary.mobile}1`, orderid: 'c1' });
  await post('plan/operator-plan-fetch', { mobile: canary.mobile, opcode: 'A', circle: '10', orderid: 'c2' });
  await post('plan/dth-info', { dth_number: canary.dth, opcode: 'TTV', orderid: 'c3' });
  await post('plan/dth-plan-fetch', { dth_number: canary.dth, opcode: canary.pan, orderid: 'c4' });
  const bill = await post('bill-payment/credit-card/bill-fetch', {
    card: canary.card,
    mobile: canary.mobile,
    opcode: 'ICIC',
    orderid: 'c5',
  });
  expect(bill.status).toBe(200);
  await post('bill-payment/credit-card/bill-fetch', {
    card: canary.fullCard,
    mobile: canary.mobile,
    opcode: 'ICIC',
    orderid: 'c6',
  });
  const pay = {
    card: canary.card,
    mobile: canary.mobile,
    opcode: 'ICIC',
    amount: 60_000,
    fetch_id: bill.body.data.fetch_id,
    pan: canary.pan,
  };
  await post('bill-payment/credit-card/bill-pay', { ...pay, orderid: `${canary.cardKey}-${environment}` });
  await post('bill-payment/credit-card/bill-pay', { ...pay, orderid: `c8-${environment}`, card: canary.fullCard });
  await post('bill-payment/credit-card/bill-pay', { ...pay, orderid: `c9-${environment}`, pan: `${canary.pan}X` });
  const created = await post('leads/profile', profile);
  expect(created.status).toBe(200);
  await post('leads/profile', { ...profile, dob: canary.email, email: canary.pan });
  await post('leads/profile', { ...profile, mobile_no: '9753186422' }); // The provider declines it and echoes the PAN.
  const lead = await post('leads', {
    product_id: '99902',
    customer_id: created.body.data.customer_id,
    required_amount: 1000,
  });
  await test.rest(environment, 'GET', `/api/v1/leads/status?lead_code=${lead.body.data?.lead_code}`, token);
  await post('auth/client-credentials', {
    client_id: developer.keys[environment].clientId,
    api_secret: `${developer.keys[environment].apiSecret}x`,
    environment,
  });
  failures.push(await test.rest(environment, 'GET', '/api/v1/auth/me', `${token}x`));
  failures.push(
    await test.graphql(
      environment,
      token,
      `mutation { recharge(input: {accountNumber: "${canary.mobile}", amount: "${canary.pan}", operatorSpKey: 1, operatorType: MOBILE}) { order { status } } }`,
    ),
    await test.graphql(
      environment,
      token,
      `{ ${canary.pan} }`.replace(canary.pan, `me { id } nothing(mobile: "${canary.mobile}")`),
    ),
  );
}

it('no personal data gets into logs, errors, metrics and plaintext columns', async () => {
  await sendEverything('uat');
  await sendEverything('production');
  const secrets = [
    ...Object.values(developer.keys).map(({ apiSecret }) => apiSecret),
    ...Object.values(developer.tokens),
  ];
  const personal = Object.values(canary).filter((value) => value !== canary.card);

  expect(lines.split('\n').length).toBeGreaterThan(50);
  const bodies = JSON.stringify(failures.map(({ body }) => body));
  expect(failures.length).toBeGreaterThan(15);
  const metrics = (await test.rest('production', 'GET', '/metrics')).body as string;
  const columns = await plaintextColumns();
  for (const value of [...personal, ...secrets]) {
    expect(lines, 'log').not.toContain(value);
    expect(bodies, 'error').not.toContain(value);
    expect(metrics, 'metric').not.toContain(value);
    expect(
      columns.find((row) => row.includes(value)),
      'column',
    ).toBeUndefined();
  }
});

/** Every row of every table as text; encrypted columns contain bytes, shown as hexadecimal. */
async function plaintextColumns(): Promise<string[]> {
  const tables = await test.db.query<{
    name: string;
  }>(`select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`);
  const rows: string[] = [];
  for (const { name } of tables)
    rows.push(...(await test.db.query<{ row: string }>(`select t::text as row from ${name} t`)).map(({ row }) => row));
  return rows;
}
