import { beforeAll, describe, expect, it } from 'vitest';
import type { Environment } from '../../src/core/environment.js';
import { mailboxOf, type TestDeveloper } from '../support/app.js';
import { unexplainedRows } from '../support/audit.js';
import { arrivedFor, emailsTo } from '../support/mailbox.js';
import { place } from '../support/recharges.js';
import { rowKeys } from '../support/row-keys.js';
import { until } from '../support/until.js';
import { codesOf, PASSWORD, useConsole } from './console.fixture.js';

const console = useConsole({ TWO_PEOPLE: 'all', TWO_PEOPLE_FEE_ABOVE: '10' });
const { test } = console;
const NOWHERE = 'http://127.0.0.1:9/hook';
const DAY_MS = 86_400_000;

let sequence = 0;

async function mutate(token: string | undefined, name: string, input: object, selection: string) {
  const isOfEndpoint = ['cancelWebhookEndpoint', 'deleteWebhookEndpoint'].includes(name);
  const type = isOfEndpoint ? 'WebhookEndpointInput' : `${name[0]!.toUpperCase()}${name.slice(1)}Input`;
  const query = `mutation($input: ${type}!) { ${name}(input: $input) ${selection} }`;
  const response = await console.call(token, query, { input });
  return { codes: codesOf(response), data: response.body.data?.[name], errors: response.body.errors };
}

/** Invites a user, who then joins. Returns the session. */
async function join(owner: string, teamRole: string): Promise<{ session: string; email: string; id: string }> {
  const email = `newcomer-${++sequence}@test.example`;
  const input = { email, name: 'Newcomer', role: 'DEVELOPER', teamRole };
  const invited = await mutate(owner, 'inviteUser', input, '{ user { id } }');
  expect(invited.codes).toEqual([]);
  const [message] = await emailsTo(mailboxOf(test.db.url), email, 1);
  const [, token] = /accept-invitation#token=([0-9a-f]{64})/.exec(message!)!;
  await mutate(undefined, 'acceptInvitation', { token, password: PASSWORD }, '{ viewer { user { id } } }');
  const { data } = await mutate(undefined, 'signIn', { email, password: PASSWORD }, '{ token }');
  return { session: data.token, email, id: invited.data.user.id };
}

const KEY = '{ apiSecret credential { clientId startsAt } }';
const createKey = (session: string, environment = 'PRODUCTION') =>
  mutate(session, 'createCredential', { environment }, KEY);
const cancelKey = (session: string, clientId: string) =>
  mutate(session, 'cancelCredential', { clientId }, '{ credential { clientId revokedAt } }');
const exchange = (keys: { clientId: string; apiSecret: string }, environment: Environment = 'production') =>
  test.rest(environment, 'POST', '/api/v1/auth/client-credentials', undefined, {
    client_id: keys.clientId,
    api_secret: keys.apiSecret,
    environment,
  });
const stored = async (clientId: string) =>
  (await test.db.query('select * from credential where client_id = $1', [clientId]))[0]!;
const entriesOf = (action: string, developerId: string) =>
  test.db.query<{ before: any; after: any; actor: string }>(
    'select actor, before, after from audit_entry where action = $1 and developer_id = $2 order by audit_entry.id',
    [action, developerId],
  );

/** The owner has received an email with this link to the console. */
const hasLink = (path: string) =>
  until('the owner has received the link', async () =>
    arrivedFor(mailboxOf(test.db.url), ownerEmail).some((email) => email.includes(`${test.urls.console}${path}\n`)),
  );

/** Moves the start time of a key into the past, with the hash that covers it. */
async function start(developer: TestDeveloper, keys: { clientId: string; apiSecret: string }): Promise<void> {
  const startsAt = new Date(Date.now() - 1_000);
  const of = { clientId: keys.clientId, developerId: developer.id, environment: 'production', startsAt } as const;
  await test.db.query('update credential set starts_at = $2, secret_hash = $3 where client_id = $1', [
    keys.clientId,
    startsAt,
    rowKeys.apiSecretHash(of, keys.apiSecret),
  ]);
}

