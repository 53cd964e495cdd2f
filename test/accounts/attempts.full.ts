import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ADDRESS_ATTEMPTS_LIMIT, type AttemptKind, Attempts, FailedAttempt } from '../../src/accounts/attempts.js';
import { PASSWORDS_AT_ONCE, PASSWORDS_FOR_KNOWN, Passwords } from '../../src/accounts/people/passwords.js';
import { SecurityEventStore } from '../../src/accounts/security-event.store.js';
import { SecurityLog } from '../../src/accounts/security-log.js';
import { addressKey } from '../../src/core/addresses.js';
import { AppError } from '../../src/core/errors.js';
import { createLogger } from '../../src/core/log.js';
import { Secret } from '../../src/core/secret.js';
import { MemoryCounters } from '../../src/db/counters/counters.js';
import { DatabaseCounters } from '../../src/db/counters/database-counters.js';
import { codesOf, PASSWORD, useConsole } from '../console/console.fixture.js';
import { rowKeys } from '../support/row-keys.js';

let lines = '';
const console = useConsole({}, (line) => {
  lines += line;
});
beforeEach(async () => {
  lines = '';
  await console.test.db.query('delete from rate_limit');
});

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'right',
    (error: AppError) => error.code,
  );
const signIn = (email: string, password: string, address: string) =>
  codeOf(console.test.app.sessions.signIn({ email, password }, { addressKey: address, requestId: 'test' }));
const tally = (codes: readonly string[]): Record<string, number> =>
  Object.fromEntries([...new Set(codes)].map((code) => [code, codes.filter((other) => other === code).length]));

describe('a hundred simultaneous attempts', () => {
  it('with wrong passwords for one account get exactly ten checks', async () => {
    const verifications = vi.spyOn(console.test.app.passwords, 'verify');
    const codes = await Promise.all(
      Array.from({ length: 100 }, (_, n) => signIn('admin@test.example', `guess ${n}`, '192.0.2.1')),
    );
    expect(verifications).toHaveBeenCalledTimes(10);
    verifications.mockRestore();
    expect(tally(codes)).toEqual({ INVALID_CREDENTIALS: 10, TOO_MANY_FAILED_EXCHANGES: 90 });
    // The owner uses another address and can sign in.
    expect(await signIn('admin@test.example', PASSWORD, '192.0.2.2')).toBe('right');
  });

  it('in several processes share one limit', async () => {
    const countersOf = () => new DatabaseCounters(console.test.app.pool);
    const processes = Array.from(
      { length: 3 },
      () => new Attempts(countersOf(), { failed: () => {} }, new Secret('p')),
    );
    let checks = 0;
    const attempt = { kind: 'sign-in', identifier: 'x', addressKey: '192.0.2.3', requestId: 'r' } as const;
    const codes = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        codeOf(
          processes[n % 3]!.guard(attempt, async () => {
            checks++;
            throw new FailedAttempt('wrong password');
          }),
        ),
      ),
    );
    expect(checks).toBe(10);
    expect(tally(codes)).toEqual({ INVALID_CREDENTIALS: 10, TOO_MANY_FAILED_EXCHANGES: 90 });
  });

  it('with correct secrets all succeed', async () => {
    const { keys } = await console.test.developer();
    const exchange = () =>
      console.test.rest('uat', 'POST', '/api/v1/auth/client-credentials', undefined, {
        client_id: keys.uat.clientId,
        api_secret: keys.uat.apiSecret,
        environment: 'uat',
      });
    const responses = await Promise.all(Array.from({ length: 40 }, exchange));
    expect(tally(responses.map(({ status }) => String(status)))).toEqual({ '200': 40 });
  });

  it('with wrong API secrets are throttled in the same way', async () => {
    const { keys } = await console.test.developer();
    const wrongExchange = () =>
      console.test.rest('uat', 'POST', '/api/v1/auth/client-credentials', undefined, {
        client_id: keys.uat.clientId,
        api_secret: 'sk_uat_wrong',
        environment: 'uat',
      });
    const responses = await Promise.all(Array.from({ length: 40 }, wrongExchange));
    expect(tally(responses.map(({ body }) => body.code))).toEqual({
      INVALID_CREDENTIALS: 10,
      TOO_MANY_FAILED_EXCHANGES: 30,
    });
  });
});

