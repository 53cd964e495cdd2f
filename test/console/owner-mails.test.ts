import { beforeEach, describe, expect, it } from 'vitest';
import { mailboxOf, type TestDeveloper } from '../support/app.js';
import { arrivedFor, mailsTo } from '../support/mailbox.js';
import { until } from '../support/until.js';
import { CREATE as CREATE_ENDPOINT, ROTATE as ROTATE_SECRET } from '../webhooks/webhooks.fixture.js';
import { codesOf, useConsole } from './console.fixture.js';

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

/** The mails to the owner, once there are so many: subject and text. */
async function mails(count: number): Promise<{ subject: string; text: string }[]> {
  const found = await mailsTo(mailboxOf(test.db.url), owner, count);
  return found.map((mail) => ({
    subject: /\r\nSubject: (.*)\r\n/.exec(mail)![1]!,
    text: mail.slice(mail.indexOf('\r\n\r\n')),
  }));
}

describe('the owner of an account hears by mail of', () => {
  it('a new key, and of one in the place of another', async () => {
    const made = (await console.call(user, CREATE_KEY, { input: { environment: 'UAT', label: 'a label' } })).body.data
      .createCredential;
    const [first] = await mails(1);
    expect(first!.subject).toBe('A new API key was made');
    expect(first!.text).toContain(`for UAT was made on the console. Its client id is ${made.credential.clientId}.\n`);
    expect(first!.text).toContain(`\n${test.urls.console}\n`);

    const old = developer.keys.production.clientId;
    const rotated = (await console.call(user, ROTATE_KEY, { input: { clientId: old } })).body.data.rotateCredential;
    const [, second] = await mails(2);
    expect(second!.text).toContain(
      `for production was made on the console. Its client id is ${rotated.credential.clientId}.\n`,
    );
    expect(second!.text).toMatch(
      new RegExp(
        `\\nIt takes the place of ${old}, which works until \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d \\(Indian time\\)\\.\\n`,
      ),
    );
    for (const { text } of [first!, second!])
      for (const secret of [made.apiSecret, rotated.apiSecret, 'a label']) expect(text).not.toContain(secret);
  });

  it('a new webhook endpoint and a new secret of it, by a token and on the console', async () => {
    const key = developer.keys.uat.clientId;
    const planted = (await test.graphql('uat', developer.tokens.uat, CREATE_ENDPOINT, { input: { url: URL } })).body
      .data.createWebhookEndpoint;
    const { id } = planted.endpoint;
    const renewed = (await console.call(user, ROTATE_SECRET, { id })).body.data.rotateWebhookSecret;
    const again = (await test.rest('uat', 'POST', `/api/v1/webhooks/${id}/rotate`, developer.tokens.uat)).body.data;
    const all = await mails(3);
    expect(all.map(({ subject }) => subject)).toEqual([
      'A new webhook endpoint was made',
      'The secret of a webhook endpoint was replaced',
      'The secret of a webhook endpoint was replaced',
    ]);
    for (const [n, how] of [
      `with a token of the key ${key}`,
      'on the console',
      `with a token of the key ${key}`,
    ].entries()) {
      expect(all[n]!.text).toContain(`${how}. `);
      expect(all[n]!.text).toContain(`is ${id}.`);
      for (const secret of [planted.secret, renewed.secret, again.secret, 'a-path-with-a-secret'])
        expect(all[n]!.text).not.toContain(secret);
    }
  });

  it('nothing that was refused', async () => {
    const key = { input: { environment: 'UAT' } };
    const answers = [await console.call(user, CREATE_KEY, key), await console.call(user, CREATE_KEY, key)];
    expect(answers.map(codesOf)).toEqual([[], ['CONFLICT']]);
    await mails(1);
    const queued = `select from mail union all select from pgboss.job where name = 'mail' and state in ('created', 'retry', 'active')`;
    await until('all mails went', async () => (await test.db.query(queued)).length === 0);
    expect(arrivedFor(mailboxOf(test.db.url), owner)).toHaveLength(1);
  });
});