let developer: TestDeveloper;
let owner: string;
let ownerEmail: string;
let newcomer: Awaited<ReturnType<typeof join>>;
beforeAll(async () => {
  developer = await test.developer({ rateLimitPerMinute: 1_000 });
  ownerEmail = `owner-${developer.id}@test.example`;
  owner = await console.userOf(developer.id, ownerEmail);
  newcomer = await join(owner, 'BUILDER');
  // Room for one more key.
  await mutate(owner, 'createCredential', { environment: 'UAT' }, KEY);
});

describe('a Production key created by a user who joined in the last 24 hours', () => {
  it('is valid after 24 hours: until then the response is 401, and owners are emailed a link to cancel it', async () => {
    const { data } = await createKey(newcomer.session);
    const keys = { clientId: data.credential.clientId, apiSecret: data.apiSecret };
    const waitsMs = Date.parse(data.credential.startsAt) - Date.now();
    expect([waitsMs > DAY_MS - 60_000, waitsMs <= DAY_MS]).toEqual([true, true]);

    const rejection = await exchange(keys);
    expect([rejection.status, rejection.body.code]).toEqual([401, 'INVALID_CREDENTIALS']);
    expect(rejection.body.message).toBe(`This API key is not valid before ${data.credential.startsAt}.`);
    const input = { ...keys, environment: 'PRODUCTION' };
    const ISSUE = 'mutation($input: IssueTokenInput!) { issueToken(input: $input) { token } }';
    expect(codesOf(await test.graphql('production', undefined, ISSUE, { input }))).toEqual(['INVALID_CREDENTIALS']);
    // A caller without the secret cannot find out that the key exists.
    const guessed = await exchange({ ...keys, apiSecret: developer.keys.production.apiSecret });
    expect(guessed.body.message).toBe('The credentials are not valid.');

    await hasLink(`/keys/cancel?key=${keys.clientId}`);

    await start(developer, keys);
    const { status, body } = await exchange(keys);
    expect(status).toBe(200);
    const { token } = body;
    expect((await test.rest('production', 'GET', '/api/v1/auth/me', token)).status).toBe(200);
    // In every process, a token is rejected before the start time.
    await test.db.query(`update credential set starts_at = now() + interval '1 minute' where client_id = $1`, [
      keys.clientId,
    ]);
    expect((await test.rest('production', 'GET', '/api/v1/auth/me', token)).status).toBe(401);
    await test.db.query('update credential set revoked_at = now() where client_id = $1', [keys.clientId]);
  });

  it('cannot start earlier through an SQL statement that the audit log does not explain', async () => {
    const { data } = await createKey(newcomer.session);
    const { clientId } = data.credential;
    const about = async () => (await unexplainedRows(test.app.pool)).filter((line) => line.includes(clientId));
    expect(await about()).toEqual([]);
    await test.app.pool.query('update credential set starts_at = null where client_id = $1', [clientId]);
    expect((await exchange({ clientId, apiSecret: data.apiSecret })).body.message).toBe(
      'The credentials are not valid.',
    );
    expect(await about()).toEqual([expect.stringContaining('startsAt is null')]);
    await test.db.query('update credential set revoked_at = now() where client_id = $1', [clientId]);
  });

  it('can be cancelled once by an owner, and not by opening the page', async () => {
    const { data } = await createKey(newcomer.session);
    const { clientId } = data.credential;
    const page = await fetch(`${test.urls.console}/keys/cancel?key=${clientId}`);
    expect([page.status, (await stored(clientId)).revoked_at]).toEqual([200, null]);
    const other = await test.developer({ liveRupees: 0 });
    expect((await cancelKey(await console.userOf(other.id), clientId)).codes).toEqual(['RECORD_NOT_FOUND']);
    for (const session of [newcomer.session, console.staff.admin])
      expect((await cancelKey(session, clientId)).codes).toEqual(['FORBIDDEN']);
    expect((await stored(clientId)).revoked_at).toBeNull();
    const cancelled = await cancelKey(owner, clientId);
    expect(cancelled.data.credential).toEqual({ clientId, revokedAt: expect.any(String) });
    expect((await cancelKey(owner, clientId)).codes).toEqual(['CONFLICT']);
    expect((await exchange({ clientId, apiSecret: data.apiSecret })).status).toBe(401);
    const [entry] = await entriesOf('credential.cancel', developer.id);
    expect(entry!.after).toMatchObject({ clientId, revoked: true });
  });

  it('is revoked, not cancelled, after its start', async () => {
    const { data } = await createKey(newcomer.session);
    const { clientId } = data.credential;
    await start(developer, { clientId, apiSecret: data.apiSecret });
    for (const key of [clientId, developer.keys.production.clientId])
      expect((await cancelKey(owner, key)).codes).toEqual(['CONFLICT']);
    await mutate(owner, 'revokeCredential', { clientId }, '{ credential { clientId } }');
  });
});