describe('an address with failed attempts for many accounts', () => {
  it('is blocked after a hundred failed sign-ins, and other addresses are not', async () => {
    const verify = vi.spyOn(console.test.app.passwords, 'verify').mockResolvedValue(false);
    const codes: string[] = [];
    for (let n = 0; n < ADDRESS_ATTEMPTS_LIMIT + 20; n++)
      codes.push(await signIn(`user-${n}@test.example`, 'the same password', '192.0.2.9'));
    verify.mockRestore();
    expect(tally(codes)).toEqual({ INVALID_CREDENTIALS: 100, TOO_MANY_FAILED_EXCHANGES: 20 });
    expect(await signIn('support@test.example', PASSWORD, '192.0.2.9')).toBe('TOO_MANY_FAILED_EXCHANGES');
    expect(await signIn('support@test.example', PASSWORD, '192.0.2.10')).toBe('right');
  });

  it('is not blocked by successful sign-ins', async () => {
    for (let n = 0; n < 15; n++) expect(await signIn('support@test.example', PASSWORD, '192.0.2.11')).toBe('right');
    expect(
      await console.test.db.query(`select key from rate_limit where key like '%192.0.2.11' and points <> 0`),
    ).toEqual([]);
    // Successful attempts are remembered for this day and the next.
    const remembered = await console.test.db.query<{ key: string }>(
      `select key from rate_limit where key like 'attempts:right:sign-in:%:192.0.2.11:%' and points = 15
        and expire between (extract(epoch from now()) + 2 * 86400 - 900) * 1000 and (extract(epoch from now()) + 2 * 86400) * 1000`,
    );
    expect(remembered).toHaveLength(1);
    expect(remembered[0]!.key).not.toContain('support');
  });

  it('is not blocked for rejections that are not its fault', async () => {
    const verify = vi.spyOn(console.test.app.passwords, 'verify').mockRejectedValue(new AppError('OVERLOADED'));
    for (let n = 0; n < 12; n++)
      expect(await signIn('support@test.example', PASSWORD, '192.0.2.12')).toBe('OVERLOADED');
    verify.mockRestore();
    expect(await signIn('support@test.example', PASSWORD, '192.0.2.12')).toBe('right');
  });
});

