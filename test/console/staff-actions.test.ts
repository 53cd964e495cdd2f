import { readdir, readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AuditRecord } from '../../src/audit/audit.service.js';
import { auditActions } from '../../src/audit/audit-actions.js';
import { auditProblems } from '../support/audit.js';
import { closeAccount } from '../support/close-account.js';
import { UNKNOWN_ID } from '../support/ids.js';
import { codesOf, expectExplained, fieldsOf, type Staff, useOwnConsole } from './console.fixture.js';

const APPROVE = `mutation($id: ID!) { approveDeveloper(input: {developerId: $id}) {
  developer { id onboardingStatus approvedAt approvedBy { kind name user { id email } } wallets { environment balance } } approvalRequest { id } } }`;
const APPROVE_WITH = `mutation($input: ApproveDeveloperInput!) { approveDeveloper(input: $input) {
  developer { onboardingStatus services { service enabled fee } } } }`;
const REJECT = `mutation($id: ID!, $reason: String!) { rejectDeveloper(input: {developerId: $id, reason: $reason}) {
  developer { onboardingStatus rejectionReason approvedAt approvedBy { name } } } }`;
const UNLOCK =
  'mutation($id: ID!) { unlockProduction(input: {developerId: $id}) { developer { productionUnlocked } } }';
const ASSIGN = `mutation($input: AssignRechargeProviderInput!) { assignRechargeProvider(input: $input) {
  developer { id rechargeProvider } whiteLabel { id rechargeProvider } } }`;
const NEW_LABEL = `mutation($name: String!, $provider: RechargeProvider!) {
  createWhiteLabel(input: {name: $name, rechargeProvider: $provider}) { whiteLabel { id name rechargeProvider } } }`;
const RENAME = `mutation($input: RenameWhiteLabelInput!) { renameWhiteLabel(input: $input) { whiteLabel { id name } } }`;
const ENABLE = `mutation($input: EnableWhiteLabelInput!) { enableWhiteLabel(input: $input) { whiteLabel { disabledAt } } }`;
const DISABLE = `mutation($input: DisableWhiteLabelInput!) { disableWhiteLabel(input: $input) { whiteLabel { disabledAt } } }`;
const LABEL = 'developer { rechargeProvider whiteLabel { id name } }';
const MOVE = `mutation($id: ID!, $label: ID!) {
  moveToWhiteLabel(input: {developerId: $id, whiteLabelId: $label}) { ${LABEL} } }`;
const REMOVE = `mutation($id: ID!) { removeFromWhiteLabel(input: {developerId: $id}) { ${LABEL} } }`;
const LEAD_CUSTOMER = `mutation($environment: Environment!, $id: String!) {
  setDefaultLeadCustomer(input: {environment: $environment, customerId: $id}) { environment customerId } }`;

const console = useOwnConsole();
expectExplained(console);
const as = (actor: Staff, query: string, variables: object) => console.call(console.staff[actor], query, variables);

interface AuditRow {
  action: string;
  actor: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  reason: string;
  request_id: string;
}
const auditLogOf = (subject: string) =>
  console.test.db.query<AuditRow & { subject: string }>(
    'select * from audit_entry where subject = $1 order by audit_entry.id',
    [subject],
  );