describe('a key rotation by a new user', () => {
  const rotate = (clientId: string, overlapHours = 0) =>
    mutate(newcomer.session, 'rotateCredential', { clientId, overlapHours }, KEY);
  const expiryOf = async (clientId: string) => (await stored(clientId)).expires_at?.toISOString() ?? null;

  it.each([
    ['cancelled', (clientId: string) => cancelKey(owner, clientId)],
    ['revoked', (clientId: string) => mutate(owner, 'revokeCredential', { clientId }, '{ credential { clientId } }')],
  ])('keeps the old key until the new one starts, and permanently if the new key is %s', async (_, end) => {
    const old = developer.keys.production;
    const endpoint = await test.graphql(
      'production',
      developer.tokens.production,
      'mutation($input: CreateWebhookEndpointInput!) { createWebhookEndpoint(input: $input) { endpoint { id startsAt } } }',
      { input: { url: NOWHERE } },
    );
    const { id, startsAt: noTransition } = endpoint.body.data.createWebhookEndpoint.endpoint;
    expect(noTransition).toBeNull();
    const keyOfEndpoint = async () =>
      (await test.db.query('select client_id from webhook_endpoint where id = $1', [id.slice(4)]))[0]!.client_id;
    const { data } = await rotate(old.clientId);
    const { clientId, startsAt } = data.credential;
    expect([await expiryOf(old.clientId), await keyOfEndpoint()]).toEqual([new Date(startsAt).toISOString(), clientId]);
    expect((await exchange(old)).status).toBe(200);
    expect((await test.rest('production', 'GET', '/api/v1/auth/me', developer.tokens.production)).status).toBe(200);
    expect((await rotate(clientId)).codes).toEqual(['CONFLICT']);
    expect((await end(clientId)).codes).toEqual([]);
    expect([await expiryOf(old.clientId), await keyOfEndpoint()]).toEqual([null, old.clientId]);
    expect((await exchange(old)).status).toBe(200);
    await mutate(owner, 'deleteWebhookEndpoint', { endpointId: id }, '{ deletedEndpointId }');
  });

  it('starts the overlap with the start of the new key', async () => {
    const old = developer.keys.production;
    const { data } = await rotate(old.clientId, 24);
    const { clientId, startsAt } = data.credential;
    expect(Date.parse((await expiryOf(old.clientId))!) - Date.parse(startsAt)).toBe(DAY_MS);
    expect((await cancelKey(owner, clientId)).codes).toEqual([]);
  });
});