describe('a shared address', () => {
  const attempts = () =>
    new Attempts(new DatabaseCounters(console.test.app.pool), { failed: () => {} }, new Secret('p'));
  const tryOn = (on: Attempts, from: string, kind: AttemptKind = 'sign-in') => ({
    right: (identifier: string) =>
      codeOf(on.guard({ kind, identifier, addressKey: from, requestId: 'r' }, async () => 'right')),
    wrong: (identifier: string) =>
      codeOf(
        on.guard({ kind, identifier, addressKey: from, requestId: 'r' }, async () => {
          throw new FailedAttempt('wrong secret');
        }),
      ),
  });
  const each = async (count: number, work: (n: number) => Promise<string>): Promise<Record<string, number>> =>
    tally(await Promise.all(Array.from({ length: count }, (_, n) => work(n))));
  const SHUT = 'TOO_MANY_FAILED_EXCHANGES';

  it('is blocked for sign-ins, but never for an application with the correct secret', async () => {
    const on = attempts();
    const people = tryOn(on, '192.0.2.40');
    const exchange = (identifier: string, isCorrect: boolean) =>
      codeOf(
        on.countFailures({ kind: 'exchange', identifier, addressKey: '192.0.2.40', requestId: 'r' }, async () => {
          if (!isCorrect) throw new FailedAttempt('wrong secret');
        }),
      );
    expect(await each(120, (n) => exchange(`key ${n}`, false))).toEqual({ INVALID_CREDENTIALS: 100, [SHUT]: 20 });
    expect(await each(40, () => exchange('one key', false))).toEqual({ [SHUT]: 40 });
    expect(await each(40, (n) => exchange(`key ${n}`, true))).toEqual({ right: 40 });
    expect(await people.right('somebody')).toBe('right');
    expect(await each(120, (n) => people.wrong(`person ${n}`))).toEqual({ INVALID_CREDENTIALS: 100, [SHUT]: 20 });
    expect(await tryOn(on, '192.0.2.40', 'reset-password').right('a link')).toBe(SHUT);
  });

  it('still accepts users who signed in from it within a day, and allows five wrong guesses at each', async () => {
    const on = attempts();
    const client = tryOn(on, '192.0.2.41');
    expect([await client.right('ours'), await client.right('other')]).toEqual(['right', 'right']);
    await each(100, (n) => client.wrong(`key ${n}`));
    // As often as the user likes, and from another process.
    for (const process of [on, attempts()])
      expect(await each(20, () => tryOn(process, '192.0.2.41').right('ours'))).toEqual({ right: 20 });
    expect(await client.right('new here')).toBe(SHUT);
    expect(await each(40, () => client.wrong('ours'))).toEqual({ INVALID_CREDENTIALS: 5, [SHUT]: 35 });
    // A user without failed attempts can still sign in; the exception applies to one address.
    expect([await client.right('ours'), await client.right('other')]).toEqual([SHUT, 'right']);
    expect(await tryOn(on, '192.0.2.42').right('ours')).toBe('right');
  });

  it('is not accepted because of a sign-in two days ago, or because of a link', async () => {
    const client = tryOn(attempts(), '192.0.2.43');
    expect(await client.right('ours')).toBe('right');
    expect(await tryOn(attempts(), '192.0.2.43', 'reset-password').right('ours')).toBe('right');
    await console.test.db.query(`update rate_limit set expire = 0 where key like 'attempts:right:%:192.0.2.43:%'`);
    await each(100, (n) => client.wrong(`key ${n}`));
    expect(await client.right('ours')).toBe(SHUT);
  });

  it('is a /64 network for IPv6, with a limit four times as high for a /48 network', async () => {
    const on = attempts();
    const network = (n: number) => tryOn(on, addressKey(`2001:db8:7:${n.toString(16)}::1`));
    // A block of one network does not affect others.
    expect(await each(500, (n) => network(0).wrong(`key ${n}`))).toEqual({ INVALID_CREDENTIALS: 100, [SHUT]: 400 });
    expect(await network(1).right('a key')).toBe('right');
    expect(await each(330, (n) => network(2 + n).wrong(`key ${n}`))).toEqual({ INVALID_CREDENTIALS: 300, [SHUT]: 30 });
    expect([await network(400).right('a new key'), await network(1).right('a key')]).toEqual([SHUT, 'right']);
    expect(await tryOn(on, addressKey('2001:db8:8::1')).right('a new key')).toBe('right');
  });
});

