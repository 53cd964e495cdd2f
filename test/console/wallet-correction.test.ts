import { beforeAll, describe, expect, it } from 'vitest';
import { rupees } from '../../src/core/money.js';
import type { DeveloperId } from '../../src/core/principal.js';
import { correctionsOf, requestCorrection } from '../ledger/corrected-wallet.fixture.js';
import { seed, type TestDeveloper } from '../support/app.js';
import { creditWallet } from '../support/credit.js';
import { place } from '../support/recharges.js';
import { codesOf, expectExplained, type Staff, useConsole } from './console.fixture.js';

const APPROVAL_REQUEST = `state action environment subject reference amount reason requestedBy { name } resolvedBy { name } developer { id }
  correction { fromVersion entries storedBalance computedBalance difference postedAt }`;
const READ_REQUEST = `query($id: ID!) { node(id: $id) { ... on ApprovalRequest { ${APPROVAL_REQUEST} } } }`;
const APPROVE = `mutation($input: ApproveApprovalRequestInput!) { approveApprovalRequest(input: $input) {
  outcome { ... on ApprovalRequestApproved { approvalRequest { ${APPROVAL_REQUEST} } developer { id } } } } }`;
const STATEMENT = '/api/v1/wallet/statement?kinds=correction';

const console = useConsole();
expectExplained(console);
let developer: TestDeveloper;
beforeAll(async () => {
  developer = await console.test.developer({ liveRupees: 1_000 });
});

const corrections = () => correctionsOf({ db: console.test.db, pool: console.test.app.pool });
const changeBy = (developerId: DeveloperId, paise: number) =>
  console.test.db.query(
    `update wallet set balance_paise = balance_paise + $2 where developer_id = $1 and environment = 'production'`,
    [developerId, paise],
  );
const requestApproval = (by: string, reason = 'Changed by hand on 3 March') =>
  requestCorrection(console.test.app, developer.id, by, reason);
const approve = (id: string, actor: Staff) =>
  console.call(console.staff[actor], APPROVE, { input: { approvalRequestId: `apr_${id}` } });
const readRequest = async (id: string) =>
  (await console.call(console.staff.support, READ_REQUEST, { id: `apr_${id}` })).body.data.node;
async function post(id: string) {
  const parts = corrections();
  try {
    return await parts.post(id);
  } finally {
    await parts.close();
  }
}

describe('the correction of a wallet whose balance changed without a transfer', () => {
  it('is shown to the second admin with its amounts, approved, and posted only by the owner of the tables', async () => {
    await changeBy(developer.id, 100_00);
    await place(console.test, developer, { amount: 10 });
    const { approvalRequest, replayed } = await requestApproval('admin@test.example');
    expect(replayed).toBe(false);
    expect((await requestApproval('admin@test.example')).replayed).toBe(true);
    const { id } = approvalRequest!;
    const expected = {
      state: 'PENDING',
      action: 'CORRECT_WALLET',
      environment: 'PRODUCTION',
      subject: `developer:${developer.id}/production`,
      reference: 'from version 2',
      amount: 100,
      reason: 'Changed by hand on 3 March',
      requestedBy: { name: 'admin' },
      resolvedBy: null,
      developer: { id: `dev_${developer.id}` },
      correction: {
        fromVersion: 2,
        entries: 1,
        storedBalance: 1_090,
        computedBalance: 990,
        difference: -100,
        postedAt: null,
      },
    };
    expect(await readRequest(id)).toEqual(expected);
    expect(codesOf(await approve(id, 'admin'))).toEqual(['FORBIDDEN']);
    expect(codesOf(await approve(id, 'support'))).toEqual(['FORBIDDEN']);
    expect((await post(id)).outcome).toBe('not_approved');

    const { body } = await approve(id, 'second');
    const approved = { ...expected, state: 'APPROVED', resolvedBy: { name: 'second' } };
    expect(body.data.approveApprovalRequest.outcome).toEqual({
      approvalRequest: approved,
      developer: expected.developer,
    });
    // Approval has posted nothing.
    expect(await console.test.app.ledger.check()).toHaveLength(1);
    const rejection = console.test.app.pool.query('select ledger_reopen($1, uuidv7())', [id]);
    await expect(rejection).rejects.toMatchObject({ code: '42501' });

    expect(await post(id)).toMatchObject({ outcome: 'posted', balancePaise: 990_00n });
    expect(await console.test.app.ledger.check()).toEqual([]);
    expect(await readRequest(id)).toEqual({
      ...approved,
      correction: { ...expected.correction, postedAt: expect.any(String) },
    });
    const statement = await console.test.rest('production', 'GET', STATEMENT, developer.tokens.production);
    expect(statement.body.data).toEqual([
      {
        id: `led_production_${developer.id}_3`,
        at: expect.any(String),
        kind: 'correction',
        amount: -100,
        balance_after: 990,
        reference: `apr_${id}`,
      },
    ]);
    const auditLog = await console.test.db.query(
      `select action, posting_id is not null as posts, amount_paise::int as amount from audit_entry where subject = $1 order by audit_entry.id desc limit 3`,
      [expected.subject],
    );
    expect(auditLog).toEqual([
      { action: 'wallet.correct', posts: true, amount: 100_00 },
      { action: 'wallet.approve_correction', posts: false, amount: null },
      { action: 'approval_request.create', posts: false, amount: null },
    ]);
  });

  it('is requested only by administrators and finance, and only if the wallet holds the amount to debit', async () => {
    developer = await console.test.developer({ liveRupees: 20 });
    await changeBy(developer.id, 50_00);
    await place(console.test, developer, { amount: 60 });
    await expect(requestApproval('support@test.example')).rejects.toThrow('--by must be');
    await expect(requestApproval('admin@test.example')).rejects.toThrow(
      'The correction takes 50.00 rupees, but the wallet balance is 10.00 rupees. Credit the difference first.',
    );
    const rest = {
      developerId: developer.id,
      environment: 'production',
      amountPaise: rupees(40),
      reference: 'the rest',
    } as const;
    await creditWallet(console.test.app, rest, seed);
    const { approvalRequest } = await requestApproval('admin@test.example');
    await approve(approvalRequest!.id, 'second');
    expect(await post(approvalRequest!.id)).toMatchObject({
      outcome: 'posted',
      changePaise: -50_00n,
      balancePaise: 0n,
    });
    expect(await console.test.app.ledger.check()).toEqual([]);
  });
});