describe('a Production webhook endpoint created by a new user', () => {
  const create = (session: string, environment = 'PRODUCTION') =>
    mutate(session, 'createWebhookEndpoint', { url: NOWHERE, environment }, '{ endpoint { id startsAt } }');
  const cancel = (session: string, endpointId: string) =>
    mutate(session, 'cancelWebhookEndpoint', { endpointId }, '{ deletedEndpointId }');
  const sent = async (id: string) =>
    (await test.db.query('select from webhook_delivery where endpoint_id = $1', [id.slice(4)])).length;

  it('receives no events from before its start, and every event after it', async () => {
    const lateEndpoint = (await create(newcomer.session)).data.endpoint;
    const early = (await create(owner)).data.endpoint;
    expect([typeof lateEndpoint.startsAt, early.startsAt]).toEqual(['string', null]);
    await place(test, developer, { client_request_id: `early-${++sequence}` }, 'production');
    await until('the other endpoint receives the outcome', async () => (await sent(early.id)) === 1);
    expect(await sent(lateEndpoint.id)).toBe(0);
    const sendTest = () =>
      mutate(owner, 'sendTestEvent', { endpointId: lateEndpoint.id }, '{ delivery { id } }').then(({ codes }) => codes);
    expect(await sendTest()).toEqual(['CONFLICT']);
    // The database role of the application cannot change the start time.
    const move = `update webhook_endpoint set starts_at = now() - interval '1 second' where id = $1`;
    await expect(test.app.pool.query(move, [lateEndpoint.id.slice(4)])).rejects.toThrow('permission denied');
    await test.db.query(move, [lateEndpoint.id.slice(4)]);
    expect(await sendTest()).toEqual([]);
    await place(test, developer, { client_request_id: `late-${++sequence}` }, 'production');
    await until('the endpoint receives the outcome', async () => (await sent(lateEndpoint.id)) === 2);
    expect((await cancel(owner, lateEndpoint.id)).codes).toEqual(['CONFLICT']);
    for (const { id } of [lateEndpoint, early])
      await mutate(owner, 'deleteWebhookEndpoint', { endpointId: id }, '{ deletedEndpointId }');
  });

  it('can be cancelled once by an owner', async () => {
    const { id } = (await create(newcomer.session)).data.endpoint;
    await hasLink(`/webhooks/cancel?endpoint=${id}`);
    const other = await test.developer({ liveRupees: 0 });
    expect((await cancel(await console.userOf(other.id), id)).codes).toEqual(['RECORD_NOT_FOUND']);
    expect((await cancel(newcomer.session, id)).codes).toEqual(['FORBIDDEN']);
    expect((await cancel(owner, id)).data).toEqual({ deletedEndpointId: id });
    expect((await cancel(owner, id)).codes).toEqual(['RECORD_NOT_FOUND']);
    const [entry] = await entriesOf('webhook.cancel', developer.id);
    expect(entry!.before).toMatchObject({ environment: 'production', startsAt: expect.any(String) });
  });
});

describe('a key without a delay', () => {
  it('is one for UAT, or one created by a user who joined earlier', async () => {
    const account = await test.developer({ liveRupees: 0 });
    const boss = await console.userOf(account.id);
    const person = await join(boss, 'OWNER');
    expect((await createKey(person.session, 'UAT')).data.credential.startsAt).toBeNull();
    expect((await createKey(boss)).data.credential.startsAt).toBeNull();
    const subject = `user:${person.id.slice(4)}`;
    const move = (by: string) =>
      test.db.query(`update audit_entry set at = at + $2::interval where subject = $1 and action = 'user.create'`, [
        subject,
        by,
      ]);
    const rotate = () =>
      mutate(person.session, 'rotateCredential', { clientId: account.keys.production.clientId }, KEY);
    await move('-24 hours');
    const { data } = await rotate();
    await move('24 hours');
    expect(data.credential.startsAt).toBeNull();
  });

  it('is one created by the only owner, because no other user could cancel it', async () => {
    const account = await test.developer({ liveRupees: 0 });
    const boss = await console.userOf(account.id);
    const person = await join(boss, 'OWNER');
    await test.db.query(`update app_user set disabled_at = now() where developer_id = $1 and 'usr_' || id <> $2`, [
      account.id,
      person.id,
    ]);
    expect((await createKey(person.session)).data.credential.startsAt).toBeNull();
  });
});

it('a new user can neither remove nor demote an owner, who could cancel what the new user creates', async () => {
  const account = await test.developer({ liveRupees: 0 });
  const boss = await console.userOf(account.id);
  const person = await join(boss, 'OWNER');
  const [{ id }] = (await test.db.query<{ id: string }>(
    `select 'usr_' || id as id from app_user where developer_id = $1 and 'usr_' || id <> $2`,
    [account.id, person.id],
  )) as [{ id: string }];
  const remove = { userId: id, reason: 'mine now' };
  expect((await mutate(person.session, 'removeUser', remove, '{ removedUserId }')).codes).toEqual(['CONFLICT']);
  const demote = { userId: id, teamRole: 'READER' };
  expect((await mutate(person.session, 'setUserRole', demote, '{ user { id } }')).codes).toEqual(['CONFLICT']);
  // An owner can do this to the new user.
  const back = { userId: person.id, teamRole: 'READER' };
  expect((await mutate(boss, 'setUserRole', back, '{ user { id } }')).codes).toEqual([]);
});
