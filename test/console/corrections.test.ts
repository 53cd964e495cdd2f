import { beforeAll, describe, expect, it } from 'vitest';
import type { TestDeveloper } from '../support/app.js';
import { codesOf, fieldsOf, type Staff, useConsole } from './console.fixture.js';

const RESULT =
  '{ replayed wallet { balance } entry { kind amount balanceAfter reference } order { id status code } proposal { id action by reason amount order { id } } }';
const console = useConsole({ ENQUIRY_SCHEDULE_MS: '60s' });
let developer: TestDeveloper;
beforeAll(async () => {
  developer = await console.test.developer({ liveRupees: 10_000, rateLimitPerMinute: 1_000 });
});

const as = (who: Staff, field: string, input: object, result = RESULT) => {
  const type = `${field[0]!.toUpperCase()}${field.slice(1)}Input`;
  const query = `mutation($input: ${type}!) { ${field}(input: $input) ${result} }`;
  return console.call(console.staff[who], query, { input });
};
const done = async (...args: Parameters<typeof as>) => {
  const answer = await as(...args);
  expect(codesOf(answer)).toEqual([]);
  return answer.body.data[args[1]];
};
const approve = (proposalId: string, who: Staff = 'second') => as(who, 'approveProposal', { proposalId });
/** Proposed by one admin, carried out by another one. */
const byTwo = async (field: string, input: object) => {
  const { proposal } = await done('admin', field, input);
  const { body } = await approve(proposal.id);
  return body.data.approveProposal;
};
const balance = () => console.test.balance(developer, 'production');
let made = 0;
describe('debitWallet', () => {
  const debit = (change: object = {}) => ({
    developerId: developer.id,
    environment: 'PRODUCTION',
    amount: 100,
    reference: `debit ${++made}`,
    reason: 'Mistyped',
    ...change,
  });

  it('takes a mistyped credit back, by two people and with its trail', async () => {
    const before = await balance();
    await byTwo('creditWallet', { ...debit({ amount: 10_000_000 }), reference: 'typo' });
    expect(await balance()).toBe(before + 10_000_000);
    const input = debit({ amount: 9_990_000, reference: 'typo' });
    const first = await done('admin', 'debitWallet', input);
    expect(first).toMatchObject({
      wallet: null,
      entry: null,
      order: null,
      proposal: { action: 'wallet.debit', reason: 'Mistyped', amount: 9_990_000 },
    });
    expect(await balance()).toBe(before + 10_000_000);
    for (const who of ['admin', 'support'] as const)
      expect(codesOf(await approve(first.proposal.id, who))).toEqual(['FORBIDDEN']);
    const { body } = await approve(first.proposal.id);
    expect(body.data.approveProposal).toEqual({
      replayed: false,
      wallet: { balance: before + 10_000 },
      entry: { kind: 'debit', amount: -9_990_000, balanceAfter: before + 10_000, reference: 'typo' },
      order: null,
      proposal: null,
    });
    expect(codesOf(await approve(first.proposal.id))).toEqual(['CONFLICT']);
    const again = await done('second', 'debitWallet', input);
    expect(again).toMatchObject({ replayed: true, entry: { amount: -9_990_000 }, proposal: null });
    expect(await balance()).toBe(before + 10_000);
    const [entry] = await console.test.db.query(
      `select actor, after, reason, amount_paise::text as amount from audit_entry where action = 'wallet.debit'`,
    );
    expect(entry).toMatchObject({ amount: '999000000', reason: 'Mistyped', after: { proposedBy: expect.any(String) } });
    await byTwo('debitWallet', debit({ amount: 10_000 }));
  });

  it('stands in the statement, the days and their sums', async () => {
    await byTwo('debitWallet', debit({ reference: 'shown' }));
    const today = new Date(Date.now() + 5.5 * 3_600_000).toISOString().slice(0, 10);
    const { body } = await console.test.graphql(
      'production',
      developer.tokens.production,
      `{ wallet { statement(first: 1) { edges { node { kind amount reference } } } days(from: "${today}", to: "${today}") { opening credits debits closing } } }`,
    );
    const { statement, days } = body.data.wallet;
    expect(statement.edges[0].node).toEqual({ kind: 'debit', amount: -100, reference: 'shown' });
    expect(days[0].opening + days[0].credits - days[0].debits).toBeCloseTo(days[0].closing, 2);
  });

  it('waits while the wallet lacks the money, and never overdraws it', async () => {
    const before = await balance();
    const { proposal } = await done('admin', 'debitWallet', debit({ amount: before + 1 }));
    expect(codesOf(await approve(proposal.id))).toEqual(['INSUFFICIENT_BALANCE']);
    expect(await balance()).toBe(before);
    await done('admin', 'creditWallet', { ...debit({ amount: 1 }), reference: proposal.id });
    expect(codesOf(await approve(proposal.id))).toEqual([]);
    expect(await balance()).toBe(0);
    await done('admin', 'creditWallet', { ...debit({ amount: 10_000 }), reference: 'refill' });
  });

  it('of play money takes one person, and what is in the wallet', async () => {
    const before = await console.test.balance(developer, 'uat');
    await done('admin', 'creditWallet', { ...debit(), environment: 'UAT', reference: 'play' });
    const { entry, proposal } = await done('admin', 'debitWallet', debit({ environment: 'UAT' }));
    expect([entry.amount, proposal]).toEqual([-100, null]);
    const more = await as('admin', 'debitWallet', debit({ environment: 'UAT', amount: before + 1 }));
    expect(codesOf(more)).toEqual(['INSUFFICIENT_BALANCE']);
    expect(await console.test.balance(developer, 'uat')).toBe(before);
  });

  it.each([
    ['nothing', { amount: 0 }, 'VALIDATION_FAILED', 'input.amount'],
    ['more than a crore', { amount: 10_000_000.01 }, 'VALIDATION_FAILED', 'input.amount'],
    ['no reason', { reason: ' ' }, 'VALIDATION_FAILED', 'input.reason'],
    ['no reference', { reference: '' }, 'VALIDATION_FAILED', 'input.reference'],
    ['a reference of another amount', { reference: 'shown', amount: 101 }, 'CONFLICT', 'input.reference'],
  ])('refuses %s by path', async (_name, change, code, field) => {
    const answer = await as('admin', 'debitWallet', debit(change));
    expect([codesOf(answer), fieldsOf(answer)]).toEqual([[code], [field]]);
  });
});
