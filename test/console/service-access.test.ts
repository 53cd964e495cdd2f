import { beforeAll, describe, expect, it } from 'vitest';
import type { DeveloperId } from '../../src/core/principal.js';
import { codesOf, expectExplained, fieldsOf, type Staff, useConsole } from './console.fixture.js';

const console = useConsole({ TWO_PEOPLE: 'fees', TWO_PEOPLE_FEE_ABOVE: '10' });
expectExplained(console);

const SET = `mutation($input: SetServiceAccessManyInput!) { setServiceAccessMany(input: $input) {
  access { id service enabled fee changedAt changedBy { name } developer { id } }
  undo { developerId service enabled fee }
  approvalRequests { id action developer { id } changes { field before after } } } }`;
interface Change {
  developerId: string;
  service: string;
  enabled?: boolean;
  fee?: number;
}
const set = async (changes: unknown[], more: object = {}, actor: Staff = 'admin') => {
  const response = await console.call(console.staff[actor], SET, { input: { changes, ...more } });
  return {
    codes: codesOf(response),
    fields: fieldsOf(response),
    body: response.body,
    data: response.body.data?.setServiceAccessMany,
  };
};
const state = (ids: readonly string[]) =>
  console.test.db.query(
    `select developer_id, service, enabled, fee_paise::int as paise from service_access where developer_id = any($1) order by 1, 2`,
    [ids],
  );
const entries = (ids: readonly string[]) =>
  console.test.db.query<{ subject: string; reason: string | null; actor: string }>(
    `select subject, reason, actor from audit_entry where action = 'service_access.set' and developer_id = any($1) order by audit_entry.id`,
    [ids],
  );

let firstId: DeveloperId;
let secondId: DeveloperId;
beforeAll(async () => {
  firstId = await console.applicant('Many One');
  secondId = await console.applicant('Many Two');
});
const of = (developerId: string, service: string, more: Partial<Change>): Change => ({ developerId, service, ...more });

describe('service access of many developers', () => {
  it('is set in one call with an audit entry each, shows its author, and can be undone with the values it returns', async () => {
    const changes = [
      of(`dev_${secondId}`, 'DTH_INFO', { enabled: true, fee: 0.5 }),
      of(firstId, 'LEAD_GENERATION', { enabled: true }),
      of(`dev_${firstId}`, 'DTH_INFO', { fee: 1.25 }),
    ];
    const { data, codes } = await set(changes, { reason: 'A new plan' });
    expect(codes).toEqual([]);
    const by = { changedAt: expect.any(String), changedBy: { name: 'admin' } };
    expect(data.access).toEqual([
      {
        id: `sac_${secondId}.dth_info`,
        service: 'DTH_INFO',
        enabled: true,
        fee: 0.5,
        developer: { id: `dev_${secondId}` },
        ...by,
      },
      {
        id: `sac_${firstId}.lead_generation`,
        service: 'LEAD_GENERATION',
        enabled: true,
        fee: 0,
        developer: { id: `dev_${firstId}` },
        ...by,
      },
      {
        id: `sac_${firstId}.dth_info`,
        service: 'DTH_INFO',
        enabled: false,
        fee: 1.25,
        developer: { id: `dev_${firstId}` },
        ...by,
      },
    ]);
    expect(data.approvalRequests).toEqual([]);
    const subjects = [
      `developer:${secondId}/dth_info`,
      `developer:${firstId}/lead_generation`,
      `developer:${firstId}/dth_info`,
    ];
    expect(await entries([firstId, secondId])).toEqual(
      subjects.map((subject) => ({ subject, reason: 'A new plan', actor: expect.stringMatching(/^user:/) })),
    );
    expect((await set(data.undo)).codes).toEqual([]);
    expect((await state([firstId, secondId])).map(({ enabled, paise }) => [enabled, paise])).toEqual([
      [false, 0],
      [false, 0],
      [false, 0],
    ]);
  });

  it('is set for all of them or for none', async () => {
    const stateBefore = [await state([firstId, secondId]), await entries([firstId, secondId])];
    const good = of(firstId, 'DTH_INFO', { enabled: true });
    const unknownId = '01990000-0000-7000-8000-000000000000';
    for (const developerId of [unknownId, 'none', `ord_${firstId}`]) {
      const { codes, body } = await set([good, of(developerId, 'DTH_INFO', { enabled: true })]);
      expect([developerId, codes]).toEqual([developerId, ['RECORD_NOT_FOUND']]);
      expect(body.errors[0].message).toContain('input.changes.1.developerId');
    }
    const invalid: [unknown[], string[]][] = [
      [[], ['input.changes']],
      [Array.from({ length: 201 }, (_, n) => of(`dev_${n}`, 'DTH_INFO', { enabled: true })), ['input.changes']],
      [[good, { ...good, developerId: `dev_${firstId}`, enabled: false }], ['input.changes']],
      [[good, of(secondId, 'DTH_INFO', {})], ['input.changes.1.enabled']],
      [[good, of(secondId, 'DTH_INFO', { fee: 10_000.01 })], ['input.changes.1.fee']],
      [[good, of(secondId, 'DTH_INFO', { fee: -1 })], ['input.changes.1.fee']],
      [[good, of(secondId, 'NO_SERVICE', { enabled: true })], ['input.changes.1.service']],
    ];
    for (const [changes, fields] of invalid)
      expect([changes.length, (await set(changes)).fields]).toEqual([changes.length, fields]);
    expect((await set([good], {}, 'support')).codes).toEqual(['FORBIDDEN']);
    expect([await state([firstId, secondId]), await entries([firstId, secondId])]).toEqual(stateBefore);
  });

  it('requires a second admin for fees above the limit only', async () => {
    const changes = [
      of(firstId, 'DTH_INFO', { enabled: true, fee: 10 }),
      of(secondId, 'DTH_INFO', { enabled: true, fee: 10.01 }),
    ];
    const { data } = await set(changes, { reason: 'Costly' });
    expect(data.access.map(({ developer, fee }: any) => [developer.id, fee])).toEqual([[`dev_${firstId}`, 10]]);
    expect(data.undo).toEqual([{ developerId: `dev_${firstId}`, service: 'DTH_INFO', enabled: false, fee: 0 }]);
    expect(data.approvalRequests).toEqual([
      expect.objectContaining({
        id: expect.stringMatching(/^apr_/),
        action: 'SET_FEE',
        developer: { id: `dev_${secondId}` },
      }),
    ]);
    expect((await state([secondId])).find(({ service }) => service === 'dth_info')).toMatchObject({
      enabled: false,
      paise: 0,
    });
    const approve = `mutation($input: ApproveApprovalRequestInput!) { approveApprovalRequest(input: $input) { outcome { __typename } } }`;
    const input = { approvalRequestId: data.approvalRequests[0].id };
    expect(await console.codes(console.staff.second, approve, { input })).toEqual([]);
    expect((await state([secondId])).find(({ service }) => service === 'dth_info')).toMatchObject({
      enabled: true,
      paise: 1001,
    });
  });

  it('does not deadlock for lists of the same developers in different order', async () => {
    const forward = [firstId, secondId].map((id) => of(id, 'LEAD_GENERATION', { enabled: true }));
    const lists = Array.from({ length: 6 }, (_, n) => (n % 2 ? forward : forward.toReversed()));
    const responses = await Promise.all(lists.map((changes) => set(changes)));
    expect(responses.flatMap(({ codes }) => codes)).toEqual([]);
  });
});

