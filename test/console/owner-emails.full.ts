import { beforeEach, describe, expect, it } from 'vitest';
import { mailboxOf, type TestDeveloper } from '../support/app.js';
import { arrivedFor, emailsTo } from '../support/mailbox.js';
import { until } from '../support/until.js';
import { CREATE as CREATE_ENDPOINT, ROTATE as ROTATE_SECRET } from '../webhooks/webhooks.fixture.js';
import { codesOf, PASSWORD, useConsole } from './console.fixture.js';

const CREATE_KEY = `mutation($input: CreateCredentialInput!) { createCredential(input: $input) {
  apiSecret credential { clientId } } }`;
const ROTATE_KEY = `mutation($input: RotateCredentialInput!) { rotateCredential(input: $input) {
  apiSecret credential { clientId } } }`;
const URL = 'https://hooks.test.example/a-path-with-a-secret';

const console = useConsole();
const { test } = console;
let developer: TestDeveloper;
let user: string;
let owner: string;
beforeEach(async () => {
  developer = await test.developer({ liveRupees: 0 });
  user = await console.userOf(developer.id);
  const [row] = await test.db.query<{ email: string }>('select email from developer where id = $1', [developer.id]);
  owner = row!.email;
});

/** Waits for this many emails to the owner and returns their subjects and texts. */
async function ownerEmails(count: number): Promise<{ subject: string; text: string }[]> {
  const found = await emailsTo(mailboxOf(test.db.url), owner, count);
  return found.map((email) => ({
    subject: /\r\nSubject: (.*)\r\n/.exec(email)![1]!,
    text: email.slice(email.indexOf('\r\n\r\n')),
  }));
}