describe('approval', () => {
  let waiting: string;
  beforeAll(async () => {
    waiting = await console.applicant();
  });

  it('opens both wallets, with test funds in the UAT wallet', async () => {
    const id = await console.applicant();
    const { body } = await as('admin', APPROVE, { id });
    expect(body.data.approveDeveloper).toEqual({
      developer: {
        id: `dev_${id}`,
        onboardingStatus: 'APPROVED',
        approvedAt: expect.stringMatching(/\+05:30$/),
        approvedBy: {
          kind: 'USER',
          name: 'admin',
          user: {
            id: (await auditLogOf(`developer:${id}`)).at(-1)!.actor.replace('user:', 'usr_'),
            email: 'admin@test.example',
          },
        },
        wallets: [
          { environment: 'UAT', balance: 200_000 },
          { environment: 'PRODUCTION', balance: 0 },
        ],
      },
      approvalRequest: null,
    });
  });

  it('enables services with their fees in one call, with an audit entry for each', async () => {
    const id = await console.applicant();
    const services = [{ service: 'OPERATOR_FETCH', fee: 0.1 }, { service: 'LEAD_GENERATION' }];
    const { body } = await as('admin', APPROVE_WITH, { input: { developerId: id, services } });
    expect(body.data.approveDeveloper.developer).toEqual({
      onboardingStatus: 'APPROVED',
      services: [
        'CREDIT_CARD_FETCH',
        'OPERATOR_FETCH',
        'OPERATOR_PLAN_FETCH',
        'DTH_PLAN_FETCH',
        'DTH_INFO',
        'LEAD_GENERATION',
      ].map((service) => ({
        service,
        enabled: service === 'OPERATOR_FETCH' || service === 'LEAD_GENERATION',
        fee: service === 'OPERATOR_FETCH' ? 0.1 : 0,
      })),
    });
    const approval = (await auditLogOf(`developer:${id}`)).at(-1)!;
    for (const [service, feePaise] of [
      ['operator_fetch', '10'],
      ['lead_generation', '0'],
    ] as const)
      expect(await auditLogOf(`developer:${id}/${service}`)).toEqual([
        expect.objectContaining({
          action: 'service_access.set',
          actor: approval.actor,
          request_id: approval.request_id,
          before: { enabled: false, feePaise: '0' },
          after: { enabled: true, feePaise },
        }),
      ]);
  });

  it.each([
    [[{ service: 'OPERATOR_FETCH' }, { service: 'EVERYTHING' }], 'input.services.1.service'],
    [
      [
        { service: 'OPERATOR_FETCH', fee: 0.1 },
        { service: 'DTH_INFO', fee: 10_000.01 },
      ],
      'input.services.1.fee',
    ],
    [[{ service: 'DTH_INFO', fee: -1 }], 'input.services.0.fee'],
    [[{ service: 'DTH_INFO', fee: 0.001 }], 'input.services.0.fee'],
    [[{ fee: 1 }, { service: 'DTH_INFO' }], 'input.services.0.service'],
    [[{ service: 'DTH_INFO' }, { service: 'DTH_INFO', fee: 1 }], 'input.services'],
    [[null], 'input.services.0'],
  ])('with %j is rejected with the path of the field, and nothing is approved or enabled', async (services, path) => {
    const response = await as('admin', APPROVE_WITH, { input: { developerId: waiting, services } });
    expect([codesOf(response), fieldsOf(response)]).toEqual([['VALIDATION_FAILED'], [path]]);
    const { body } = await as(
      'admin',
      'query($id: ID!) { developer(id: $id) { onboardingStatus services { enabled } } }',
      {
        id: waiting,
      },
    );
    expect(body.data.developer.onboardingStatus).toBe('KYC_SUBMITTED');
    expect(body.data.developer.services).not.toContainEqual({ enabled: true });
  });

  it('of an account that was rejected in the meantime enables nothing', async () => {
    const id = await console.applicant();
    await as('second', REJECT, { id, reason: 'No PAN' });
    const input = { developerId: id, services: [{ service: 'DTH_INFO', fee: 1 }] };
    expect(codesOf(await as('admin', APPROVE_WITH, { input }))).toEqual(['CONFLICT']);
    expect(await auditLogOf(`developer:${id}/dth_info`)).toEqual([]);
  });

  it('and rejection by two admins at once: one succeeds, the other gets a conflict', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await console.applicant();
      const responses = await Promise.all([
        as('admin', APPROVE, { id }),
        as('second', REJECT, { id, reason: 'No PAN' }),
      ]);
      expect(responses.flatMap(codesOf)).toEqual(['CONFLICT']);
      const [row] = await console.test.db.query<{ onboarding_status: string }>(
        'select onboarding_status from developer where id = $1',
        [id],
      );
      expect(row!.onboarding_status).toBe(responses[0].body.errors ? 'rejected' : 'approved');
      expect(await auditLogOf(`developer:${id}`)).toHaveLength(4); // Registration, address, KYC and one resolution.
    }
  });

  it('by two admins at once happens once', async () => {
    const id = await console.applicant();
    const responses = await Promise.all([as('admin', APPROVE, { id }), as('second', APPROVE, { id })]);
    expect(responses.flatMap(codesOf)).toEqual(['CONFLICT']);
  });

  it('and Production access at once never enable Production for an account that is not approved', async () => {
    const id = await console.applicant();
    const [approved, unlocked] = await Promise.all([as('admin', APPROVE, { id }), as('second', UNLOCK, { id })]);
    expect(codesOf(approved)).toEqual([]);
    const [row] = await console.test.db.query<{ production_unlocked: boolean }>(
      'select production_unlocked from developer where id = $1',
      [id],
    );
    expect(codesOf(unlocked)).toEqual(row!.production_unlocked ? [] : ['CONFLICT']);
    if (!row!.production_unlocked) expect(codesOf(await as('second', UNLOCK, { id }))).toEqual([]);
    const responses = await Promise.all([as('admin', UNLOCK, { id }), as('second', UNLOCK, { id })]);
    expect(responses.flatMap(codesOf)).toEqual(['CONFLICT', 'CONFLICT']);
  });

  it('requires submitted KYC; a rejected account can be neither approved nor given Production access', async () => {
    const fresh = await console.test.app.developers.register(
      { name: 'Fresh', email: 'fresh@test.example' },
      { actor: 'system:test', requestId: 't' },
    );
    for (const query of [APPROVE, UNLOCK])
      expect(codesOf(await as('admin', query, { id: fresh }))).toEqual(['CONFLICT']);
    const rejectedId = await console.applicant();
    const { body } = await as('admin', REJECT, { id: rejectedId, reason: ' Blurred document ' });
    expect(body.data.rejectDeveloper.developer).toEqual({
      onboardingStatus: 'REJECTED',
      rejectionReason: 'Blurred document',
      approvedAt: null,
      approvedBy: null,
    });
    for (const query of [APPROVE, UNLOCK]) {
      const response = await as('admin', query, { id: rejectedId });
      expect(codesOf(response)).toEqual(['CONFLICT']);
      expect(response.body.errors[0].message).toContain('REJECTED');
    }
  });

  it('writes the actor, action, values before and after, reason and request to the audit log', async () => {
    const id = await console.applicant();
    const { headers } = await as('second', REJECT, { id, reason: 'Blurred document' });
    const [admin] = await console.test.db.query<{ id: string }>(
      `select id from app_user where email = 'second@test.example'`,
    );
    expect((await auditLogOf(`developer:${id}`)).at(-1)).toMatchObject({
      action: 'developer.reject',
      actor: `user:${admin!.id}`,
      before: { onboardingStatus: 'kyc_submitted', productionUnlocked: false },
      after: { onboardingStatus: 'rejected' },
      reason: 'Blurred document',
      request_id: headers.get('x-request-id'),
    });
  });

  it('that is rejected writes no audit entry', async () => {
    const id = await console.applicant();
    await as('admin', UNLOCK, { id });
    expect(await auditLogOf(`developer:${id}`)).toHaveLength(3);
  });

  it('needs no reason, unlike a rejection', async () => {
    const id = await console.applicant();
    for (const reason of ['', '   ', 'x'.repeat(501)]) {
      const response = await as('admin', REJECT, { id, reason });
      expect([codesOf(response), fieldsOf(response)]).toEqual([['VALIDATION_FAILED'], ['input.reason']]);
    }
  });
});