it('has an ID that resolves for users who can see the account', async () => {
  const NODE =
    'query($id: ID!) { node(id: $id) { id ... on ServiceAccess { service changedBy { name user { id } } } } }';
  const id = `sac_${firstId}.dth_info`;
  const owner = await console.userOf(firstId);
  const { body } = await console.call(owner, NODE, { id });
  // The name of the staff user is hidden from them.
  expect(body.data.node).toEqual({ id, service: 'DTH_INFO', changedBy: { name: 'Staff', user: null } });
  expect(await console.codes(await console.userOf(secondId), NODE, { id })).toEqual(['RECORD_NOT_FOUND']);
  for (const unknown of [
    `sac_${firstId}.none`,
    `sac_${firstId}`,
    'sac_none.dth_info',
    'sac_01990000-0000-7000-8000-000000000000.dth_info',
  ])
    expect([unknown, await console.codes(console.staff.admin, NODE, { id: unknown })]).toEqual([
      unknown,
      ['RECORD_NOT_FOUND'],
    ]);
});

it('changes nothing and writes no audit entry if it is already set', async () => {
  const id = await console.applicant('Same Again');
  const rows = () =>
    console.test.db.query(
      'select enabled, fee_paise, changed_at, changed_by from service_access where developer_id = $1',
      [id],
    );
  expect((await set([of(id, 'DTH_INFO', { enabled: true, fee: 0.5 })])).codes).toEqual([]);
  const [first, entriesBefore] = [await rows(), await entries([id])];
  const SINGLE = `mutation($input: SetServiceAccessInput!) { setServiceAccess(input: $input) { approvalRequest { id } } }`;
  for (const more of [{ enabled: true }, { enabled: true, fee: 0.5 }]) {
    const input = { developerId: `dev_${id}`, service: 'DTH_INFO', ...more };
    const { body } = await console.call(console.staff.admin, SINGLE, { input });
    expect(body.data.setServiceAccess).toEqual({ approvalRequest: null });
  }
  expect((await set([of(id, 'DTH_INFO', { enabled: true, fee: 0.5 })])).codes).toEqual([]);
  expect([await rows(), await entries([id])]).toEqual([first, entriesBefore]);
  expect((await set([of(id, 'DTH_INFO', { enabled: false })])).codes).toEqual([]);
  expect(await entries([id])).toHaveLength(entriesBefore.length + 1);
});