describe('password hashing', () => {
  it('beyond a short queue is rejected with a time to retry', async () => {
    const passwords = new Passwords(rowKeys);
    const results = await Promise.allSettled(Array.from({ length: 60 }, () => passwords.verify(undefined, 'x')));
    const rejections = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as AppError] : []));
    expect(rejections).toHaveLength(60 - PASSWORDS_AT_ONCE - (32 - PASSWORDS_FOR_KNOWN));
    for (const { code, details } of rejections) expect([code, details.retryAfterMs]).toEqual(['OVERLOADED', 2_000]);
    const hash = await passwords.hash('a long enough password', 'one');
    const verify = (id: string, password: string) => passwords.verify({ id, passwordHash: hash }, password);
    expect(await verify('one', 'a long enough password')).toBe(true);
    expect(await verify('one', 'another password')).toBe(false);
    expect(await verify('another', 'a long enough password')).toBe(false);
  });

  it('reserves a quarter of its capacity for known devices, whatever other clients do', async () => {
    const passwords = new Passwords(rowKeys);
    const crowd = (count: number, isKnown: boolean) =>
      Array.from({ length: count }, () => codeOf(passwords.verify(undefined, 'x', { isKnown })));
    const outsiders = crowd(60, false);
    const known = crowd(PASSWORDS_FOR_KNOWN + 1, true);
    expect(tally(await Promise.all(known))).toEqual({ right: PASSWORDS_FOR_KNOWN, OVERLOADED: 1 });
    expect(tally(await Promise.all(outsiders))).toMatchObject({ right: PASSWORDS_AT_ONCE + 32 - PASSWORDS_FOR_KNOWN });
    await passwords.close();
  });

  it('recognizes a device by a sign-in from it', async () => {
    const verify = vi.spyOn(console.test.app.passwords, 'verify');
    for (const address of ['198.51.99.1', '198.51.99.1', '203.0.99.1'])
      expect(await signIn('support@test.example', PASSWORD, address)).toBe('right');
    expect(verify.mock.calls.map(([, , device]) => device)).toEqual([
      { isKnown: false },
      { isKnown: true },
      { isKnown: false },
    ]);
    verify.mockRestore();
  });
});