describe('the owner of an account is emailed about', () => {
  it('a new key and a rotated key', async () => {
    const created = (await console.call(user, CREATE_KEY, { input: { environment: 'UAT', label: 'a label' } })).body
      .data.createCredential;
    const [first] = await ownerEmails(1);
    expect(first!.subject).toBe('A new API key was created');
    expect(first!.text).toContain(
      `A new UAT API key of your account was created in the console. Its client ID is ${created.credential.clientId}.\n`,
    );
    expect(first!.text).toContain(`\n${test.urls.console}\n`);

    const old = developer.keys.production.clientId;
    const rotated = (await console.call(user, ROTATE_KEY, { input: { clientId: old } })).body.data.rotateCredential;
    const [, second] = await ownerEmails(2);
    expect(second!.text).toContain(
      `A new Production API key of your account was created in the console. Its client ID is ${rotated.credential.clientId}.\n`,
    );
    expect(second!.text).toMatch(
      new RegExp(`\\nThe new API key replaces ${old}, which works until \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d IST\\.\\n`),
    );
    for (const { text } of [first!, second!])
      for (const secret of [created.apiSecret, rotated.apiSecret, 'a label']) expect(text).not.toContain(secret);
  });

  it('a new webhook endpoint and its new secret, through the API and the console', async () => {
    const key = developer.keys.uat.clientId;
    const created = (await test.graphql('uat', developer.tokens.uat, CREATE_ENDPOINT, { input: { url: URL } })).body
      .data.createWebhookEndpoint;
    const { id } = created.endpoint;
    const renewed = (await console.call(user, ROTATE_SECRET, { id })).body.data.rotateWebhookSecret;
    const rotated = (await test.rest('uat', 'POST', `/api/v1/webhooks/${id}/rotate`, developer.tokens.uat)).body.data;
    const all = await ownerEmails(3);
    expect(all.map(({ subject }) => subject)).toEqual([
      'A new webhook endpoint was created',
      'The secret of a webhook endpoint was rotated',
      'The secret of a webhook endpoint was rotated',
    ]);
    for (const [n, origin] of [
      `with a token of the API key ${key}`,
      'in the console',
      `with a token of the API key ${key}`,
    ].entries()) {
      expect(all[n]!.text).toContain(`${origin}. `);
      expect(all[n]!.text).toContain(`Endpoint ID: ${id}\n`);
      for (const secret of [created.secret, renewed.secret, rotated.secret, 'a-path-with-a-secret'])
        expect(all[n]!.text).not.toContain(secret);
    }
  });

  it('users who are invited, join, get a new role or are removed: every active owner, and a former owner', async () => {
    const mailbox = mailboxOf(test.db.url);
    const emails = ['second', 'suspended'].map((name) => `${name}-${developer.id}@test.example`);
    const [second, suspended] = emails as [string, string];
    for (const email of emails) await console.userOf(developer.id, email);
    await test.db.query('update app_user set disabled_at = now() where email = $1', [suspended]);
    const mutate = async (name: string, input: object, selection: string) => {
      const type = `${name[0]!.toUpperCase()}${name.slice(1)}Input`;
      const document = `mutation($input: ${type}!) { ${name}(input: $input) ${selection} }`;
      const response = await console.call(user, document, { input });
      expect([name, codesOf(response)]).toEqual([name, []]);
      return response.body.data[name];
    };
    const email = `guest-${developer.id}@test.example`;
    const invitation = { email, name: 'http://not-quoted.example', role: 'DEVELOPER', teamRole: 'OWNER' };
    const guest = (await mutate('inviteUser', invitation, '{ user { id } }')).user.id;
    const [link] = await emailsTo(mailbox, email, 1);
    const [, token] = /accept-invitation#token=([0-9a-f]{64})/.exec(link!)!;
    await mutate('acceptInvitation', { token, password: PASSWORD }, '{ viewer { user { id } } }');
    await mutate('setUserRole', { userId: guest, teamRole: 'READER' }, '{ user { id } }');
    await mutate('removeUser', { userId: guest, reason: 'left' }, '{ removedUserId }');
    const withdrawn = { ...invitation, email: `other-${developer.id}@test.example` };
    const { id } = (await mutate('inviteUser', withdrawn, '{ user { id } }')).user;
    await mutate('removeUser', { userId: id, reason: 'a slip' }, '{ removedUserId }');
    await mutate('createCredential', { environment: 'UAT' }, '{ apiSecret }');
    const subjects = [
      'A user was invited to your account',
      'A user joined your account',
      'A role in your account was changed',
      'A user was removed from your account',
      'A user was invited to your account',
      'An invitation to your account was withdrawn',
      'A new API key was created',
    ];
    const subjectsTo = async (address: string, count: number) => {
      await until(`${count} emails to ${address}`, () => arrivedFor(mailbox, address).length >= count);
      return arrivedFor(mailbox, address).map((message) => /\r\nSubject: (.*)\r\n/.exec(message)![1]!);
    };
    for (const address of [owner, second])
      expect((await subjectsTo(address, subjects.length)).toSorted()).toEqual(subjects.toSorted());
    // The former owner is emailed about the change, and about nothing later.
    expect((await subjectsTo(email, 2)).toSorted()).toEqual([
      'A role in your account was changed',
      'Your invitation to the API console',
    ]);
    expect(arrivedFor(mailbox, suspended)).toEqual([]);
    const texts = arrivedFor(mailbox, second).join();
    expect(texts).not.toContain('not-quoted');
    expect(texts).toContain(`${email} was invited to your account in the API console.`);
    expect(texts).toContain('Role: owner');
  });

  it('nothing that was rejected', async () => {
    const key = { input: { environment: 'UAT' } };
    const responses = [await console.call(user, CREATE_KEY, key), await console.call(user, CREATE_KEY, key)];
    expect(responses.map(codesOf)).toEqual([[], ['CONFLICT']]);
    await ownerEmails(1);
    const queued = `select from email union all select from pgboss.job where name = 'email' and state in ('created', 'retry', 'active')`;
    await until('all emails are sent', async () => (await test.db.query(queued)).length === 0);
    expect(arrivedFor(mailboxOf(test.db.url), owner)).toHaveLength(1);
  });
});
