import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type GraphQLEnumType,
  getOperationAST,
  getVariableValues,
  isEnumType,
  isInputObjectType,
  parse,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { auditWords } from '../../portal/src/audit-words.js';
import { isSecret, withoutSecrets } from '../../portal/src/call-log.js';
import { PROVIDERS_OF } from '../../portal/src/order-providers.js';
import { userAgentName } from '../../portal/src/user-agent.js';
import { words } from '../../portal/src/words.js';
import { paymentProviders, SANDBOX } from '../../src/providers/provider.enum.js';
import { LISTS } from '../bench/support/lists.js';
import { portalScripts } from '../support/portal-assets.js';
import { portalDocuments } from '../support/portal-documents.js';

const root = new URL('../../', import.meta.url);
const schema = buildSchema(readFileSync(new URL('schema.console.graphql', root), 'utf8'));

/** Mutations that no page sends, with the reason. */
const UNUSED_MUTATIONS: Record<string, string> = {
  setServiceAccess: 'setServiceAccessMany also works for one account, and returns the values to undo it',
};

/** Queries that no page sends, with the reason. */
const UNUSED_QUERIES: Record<string, string> = {
  banks: 'orders do not include the bank of a card, so no page shows a bank code: the query is for other clients',
  circles:
    'orders do not include the circle of a number, so no page shows a circle code: the query is for other clients',
  rateLimit: 'users of the portal do not reach the session limit: the query is for other clients',
};

/** Input fields whose values must not be visible on the screen. */
const SECRETS = ['code', 'currentPassword', 'newPassword', 'pan', 'passkey', 'password', 'token'];

/** Enums whose values no page shows individually, with the reason. */
const UNLABELED: Record<string, string> = {
  ActorKind: 'actors are shown by name, including commands and the system',
  DeveloperSort: 'lists are sorted newest first by default',
  RevokedKeyEndpoints: 'the dialog for revoking a key describes both choices in sentences',
  DthOpcode: 'plan lookups are not on the console',
  ErrorCode:
    'the list of orders has labels for the codes of rejected orders; a rejected call shows its code as the developer received it',
  KycField: 'each value is a field of the form with its own label',
  LeadStatus: 'no page shows leads',
  MobileOpcode: 'plan lookups are not on the console',
  OrderResolutionResult: 'the results of a list of orders are shown as counts',
  OperatorType: 'the value is passed on unchanged when a recharge is run again in UAT',
  OrderAction: 'the value determines the buttons',
  OrderEventKind: 'the service returns a text for each event',
  PasskeyUse: 'the value is only an argument of a passkey request',
  Resolution: 'the value determines which of two sentences describes an approval request',
  SessionScope: 'the value is only an argument for revoking sessions',
};

/** Operations in the built pages, without those that no route leads to. */
function usedByPages() {
  const queries = new Set<string>();
  const mutations = new Set<string>();
  const info = new TypeInfo(schema);
  const visitor = visitWithTypeInfo(info, {
    Field({ name }) {
      if (info.getParentType() === schema.getQueryType()) queries.add(name.value);
      if (info.getParentType() === schema.getMutationType()) mutations.add(name.value);
    },
  });
  const scripts = portalScripts();
  const isBuilt = ([name]: readonly [string, string]) =>
    new RegExp(`(query|mutation|subscription) ${name}\\b`).test(scripts);
  const documents = [...portalDocuments];
  for (const [, text] of documents.filter(isBuilt)) visit(parse(text), visitor);
  return { queries, mutations, dead: documents.filter((document) => !isBuilt(document)).map(([name]) => name) };
}
const used = usedByPages();

describe('the portal', () => {
  it('has a page for every mutation of the console, or a reason why not', () => {
    const all = Object.keys(schema.getMutationType()!.getFields());
    expect(all.filter((name) => !used.mutations.has(name)).toSorted()).toEqual(
      Object.keys(UNUSED_MUTATIONS).toSorted(),
    );
  });

  it('has a page for every query of the console, or a reason why not', () => {
    const all = Object.keys(schema.getQueryType()!.getFields());
    expect(all.filter((name) => !used.queries.has(name)).toSorted()).toEqual(Object.keys(UNUSED_QUERIES).toSorted());
  });

  it('has no operation that no page uses', () => {
    expect(used.dead).toEqual([]);
  });

  it('has a label for every value of every enum, or a reason why not', () => {
    const translated = [...tablesIn({ words, auditWords })];
    const untranslated = Object.values(schema.getTypeMap())
      .filter((type) => isEnumType(type) && !type.name.startsWith('__'))
      .filter((type) => !translated.includes(keyOf((type as GraphQLEnumType).getValues().map(({ name }) => name))));
    expect(untranslated.map(({ name }) => name).toSorted()).toEqual(Object.keys(UNLABELED).toSorted());
  });

  it('has no empty label', () => {
    expect([...textsIn({ words, auditWords })].filter((text) => text.trim() === '')).toEqual([]);
  });

  it('offers every payment provider in the order filter', () => {
    const providersByKind = Object.entries(PROVIDERS_OF).map(([kind, names]) => [
      kind.toLowerCase(),
      [...names, SANDBOX],
    ]);
    expect(Object.fromEntries(providersByKind)).toEqual(paymentProviders);
  });

  it.each(LISTS)('is measured with variables that its document declares: %s', (_, names, variables) => {
    const { variableDefinitions = [] } = getOperationAST(parse(portalDocuments.get(names) ?? names))!;
    const declared = variableDefinitions.map(({ variable }) => variable.name.value);
    expect(declared).toEqual(expect.arrayContaining(Object.keys(variables)));
    expect(getVariableValues(schema, variableDefinitions, variables as Record<string, unknown>).errors).toBeUndefined();
  });

  it('masks secrets in the API calls that it shows, at any depth', () => {
    const inputs = Object.values(schema.getTypeMap()).filter((type) => isInputObjectType(type));
    const hidden = new Set(inputs.flatMap((type) => Object.keys(type.getFields()).filter(isSecret)));
    expect([...hidden].toSorted()).toEqual(SECRETS);
    const secret = 'hunter2 hunter2';
    const input = Object.fromEntries(SECRETS.map((name) => [name, secret]));
    const masked = withoutSecrets({ input, list: [{ input }], password: { deep: secret }, id: 'dev_1', none: null });
    expect(JSON.stringify(masked)).not.toContain(secret);
    expect(masked).toMatchObject({ id: 'dev_1', none: null, list: [{ input: { token: '•••' } }] });
  });
});

const keyOf = (names: readonly string[]): string => names.toSorted().join(' ');

/** The keys of every label table. */
function* tablesIn(input: object): Generator<string> {
  yield keyOf(Object.keys(input));
  for (const value of Object.values(input)) if (typeof value === 'object') yield* tablesIn(value);
}

function* textsIn(input: object): Generator<string> {
  for (const value of Object.values(input)) {
    if (typeof value === 'string') yield value;
    if (typeof value === 'object') yield* textsIn(value);
  }
}

describe('a session from', () => {
  it.each([
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
      'Chrome on Linux',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
      'Edge on Windows',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 OPR/125.0.0.0',
      'Opera on Windows',
    ],
    [
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
      'Chrome on Android',
    ],
    [
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36',
      'Samsung Internet on Android',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
      'Safari on iPhone',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0.0.0 Mobile/15E148 Safari/604.1',
      'Chrome on iPhone',
    ],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox on macOS'],
    ['curl/8.14.1', 'curl/8.14.1'],
  ])('%s is shown as %s', (agent, browserName) => {
    expect(userAgentName(agent)).toBe(browserName);
  });
});
