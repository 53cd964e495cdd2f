import { describe, expect, it, vi } from 'vitest';
import type { DeveloperId, Role, TeamRole } from '../../src/core/principal.js';
import { codesOf, fieldsOf, PASSWORD, useOwnConsole } from '../console/console.fixture.js';
import { FROM_TEST, mailboxOf, seed } from '../support/app.js';
import { emailsTo } from '../support/mailbox.js';

const console = useOwnConsole();
const isSignedIn = async (session: string) => (await console.codes(session, '{ viewer { user { id } } }')).length === 0;
let sequence = 0;

async function person(role: Exclude<Role, 'developer'> = 'support') {
  const email = `person-${++sequence}@sessions.example`;
  const id = await console.test.app.users.create({ email, name: 'Person', password: PASSWORD, role }, seed);
  const session = async () => (await console.test.app.sessions.signIn({ email, password: PASSWORD }, FROM_TEST)).token;
  return { id, session };
}
const idleFor = (minutes: number, userId: string) =>
  console.test.db.query(`update session set last_used_at = now() - $1 * interval '1 minute' where user_id = $2`, [
    minutes,
    userId,
  ]);
/** A user of an account, with a session. */
async function member(developerId: DeveloperId, teamRole: TeamRole = 'owner', role: 'developer' = 'developer') {
  const email = `member-${++sequence}@sessions.example`;
  const user = { email, name: 'Member', password: PASSWORD, role, developerId, teamRole };
  const userId = await console.test.app.users.create(user, seed);
  const from = { ...FROM_TEST, agent: 'A browser' };
  const { token } = await console.test.app.sessions.signIn({ email, password: PASSWORD }, from);
  return { userId, email, token };
}
const SET_LIMIT = `mutation($input: SetSessionIdleLimitInput!) {
  setSessionIdleLimit(input: $input) { developer { sessionIdleMinutes } } }`;
const revoke = (session: string, scope: string) =>
  console.call(session, `mutation { revokeSessions(input: {scope: ${scope}}) { revokedSessions } }`);

describe('an idle session', () => {
  it.each(['admin', 'support'] as const)('of %s ends after exactly 30 minutes', async (role) => {
    const { id, session } = await person(role);
    const token = await session();
    await idleFor(29, id);
    expect(await isSignedIn(token)).toBe(true);
    // This request was a use.
    await vi.waitFor(
      async () => {
        const [row] = await console.test.db.query<{ fresh: boolean }>(
          `select last_used_at > now() - interval '1 minute' as fresh from session where user_id = $1`,
          [id],
        );
        expect(row!.fresh).toBe(true);
      },
      { timeout: 300_000, interval: 20 },
    );
    await idleFor(30, id);
    expect(await isSignedIn(token)).toBe(false);
  });

  it('of a user of an account ends after two hours without use, or after twelve hours', async () => {
    const { id } = await console.test.developer();
    const { token, userId } = await member(id);
    await idleFor(119, userId);
    expect(await isSignedIn(token)).toBe(true);
    await idleFor(120, userId);
    expect(await isSignedIn(token)).toBe(false);
    const other = await member(id);
    await console.test.db.query(`update session set expires_at = now() where user_id = $1`, [other.userId]);
    expect(await isSignedIn(other.token)).toBe(false);
  });

  it('of a user of an account ends after the limits that its owners set, and so do its test tokens', async () => {
    const { id } = await console.test.developer();
    const owner = await member(id);
    const builder = await member(id, 'builder');
    const limit = (token: string, minutes: number, developerId: string = id) =>
      console.call(token, SET_LIMIT, { input: { developerId, minutes } });
    for (const minutes of [14, 721]) {
      const response = await limit(owner.token, minutes);
      expect([codesOf(response), fieldsOf(response)]).toEqual([['VALIDATION_FAILED'], ['input.minutes']]);
    }
    expect(codesOf(await limit(builder.token, 15))).toEqual(['FORBIDDEN']);
    expect(codesOf(await limit(console.staff.admin, 15))).toEqual(['FORBIDDEN']);
    const outsider = await console.test.developer();
    expect(codesOf(await limit(owner.token, 15, outsider.id))).toEqual(['RECORD_NOT_FOUND']);
    const { body } = await limit(owner.token, 15);
    expect(body.data.setSessionIdleLimit.developer).toEqual({ sessionIdleMinutes: 15 });
    const [entry] = await console.test.db.query(
      `select actor, before->'sessionIdleMinutes' as before, after->'sessionIdleMinutes' as after from audit_entry
        where action = 'developer.set_session_idle_limit' and subject = $1`,
      [`developer:${id}`],
    );
    expect(entry).toEqual({ actor: `user:${owner.userId}`, before: 120, after: 15 });

    const issued = await console.call(builder.token, 'mutation { createTestToken(input: {}) { token } }');
    const { token } = issued.body.data.createTestToken;
    const me = async () => (await console.test.rest('uat', 'GET', '/api/v1/auth/me', token)).status;
    await idleFor(14, builder.userId);
    expect(await me()).toBe(200);
    expect(await isSignedIn(builder.token)).toBe(true);
    await idleFor(15, builder.userId);
    expect([await me(), await isSignedIn(builder.token)]).toEqual([401, false]);
    // A change written by another process applies to the next request.
    await console.test.db.query('update developer set session_idle_minutes = 720 where id = $1', [id]);
    expect([await me(), await isSignedIn(builder.token)]).toEqual([200, true]);
  });

  it('is written at most once a minute', async () => {
    const { id, session } = await person();
    const token = await session();
    const readRows = () =>
      console.test.db.query('select xmin::text as version, last_used_at from session where user_id = $1', [id]);
    const rowsBefore = await readRows();
    for (let n = 0; n < 3; n++) expect(await isSignedIn(token)).toBe(true);
    expect(await readRows()).toEqual(rowsBefore);
  });
});

