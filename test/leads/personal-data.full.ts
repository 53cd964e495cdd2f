import { symbols } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.js';
import { callsOf, PRODUCT, person } from './lead.fixture.js';

/** Unique texts that cannot occur elsewhere. */
const canary = {
  first_name: 'Zephyrine',
  last_name: 'Quillfeather',
  mobile_no: '9731864205',
  email: 'zq.canary@example.com',
  dob: '1971-02-03',
  monthly_salary: 73_918.57,
  address: '77 Marmalade Canary Lane',
  pan: 'QWERT7391Y',
};
const texts = Object.values(canary).map(String);
/** Declined by the provider, whose message echoes the PAN. */
const rejectedPerson = { ...canary, mobile_no: '9876540001' };

const logLines: string[] = [];
let test: TestApp;
beforeAll(async () => {
  test = await startTestApp();
  const log = test.app.log as unknown as Record<symbol, unknown>;
  log[symbols.streamSym] = { write: (line: string) => logLines.push(line) };
  test.app.log.level = 'trace';
});
afterAll(() => test.close());

/** Every row of every table as text; binary values in hexadecimal. */
async function dumpDatabase(): Promise<string> {
  const tables = await test.db.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const rows = await Promise.all(
    tables.map(({ name }) => test.db.query<{ row: string }>(`select t::text as row from ${name} t`)),
  );
  return rows
    .flat()
    .map(({ row }) => row)
    .join('\n');
}

const found = (haystack: string): string[] =>
  texts.filter(
    (text) =>
      haystack.toLowerCase().includes(text.toLowerCase()) ||
      haystack.includes(Buffer.from(text).toString('hex')) ||
      haystack.includes(Buffer.from(text).toString('base64').replace(/=+$/, '')),
  );

it('a profile never appears in plain text in the database, logs, errors or metrics', async () => {
  const developer = await test.developer({ feesPaise: { lead_generation: 5_000 } });
  const call = callsOf(test, developer);
  const failures: unknown[] = [];
  for (const environment of ['uat', 'production'] as const) {
    const stored = await call.profile(environment, person(1, canary));
    expect(stored.status).toBe(200);
    const { customer_id } = stored.body.data;
    expect((await call.profile(environment, person(1, { ...canary, pan: canary.pan.toLowerCase() }))).status).toBe(200);
    const lead = await call.lead(environment, { product_id: PRODUCT[environment], customer_id });
    for (const _ of Array(3).keys()) await call.status(environment, lead.body.data.lead_code);

    for (const response of [
      await call.profile(environment, person(1, rejectedPerson)),
      // for a different person with this PAN the provider message contains the PAN of the first one
      await call.profile(environment, person(2, { pan: canary.pan })),
      await call.profile(
        environment,
        person(1, { ...canary, mobile_no: `${canary.mobile_no}1`, pan: `${canary.pan}X` }),
      ),
      await call.profile(environment, JSON.stringify(person(1, canary)).slice(0, -1)),
      await call.profile(
        environment,
        person(1, { ...canary, first_name: [canary.first_name], gender: canary.address }),
      ),
      await call.status(environment, `${canary.pan}${'x'.repeat(60)}`),
    ])
      failures.push([response.status, response.body, [...response.headers]]);
    const input = `{ firstName: "${canary.first_name}", pan: "${canary.pan}", mobile: ${canary.mobile_no} }`;
    const query = `mutation { upsertProfile(input: ${input}) { fee } }`;
    failures.push((await test.graphql(environment, developer.tokens[environment], query)).body);
  }
  const codes = JSON.stringify(failures).match(/"code":"[A-Z_]+"/g) ?? [];
  expect(codes.filter((code) => code.includes('LEAD_REFUSED')).length).toBeGreaterThanOrEqual(3);
  expect(found(JSON.stringify(failures))).toEqual([]);

  const database = await dumpDatabase();
  expect(database).toContain('lead_fee');
  expect(found(database)).toEqual([]);

  expect(logLines.length).toBeGreaterThan(10);
  expect(found(logLines.join('\n'))).toEqual([]);

  const metrics = await fetch(`${test.urls.production}/metrics`).then((response) => response.text());
  expect(found(metrics)).toEqual([]);

  // the service can still decrypt the profile
  const sealed = await test.db.query('select 1 from lead_profile where developer_id = $1', [developer.id]);
  expect(sealed.length).toBeGreaterThanOrEqual(2);
  const retry = await call.profile('production', person(1, canary));
  expect(retry.status).toBe(200);
  expect(await test.app.ledger.check()).toEqual([]);
});
