import { beforeAll, describe, expect, it } from 'vitest';
import type { DeveloperId } from '../../src/core/principal.js';
import { utrFor } from '../support/credit.js';
import { UNKNOWN_ID } from '../support/ids.js';
import { codesOf, expectExplained, fieldsOf, useConsole } from './console.fixture.js';

const CREDIT =
  'mutation($input: CreditWalletInput!) { creditWallet(input: $input) { outcome { ... on ApprovalRequestCreated { replayed approvalRequest { id } } ... on WalletUpdated { replayed entry { kind amount balanceAfter reference } wallet { environment balance } } } } }';
const console = useConsole();
expectExplained(console);
/** An account that never changes, because every request about it is rejected. */
let untouched: DeveloperId;
beforeAll(async () => {
  ({ id: untouched } = await console.test.developer({ liveRupees: 0, feesPaise: { dth_info: 30 } }));
});
const balanceOf = async (id: DeveloperId) => (await console.test.app.ledger.wallet(id, 'production')).balancePaise;
interface CreditInput {
  developerId: string;
  environment: string;
  reference: string;
  [field: string]: unknown;
}
/** Credits a wallet, in Production with a unique UTR unless the input sets `utr`. */
const credit = (input: CreditInput, token = console.staff.admin) => {
  const utr = input.environment === 'PRODUCTION' ? utrFor(`${input.developerId} ${input.reference}`) : undefined;
  return console.call(token, CREDIT, { input: { utr, ...input } });
};