it.each([APPROVE, UNLOCK, REMOVE])('an unknown developer is reported as not found: %s', async (query) => {
  for (const id of [UNKNOWN_ID, `dev_${UNKNOWN_ID}`, `usr_${UNKNOWN_ID}`, '0', '-1', 'x', '1e3'])
    expect([id, codesOf(await as('admin', query, { id }))]).toEqual([id, ['RECORD_NOT_FOUND']]);
});

describe('white labels and providers', () => {
  const label = async (name: string, provider = 'MOKSHIQ'): Promise<string> =>
    (await as('admin', NEW_LABEL, { name, provider })).body.data.createWhiteLabel.whiteLabel.id;

  it('a white label sets the provider of its developers, so the provider is assigned to the white label', async () => {
    const { id } = await console.test.developer({ liveRupees: 0 });
    const publicLabelId = await label('Reseller');
    expect(publicLabelId).toMatch(/^wlb_[0-9a-f-]{36}$/);
    const labelId = publicLabelId.replace('wlb_', '');
    for (const labelInput of [labelId, publicLabelId]) {
      const moved = await as('admin', MOVE, { id, label: labelInput });
      expect(moved.body.data.moveToWhiteLabel.developer).toEqual({
        rechargeProvider: 'MOKSHIQ',
        whiteLabel: { id: publicLabelId, name: 'Reseller' },
      });
    }
    expect(codesOf(await as('admin', MOVE, { id: UNKNOWN_ID, label: labelId }))).toEqual(['RECORD_NOT_FOUND']);
    const rejection = await as('admin', ASSIGN, { input: { developerId: id, provider: 'ROUNDPAY' } });
    expect(codesOf(rejection)).toEqual(['CONFLICT']);
    expect(rejection.body.errors[0].message).toContain('white label');
    const assigned = await as('admin', ASSIGN, { input: { whiteLabelId: labelId, provider: 'ROUNDPAY' } });
    expect(assigned.body.data.assignRechargeProvider).toEqual({
      developer: null,
      whiteLabel: { id: publicLabelId, rechargeProvider: 'ROUNDPAY' },
    });
    const [entry] = (await auditLogOf(`white_label:${labelId}`)).slice(-1);
    expect(entry).toMatchObject({
      action: 'white_label.assign_provider',
      before: { rechargeProvider: 'MOKSHIQ' },
      after: { rechargeProvider: 'ROUNDPAY' },
    });
    // Without a white label, the developer's own provider applies again and can be assigned.
    const { developer } = (await as('admin', REMOVE, { id })).body.data.removeFromWhiteLabel;
    expect(developer).toEqual({ rechargeProvider: 'ROUNDPAY', whiteLabel: null });
    const own = await as('admin', ASSIGN, { input: { developerId: id, provider: 'MOKSHIQ' } });
    expect(own.body.data.assignRechargeProvider).toEqual({
      developer: { id: `dev_${id}`, rechargeProvider: 'MOKSHIQ' },
      whiteLabel: null,
    });
  });

  it.each([
    [{ provider: 'MOKSHIQ' }],
    [{ developerId: '1001', whiteLabelId: '1', provider: 'MOKSHIQ' }],
    [{ developerId: null, whiteLabelId: null, provider: 'MOKSHIQ' }],
  ])('an assignment names exactly one of the two: %j', async (input) => {
    const response = await as('admin', ASSIGN, { input });
    expect([codesOf(response), fieldsOf(response)]).toEqual([['VALIDATION_FAILED'], ['input.developerId']]);
    expect(response.body.errors[0].message).toContain('exactly one');
  });

  it('an unknown white label is not found, and names are unique, also for simultaneous requests', async () => {
    const { id } = await console.test.developer({ liveRupees: 0 });
    for (const unknown of [UNKNOWN_ID, `dev_${id}`, ''])
      expect(codesOf(await as('admin', MOVE, { id, label: unknown }))).toEqual(['RECORD_NOT_FOUND']);
    expect(codesOf(await as('admin', ASSIGN, { input: { whiteLabelId: UNKNOWN_ID, provider: 'MOKSHIQ' } }))).toEqual([
      'RECORD_NOT_FOUND',
    ]);
    const responses = await Promise.all(
      ['admin', 'second', 'admin'].map((actor) =>
        as(actor as Staff, NEW_LABEL, { name: 'Twice', provider: 'ROUNDPAY' }),
      ),
    );
    expect(responses.flatMap(codesOf)).toEqual(['CONFLICT', 'CONFLICT']);
    const { body } = await console.call(console.staff.support, '{ whiteLabels { name rechargeProvider } }');
    expect(body.data.whiteLabels).toEqual([
      { name: 'Reseller', rechargeProvider: 'ROUNDPAY' },
      { name: 'Twice', rechargeProvider: 'ROUNDPAY' },
    ]);
  });

  it('a white label can be renamed to an unused name', async () => {
    const id = await label('Old name');
    await label('Somebody else');
    const renamed = await as('admin', RENAME, { input: { whiteLabelId: id, name: 'New name' } });
    expect(renamed.body.data.renameWhiteLabel.whiteLabel).toEqual({ id, name: 'New name' });
    expect((await auditLogOf(`white_label:${id.replace('wlb_', '')}`)).at(-1)).toMatchObject({
      action: 'white_label.rename',
      before: { name: 'Old name' },
      after: { name: 'New name' },
    });
    for (const [input, code] of [
      [{ whiteLabelId: id, name: 'Somebody else' }, 'CONFLICT'],
      [{ whiteLabelId: id, name: ' ' }, 'VALIDATION_FAILED'],
      [{ whiteLabelId: UNKNOWN_ID, name: 'Any' }, 'RECORD_NOT_FOUND'],
    ] as const)
      expect(codesOf(await as('admin', RENAME, { input }))).toEqual([code]);
  });

  it('a disabled white label accepts no developers, and one with developers cannot be disabled', async () => {
    const whiteLabelId = await label('To disable');
    const { id } = await console.test.developer({ liveRupees: 0 });
    const disable = () => as('admin', DISABLE, { input: { whiteLabelId, reason: 'Left us' } });
    await as('admin', MOVE, { id, label: whiteLabelId });
    const rejection = await disable();
    expect(codesOf(rejection)).toEqual(['CONFLICT']);
    expect(rejection.body.errors[0].message).toContain('has developers');
    await as('admin', REMOVE, { id });
    // A closed account stays under its white label and does not prevent disabling it.
    const closedAccount = await console.test.developer({ liveRupees: 0 });
    await as('admin', MOVE, { id: closedAccount.id, label: whiteLabelId });
    await closeAccount(console.test, closedAccount.id);
    expect((await disable()).body.data.disableWhiteLabel.whiteLabel.disabledAt).toEqual(expect.any(String));
    expect((await auditLogOf(whiteLabelId.replace('wlb_', 'white_label:'))).at(-1)).toMatchObject({
      action: 'white_label.disable',
      before: { disabled: false },
      after: { disabled: true },
      reason: 'Left us',
    });
    expect(codesOf(await disable())).toEqual(['CONFLICT']);
    expect(codesOf(await as('admin', MOVE, { id, label: whiteLabelId }))).toEqual(['CONFLICT']);
    const { body } = await as('support', '{ whiteLabels { id disabledAt } }', {});
    expect(body.data.whiteLabels).toContainEqual({ id: whiteLabelId, disabledAt: expect.any(String) });
  });

  it('a white label accepts developers again once enabled, and only a disabled one can be enabled', async () => {
    const whiteLabelId = await label('To enable');
    const { id } = await console.test.developer({ liveRupees: 0 });
    const input = { whiteLabelId, reason: 'Came back' };
    const enable = (enableInput: object = input) => as('admin', ENABLE, { input: enableInput });
    expect(codesOf(await enable())).toEqual(['CONFLICT']);
    await as('admin', DISABLE, { input });
    for (const [invalidInput, code, ...fields] of [
      [{ ...input, reason: ' ' }, 'VALIDATION_FAILED', 'input.reason'],
      [{ ...input, whiteLabelId: UNKNOWN_ID }, 'RECORD_NOT_FOUND'],
    ] as const)
      expect([codesOf(await enable(invalidInput)), fieldsOf(await enable(invalidInput))]).toEqual([[code], fields]);
    expect((await enable()).body.data.enableWhiteLabel).toEqual({ whiteLabel: { disabledAt: null } });
    expect((await auditLogOf(whiteLabelId.replace('wlb_', 'white_label:'))).at(-1)).toMatchObject({
      action: 'white_label.enable',
      before: { disabled: true },
      after: { disabled: false },
      reason: 'Came back',
    });
    expect(codesOf(await as('admin', MOVE, { id, label: whiteLabelId }))).toEqual([]);
  });

  it('if one admin disables a white label while another moves a developer to it, one of them is rejected', async () => {
    const { id } = await console.test.developer({ liveRupees: 0 });
    for (let round = 0; round < 3; round++) {
      const whiteLabelId = await label(`At once ${round}`);
      const responses = await Promise.all([
        as('admin', DISABLE, { input: { whiteLabelId, reason: 'Left us' } }),
        as('second', MOVE, { id, label: whiteLabelId }),
      ]);
      expect(responses.flatMap(codesOf)).toEqual(['CONFLICT']);
    }
  });
});

