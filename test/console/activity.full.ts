import { beforeAll, expect, it } from 'vitest';
import type { TestDeveloper } from '../support/app.js';
import { OUTCOME } from '../support/outcomes.js';
import { place } from '../support/recharges.js';
import { codesOf, expectExplained, useConsole } from './console.fixture.js';

const console = useConsole();
expectExplained(console);
let developer: TestDeveloper;
let other: TestDeveloper;
let owner: string;
let outsider: string;

const ENTRY =
  'id number action summary subjectText subject { id } reason address requestId actor { kind name user { id email } } changes { field before after }';
const ACTIVITY = `query($id: ID!, $first: Int, $after: String) { developer(id: $id) { activity(first: $first, after: $after) {
  edges { node { ${ENTRY} } } pageInfo { hasNextPage endCursor } } } }`;

interface Entry {
  id: string;
  action: string;
  summary: string;
  subjectText: string;
  subject: { id: string } | null;
  reason: string | null;
  address: string | null;
  actor: { kind: string; name: string; user: { email: string } | null };
  changes: { field: string; before: string | null; after: string | null }[];
}
const activityOf = async (session: string, id = developer.id, page: object = { first: 100 }): Promise<Entry[]> => {
  const { body } = await console.call(session, ACTIVITY, { id, ...page });
  return body.data.developer.activity.edges.map(({ node }: { node: Entry }) => node);
};

beforeAll(async () => {
  const { test, staff } = console;
  developer = await test.developer({ liveRupees: 100 });
  other = await test.developer({ liveRupees: 100 });
  owner = await console.userOf(developer.id);
  outsider = await console.userOf(other.id);
  const { id } = developer;
  const mutate = async (session: string, mutation: string) =>
    expect(codesOf(await console.call(session, `mutation { ${mutation} }`))).toEqual([]);
  // An account can have at most two active keys per environment.
  await mutate(owner, 'createCredential(input: {environment: UAT, label: "till"}) { credential { clientId } }');
  await mutate(
    staff.admin,
    `setServiceAccess(input: {developerId: "${id}", service: DTH_INFO, enabled: true, fee: 0.25}) { developer { id } }`,
  );
  await mutate(
    staff.admin,
    `setServiceAccess(input: {developerId: "${other.id}", service: OPERATOR_FETCH, enabled: false}) { developer { id } }`,
  );
  await mutate(
    staff.admin,
    `lockProduction(input: {developerId: "${id}", reason: "we suspect them"}) { developer { id } }`,
  );
  await mutate(
    staff.admin,
    `suspendDeveloper(input: {developerId: "${id}", reason: "told to you"}) { developer { id } }`,
  );
  await mutate(
    staff.admin,
    `reinstateDeveloper(input: {developerId: "${id}", reason: "a note for us"}) { developer { id } }`,
  );
  await mutate(staff.admin, `unlockProduction(input: {developerId: "${id}"}) { developer { id } }`);
  await mutate(
    staff.admin,
    `creditWallet(input: {developerId: "${other.id}", environment: PRODUCTION, amount: 5, reference: "Other", utr: "ACTV000000000001"}) ${OUTCOME}`,
  );
  const endpoint = '(input: {url: "https://hooks.test.example/"}) { endpoint { id } }';
  const created = await test.graphql('uat', developer.tokens.uat, `mutation { createWebhookEndpoint${endpoint} }`);
  expect(codesOf(created)).toEqual([]);
  const { body } = await place(test, developer, { amount: 10 });
  const [order] = await test.db.query<{ id: string }>('select id from orders where reference = $1', [
    body.data.order_id ?? body.api_request_id,
  ]);
  if (order)
    await mutate(
      staff.admin,
      `reverseOrder(input: {orderId: "${order.id}", reason: "seen at the provider"}) ${OUTCOME}`,
    );
  const { audit, orm } = test.app;
  // Data for staff only, including the number of other accounts with the same PAN.
  await orm.em.fork().transactional((tx) =>
    audit.recordAll(
      { actor: 'system:test', requestId: 'test' },
      [
        { action: 'kyc.read', subject: `developer:${id}`, before: null, after: { submissionId: 's' } },
        { action: 'approval_request.create', subject: `developer:${id}/production`, before: null, after: { key: 'x' } },
        { action: 'order.check_status', subject: `developer:${id}`, before: null, after: null },
      ],
      tx,
    ),
  );
  const { rows } = await test.app.pool.query<{ id: string }>('select id from app_user where developer_id = $1', [id]);
  await orm.em.fork().transactional((tx) =>
    audit.record(
      { actor: `user:${rows[0]!.id}`, requestId: 'r', address: '192.0.2.9' },
      {
        action: 'kyc.submit',
        subject: `developer:${id}`,
        before: null,
        after: { documents: 2, otherAccountsWithThisPan: 3 },
      },
      tx,
    ),
  );
});