describe('creditWallet', () => {
  it('adds money to one wallet, with an audit entry', async () => {
    const { id } = await console.test.developer({ liveRupees: 0 });
    const { body } = await credit({
      developerId: id,
      environment: 'PRODUCTION',
      amount: 1234.56,
      reference: ' NEFT 1 ',
      reason: 'Paid in full',
    });
    expect(body.data.creditWallet.outcome).toEqual({
      replayed: false,
      entry: { kind: 'TOP_UP', amount: 1234.56, balanceAfter: 1234.56, reference: 'NEFT 1' },
      wallet: { environment: 'PRODUCTION', balance: 1234.56 },
    });
    const [entry] = await console.test.db.query(
      `select * from audit_entry where action = 'wallet.credit' order by audit_entry.id desc limit 1`,
    );
    expect(entry).toMatchObject({
      subject: `developer:${id}/production`,
      before: { balancePaise: '0' },
      after: { balancePaise: '123456', reference: 'NEFT 1', utr: utrFor(`${id} NEFT 1`) },
      reason: 'Paid in full',
    });
    // Stored in `paise`, returned in rupees.
    const auditLog = await console.call(
      console.staff.admin,
      `{ auditLog(first: 1, filter: { subjectId: "wal_production_${id}" }) { edges { node { changes { field before after } } } } }`,
    );
    expect(auditLog.body.data.auditLog.edges[0].node.changes).toEqual([
      { field: 'balance', before: '0', after: '1234.56' },
      { field: 'utr', before: null, after: utrFor(`${id} NEFT 1`) },
      { field: 'reference', before: null, after: 'NEFT 1' },
    ]);
  });

  it('posts once for 20 parallel submissions of one reference by two admins', async () => {
    const { id } = await console.test.developer({ liveRupees: 0 });
    const input = { developerId: id, environment: 'PRODUCTION', amount: 100, reference: 'UTR-77' };
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, n) => credit(input, n % 2 ? console.staff.admin : console.staff.second)),
    );
    expect(responses.flatMap(codesOf)).toEqual([]);
    const results = responses.map(({ body }) => body.data.creditWallet.outcome);
    expect(results.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(new Set(results.map(({ entry }) => JSON.stringify(entry))).size).toBe(1);
    const transfers = await console.test.db.query('select 1 from transfer where developer_id = $1 and reference = $2', [
      id,
      'UTR-77',
    ]);
    expect(transfers).toHaveLength(1);
    expect(await balanceOf(id)).toBe(10_000n);
    const entries = await console.test.db.query('select 1 from audit_entry where subject = $1', [
      `developer:${id}/production`,
    ]);
    expect(entries).toHaveLength(2); // Its idempotency key and one credit.
  });

  it('returns the entry of a reference that was already used, rejects another amount, and accepts it for the other wallet', async () => {
    const { id } = await console.test.developer({ liveRupees: 0 });
    const input = { developerId: id, environment: 'PRODUCTION', amount: 5, reference: 'R1' };
    expect(codesOf(await credit(input))).toEqual([]);
    const duplicate = await credit(input, console.staff.second);
    expect(duplicate.body.data.creditWallet.outcome).toMatchObject({
      replayed: true,
      entry: { amount: 5 },
      wallet: { balance: 5 },
    });
    const retry = await credit({ ...input, amount: 6 });
    expect([codesOf(retry), fieldsOf(retry), retry.body.data]).toEqual([
      ['CONFLICT'],
      ['input.reference'],
      { creditWallet: null },
    ]);
    expect(codesOf(await credit({ ...input, environment: 'UAT' }))).toEqual([]);
  });

  it.each([
    ['a negative amount', { amount: -1 }, 'input.amount'],
    ['nothing', { amount: 0 }, 'input.amount'],
    ['three decimals', { amount: 1.005 }, 'input.amount'],
    ['text', { amount: '5' }, 'input.amount'],
    ['more than one crore', { amount: 10_000_000.01 }, 'input.amount'],
    ['no reference', { reference: ' ' }, 'input.reference'],
    ['a reference of 101 characters', { reference: 'r'.repeat(101) }, 'input.reference'],
    ['an unknown environment', { environment: 'LIVE' }, 'input.environment'],
  ])('rejects %s and names the path', async (_name, change, field) => {
    const response = await credit({
      developerId: untouched,
      environment: 'PRODUCTION',
      amount: 5,
      reference: 'bad',
      ...change,
    });
    expect([codesOf(response), fieldsOf(response)]).toEqual([['VALIDATION_FAILED'], [field]]);
    expect(await balanceOf(untouched)).toBe(0n);
  });

  it('distinguishes an unknown developer from one without a wallet', async () => {
    const input = { environment: 'UAT', amount: 5, reference: 'r' };
    expect(codesOf(await credit({ ...input, developerId: UNKNOWN_ID }))).toEqual(['RECORD_NOT_FOUND']);
    expect(codesOf(await credit({ ...input, developerId: await console.applicant() }))).toEqual(['CONFLICT']);
  });

  it.each([
    ['capitals', 'NEFT of 3 March'],
    ['extra spaces', 'neft  of   3 march'],
    ['a non-breaking space', 'neft\u00a0of 3 march'],
    ['a zero-width character', 'neft\u200d of 3 march'],
  ])('treats a reference with %s as the same one', async (_name, reference) => {
    const { id } = await console.test.developer({ liveRupees: 0 });
    const input = { developerId: id, environment: 'PRODUCTION', amount: 5 };
    expect(codesOf(await credit({ ...input, reference: 'Neft of 3 March' }))).toEqual([]);
    const { body } = await credit({ ...input, reference });
    expect(body.data.creditWallet.outcome).toMatchObject({ replayed: true, entry: { reference: 'Neft of 3 March' } });
    const other = await credit({ ...input, reference, amount: 6 });
    expect([codesOf(other), fieldsOf(other)]).toEqual([['CONFLICT'], ['input.reference']]);
    expect(await balanceOf(id)).toBe(500n);
    expect(await console.test.app.ledger.check()).toEqual([]);
  });

  it('creates one approval request for a reference however it is written, because the database enforces it', async () => {
    const { id } = await console.test.developer({ liveRupees: 0 });
    const input = { developerId: id, environment: 'PRODUCTION', amount: 5_000_000 };
    const { body } = await credit({ ...input, reference: 'Advance of May' });
    const retry = await credit({ ...input, reference: 'ADVANCE  of may' });
    expect(retry.body.data.creditWallet.outcome).toEqual({ ...body.data.creditWallet.outcome, replayed: true });
    const second = console.test.db.query(
      `insert into approval_request select (jsonb_populate_record(p, $2)).* from approval_request p where subject like $1`,
      [`developer:${id}/%`, JSON.stringify({ id: UNKNOWN_ID, key: 'ADVANCE OF MAY' })],
    );
    await expect(second).rejects.toMatchObject({ code: '23505', constraint: 'approval_request_pending' });
  });

  it('normalizes references in a database with any locale', async () => {
    // In the Turkish locale the lower case of capital I is ı.
    const [row] = await console.test.db.query(
      `select reference_key('NEFT I' collate "tr-x-icu") as turkish, reference_key('\u00a0Neft \u2003 i ') as usual`,
    );
    expect(row).toEqual({ turkish: 'neft i', usual: 'neft i' });
  });

  it('is limited to one per operation: two in one document are both rejected', async () => {
    const { id } = await console.test.developer({ liveRupees: 0 });
    const aliased = (alias: string) =>
      `${alias}: creditWallet(input: {developerId: "${id}", environment: PRODUCTION, amount: 5, reference: "${alias}"}) { outcome { __typename } }`;
    const { status, body } = await console.call(console.staff.admin, `mutation { ${aliased('a')} ${aliased('b')} }`);
    expect([status, body.data, body.errors[0].extensions.code]).toEqual([400, undefined, 'INVALID_DOCUMENT']);
    expect(await balanceOf(id)).toBe(0n);
  });
});