describe('the default lead customer', () => {
  const customers = async () =>
    (await as('support', '{ defaultLeadCustomers { environment customerId } }', {})).body.data.defaultLeadCustomers;

  it('is set per environment, and the audit log has its previous value', async () => {
    expect(await customers()).toEqual([
      { environment: 'UAT', customerId: null },
      { environment: 'PRODUCTION', customerId: null },
    ]);
    for (const [environment, id] of [
      ['UAT', 'first'],
      ['UAT', 'second'],
      ['PRODUCTION', 'live'],
    ] as const)
      expect((await as('admin', LEAD_CUSTOMER, { environment, id })).body.data).toEqual({
        setDefaultLeadCustomer: { environment, customerId: id },
      });
    const response = await as('admin', LEAD_CUSTOMER, { environment: 'UAT', id: 'not a real id!!' });
    expect([codesOf(response), fieldsOf(response)]).toEqual([['VALIDATION_FAILED'], ['input.customerId']]);
    expect(await customers()).toEqual([
      { environment: 'UAT', customerId: 'second' },
      { environment: 'PRODUCTION', customerId: 'live' },
    ]);
    const auditLog = await auditLogOf('setting:uat/default_lead_customer');
    expect(auditLog.map(({ before, after }) => [before, after])).toEqual([
      [null, { customerId: 'first' }],
      [{ customerId: 'first' }, { customerId: 'second' }],
    ]);
  });

  it.each(['', '   ', 'x'.repeat(201), 'a\nb'])('rejects %j', async (id) => {
    const response = await as('admin', LEAD_CUSTOMER, { environment: 'UAT', id });
    expect([codesOf(response), fieldsOf(response)]).toEqual([['VALIDATION_FAILED'], ['input.customerId']]);
  });
});

