import { pino } from 'pino';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp, type TestDeveloper } from '../support/app.js';
import {
  environments,
  FETCH,
  FETCH_MUTATION,
  fetchBill,
  fetchIdOf,
  owner,
  PAY,
  PAY_MUTATION,
  payBill,
  validFetch,
} from './card-bills.fixture.js';

const VISA = '4929123456781236';
const PAN = 'QWERT9271Z';
const MOBILE = '9123456780';
const IDENTIFIER = 'ISSUER-7788-CANARY';

let test: TestApp;
let developer: TestDeveloper;
const logged: string[] = [];
beforeAll(async () => {
  test = await startTestApp({ LOG_LEVEL: 'error', PROVIDER_TIMEOUT_MS: '1500' });
  developer = await test.developer({
    liveRupees: 2_00_000,
    rateLimitPerMinute: 1_000,
    feesPaise: { credit_card_fetch: 100 },
  });
  // captures log lines at every level instead of writing them
  const { log } = test.app as unknown as { log: Record<symbol, { write(line: string): void }> & { level: string } };
  log.level = 'trace';
  vi.spyOn(log[pino.symbols.streamSym]!, 'write').mockImplementation((line) => void logged.push(line));
});
afterAll(() => test.close());

/** Every row of every table as text; binary values in hexadecimal. */
async function dumpDatabase(): Promise<string> {
  const tables = await test.db.query<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
  );
  const dumps = await Promise.all(
    tables.map(({ name }) =>
      test.db.query<{ dump: string | null }>(`select string_agg(t::text, E'\n') as dump from ${name} t`),
    ),
  );
  return dumps.map(([row]) => row?.dump ?? '').join('\n');
}

it('keeps card numbers, PANs, mobiles and identifiers out of logs, errors and plaintext columns', async () => {
  const errors: string[] = [];
  for (const environment of environments) {
    const token = developer.tokens[environment];
    const fetch_id = await fetchIdOf(test, developer, environment, { mobile: MOBILE, card: IDENTIFIER });
    const pay = { mobile: MOBILE, card: IDENTIFIER, fetch_id, amount: 50_000, pan: PAN };
    expect((await payBill(test, developer, environment, { ...pay, orderid: 'canary' })).status).toBe(200);

    const rejections = await Promise.all([
      payBill(test, developer, environment, { ...pay, orderid: 'canary' }),
      payBill(test, developer, environment, { ...pay, orderid: 'canary-2' }),
      payBill(test, developer, environment, { ...pay, orderid: 'canary-3', fetch_id: 'unknown' }),
      payBill(test, developer, environment, { ...pay, orderid: 'canary-4', amount: PAN, pan: `${PAN}${PAN}` }),
      payBill(test, developer, environment, { ...pay, orderid: 'canary-5', card: VISA }),
      fetchBill(test, developer, environment, { card: VISA, mobile: MOBILE }),
      fetchBill(test, developer, environment, { card: VISA.replace(/(.{4})/g, '$1 '), mobile: `${MOBILE}0` }),
      fetchBill(test, developer, environment, { mobile: '9876540001', card: IDENTIFIER }),
      test.rest(environment, 'POST', FETCH, token, `{"card": "${VISA}", "mobile": "${MOBILE}"`),
      test.rest(environment, 'POST', PAY, token, JSON.stringify({ ...validFetch, card: VISA, pan: PAN }), {
        'content-type': 'text/plain',
      }),
      test.graphql(environment, token, FETCH_MUTATION, {
        input: { ...owner, clientRequestId: 'x', card: VISA, mobile: MOBILE },
      }),
      test.graphql(environment, token, PAY_MUTATION, {
        input: { ...owner, clientRequestId: 'x', card: VISA, fetchId: PAN, pan: PAN, amount: MOBILE },
      }),
      test.graphql(
        environment,
        token,
        `mutation { fetchCardBill(input: { card: "${VISA}", mobile: ${MOBILE} }) { bill { fetchId } } }`,
      ),
      test.graphql(environment, token, `mutation { fetchCardBill(input: { card: "${VISA}" `),
    ]);
    for (const { status, body } of rejections) {
      expect(status >= 400 || body.errors !== undefined).toBe(true);
      errors.push(JSON.stringify(body));
    }
  }
  const errorText = errors.join('\n');
  const log = logged.join('');
  const database = (await dumpDatabase()).toLowerCase();
  expect(log).toContain('bill-pay');
  expect(database).toContain('canary');
  for (const canary of [VISA, VISA.replace(/(.{4})(?!$)/g, '$1 '), PAN, MOBILE, IDENTIFIER]) {
    expect(errorText.includes(canary), 'in an error').toBe(false);
    expect(log.includes(canary), 'in the log').toBe(false);
    expect(database.includes(canary.toLowerCase()), 'in the database').toBe(false);
    expect(database.includes(Buffer.from(canary).toString('hex')), 'in the bytes of the database').toBe(false);
  }
});