describe('a lookup fee', () => {
  const ACCESS = 'developer { services { service enabled fee } }';
  const SET = `mutation($input: SetServiceAccessInput!) { setServiceAccess(input: $input) { ${ACCESS} } }`;
  const set = (input: object) => console.call(console.staff.admin, SET, { input });

  it.each([
    [-0.01, 'input.fee'],
    [0.001, 'input.fee'],
    [1.005, 'input.fee'],
    [10_000.01, 'input.fee'],
    ['1', 'input.fee'],
  ])('of %j is rejected, and the access is unchanged', async (fee, field) => {
    const response = await set({ developerId: untouched, service: 'DTH_INFO', enabled: false, fee });
    expect([codesOf(response), fieldsOf(response)]).toEqual([['VALIDATION_FAILED'], [field]]);
    const { body } = await console.call(
      console.staff.admin,
      `{ developer(id: "${untouched}") { services { service enabled fee } } }`,
    );
    expect(body.data.developer.services).toContainEqual({ service: 'DTH_INFO', enabled: true, fee: 0.3 });
  });

  it('stays if it is omitted, and two changes in one document each return their own state', async () => {
    const { id } = await console.test.developer({ liveRupees: 0, feesPaise: { dth_info: 30 } });
    const flip = (alias: string, enabled: boolean, fee = '') =>
      `${alias}: setServiceAccess(input: {developerId: "${id}", service: DTH_INFO, enabled: ${enabled}${fee}}) { ${ACCESS} }`;
    const { body } = await console.call(
      console.staff.admin,
      `mutation { ${flip('off', false)} ${flip('on', true, ', fee: 0.45')} }`,
    );
    expect(body.data.off.developer.services).toContainEqual({ service: 'DTH_INFO', enabled: false, fee: 0.3 });
    expect(body.data.on.developer.services).toContainEqual({ service: 'DTH_INFO', enabled: true, fee: 0.45 });
    const entries = await console.test.db.query(
      `select before, after from audit_entry where subject = $1 order by audit_entry.id`,
      [`developer:${id}/dth_info`],
    );
    expect(entries.slice(-2)).toEqual([
      { before: { enabled: true, feePaise: '30' }, after: { enabled: false, feePaise: '30' } },
      { before: { enabled: false, feePaise: '30' }, after: { enabled: true, feePaise: '45' } },
    ]);
  });

  it('cannot be set for an unknown developer or service', async () => {
    expect(codesOf(await set({ developerId: UNKNOWN_ID, service: 'DTH_INFO', enabled: true }))).toEqual([
      'RECORD_NOT_FOUND',
    ]);
    expect(fieldsOf(await set({ developerId: '1', service: 'EVERYTHING', enabled: true }))).toEqual(['input.service']);
  });
});