describe('revokeSessions', () => {
  it('revokes the other sessions, or all of them', async () => {
    const { session } = await person();
    const [current, other] = [await session(), await session()];
    const outsider = await (await person()).session();
    expect((await revoke(current, 'OTHERS')).body.data.revokeSessions).toEqual({ revokedSessions: 1 });
    expect([await isSignedIn(current), await isSignedIn(other)]).toEqual([true, false]);
    expect((await revoke(current, 'ALL')).body.data.revokeSessions).toEqual({ revokedSessions: 1 });
    expect([await isSignedIn(current), await isSignedIn(outsider)]).toEqual([false, true]);
  });
});

describe('sessions of another user', () => {
  const LIST = `query($id: ID!) { node(id: $id) { ... on User { sessions { id userAgent address createdAt lastSeenAt expiresAt current } } } }`;
  const END = `mutation($input: RevokeUserSessionsInput!) { revokeUserSessions(input: $input) { revokedSessions user { id sessions { id } } } }`;
  const list = async (as: string, userId: string) => {
    const response = await console.call(as, LIST, { id: `usr_${userId}` });
    // A user whom the caller cannot see is reported as not found.
    return codesOf(response).join() || (response.body.data.node.sessions ?? 'not shown');
  };
  const revokeOf = async (as: string, userId: string, more: object = {}) => {
    const response = await console.call(as, END, { input: { userId: `usr_${userId}`, ...more } });
    return codesOf(response).join() || response.body.data.revokeUserSessions;
  };

  it('are listed and revoked by owners of the account and administrators; support can only list them', async () => {
    const { id } = await console.test.developer();
    const owner = await member(id);
    const reader = await member(id, 'reader');
    const sessions = await list(owner.token, reader.userId);
    expect(sessions).toEqual([
      {
        id: expect.stringMatching(/^ses_/),
        userAgent: 'A browser',
        address: '127.0.0.1',
        createdAt: expect.any(String),
        lastSeenAt: expect.any(String),
        expiresAt: expect.any(String),
        current: false,
      },
    ]);
    expect(await list(console.staff.admin, reader.userId)).toEqual(sessions);
    expect(await list(console.staff.support, reader.userId)).toEqual(sessions);
    expect(await revokeOf(console.staff.support, reader.userId)).toBe('FORBIDDEN');
    expect(await isSignedIn(reader.token)).toBe(true);

    const sessionId = sessions[0].id as string;
    // The session must belong to the user.
    expect(await revokeOf(owner.token, owner.userId, { sessionId })).toBe('FORBIDDEN');
    const colleague = await member(id, 'reader');
    expect(await revokeOf(owner.token, colleague.userId, { sessionId })).toBe('RECORD_NOT_FOUND');
    expect(await revokeOf(owner.token, reader.userId, { sessionId })).toEqual({
      revokedSessions: 1,
      user: { id: `usr_${reader.userId}`, sessions: [] },
    });
    expect([await isSignedIn(reader.token), await isSignedIn(colleague.token)]).toEqual([false, true]);
    expect(await revokeOf(owner.token, reader.userId, { sessionId })).toBe('RECORD_NOT_FOUND');
    expect(await revokeOf(console.staff.admin, colleague.userId, { reason: 'Lost laptop' })).toMatchObject({
      revokedSessions: 1,
    });
    expect(await isSignedIn(colleague.token)).toBe(false);
    // No session is left, so no email is sent.
    expect(await revokeOf(console.staff.admin, colleague.userId)).toMatchObject({ revokedSessions: 0 });
    const entries = await console.test.db.query(
      `select actor, after->'revoked' as revoked, reason from audit_entry where action = 'user.revoke_sessions' and subject = any($1) order by id`,
      [[`user:${reader.userId}`, `user:${colleague.userId}`]],
    );
    expect(entries).toEqual([
      { actor: `user:${owner.userId}`, revoked: 1, reason: '' },
      { actor: expect.stringMatching(/^user:/), revoked: 1, reason: 'Lost laptop' },
    ]);
    const mailbox = mailboxOf(console.test.db.url);
    const [notice] = await emailsTo(mailbox, reader.email, 1);
    expect(notice).toContain('An owner of your account revoked one of your sessions');
    const [staffNotice] = await emailsTo(mailbox, colleague.email, 1);
    expect(staffNotice).toContain('Support revoked all your sessions');
    expect(staffNotice).not.toContain('Lost laptop');
  });

  it('are not listed after their idle limit', async () => {
    const { id } = await console.test.developer();
    const owner = await member(id);
    const reader = await member(id, 'reader');
    await idleFor(120, reader.userId);
    expect(await list(owner.token, reader.userId)).toEqual([]);
  });

  it('are hidden from all other users, who cannot revoke them', async () => {
    const [own, other] = [await console.test.developer(), await console.test.developer()];
    const owner = await member(own.id);
    const outsider = await member(other.id);
    const builder = await member(own.id, 'builder');
    expect(await list(builder.token, owner.userId)).toBe('FORBIDDEN');
    expect(await revokeOf(builder.token, owner.userId)).toBe('FORBIDDEN');
    expect(await list(outsider.token, owner.userId)).toBe('RECORD_NOT_FOUND');
    expect(await revokeOf(outsider.token, owner.userId)).toBe('RECORD_NOT_FOUND');
    const [staff] = await console.test.db.query<{ id: string }>(
      `select id from app_user where email = 'second@test.example'`,
    );
    expect(await revokeOf(owner.token, staff!.id)).toBe('RECORD_NOT_FOUND');
    // Support sees sessions of account users only; administrators also see those of staff.
    expect(await list(console.staff.support, staff!.id)).toBe('not shown');
    expect(await list(console.staff.admin, staff!.id)).toHaveLength(1);
    const [session] = await console.test.db.query<{ id: string }>('select id from session where user_id = $1', [
      owner.userId,
    ]);
    const byId = (token: string) => console.codes(token, `{ node(id: "ses_${session!.id}") { id } }`);
    expect([await byId(outsider.token), await byId(builder.token)]).toEqual([
      ['RECORD_NOT_FOUND'],
      ['RECORD_NOT_FOUND'],
    ]);
    expect(await byId(owner.token)).toEqual([]);
    expect(await isSignedIn(owner.token)).toBe(true);
  });
});