it('shows users of the account their own actions and those of their API keys, with the IP address, and staff as "Staff"', async () => {
  const entries = await activityOf(owner);
  const of = (action: string): Entry => entries.find((entry) => entry.action === action)!;
  expect(of('CREDENTIAL_CREATE')).toMatchObject({ address: '127.0.0.1', actor: { name: 'Someone', kind: 'USER' } });
  expect(of('CREDENTIAL_CREATE').changes.map(({ field }) => field)).not.toContain('secretMark');
  expect(of('WEBHOOK_CREATE')).toMatchObject({ address: '127.0.0.1', actor: { kind: 'TOKEN', user: null } });
  expect(of('USER_SIGN_IN').actor.user?.email).toMatch(/^user-/);
  for (const action of ['SERVICE_ACCESS_SET', 'DEVELOPER_LOCK_PRODUCTION', 'DEVELOPER_SUSPEND', 'DEVELOPER_REINSTATE'])
    expect(of(action)).toMatchObject({ address: null, actor: { kind: 'USER', name: 'Staff', user: null } });
  expect(of('SERVICE_ACCESS_SET').changes).toEqual([{ field: 'fee', before: '0', after: '0.25' }]);
  expect(of('DEVELOPER_SUSPEND').subject!.id).toBe(`dev_${developer.id}`);
});

it('shows the reason of staff to the account only where the account is notified of it, and to staff as a note otherwise', async () => {
  const reasons = Object.fromEntries((await activityOf(owner)).map(({ action, reason }) => [action, reason]));
  expect(reasons).toMatchObject({
    DEVELOPER_SUSPEND: 'told to you',
    DEVELOPER_REINSTATE: null,
    DEVELOPER_LOCK_PRODUCTION: null,
  });
  expect(JSON.stringify(await activityOf(owner))).not.toMatch(/suspect|a note for us|admin@test/);
});

it('has a one-line summary for the account and for staff, built from the values that each can see', async () => {
  const summaries = async (session: string, id = developer.id) =>
    // The newest entry of each action.
    Object.fromEntries((await activityOf(session, id)).toReversed().map(({ action, summary }) => [action, summary]));
  for (const reader of [owner, console.staff.support])
    expect(await summaries(reader)).toMatchObject({
      SERVICE_ACCESS_SET: 'DTH customer: fee ₹0.00 → ₹0.25',
      DEVELOPER_SUSPEND: 'Account suspended',
      CREDENTIAL_CREATE: expect.stringMatching(/^API key created: .*name till/),
    });
  expect(await summaries(outsider, other.id)).toMatchObject({
    SERVICE_ACCESS_SET: 'Operator find: enabled → disabled',
    WALLET_CREDIT: 'Wallet credited: balance ₹100.00 → ₹105.00, UTR ACTV000000000001, reference Other',
  });
});

it('hides from the account what staff read and request, and what an entry contains about other accounts', async () => {
  const entries = await activityOf(owner);
  const actions = new Set(entries.map(({ action }) => action));
  for (const hidden of ['KYC_READ', 'APPROVAL_REQUEST_CREATE', 'ORDER_CHECK_STATUS'])
    expect(actions).not.toContain(hidden);
  expect(entries.find(({ action }) => action === 'KYC_SUBMIT')).toMatchObject({
    address: '192.0.2.9',
    changes: [{ field: 'documents', before: null, after: '2' }],
  });
});

it('contains nothing about other accounts, and is not readable by other accounts', async () => {
  const ownActivity = await activityOf(owner);
  const otherActivity = await activityOf(outsider, other.id);
  expect(JSON.stringify(ownActivity)).not.toContain(other.id);
  expect(JSON.stringify(otherActivity)).not.toContain(developer.id);
  expect(otherActivity.map(({ action }) => action)).toContain('WALLET_CREDIT');
  const ids = new Set(ownActivity.map(({ id }) => id));
  expect(otherActivity.filter(({ id }) => ids.has(id))).toEqual([]);
  expect(await console.codes(outsider, ACTIVITY, { id: developer.id })).toEqual(['RECORD_NOT_FOUND']);
});

it('lets users of the account, and no other account, find an entry by the ID shown in the list', async () => {
  const [entry] = await activityOf(owner);
  const query = `query($id: ID!) { node(id: $id) { ... on AuditEntry { ${ENTRY} } } }`;
  expect((await console.call(owner, query, { id: entry!.id })).body.data.node).toEqual(entry);
  expect(await console.codes(outsider, query, { id: entry!.id })).toEqual(['RECORD_NOT_FOUND']);
  const [hidden] = await console.test.db.query<{ id: string }>(
    `select id::text from audit_entry where action = 'kyc.read' and developer_id = $1`,
    [developer.id],
  );
  expect(await console.codes(owner, query, { id: `aud_${hidden!.id}` })).toEqual(['RECORD_NOT_FOUND']);
});

it('is paginated newest first, and complete for staff', async () => {
  const all = await activityOf(owner);
  const page = await console.call(owner, ACTIVITY, { id: developer.id, first: 2 });
  const { pageInfo, edges } = page.body.data.developer.activity;
  expect(pageInfo.hasNextPage).toBe(true);
  const rest = await activityOf(owner, developer.id, { first: 100, after: pageInfo.endCursor });
  expect([...edges.map(({ node }: { node: Entry }) => node), ...rest]).toEqual(all);
  const staff = await activityOf(console.staff.support);
  expect(staff.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
  expect(staff.find(({ action }) => action === 'DEVELOPER_LOCK_PRODUCTION')).toMatchObject({
    reason: 'we suspect them',
    address: '127.0.0.1',
    actor: { name: 'admin' },
  });
  expect(await console.codes(owner, ACTIVITY, { id: developer.id, first: 201 })).toEqual(['VALIDATION_FAILED']);
});