describe('auditLog', () => {
  const ENTRY = `id number at action actor { kind name user { id } } subject { id } subjectText
    changes { field before after } reason requestId`;
  const AUDIT_LOG = `query($filter: AuditFilter, $first: Int, $after: String, $last: Int) {
    auditLog(filter: $filter, first: $first, after: $after, last: $last) {
      pageInfo { hasNextPage endCursor } edges { node { ${ENTRY} } } } }`;
  type Entry = Record<'id' | 'action' | 'subjectText' | 'requestId', string> & { actor: { user: { id: string } } };
  const auditLog = async (filter: object, page: object = {}): Promise<Entry[]> => {
    const { edges } = (await as('support', AUDIT_LOG, { filter, ...page })).body.data.auditLog;
    return edges.map(({ node }: { node: Entry }) => node);
  };

  it('returns the audit log of one account newest first and page by page, also on the account', async () => {
    const id = await console.applicant();
    await as('admin', REJECT, { id, reason: 'No address' });
    const filter = { subjectId: `dev_${id}` };
    const first = (await as('support', AUDIT_LOG, { first: 2, filter })).body.data.auditLog;
    const after = first.pageInfo.endCursor;
    const rest = (await as('support', AUDIT_LOG, { first: 2, filter, after })).body.data.auditLog;
    const nodes = [...first.edges, ...rest.edges].map(({ node }: { node: Entry }) => node);
    expect(nodes.map(({ action }) => action)).toEqual([
      'DEVELOPER_REJECT',
      'DEVELOPER_SUBMIT_KYC',
      'DEVELOPER_VERIFY_EMAIL',
      'DEVELOPER_REGISTER',
    ]);
    expect([first.pageInfo.hasNextPage, rest.pageInfo.hasNextPage]).toEqual([true, false]);
    expect(nodes[0]).toEqual({
      id: expect.stringMatching(/^aud_\d+$/),
      number: Number(nodes[0]!.id.slice(4)),
      at: expect.stringMatching(/\+05:30$/),
      action: 'DEVELOPER_REJECT',
      actor: { kind: 'USER', name: 'admin', user: { id: expect.stringMatching(/^usr_/) } },
      subject: { id: `dev_${id}` },
      subjectText: `developer:${id}`,
      changes: [{ field: 'onboardingStatus', before: 'kyc_submitted', after: 'rejected' }],
      reason: 'No address',
      requestId: expect.any(String),
    });
    // A command without a reason.
    expect(nodes[1]).toMatchObject({ actor: { kind: 'SYSTEM', name: 'system:test', user: null }, reason: null });
    expect(await auditLog(filter, { last: 2 })).toEqual(nodes.slice(2));

    const accountAuditQuery = `query($id: ID!) { developer(id: $id) { audit(first: 200) { edges { node { ${ENTRY} } } } } }`;
    const { edges } = (await as('support', accountAuditQuery, { id })).body.data.developer.audit;
    expect(edges.map(({ node }: { node: Entry }) => node)).toEqual(nodes);
    const owner = await console.userOf(id);
    expect(codesOf(await console.call(owner, accountAuditQuery, { id }))).toEqual(['FORBIDDEN']);
    const entryQuery = `query($id: ID!) { node(id: $id) { ... on AuditEntry { ${ENTRY} } } }`;
    expect((await as('support', entryQuery, { id: nodes[0]!.id })).body.data.node).toEqual(nodes[0]);
    // Users of the account see the actions of staff, but not their names.
    expect((await console.call(owner, entryQuery, { id: nodes[0]!.id })).body.data.node.actor).toEqual({
      kind: 'USER',
      name: 'Staff',
      user: null,
    });
    const outsider = await console.userOf(await console.applicant());
    expect(codesOf(await console.call(outsider, entryQuery, { id: nodes[0]!.id }))).toEqual(['RECORD_NOT_FOUND']);
  });

  it('filters by actor, actions, request and time range, combined with the subject', async () => {
    const id = await console.applicant();
    await as('second', REJECT, { id, reason: 'No address' });
    // With or without the prefix of the ID.
    const [entry] = (await auditLog({ subjectId: id })) as [Entry];
    const { requestId } = entry;
    const actorId = entry.actor.user.id;
    const actions = async (filter: object) =>
      (await auditLog({ subjectId: id, ...filter })).map(({ action }) => action);
    for (const actorInput of [actorId, actorId.replace('usr_', '')])
      expect(await actions({ actorId: actorInput })).toEqual(['DEVELOPER_REJECT']);
    expect(await actions({ action: ['DEVELOPER_VERIFY_EMAIL', 'DEVELOPER_REJECT'] })).toEqual([
      'DEVELOPER_REJECT',
      'DEVELOPER_VERIFY_EMAIL',
    ]);
    expect(await actions({ actorId, action: ['DEVELOPER_VERIFY_EMAIL'] })).toEqual([]);
    expect(await actions({ actorId: 'system:archive' })).toEqual([]);
    expect((await auditLog({ requestId })).map(({ action }) => action)).toEqual(['DEVELOPER_REJECT']);
    const [past, future] = [-1, 1].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString());
    expect(await actions({ from: past, to: future })).toHaveLength(4);
    for (const noMatch of [{ from: future }, { to: past }]) expect(await actions(noMatch)).toEqual([]);
    const response = await as('support', AUDIT_LOG, { filter: { from: future, to: past } });
    expect([codesOf(response), fieldsOf(response)]).toEqual([['VALIDATION_FAILED'], ['filter.to']]);
  });

  it('rejects unknown actors and actions, because an empty page would read as "nothing happened"', async () => {
    const id = await console.applicant();
    const invalid = [
      UNKNOWN_ID,
      `dev_${UNKNOWN_ID}`,
      `usr_${id}`,
      `ord_${id}`,
      `key_${id}`,
      `developer:${id}`,
      id.slice(0, 8),
      '',
    ];
    for (const subjectId of invalid)
      expect([subjectId, codesOf(await as('support', AUDIT_LOG, { filter: { subjectId } }))]).toEqual([
        subjectId,
        ['RECORD_NOT_FOUND'],
      ]);
    for (const actorId of [UNKNOWN_ID, `usr_${UNKNOWN_ID}`, 'user:1', 'system:none', 'toString'])
      expect([actorId, codesOf(await as('support', AUDIT_LOG, { filter: { actorId } }))]).toEqual([
        actorId,
        ['RECORD_NOT_FOUND'],
      ]);
    for (const action of ['DEVELOPER_APROVE', 'developer.approve']) {
      const response = await as('support', AUDIT_LOG, { filter: { action: [action] } });
      expect([codesOf(response), fieldsOf(response)]).toEqual([['VALIDATION_FAILED'], ['filter.action.0']]);
    }
  });

  it('knows every action that the service writes, and no other', async () => {
    const source = (file: string) => readFile(`src/${file}`, 'utf8');
    const files = (await readdir('src', { recursive: true })).filter(
      (file) => file.endsWith('.ts') && !file.endsWith('audit-actions.ts'),
    );
    const text = (await Promise.all(files.map(source))).join('\n');
    const unwritten = Object.keys(auditActions).filter((action) => !text.includes(`'${action}'`));
    expect(unwritten).toEqual([]);
    // @ts-expect-error: the service takes no other name
    const misspelt: AuditRecord['action'] = 'developer.aprove';
    expect(auditActions).not.toHaveProperty([misspelt]);
  });

  it('shows actions written by another version of the service under one name', async () => {
    const { db } = console.test;
    const [last] = await db.query<{ id: string; action: string }>(
      'select id::text, action from audit_entry order by audit_entry.id desc limit 1',
    );
    const rename = 'update audit_entry set action = $2 where id = $1::bigint';
    await db.query(rename, [last!.id, 'moon.landing']);
    const found = await auditLog({ action: ['OTHER'] });
    await db.query(rename, [last!.id, last!.action]);
    expect(found.map(({ id, action }) => [id, action])).toEqual([[`aud_${last!.id}`, 'OTHER']]);
  });

  it('has 20 entries per page by default', async () => {
    const { edges, pageInfo } = (await as('support', AUDIT_LOG, {})).body.data.auditLog;
    expect([edges.length, pageInfo.hasNextPage]).toEqual([20, true]);
  });

  it('filters by a subject with everything below it, or by one of its parts', async () => {
    const { id } = await console.test.developer({ liveRupees: 0 });
    const entries = await auditLog({ subjectId: id }, { first: 200 });
    const uatWalletEntries = entries.filter(({ subjectText }) => subjectText === `developer:${id}/uat`);
    expect(uatWalletEntries.length).toBeGreaterThan(0);
    expect(await auditLog({ subjectId: `wal_uat_${id}` }, { first: 200 })).toEqual(uatWalletEntries);
  });

  it('is append-only: the application cannot change or delete an entry', async () => {
    for (const statement of [
      `update audit_entry set actor = 'nobody'`,
      'delete from audit_entry',
      'truncate audit_entry',
    ])
      await expect(console.test.app.pool.query(statement)).rejects.toThrow(/permission denied/);
  });

  it('shows a change that bypassed the service', async () => {
    const { app, db } = console.test;
    await db.query(`update audit_entry set reason = 'another' where audit_entry.id = 3`);
    expect(await auditProblems(app.pool)).toEqual([
      'the chain breaks at entry 3: it was changed, or was not signed with this key',
    ]);
    await db.query(`update audit_entry set reason = '' where audit_entry.id = 3`);
  });
});