describe('a disabled user', () => {
  it('is signed out immediately, cannot sign in, and can be enabled again', async () => {
    const { users } = console.test.app;
    const { id, session } = await person();
    const token = await session();
    await users.disable(id, 'left the company', seed);
    expect(await isSignedIn(token)).toBe(false);
    await expect(session()).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    await expect(users.disable(id, undefined, seed)).rejects.toMatchObject({ code: 'CONFLICT' });
    await users.enable(id, undefined, seed);
    // The earlier session stays revoked.
    expect(await isSignedIn(token)).toBe(false);
    expect(await isSignedIn(await session())).toBe(true);
    const auditLog = await console.test.db.query(
      `select action, reason from audit_entry where subject = $1 and action in ('user.suspend', 'user.reinstate') order by id`,
      [`user:${id}`],
    );
    expect(auditLog).toEqual([
      { action: 'user.suspend', reason: 'left the company' },
      { action: 'user.reinstate', reason: '' },
    ]);
  });

  it('is never the last admin, even if two admins disable each other at the same time', async () => {
    const { users } = console.test.app;
    const admins = await console.test.db.query<{ id: string; email: string }>(
      `select id, email from app_user where role = 'admin' and disabled_at is null order by id`,
    );
    for (const { id } of admins.slice(2)) await users.disable(id, undefined, seed);
    const results = await Promise.allSettled(admins.slice(0, 2).map(({ id }) => users.disable(id, undefined, seed)));
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const [remaining] = await console.test.db.query<{ n: number }>(
      `select count(*)::int as n from app_user where role = 'admin' and disabled_at is null`,
    );
    expect(remaining!.n).toBe(1);
  });
});
