import { describe, expect, it, vi } from 'vitest';
import type { Role } from '../../src/core/principal.js';
import { PASSWORD, useOwnConsole } from '../console/console.fixture.js';
import { FROM_TEST, seed } from '../support/app.js';

const console = useOwnConsole();
const isSignedIn = async (session: string) => (await console.codes(session, '{ viewer { user { id } } }')).length === 0;
let made = 0;

async function person(role: Exclude<Role, 'developer'> = 'support') {
  const email = `person-${++made}@sessions.example`;
  const id = await console.test.app.users.create({ email, name: 'Person', password: PASSWORD, role }, seed);
  const session = async () => (await console.test.app.sessions.signIn({ email, password: PASSWORD }, FROM_TEST)).token;
  return { id, session };
}
const idleFor = (minutes: number, userId: string) =>
  console.test.db.query(`update session set last_used_at = now() - $1 * interval '1 minute' where user_id = $2`, [
    minutes,
    userId,
  ]);
const end = (session: string, which: string) =>
  console.call(session, `mutation { endSessions(input: {which: ${which}}) { endedSessions } }`);

describe('an idle session', () => {
  it.each(['admin', 'support'] as const)('of %s ends after 30 minutes, and not before', async (role) => {
    const { id, session } = await person(role);
    const token = await session();
    await idleFor(29, id);
    expect(await isSignedIn(token)).toBe(true);
    // that was a use
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

  it('of a developer goes on, until its twelve hours are over', async () => {
    const { id } = await console.test.developer();
    const token = await console.userOf(id);
    const [user] = await console.test.db.query<{ id: string }>('select id from app_user where developer_id = $1', [id]);
    await idleFor(11 * 60, user!.id);
    expect(await isSignedIn(token)).toBe(true);
    await console.test.db.query(`update session set expires_at = now() where user_id = $1`, [user!.id]);
    expect(await isSignedIn(token)).toBe(false);
  });

  it('is written to once a minute at most', async () => {
    const { id, session } = await person();
    const token = await session();
    const written = () =>
      console.test.db.query('select xmin::text as version, last_used_at from session where user_id = $1', [id]);
    const before = await written();
    for (let n = 0; n < 3; n++) expect(await isSignedIn(token)).toBe(true);
    expect(await written()).toEqual(before);
  });
});

describe('ending sessions', () => {
  it('ends the others, or all of them', async () => {
    const { session } = await person();
    const [here, there] = [await session(), await session()];
    const stranger = await (await person()).session();
    expect((await end(here, 'OTHERS')).body.data.endSessions).toEqual({ endedSessions: 1 });
    expect([await isSignedIn(here), await isSignedIn(there)]).toEqual([true, false]);
    expect((await end(here, 'ALL')).body.data.endSessions).toEqual({ endedSessions: 1 });
    expect([await isSignedIn(here), await isSignedIn(stranger)]).toEqual([false, true]);
  });
});

describe('a disabled user', () => {
  it('is out at once, cannot sign in, and can be let in again', async () => {
    const { users } = console.test.app;
    const { id, session } = await person();
    const token = await session();
    await users.disable(id, 'left the company', seed);
    expect(await isSignedIn(token)).toBe(false);
    await expect(session()).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    await expect(users.disable(id, undefined, seed)).rejects.toMatchObject({ code: 'CONFLICT' });
    await users.enable(id, undefined, seed);
    // the session of before stays ended
    expect(await isSignedIn(token)).toBe(false);
    expect(await isSignedIn(await session())).toBe(true);
    const trail = await console.test.db.query(
      `select action, reason from audit_entry where subject = $1 and action in ('user.disable', 'user.enable') order by id`,
      [`user:${id}`],
    );
    expect(trail).toEqual([
      { action: 'user.disable', reason: 'left the company' },
      { action: 'user.enable', reason: '' },
    ]);
  });

  it('is never the last admin, also when two admins disable each other at once', async () => {
    const { users } = console.test.app;
    const admins = await console.test.db.query<{ id: string; email: string }>(
      `select id, email from app_user where role = 'admin' and disabled_at is null order by id`,
    );
    for (const { id } of admins.slice(2)) await users.disable(id, undefined, seed);
    const results = await Promise.allSettled(admins.slice(0, 2).map(({ id }) => users.disable(id, undefined, seed)));
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const [left] = await console.test.db.query<{ n: number }>(
      `select count(*)::int as n from app_user where role = 'admin' and disabled_at is null`,
    );
    expect(left!.n).toBe(1);
  });
});
