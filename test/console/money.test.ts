import { beforeAll, describe, expect, it } from 'vitest';
import type { DeveloperId } from '../../src/core/principal.js';
import { NOBODY } from '../support/ids.js';
import { codesOf, fieldsOf, useConsole } from './console.fixture.js';

const CREDIT =
  'mutation($input: CreditWalletInput!) { creditWallet(input: $input) { replayed proposal { id } entry { kind amount balanceAfter reference } wallet { environment balance } } }';
const console = useConsole();
/** An account on which nothing is ever changed: every request about it is refused. */
let untouched: DeveloperId;
beforeAll(async () => {
  ({ id: untouched } = await console.test.developer({ liveRupees: 0, feesPaise: { dth_info: 30 } }));
});
const balanceOf = async (id: DeveloperId) => (await console.test.app.ledger.wallet(id, 'production')).balancePaise;
const credit = (input: object, token = console.staff.admin) => console.call(token, CREDIT, { input });

describe('creditWallet', () => {
  it('adds money to one wallet, with its audit entry', async () => {
    const { id } = await console.test.developer({ liveRupees: 0 });
    const { body } = await credit({
      developerId: id,
      environment: 'PRODUCTION',
      amount: 1234.56,
      reference: ' NEFT 1 ',
      reason: 'Paid in full',
    });
    expect(body.data.creditWallet).toEqual({
      replayed: false,
      proposal: null,
      entry: { kind: 'TOP_UP', amount: 1234.56, balanceAfter: 1234.56, reference: 'NEFT 1' },
      wallet: { environment: 'PRODUCTION', balance: 1234.56 },
    });
    const [entry] = await console.test.db.query(
      `select * from audit_entry where action = 'wallet.credit' order by audit_entry.id desc limit 1`,
    );
    expect(entry).toMatchObject({
      subject: `developer:${id}/production`,
      before: { balancePaise: '0' },
      after: { balancePaise: '123456', reference: 'NEFT 1' },
      reason: 'Paid in full',
    });
    // kept in paise, read in rupees
    const trail = await console.call(
      console.staff.admin,
      `{ auditTrail(first: 1, filter: { subject: "developer:${id}/production" }) { edges { node { before after } } } }`,
    );
    const { before, after } = trail.body.data.auditTrail.edges[0].node;
    expect([before, after].map((state) => JSON.parse(state))).toEqual([
      { balance: 0 },
      { balance: 1234.56, reference: 'NEFT 1' },
    ]);
  });

  it('reaches the ledger once under 20 parallel submissions of one reference by two admins', async () => {
    const { id } = await console.test.developer({ liveRupees: 0 });
    const input = { developerId: id, environment: 'PRODUCTION', amount: 100, reference: 'UTR-77' };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => credit(input, n % 2 ? console.staff.admin : console.staff.second)),
    );
    expect(answers.flatMap(codesOf)).toEqual([]);
    const results = answers.map(({ body }) => body.data.creditWallet);
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
    expect(entries).toHaveLength(2); // its key, and one credit
  });

  it('answers a reference that was used with its entry, refuses it with another amount, and takes it for the other wallet', async () => {
    const { id } = await console.test.developer({ liveRupees: 0 });
    const input = { developerId: id, environment: 'PRODUCTION', amount: 5, reference: 'R1' };
    expect(codesOf(await credit(input))).toEqual([]);
    const same = await credit(input, console.staff.second);
    expect(same.body.data.creditWallet).toMatchObject({ replayed: true, entry: { amount: 5 }, wallet: { balance: 5 } });
    const again = await credit({ ...input, amount: 6 });
    expect([codesOf(again), fieldsOf(again), again.body.data]).toEqual([
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
    ['more than a crore', { amount: 10_000_000.01 }, 'input.amount'],
    ['no reference', { reference: ' ' }, 'input.reference'],
    ['a reference of 101 characters', { reference: 'r'.repeat(101) }, 'input.reference'],
    ['an environment that is none', { environment: 'LIVE' }, 'input.environment'],
  ])('refuses %s by path', async (_name, change, field) => {
    const answer = await credit({
      developerId: untouched,
      environment: 'PRODUCTION',
      amount: 5,
      reference: 'bad',
      ...change,
    });
    expect([codesOf(answer), fieldsOf(answer)]).toEqual([['VALIDATION_FAILED'], [field]]);
    expect(await balanceOf(untouched)).toBe(0n);
  });

  it('tells an unknown developer from one that has no wallet yet', async () => {
    const input = { environment: 'UAT', amount: 5, reference: 'r' };
    expect(codesOf(await credit({ ...input, developerId: NOBODY }))).toEqual(['RECORD_NOT_FOUND']);
    expect(codesOf(await credit({ ...input, developerId: await console.applicant() }))).toEqual(['CONFLICT']);
  });

  it('comes once per operation: two in one document are refused as a whole', async () => {
    const { id } = await console.test.developer({ liveRupees: 0 });
    const one = (alias: string) =>
      `${alias}: creditWallet(input: {developerId: "${id}", environment: PRODUCTION, amount: 5, reference: "${alias}"}) { replayed }`;
    const { status, body } = await console.call(console.staff.admin, `mutation { ${one('a')} ${one('b')} }`);
    expect([status, body.data, body.errors[0].extensions.code]).toEqual([400, undefined, 'INVALID_DOCUMENT']);
    expect(await balanceOf(id)).toBe(0n);
  });
});

describe('a fee', () => {
  const ACCESS = 'developer { services { service enabled fee } }';
  const SET = `mutation($input: SetServiceAccessInput!) { setServiceAccess(input: $input) { ${ACCESS} } }`;
  const set = (input: object) => console.call(console.staff.admin, SET, { input });

  it.each([
    [-0.01, 'input.fee'],
    [0.001, 'input.fee'],
    [1.005, 'input.fee'],
    [10_000.01, 'input.fee'],
    ['1', 'input.fee'],
  ])('of %j is refused, and the access stays as it was', async (fee, field) => {
    const answer = await set({ developerId: untouched, service: 'DTH_INFO', enabled: false, fee });
    expect([codesOf(answer), fieldsOf(answer)]).toEqual([['VALIDATION_FAILED'], [field]]);
    const { body } = await console.call(
      console.staff.admin,
      `{ developer(id: "${untouched}") { services { service enabled fee } } }`,
    );
    expect(body.data.developer.services).toContainEqual({ service: 'DTH_INFO', enabled: true, fee: 0.3 });
  });

  it('stays when it is left out, and two changes in one document show each its own state', async () => {
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
    expect(codesOf(await set({ developerId: NOBODY, service: 'DTH_INFO', enabled: true }))).toEqual([
      'RECORD_NOT_FOUND',
    ]);
    expect(fieldsOf(await set({ developerId: '1', service: 'EVERYTHING', enabled: true }))).toEqual(['input.service']);
  });
});
