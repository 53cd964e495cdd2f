import { beforeAll, expect, it } from 'vitest';
import type { Environment } from '../../src/core/environment.js';
import { paise } from '../../src/core/money.js';
import { services } from '../../src/core/services.js';
import { operationOf, type RestRoute } from '../../src/rest/route.js';
import { routes } from '../../src/rest/routes.js';
import { setDefaultCustomer } from '../leads/lead.fixture.js';
import type { TestDeveloper } from '../support/app.js';
import { until } from '../support/until.js';
import { useOwnApp } from '../support/use-app.js';
import { Examples, type Fields } from './examples.fixture.js';

const test = useOwnApp();
beforeAll(() => setDefaultCustomer(test, 'production'));

/**
 * Requests that return responses other than the example's own. Status requests refer to the orders that payment requests create.
 */
const ALTERNATIVES: Readonly<Record<string, Readonly<Record<string, Fields>>>> = {
  Recharge: { pending: { account_number: '9876540005', client_request_id: '#Order29' } },
  RechargeStatus: { pending: { client_request_id: '#Order29' }, failed: { client_request_id: '#Order30' } },
  PayCardBill: { pending: { mobile: '9876540005', orderid: 'PAY-1002' } },
  CardPaymentStatus: { pending: { orderid: 'PAY-1002' }, failed: { orderid: 'PAY-1003' } },
};
const FAILING = [
  ['Recharge', { account_number: '9876540006', client_request_id: '#Order30' }],
  ['PayCardBill', { mobile: '9876540006', orderid: 'PAY-1003' }],
] as const;

type Volatile = readonly [looks: RegExp, shown: (environment: Environment) => unknown];
const always =
  (value: unknown): Volatile[1] =>
  () =>
    value;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+05:30$/;
const SLASHED_DATE = /^\d\d\/\d\d\/\d{4}$/;

/** Values that differ in every run: their pattern and the replacement shown in the examples. */
const VOLATILE: Readonly<Record<string, Volatile>> = {
  token: [/^at_(uat|live)_[\w-]+$/, (environment) => (environment === 'uat' ? 'at_uat_…' : 'at_live_…')],
  base_url: [/^http:\/\/127\.0\.0\.1:\d+$/, always('{baseUrl}')],
  expires_at: [INSTANT, always('2026-08-29T12:30:00+05:30')],
  created_at: [INSTANT, always('2026-07-30T12:30:00+05:30')],
  at: [INSTANT, always('2026-07-30T12:30:00+05:30')],
  settled_at: [INSTANT, always('2026-07-30T12:30:02+05:30')],
  reversed_at: [INSTANT, always('2026-07-30T12:40:00+05:30')],
  occurred_at: [INSTANT, always('2026-07-30T12:30:02+05:30')],
  disabled_at: [INSTANT, always('2026-07-30T12:30:00+05:30')],
  previous_secret_until: [INSTANT, always('2026-07-31T12:30:00+05:30')],
  next_cursor: [/^\S+$/, always('b3JkZXJzOjAzSDlXVUlGODhZSzQ3VFND')],
  held: [/^[\d.]+$/, always(0)],
  secret: [/^whsec_\S+$/, always('whsec_…')],
  bill_date: [SLASHED_DATE, always('01/07/2026')],
  bill_due_date: [SLASHED_DATE, always('22/07/2026')],
  email: [/^developer-\d+-\d+@test\.example$/, always('asha@shop.example')],
  api_request_id: [/^(test-)?[0-9A-Z]{25}$/, always('03H9WUIF88YK47TSCAGJQ719D')],
  provider_txn_id: [/^(S[0-9A-Z]{18,24}|\d{6,13})$/, always('S260730123000MWQUZ0DY')],
  operator_ref: [/^BR[0-9A-Z]{8}$/, always('BRMWQUZ0DY')],
  utr: [/^TJ[0-9A-Z]+$/, always('TJ260730MWQUZ0EA')],
  txid: [/^\d{8,13}$/, always(1_785_394_800_512)],
  fetch_id: [/^FB[0-9A-Z]{25}$/, always('FB03H9WUIF88YK47TSCAGJQ719D')],
  customer_id: [/^[\w=-]{20,64}$/, always('zIwPVar6c3dk17vKDa7pRL2dH2nC_I4jkyJqaaAXYTk')],
  lead_code: [/^BS-LEAD-[-\w]+$/, exampleLeadCode],
  campaign_url: [
    /^https:\/\/[\w.]+\/\S+$/,
    (environment) => `https://campaigns.example/apply?lead=${exampleLeadCode(environment)}`,
  ],
};
function exampleLeadCode(environment: Environment): string {
  return environment === 'uat' ? 'BS-LEAD-UAT-03H9WUIF88YK47TSCAGJQ719D' : 'BS-LEAD-104512';
}