describe('the UTR of a credit', () => {
  const APPROVE =
    'mutation($approvalRequestId: ID!) { approveApprovalRequest(input: { approvalRequestId: $approvalRequestId }) { outcome { ... on ApprovalRequestApproved { approvalRequest { amount state } } } } }';
  let sequence = 0;
  const wallet = async () => (await console.test.developer({ liveRupees: 0 })).id;
  const of = (developerId: DeveloperId, utr: string | null, change: object = {}, token = console.staff.admin) =>
    credit(
      { developerId, environment: 'PRODUCTION', amount: 5, reference: `transfer ${++sequence}`, utr, ...change },
      token,
    );
  const approvalRequestOf = async (...args: Parameters<typeof of>): Promise<string> => {
    const { body } = await of(...args);
    return body.data.creditWallet.outcome.approvalRequest.id;
  };
  const approve = (approvalRequestId: string, token = console.staff.second) =>
    console.call(token, APPROVE, { approvalRequestId });

  it('is credited once across all wallets, however it is written', async () => {
    const [first, second] = [await wallet(), await wallet()];
    expect(codesOf(await of(first, 'HDFCN52026030312'))).toEqual([]);
    for (const utr of ['HDFCN52026030312', 'hdfcn52026030312', ' HDFC N5 2026 0303 12', 'HDFC\u00a0N52026\u2003030312'])
      for (const developerId of [first, second]) {
        const retry = await of(developerId, utr);
        expect([codesOf(retry), fieldsOf(retry)]).toEqual([['CONFLICT'], ['input.utr']]);
      }
    expect([await balanceOf(first), await balanceOf(second)]).toEqual([500n, 0n]);
    const [entry] = await console.test.db.query(
      `select after ->> 'utr' as utr from audit_entry where subject = $1 and action = 'wallet.credit'`,
      [`developer:${first}/production`],
    );
    expect(entry).toEqual({ utr: 'HDFCN52026030312' });
  });

  it('posts exactly one of two simultaneous credits in two wallets', async () => {
    const wallets = await Promise.all([wallet(), wallet()]);
    for (let round = 0; round < 5; round++) {
      const utr = `RACE0000000${round}`;
      const responses = await Promise.all(wallets.map((id, n) => of(id, n === 0 ? utr : utr.toLowerCase())));
      expect(responses.flatMap(codesOf)).toEqual(['CONFLICT']);
      expect(responses.flatMap((response) => fieldsOf(response))).toEqual(['input.utr']);
      const rows = await console.test.db.query('select shared_by from bank_transfer where utr = $1', [utr]);
      expect(rows).toEqual([{ shared_by: null }]);
    }
    expect((await balanceOf(wallets[0]!)) + (await balanceOf(wallets[1]!))).toBe(2_500n);
  });

  it('can be shared if two admins agree, with a reason', async () => {
    const [first, second] = [await wallet(), await wallet()];
    await of(first, '606312345678');
    const id = await approvalRequestOf(second, '6063 1234 5678', { reason: 'One transfer for two branches' });
    expect(await balanceOf(second)).toBe(0n);
    expect(codesOf(await approve(id, console.staff.admin))).toEqual(['FORBIDDEN']);
    expect((await approve(id)).body.data.approveApprovalRequest).toEqual({
      outcome: { approvalRequest: { amount: 5, state: 'APPROVED' } },
    });
    expect(await balanceOf(second)).toBe(500n);
    const entries = await console.test.db.query(
      `select reason, after ->> 'utr' as utr from audit_entry where subject = $1 and action = 'wallet.credit'`,
      [`developer:${second}/production`],
    );
    const reason = 'Bank transfer 606312345678 was already credited: One transfer for two branches';
    expect(entries).toEqual([{ reason, utr: '606312345678' }]);
    expect(codesOf(await of(second, '606312345678'))).toEqual(['CONFLICT']);
  });

  it('is not credited by approval if another credit used it while the approval request was pending', async () => {
    const [first, second] = [await wallet(), await wallet()];
    const large = { amount: 5_000_000, reason: 'Prepayment' };
    const [firstWallet, secondWallet] = [
      await approvalRequestOf(first, 'LARGE0000001', large),
      await approvalRequestOf(second, 'LARGE0000001', large),
    ];
    expect(codesOf(await approve(firstWallet))).toEqual([]);
    expect(codesOf(await approve(secondWallet))).toEqual(['CONFLICT']);
    expect(await balanceOf(second)).toBe(0n);
  });

  it('can be requested again with a reason after a pending credit lost it to another credit', async () => {
    const [first, second] = [await wallet(), await wallet()];
    const large = { amount: 5_000_000, reference: 'prepayment' };
    const stale = await approvalRequestOf(second, 'LARGE0000002', large);
    expect(codesOf(await of(first, 'LARGE0000002'))).toEqual([]);
    const { body } = await approve(stale);
    expect(body.errors[0].message).toMatch(
      new RegExp(`to dev_${first} by posting [0-9a-f-]{36}\\. Reject this approval request`),
    );
    const reject =
      'mutation($id: ID!) { rejectApprovalRequest(input: { approvalRequestId: $id, reason: "stale" }) { __typename } }';
    expect(codesOf(await console.call(console.staff.second, reject, { id: stale }))).toEqual([]);
    const duplicateId = await approvalRequestOf(second, 'LARGE0000002', { ...large, reason: 'Shared by two branches' });
    expect(codesOf(await approve(duplicateId))).toEqual([]);
    expect(await balanceOf(second)).toBe(500_000_000n);
  });

  it.each([
    ['a different one', 'SAME00000001', 'SAME00000002'],
    ['one where there was none', null, 'SAME00000003'],
    ['none where there was one', 'SAME00000004', null],
  ])(
    'cannot change for a reference: %s is rejected with its path, for posted and pending credits',
    async (_name, utr, other) => {
      for (const amount of [5, 5_000_000]) {
        const id = await wallet();
        const first = { reference: `the same ${amount}`, amount, reason: 'Cash' };
        const sent = utr && `${utr}${amount}`;
        expect(codesOf(await of(id, sent, first))).toEqual([]);
        expect((await of(id, sent && sent.toLowerCase(), first)).body.data.creditWallet.outcome.replayed).toBe(true);
        const changed = await of(id, other, first);
        expect([codesOf(changed), fieldsOf(changed)]).toEqual([['CONFLICT'], ['input.utr']]);
        expect(await console.test.db.query('select from bank_transfer where utr = $1', [other])).toEqual([]);
      }
    },
  );

  it.each([
    ['606312345699', '6063 1234 5699'],
    ['HDFCN52026030399', 'hdfcn52026030399'],
    ['HDFCR52026112401000077', 'HDFC R5 2026 1124 0100 0077'],
    ['UTIBN12345678ABC', 'UTIBN\uff112345678abc'],
  ])('is taken from the reference if the reference has the format of a UTR: %s', async (utr, expected) => {
    const [first, second] = [await wallet(), await wallet()];
    expect(codesOf(await of(first, null, { reference: utr }))).toEqual([]);
    expect(await console.test.db.query('select developer_id from bank_transfer where utr = $1', [utr])).toEqual([
      { developer_id: first },
    ]);
    for (const change of [{ reference: expected }, { reference: utr }, { reference: 'Other', utr }]) {
      const retry = await of(second, null, change);
      const path = 'utr' in change ? 'input.utr' : 'input.reference';
      expect([codesOf(retry), fieldsOf(retry)]).toEqual([['CONFLICT'], [path]]);
    }
    expect(await balanceOf(second)).toBe(0n);
    const id = await approvalRequestOf(second, null, { reference: expected, reason: 'One transfer for two branches' });
    expect(await balanceOf(second)).toBe(0n);
    expect(codesOf(await approve(id))).toEqual([]);
    expect(await balanceOf(second)).toBe(500n);
  });

  it('is not taken from other references, and a reference that contains a different UTR is rejected', async () => {
    const id = await wallet();
    for (const reference of [
      '12345678901',
      '1234567890123',
      'HDFCABCDEFGH1234',
      'HDF1N52026030399',
      'HDFCN5202603-399',
    ])
      expect(codesOf(await of(id, null, { reference, reason: 'Cash' }))).toEqual([]);
    expect(await balanceOf(id)).toBe(0n);
    const other = await of(id, 'HDFCN52026030344', { reference: 'HDFCN52026030345' });
    expect([codesOf(other), fieldsOf(other)]).toEqual([['VALIDATION_FAILED'], ['input.reference']]);
  });

  it('can be missing: the credit then requires a reason and a second admin for any amount, and uses no daily limit', async () => {
    const id = await wallet();
    const bare = await of(id, null);
    expect([codesOf(bare), fieldsOf(bare)]).toEqual([['VALIDATION_FAILED'], ['input.reason']]);
    const used = () => console.test.db.query('select sum(used_paise)::text as paise from alone_allowance');
    const usedBefore = await used();
    const approvalRequest = await approvalRequestOf(id, null, { amount: 0.01, reason: 'Cash' });
    expect([await balanceOf(id), await used()]).toEqual([0n, usedBefore]);
    expect(codesOf(await approve(approvalRequest, console.staff.admin))).toEqual(['FORBIDDEN']);
    expect(codesOf(await approve(approvalRequest))).toEqual([]);
    expect(await balanceOf(id)).toBe(1n);
    expect(await console.test.db.query('select from bank_transfer where developer_id = $1', [id])).toEqual([]);
  });

  it('is reported with the account and the posting of its first use', async () => {
    const [first, second] = [await wallet(), await wallet()];
    await of(first, 'NAMED0000001');
    const [use] = await console.test.db.query('select posting_id from bank_transfer where utr = $1', ['NAMED0000001']);
    const { body } = await of(second, 'NAMED0000001');
    expect(body.errors[0].message).toBe(
      `This bank transfer was already credited to dev_${first} by posting ${use!.posting_id}. To request the approval of a second person, enter a reason.`,
    );
  });

  it('cannot be shared by one admin, because the database requires an approved request', async () => {
    const [first, second] = [await wallet(), await wallet()];
    await of(first, 'ALONE0000001');
    const approvalRequest = await approvalRequestOf(second, 'ALONE0000001', {
      reason: 'One transfer for two branches',
    });
    const take = (by: string, developer: string, utr: string) =>
      console.test.app.pool.query({
        text: 'select * from bank_transfer_take($1, $2, uuidv7(), $3)',
        values: [utr, developer, by.slice(-36)],
      });
    // An approval request that is still pending.
    const single = take(approvalRequest, second, 'ALONE0000001');
    await expect(single).rejects.toMatchObject({ code: '23503', constraint: 'shared_by_two_people' });
    for (const [by, developer, utr] of [
      [UNKNOWN_ID, second, 'ALONE0000001'],
      [approvalRequest, first, 'ALONE0000001'],
      [approvalRequest, second, 'ALONE0000002'],
      [await approvalRequestOf(second, 'ALONE0000003', { amount: 5_000_000 }), second, 'ALONE0000003'],
    ] as const)
      await expect(take(by, developer, utr)).rejects.toMatchObject({ code: '22023' });
    expect(await console.test.db.query(`select from bank_transfer where utr like 'ALONE%'`)).toHaveLength(1);
  });

  it('is not stored for test funds', async () => {
    const id = await wallet();
    for (let time = 0; time < 2; time++)
      expect(codesOf(await of(id, '700000000001', { environment: 'UAT' }))).toEqual([]);
    expect(codesOf(await of(id, '700000000001'))).toEqual([]);
  });

  it.each(['', '12345678901', `N${'1'.repeat(22)}`, 'N1234567890/', 'ſ12345678901', 'N1234567890\u200b1'])(
    'is rejected with the path if it is invalid: %j',
    async (utr) => {
      const response = await of(untouched, utr);
      expect([codesOf(response), fieldsOf(response)]).toEqual([['VALIDATION_FAILED'], ['input.utr']]);
      expect(await balanceOf(untouched)).toBe(0n);
    },
  );
});
