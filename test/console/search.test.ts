import { beforeAll, describe, expect, it } from 'vitest';
import type { TestDeveloper } from '../support/app.js';
import { seed } from '../support/app.js';
import { place } from '../support/recharges.js';
import { fieldsOf, PASSWORD, useConsole } from './console.fixture.js';

const console = useConsole();
let developer: TestDeveloper;
let orderReference: string;
let reviewer: string;

const SEARCH =
  'query($text: String!) { search(text: $text) { node { kind: __typename id } title detail matchedText } }';
const hits = async (text: string, token = console.staff.support) =>
  (await console.call(token, SEARCH, { text })).body.data.search as {
    node: { kind: string; id: string };
    title: string;
    detail: string;
    matchedText: string;
  }[];
/** The search results, as kind and name. */
const found = async (text: string, token?: string) =>
  (await hits(text, token)).map(({ node, title }) => `${node.kind} ${title}`);

beforeAll(async () => {
  const { app, db } = console.test;
  developer = await console.test.developer({ liveRupees: 100 });
  await db.query('update developer set name = $2, email = $3 where id = $1', [
    developer.id,
    `Zephyr O'Hara \\ Stores`,
    'desk@zephyr-stores.example',
  ]);
  await app.users.create(
    { email: 'zainab@zephyr.example', name: 'Zainab Zephyr', password: PASSWORD, role: 'finance' },
    seed,
  );
  await app.users.create({ email: 'kyc-desk@zeph.example', name: 'Kamal', password: PASSWORD, role: 'reviewer' }, seed);
  const from = { addressKey: '127.0.0.1', requestId: 'test' };
  reviewer = (await app.sessions.signIn({ email: 'kyc-desk@zeph.example', password: PASSWORD }, from)).token;
  const { body } = await place(console.test, developer, { client_request_id: 'zephyr-till-7' });
  orderReference = body.data.api_request_id;
});

describe('search finds', () => {
  it('developers and users by word prefixes, with any characters', async () => {
    const store = `Developer Zephyr O'Hara \\ Stores`;
    expect(await found('zeph')).toEqual([store, 'User Zainab Zephyr']);
    expect(await found('STO  zephyr')).toEqual([store]);
    expect(await found(`o'h`)).toEqual([store]);
    expect(await found('zephyr \\')).toEqual([store]);
    expect(await found('desk@zephyr')).toEqual([store]);
    expect(await found('ephyr')).toEqual([]);
    expect((await hits('desk@zephyr'))[0]).toMatchObject({
      detail: 'desk@zephyr-stores.example',
      matchedText: 'desk@zephyr-stores.example',
    });
    for (const text of [`'zephyr':* | 'z'`, 'zephyr & !stores', `');drop`])
      expect([text, await found(text)]).toEqual([text, []]);
  });

  it('an account by its number, ID or API key', async () => {
    const [row] = await console.test.db.query<{ account_number: number }>(
      'select account_number from developer where id = $1',
      [developer.id],
    );
    const { clientId } = developer.keys.production;
    for (const text of [
      `${row!.account_number}`,
      `#${row!.account_number}`,
      developer.id,
      `dev_${developer.id}`,
      clientId,
    ]) {
      const [hit, ...rest] = (await hits(text)).filter(({ node }) => node.kind === 'Developer');
      expect([text, hit?.node.id, rest]).toEqual([text, `dev_${developer.id}`, []]);
    }
    expect((await hits(clientId))[0]!.matchedText).toBe(clientId);
    expect(await found('9999999999')).toEqual([]);
  });

  it('an order by any of its full references', async () => {
    for (const text of [orderReference, orderReference.toLowerCase(), 'zephyr-till-7', ' zephyr-till-7 '])
      expect([text, await found(text)]).toEqual([text, [`Order ${orderReference}`]]);
    const { node, detail } = (await hits('zephyr-till-7'))[0]!;
    expect(detail).toBe('recharge · ₹10.00 · success · production');
    // A page reports the ID that its client token read.
    for (const id of [node.id, node.id.replace('ord_', 'oct_')])
      expect(await found(id)).toEqual([`Order ${orderReference}`]);
    expect(await found('zephyr-till')).toEqual([]);
  });

  it('an order by the recharged number, and reports the match', async () => {
    expect(await found('9876543210')).toContain(`Order ${orderReference}`);
    const [text] = console.test.app.schemas.console.getQueryType()!.getFields().search!.args;
    expect(text!.description).toContain('recharged number');
  });

  it('only developers for a KYC reviewer', async () => {
    expect(await found('zeph', reviewer)).toEqual([`Developer Zephyr O'Hara \\ Stores`]);
    expect(await found('zephyr-till-7', reviewer)).toEqual([]);
  });

  it('at most five results of a kind, newest first, and no removed users', async () => {
    const { app, db } = console.test;
    for (let n = 1; n <= 6; n++) await console.applicant(`Quixote Shop ${n}`);
    expect(await found('quixote')).toEqual([6, 5, 4, 3, 2].map((n) => `Developer Quixote Shop ${n}`));
    const removedUser = await app.users.create(
      { email: 'gone@test.example', name: 'Quixote', password: PASSWORD, role: 'support' },
      seed,
    );
    await db.query('update app_user set disabled_at = now(), removed_at = now() where id = $1', [removedUser]);
    expect(await found('quixote')).toHaveLength(5);
    await db.query('update app_user set disabled_at = null, removed_at = null where id = $1', [removedUser]);
    expect(await found('quixote')).toHaveLength(6);
  });

  it('nothing for a text that is empty, too short or too long', async () => {
    for (const text of ['', ' ', 'a', ' a ', 'a\nb', '\0\0', 'a'.repeat(101)])
      expect([text, fieldsOf(await console.call(console.staff.support, SEARCH, { text }))]).toEqual([text, ['text']]);
  });
});