describe('a failed attempt', () => {
  const SIGN_IN = 'mutation($input: SignInInput!) { signIn(input: $input) { token } }';
  const failedLines = () =>
    lines
      .split('\n')
      .filter((line) => line.includes('attempt failed'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  it('can be investigated: the account, the IP address, the reason and the request are recorded', async () => {
    const input = { email: 'support@test.example', password: 'wrong' };
    const response = await console.call(undefined, SIGN_IN, { input });
    await console.call(undefined, SIGN_IN, { input: { ...input, email: 'nobody@test.example' } });
    expect(codesOf(response)).toEqual(['INVALID_CREDENTIALS']);
    const [known, unknown] = failedLines();
    expect(known).toMatchObject({
      level: 40,
      attempt: 'sign-in',
      addressKey: '127.0.0.1',
      reason: 'wrong password',
      requestId: response.headers.get('x-request-id'),
      identifierHash: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(unknown).toMatchObject({ attempt: 'sign-in', reason: 'unknown user' });
    expect(unknown!.identifierHash).not.toBe(known!.identifierHash);
    expect(lines).not.toContain('@test.example');
    const metrics = await console.test.app.metrics.text();
    expect(metrics).toMatch(/gateway_failed_attempts_total\{kind="sign-in",reason="wrong password"\} \d+/);
  });

  it('is a security event that staff can read with its user, and not an entry of the audit log', async () => {
    const auditLog = () => console.test.db.query('select max(id)::int as last from audit_entry');
    const entriesBefore = await auditLog();
    await signIn('second@test.example', 'wrong', '192.0.2.20');
    await signIn('second@test.example', 'wrong', '192.0.2.20');
    await signIn('a secret in the wrong field', 'wrong', '192.0.2.20');
    const read = async (filter: object, actor: 'support' | 'admin' = 'support') =>
      (
        await console.call(
          console.staff[actor],
          `query($filter: SecurityEventFilter) { securityEvents(filter: $filter, first: 5) {
            edges { node { at lastAt count kind reason identifier address requestId user { email } } } } }`,
          { filter },
        )
      ).body.data.securityEvents.edges.map(({ node }: { node: object }) => node);
    const filter = { address: '192.0.2.20', kind: ['SIGN_IN'] };
    await vi.waitFor(
      async () => expect((await read(filter)).map(({ count }: { count: number }) => count)).toEqual([1, 2]),
      { timeout: 300_000, interval: 20 },
    );
    const [unknown, known] = await read(filter);
    expect(known).toMatchObject({
      kind: 'SIGN_IN',
      reason: 'wrong password',
      identifier: 's***@test.example',
      address: '192.0.2.20',
      user: { email: 'second@test.example' },
    });
    expect(Date.parse(known.lastAt)).toBeGreaterThanOrEqual(Date.parse(known.at));
    expect(unknown).toMatchObject({ reason: 'unknown user', identifier: 'a***', user: null });
    const [user] = await console.test.db.query<{ id: string }>(
      `select id from app_user where email = 'second@test.example'`,
    );
    const last = known.lastAt;
    expect(await read({ userId: `usr_${user!.id}`, address: '192.0.2.20' })).toEqual([known]);
    expect(await read({ ...filter, from: new Date(Date.parse(last) + 60_000).toISOString() })).toEqual([]);
    expect(await read({ ...filter, kind: ['EXCHANGE'] })).toEqual([]);
    expect(await auditLog()).toEqual(entriesBefore);
  });

  it('of a guesser is aggregated: ten thousand are one row for each identifier, address and 15 minutes', async () => {
    const { db, app } = console.test;
    const entries = () => db.query('select max(id)::int as last from audit_entry');
    const rows = () =>
      db.query<{ identifier: string | null; address: string; count: number; rows: number }>(
        `select identifier, address, sum(count)::int as count, count(*)::int as rows from security_event
          where address like '198.51.100.%' group by 1, 2 order by 1 nulls last, 2`,
      );
    const entriesBefore = await entries();
    const log = new SecurityLog({
      events: new SecurityEventStore(app.pool, app.reads),
      log: createLogger('silent'),
      count: () => {},
    });
    const attempts = new Attempts(new MemoryCounters(), log, new Secret('pepper'));
    const rejections = new Set<string>();
    const guess = (n: number, identifier: string) =>
      attempts
        .guard({ kind: 'sign-in', identifier, addressKey: `198.51.100.${n % 4}`, requestId: `r${n}` }, async () => {
          throw new FailedAttempt('wrong password');
        })
        .catch((error: AppError) => void rejections.add(error.code));
    for (let n = 0; n < 10_000; n++) await guess(n, `${'abcde'[n % 5]}@x.example`);
    await log.drain();
    const [{ quarters }] = (await db.query('select count(distinct since)::int as quarters from security_event')) as [
      { quarters: number },
    ];
    const found = await rows();
    expect(rejections).toEqual(new Set(['INVALID_CREDENTIALS', 'TOO_MANY_FAILED_EXCHANGES']));
    expect(found.length).toBe(5 * 4);
    expect(found.reduce((all, row) => all + row.rows, 0)).toBeLessThanOrEqual(5 * 4 * quarters);
    expect(found.reduce((all, { count }) => all + count, 0)).toBe(10_000);
    // Invented identifiers add one row each until the address is blocked, and one row after that.
    for (let n = 0; n < 1_000; n++) await guess(4, `made-up-${n}@x.example`);
    await log.drain();
    const [all] = await db.query<{ rows: number; count: number }>(
      `select count(*)::int as rows, sum(count)::int as count from security_event where address = '198.51.100.0'`,
    );
    expect(all!.rows).toBeLessThanOrEqual((ADDRESS_ATTEMPTS_LIMIT + 5 + 1) * quarters);
    expect(all!.count).toBe(2_500 + 1_000);
    expect(await entries()).toEqual(entriesBefore);
  });

  it('is also recorded if it arrives while the others are being written', async () => {
    const attempt = {
      kind: 'sign-in',
      identifier: 'late@x.example',
      addressKey: '203.0.113.9',
      requestId: 'r1',
    } as const;
    for (let turns = 0; turns < 12; turns++) {
      let counted = 0;
      const failLate = async () => {
        for (let n = 0; n < turns; n++) await Promise.resolve();
        fail();
      };
      const add: SecurityEventStore['add'] = async (attempts) => {
        if (counted === 0) void failLate();
        for (const { count } of attempts) counted += count;
      };
      const log = new SecurityLog({ events: { add }, log: createLogger('silent'), count: () => {} });
      const fail = () => log.failed(attempt, 'hash', { reason: 'wrong password', userId: undefined });
      fail();
      await log.drain();
      await nextTurn();
      await log.drain();
      expect([turns, counted]).toEqual([turns, 2]);
    }
  });
});
