import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useConsole } from '../console/console.fixture.js';
import type { TestDeveloper, TestResponse } from '../support/app.js';
import { errorsInto } from '../support/log-lines.js';

const logged: string[] = [];
const service = useConsole({}, errorsInto(logged));
let developer: TestDeveloper;
beforeAll(async () => {
  developer = await service.test.developer();
});
afterAll(() => expect(logged).toEqual([]));

type Host = 'uat' | 'production' | 'console';
const send = (query: string, host: Host = 'uat', variables?: object): Promise<TestResponse> =>
  service.test.graphql(host, host === 'console' ? service.staff.admin : developer.tokens[host], query, variables);
const messagesIn = ({ body }: TestResponse): string[] => body.errors.map(({ message }: { message: string }) => message);

const recharge = (argumentText: string): string => {
  const [name] = argumentText.split(':');
  const otherFields = ['accountNumber: "9876543210"', 'amount: 10', 'operatorSpKey: 116', 'operatorType: MOBILE'];
  const fields = [...otherFields.filter((field) => !field.startsWith(`${name}:`)), argumentText];
  return `mutation { recharge(input: { ${fields.join(', ')} }) { order { status } } }`;
};

describe('the error for an invalid literal describes the correction', () => {
  it.each([
    [
      'an enum in quotes',
      recharge('operatorType: "MOBILE"'),
      'Must be one of MOBILE, DTH. Write MOBILE without quotes.',
    ],
    [
      'an enum in lower case',
      recharge('operatorType: "mobile"'),
      'Must be one of MOBILE, DTH. Write MOBILE without quotes.',
    ],
    ['a bare enum value in lower case', recharge('operatorType: dth'), 'Must be one of MOBILE, DTH. Write DTH.'],
    ['an unknown enum value', recharge('operatorType: "TV"'), 'Must be one of MOBILE, DTH.'],
    ['an unquoted word for text', recharge('accountNumber: FOO'), 'Must be text. Put it in quotes.'],
    ['a number for text', recharge('accountNumber: 9876543210'), 'Must be text. Put it in quotes.'],
    ['a list for text', recharge('accountNumber: ["9876543210"]'), 'Must be text.'],
    ['a decimal point', recharge('operatorSpKey: 116.0'), 'Must be a whole number. Write it without a decimal point.'],
    ['a fraction', recharge('operatorSpKey: 116.5'), 'Must be a whole number.'],
    ['an exponent out of range', recharge('operatorSpKey: 1e999'), 'Must be a whole number.'],
    ['a number in quotes', recharge('operatorSpKey: "116"'), 'Must be a whole number. Write it without quotes.'],
    ['a fraction in quotes', recharge('operatorSpKey: "116.5"'), 'Must be a whole number.'],
    [
      'too large a number',
      recharge('operatorSpKey: 99999999999'),
      'Must be a whole number. The range is -2147483648 to 2147483647.',
    ],
    ['an amount in quotes', recharge('amount: "10.50"'), 'Must be a number. Write it without quotes.'],
    ['an invalid amount', recharge('amount: "ten"'), 'Must be a number.'],
    ['a condition in quotes', '{ me { id @include(if: "true") } }', 'Must be true or false. Write it without quotes.'],
  ])('%s', async (_name, query, message) => {
    const response = await send(query);
    const [{ extensions }] = response.body.errors;
    expect([response.status, extensions.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(extensions.fields.map((field: { message: string }) => field.message)).toEqual([message]);
  });

  it('on every host', async () => {
    for (const host of ['uat', 'production'] as const)
      expect(messagesIn(await send('{ order(kind: "RECHARGE", clientRequestId: "a") { id } }', host))).toEqual([
        'kind: Must be one of RECHARGE, CARD_PAYMENT. Write RECHARGE without quotes.',
      ]);
    const approved = '{ developers(first: 1, filter: {status: "APPROVED"}) { totalCount } }';
    expect(messagesIn(await send(approved, 'console'))[0]).toMatch(/ Write APPROVED without quotes\.$/);
  });

  it('in the default value of a variable, whether the variable is set or not', async () => {
    const query = 'query($k: OrderKind! = "RECHARGE") { order(kind: $k, clientRequestId: "a") { id } }';
    for (const variables of [{}, { k: 'RECHARGE' }])
      expect(messagesIn(await send(query, 'uat', variables))[0]).toMatch(/ Write RECHARGE without quotes\.$/);
  });

  it('in a part of the document that is not selected: by its location', async () => {
    const query = 'query A { me { id } } query B { order(kind: "RECHARGE", clientRequestId: "a") { id } }';
    for (const operationName of ['A', undefined]) {
      const { body } = await service.test.rest('uat', 'POST', '/graphql', developer.tokens.uat, {
        query,
        operationName,
      });
      expect(body.errors).toEqual([
        {
          message: 'This value does not match its type.',
          locations: [{ line: 1, column: 45 }],
          extensions: expect.objectContaining({ code: 'INVALID_DOCUMENT' }),
        },
      ]);
    }
  });

  it('without showing the literal', async () => {
    for (const secret of [
      '"sk_uat_secret"',
      'sk_uat_secret',
      '4111111111111111',
      '[4111111111111111.5]',
      '{ a: "sk_uat_secret" }',
    ])
      for (const field of ['operatorType', 'accountNumber', 'amount', 'operatorSpKey', 'none']) {
        const { body } = await send(recharge(`${field}: ${secret}`).replace('MOBILE', 'DTH'));
        expect(JSON.stringify(body)).not.toMatch(/sk_uat_secret|4111111111111111/i);
      }
  });
});

describe('invalid values and document errors are reported together', () => {
  it('each in a separate error, the document first', async () => {
    const response = await send('{ order(kind: "RECHARGE", clientRequestId: A) { id } wallet { ballance } }');
    expect([response.status, messagesIn(response)]).toEqual([
      400,
      [
        'Cannot query field "ballance" on type "Wallet". Did you mean "balance"?',
        'kind: Must be one of RECHARGE, CARD_PAYMENT. Write RECHARGE without quotes. 1 more field is invalid.',
      ],
    ]);
  });

  it('an undeclared variable or a missing argument is reported once', async () => {
    const variable = await send('{ a: order(kind: "RECHARGE", clientRequestId: $k) { id } }');
    expect(messagesIn(variable)).toEqual([
      'Variable "$k" is not defined.',
      'kind: Must be one of RECHARGE, CARD_PAYMENT. Write RECHARGE without quotes.',
    ]);
    const argument = await send(
      '{ leadPincodes { providerId } ordersByKey(kind: RECHARGE, clientRequestIds: [1]) { id } }',
    );
    expect(messagesIn(argument)).toEqual([
      'Field "leadPincodes" argument "search" of type "String!" is required, but it was not provided.',
      'clientRequestIds.0: Must be text. Put it in quotes.',
    ]);
  });
});

describe('a missing variable', () => {
  it('is reported for its own argument, without suggesting an alternative one', async () => {
    const problemsOf = ({ body }: TestResponse) =>
      body.errors[0].extensions.fields.map(({ path, rule }: { path: string; rule: string }) => [path, rule]);
    const order = 'query($k: ID!) { order(id: $k) { id } }';
    for (const variables of [undefined, {}, { k: null }])
      expect(problemsOf(await send(order, 'uat', variables))).toEqual([['id', 'REQUIRED']]);
    const inside =
      'query($s: [OrderStatus!]!, $one: OrderStatus!) { a: orders(filter: { status: $s }) { edges { cursor } } b: orders(filter: { status: [$one] }) { edges { cursor } } }';
    expect(problemsOf(await send(inside))).toEqual([
      ['filter.status', 'REQUIRED'],
      ['filter.status.0', 'REQUIRED'],
    ]);
    // A variable that is set is checked as usual.
    expect(problemsOf(await send(order.replace('id: $k', 'id: $k, apiRequestId: "x"'), 'uat', { k: 'x' }))).toEqual([
      ['clientRequestId', 'COMBINATION'],
    ]);
  });
});

describe('a GraphQL message', () => {
  it('uses the names of the schema, and suggests nothing that the caller cannot fix', async () => {
    const restricted = await service.test.developer({ disabledServices: ['operator_fetch'] });
    const find = (mobile: string) => `{ operatorFind(input: { mobile: "${mobile}", clientRequestId: "m4" }) { fee } }`;
    expect(messagesIn(await service.test.graphql('uat', restricted.tokens.uat, find('9876543210')))).toEqual([
      'OPERATOR_FETCH is not enabled for this account.',
    ]);
    expect(messagesIn(await send(find('9876540001')))).toEqual(['The provider could not complete the request.']);
    const approve = 'mutation($id: ID!) { approveDeveloper(input: { developerId: $id }) { developer { id } } }';
    expect(messagesIn(await send(approve, 'console', { id: restricted.id }))).toEqual([
      'The account state must be KYC_SUBMITTED, but it is APPROVED.',
    ]);
  });
});

describe('undeclared variables', () => {
  const query = 'query($first: Int) { orders(first: $first) { edges { cursor } } }';

  it('are rejected by name on the console, for all callers and in addition to other errors', async () => {
    const response = await send(query, 'console', { frist: 3, filtre: { kind: 'RECHARGE' } });
    expect([response.status, response.body.errors[0].extensions.code]).toEqual([400, 'INVALID_DOCUMENT']);
    expect(messagesIn(response)).toEqual(['The operation does not declare these variables: frist, filtre.']);
    expect(response.body.errors[0].locations).toEqual([{ line: 1, column: 1 }]);
    const corrected = await send(query, 'console', { first: 1 });
    expect([corrected.status, corrected.body.errors]).toEqual([200, undefined]);
    expect(messagesIn(await send(query, 'console', { first: 'three', constructor: 1 }))).toEqual([
      'The operation does not declare these variables: constructor.',
    ]);
    expect((await service.test.graphql('console', undefined, query, { frist: 3 })).status).toBe(401);
  });

  it('are ignored on the API hosts, as the specification requires', async () => {
    expect((await send(query, 'uat', { frist: 3 })).body.errors).toBeUndefined();
  });
});

describe('subscriptions', () => {
  it('for all orders do not exist on the console', async () => {
    const response = await send('subscription { ordersChanged { id } }', 'console');
    expect([response.status, response.body.errors[0].extensions.code]).toEqual([400, 'INVALID_DOCUMENT']);
    expect(messagesIn(response)[0]).toContain('"ordersChanged"');
  });

  it.each(['uat', 'production', 'console'] as const)('sent as a query get instructions: %s', async (host) => {
    const query = 'subscription { orderChanged(id: "ord_1") { id } }';
    expect(await service.test.graphql(host, undefined, query)).toMatchObject({ status: 401 });
    const response = await send(query, host);
    expect([response.status, response.body.errors[0].extensions.code]).toEqual([400, 'INVALID_DOCUMENT']);
    expect(messagesIn(response)).toEqual([
      expect.stringMatching(
        /Send the request by POST with Accept: text\/event-stream or multipart\/mixed;subscriptionSpec=1\.0\.$/,
      ),
    ]);
  });
});

describe('a field of another host', () => {
  it('is reported with that host, where the schema is not secret', async () => {
    expect(messagesIn(await send('{ viewer { user { id } } wallet { balance } }'))).toEqual([
      'Cannot query field "viewer" on type "Query": the console host serves it.',
    ]);
    expect(messagesIn(await send('mutation { approveDeveloper(a: 1) { id } }'))[0]).toMatch(
      /: the console host serves it/,
    );
    expect(messagesIn(await send('{ viewer { user { id } } wallet { balance } }', 'console'))).toEqual([
      'Cannot query field "wallet" on type "Query": the uat and production hosts serve it.',
    ]);
  });

  it('is reported as unknown in Production', async () => {
    expect(messagesIn(await send('{ viewer { user { id } } }', 'production'))).toEqual([
      'Cannot query field "viewer" on type "Query".',
    ]);
  });

  it('is not a property that every object inherits', async () => {
    expect(messagesIn(await send('{ constructor wallet { toString } }'))).toEqual([
      'Cannot query field "constructor" on type "Query".',
      'Cannot query field "toString" on type "Wallet".',
    ]);
  });
});
