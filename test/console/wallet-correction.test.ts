import { beforeAll, describe, expect, it } from 'vitest';
import { rupees } from '../../src/core/money.js';
import type { DeveloperId } from '../../src/core/principal.js';
import { correctionsOf, proposeCorrection } from '../ledger/corrected-wallet.fixture.js';
import { seed, type TestDeveloper } from '../support/app.js';
import { creditWallet } from '../support/credit.js';
import { place } from '../support/recharges.js';
import { codesOf, expectExplained, type Staff, useConsole } from './console.fixture.js';

const PROPOSAL = `state action environment subject reference amount reason author { name } decidedBy { name } developer { id }
  correction { fromVersion entries storedBalance computedBalance difference postedAt }`;
const SHOWN = `query($id: ID!) { node(id: $id) { ... on Proposal { ${PROPOSAL} } } }`;
const APPROVE = `mutation($input: ApproveProposalInput!) { approveProposal(input: $input) {
  outcome { ... on ProposalCarriedOut { proposal { ${PROPOSAL} } developer { id } } } } }`;
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
const propose = (by: string, reason = 'Changed by hand on 3 March') =>
  proposeCorrection(console.test.app, developer.id, by, reason);
const approve = (id: string, who: Staff) =>
  console.call(console.staff[who], APPROVE, { input: { proposalId: `prp_${id}` } });
const shown = async (id: string) =>
  (await console.call(console.staff.support, SHOWN, { id: `prp_${id}` })).body.data.node;
async function post(id: string) {
  const parts = corrections();
  try {
    return await parts.post(id);
  } finally {
    await parts.close();
  }
}

describe('the correction of a wallet whose balance changed without a transfer', () => {
  it('is shown to the second person with its amounts, approved, and posted only by the owner of the tables', async () => {
    await changeBy(developer.id, 100_00);
    await place(console.test, developer, { amount: 10 });
    const { proposal, replayed } = await propose('admin@test.example');
    expect(replayed).toBe(false);
    expect((await propose('admin@test.example')).replayed).toBe(true);
    const { id } = proposal!;
    const seen = {
      state: 'WAITING',
      action: 'CORRECT_WALLET',
      environment: 'PRODUCTION',
      subject: `developer:${developer.id}/production`,
      reference: 'from version 2',
      amount: 100,
      reason: 'Changed by hand on 3 March',
      author: { name: 'admin' },
      decidedBy: null,
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
    expect(await shown(id)).toEqual(seen);
    expect(codesOf(await approve(id, 'admin'))).toEqual(['FORBIDDEN']);
    expect(codesOf(await approve(id, 'support'))).toEqual(['FORBIDDEN']);
    expect((await post(id)).outcome).toBe('not_approved');

    const { body } = await approve(id, 'second');
    const approved = { ...seen, state: 'CARRIED_OUT', decidedBy: { name: 'second' } };
    expect(body.data.approveProposal.outcome).toEqual({ proposal: approved, developer: seen.developer });
    // approval has posted nothing
    expect(await console.test.app.ledger.check()).toHaveLength(1);
    const refused = console.test.app.pool.query('select ledger_reopen($1, uuidv7())', [id]);
    await expect(refused).rejects.toMatchObject({ code: '42501' });

    expect(await post(id)).toMatchObject({ outcome: 'posted', balancePaise: 990_00n });
    expect(await console.test.app.ledger.check()).toEqual([]);
    expect(await shown(id)).toEqual({
      ...approved,
      correction: { ...seen.correction, postedAt: expect.any(String) },
    });
    const statement = await console.test.rest('production', 'GET', STATEMENT, developer.tokens.production);
    expect(statement.body.data).toEqual([
      {
        id: `led_production_${developer.id}_3`,
        at: expect.any(String),
        kind: 'correction',
        amount: -100,
        balance_after: 990,
        reference: `prp_${id}`,
      },
    ]);
    const trail = await console.test.db.query(
      `select action, posting_id is not null as posts, amount_paise::int as amount from audit_entry where subject = $1 order by audit_entry.id desc limit 3`,
      [seen.subject],
    );
    expect(trail).toEqual([
      { action: 'wallet.correct', posts: true, amount: 100_00 },
      { action: 'wallet.approve_correction', posts: false, amount: null },
      { action: 'proposal.make', posts: false, amount: null },
    ]);
  });

  it('is requested only by administrators and finance, and only if the wallet holds the amount to take', async () => {
    developer = await console.test.developer({ liveRupees: 20 });
    await changeBy(developer.id, 50_00);
    await place(console.test, developer, { amount: 60 });
    await expect(propose('support@test.example')).rejects.toThrow('--by must be');
    await expect(propose('admin@test.example')).rejects.toThrow(
      'The correction takes 50.00, and the wallet holds 10.00. Credit the rest first.',
    );
    const rest = {
      developerId: developer.id,
      environment: 'production',
      amountPaise: rupees(40),
      reference: 'the rest',
    } as const;
    await creditWallet(console.test.app, rest, seed);
    const { proposal } = await propose('admin@test.example');
    await approve(proposal!.id, 'second');
    expect(await post(proposal!.id)).toMatchObject({ outcome: 'posted', changePaise: -50_00n, balancePaise: 0n });
    expect(await console.test.app.ledger.check()).toEqual([]);
  });
});