/** Dates in IDs and references, for example of refills. */
const DAY = /\b\d{4}-\d\d-\d\d\b/;
const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;
const REFERENCE = /\b[0-9A-Z]{25}$/;
const withoutIds = (text: string): string =>
  text
    .replace(UUID, '019aafe0-0000-7000-8000-000000000001')
    .replace(REFERENCE, '03H9WUIF88YK47TSCAGJQ719D')
    .replace(DAY, '2026-07-30');

/** Delivery state shown in the examples, because the real one changes after the response. */
const DELIVERED = {
  state: 'delivered',
  attempt_count: 1,
  last_attempt_at: null,
  next_attempt_at: null,
  http_status: 200,
  error: null,
};

/** Names of test developers, as opposed to names of operators, circles and banks. */
const PERSON = /^Developer \d+$/;

/** Magic numbers, which have a meaning only in UAT. */
const MAGIC = /^98765400\d\d$/;
const MAX_ITEMS = 2;

/** The response as shown in the examples: identical in every run and limited in length. */
function exampleOf(environment: Environment, value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => exampleOf(environment, item));
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(
      Object.entries({ ...value, ...('endpoint_id' in value ? DELIVERED : {}) }).map(([name, inner]) => [
        name,
        exampleOf(environment, inner, name),
      ]),
    );
  if (environment === 'production' && typeof value === 'string' && MAGIC.test(value)) return '9876543211';
  if (typeof value === 'string' && PERSON.test(value)) return 'Asha Verma';
  const [pattern, replacement] = VOLATILE[key] ?? [];
  if (!pattern || value === null || value === '' || value === 0)
    return typeof value === 'string' ? withoutIds(value) : value;
  expect([key, value]).toEqual([key, expect.toSatisfy((real: unknown) => pattern.test(String(real)))]);
  return replacement!(environment);
}

/** Whether every order is final and every event has been dispatched. */
const isIdle = async (): Promise<boolean> =>
  (await test.db.query(`select from orders where state = 'open' union all select from webhook_outbox`)).length === 0;

const nameOf = (route: RestRoute): string => operationOf(route).name!.value;
const routeOf = (name: string): RestRoute => routes.find((route) => nameOf(route) === name)!;

async function responsesOf(
  environment: Environment,
  developer: TestDeveloper,
): Promise<Record<string, Record<string, unknown>>> {
  const examples = new Examples(test, developer, environment);
  const responses: Record<string, Record<string, unknown>> = {};
  const note = async (route: RestRoute, word: string, changes?: Fields): Promise<void> => {
    const { status, body } = await examples.send(route, changes);
    expect([nameOf(route), status, body.status ?? 'success']).toEqual([nameOf(route), 200, word]);
    (responses[nameOf(route)] ??= {})[word] = exampleOf(environment, body);
  };
  for (const [name, changes] of FAILING) await examples.send(routeOf(name), changes);
  for (const name of ['RechargeStatus', 'CardPaymentStatus']) {
    const status = async (): Promise<string> =>
      (await examples.send(routeOf(name), ALTERNATIVES[name]!.failed)).body.status;
    await until(`${name} returns failed`, async () => (await status()) === 'failed');
  }
  for (const route of routes) {
    if (environment === 'production' && route.path.startsWith('/api/v1/sandbox/')) continue;
    // events of the orders above must be dispatched before the endpoint exists
    if (route.path === '/api/v1/webhooks') await until('no event is pending', isIdle);
    await note(route, 'success');
    for (const [word, changes] of Object.entries(ALTERNATIVES[nameOf(route)] ?? {})) await note(route, word, changes);
  }
  return responses;
}

// update the snapshot with `npm run generate`
it('examples in the API reference match real responses', async () => {
  const feesPaise = Object.fromEntries(services.map((service) => [service, paise(50)]));
  const developer = await test.developer({ liveRupees: 100_000, rateLimitPerMinute: 10_000, feesPaise });
  const [uat, production] = await Promise.all([responsesOf('uat', developer), responsesOf('production', developer)]);
  const responses = { uat, production };
  await expect(
    `${JSON.stringify(responses, null, 2)}\n`,
    'An example response has changed: run "npm run generate".',
  ).toMatchFileSnapshot('../../src/rest/generated/answers.json');
});
