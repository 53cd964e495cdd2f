import { Writable } from 'node:stream';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ADDRESS_ATTEMPTS_LIMIT, Attempts, FailedAttempt } from '../../src/accounts/attempts.js';
import { PASSWORDS_AT_ONCE, Passwords } from '../../src/accounts/passwords.js';
import { AppError } from '../../src/core/errors.js';
import { createLogger } from '../../src/core/log.js';
import { Secret } from '../../src/core/secret.js';
import { DatabaseCounters } from '../../src/counters/database-counters.js';
import { codesOf, PASSWORD, useConsole } from '../console/console.fixture.js';

let lines = '';
const sink = new Writable({
  write(chunk: Buffer, _encoding, done) {
    lines += chunk.toString();
    done();
  },
});
const console = useConsole({}, createLogger('info', sink));
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
  codeOf(console.test.app.users.signIn(email, password, address, 'test'));
const tally = (codes: readonly string[]): Record<string, number> =>
  Object.fromEntries([...new Set(codes)].map((code) => [code, codes.filter((other) => other === code).length]));

describe('a hundred attempts at once', () => {
  it('with wrong passwords for one account get exactly ten checks', async () => {
    const verifications = vi.spyOn(console.test.app.passwords, 'verify');
    const codes = await Promise.all(
      Array.from({ length: 100 }, (_, n) => signIn('admin@test.example', `guess ${n}`, '192.0.2.1')),
    );
    expect(verifications).toHaveBeenCalledTimes(10);
    verifications.mockRestore();
    expect(tally(codes)).toEqual({ INVALID_CREDENTIALS: 10, TOO_MANY_FAILED_EXCHANGES: 90 });
    // the owner is somewhere else, and is let in
    expect(await signIn('admin@test.example', PASSWORD, '192.0.2.2')).toBe('right');
  });

  it('in several processes get no more', async () => {
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

  it('with right secrets are all let in', async () => {
    const { keys } = await console.test.developer();
    const exchange = () =>
      console.test.rest('uat', 'POST', '/api/v1/auth/client-credentials', undefined, {
        client_id: keys.uat.clientId,
        api_secret: keys.uat.apiSecret,
        environment: 'uat',
      });
    const answers = await Promise.all(Array.from({ length: 40 }, exchange));
    expect(tally(answers.map(({ status }) => String(status)))).toEqual({ '200': 40 });
  });

  it('with wrong API secrets are throttled alike', async () => {
    const { keys } = await console.test.developer();
    const wrong = () =>
      console.test.rest('uat', 'POST', '/api/v1/auth/client-credentials', undefined, {
        client_id: keys.uat.clientId,
        api_secret: 'sk_uat_wrong',
        environment: 'uat',
      });
    const answers = await Promise.all(Array.from({ length: 40 }, wrong));
    expect(tally(answers.map(({ body }) => body.code))).toEqual({
      INVALID_CREDENTIALS: 10,
      TOO_MANY_FAILED_EXCHANGES: 30,
    });
  });
});

describe('one address that tries many accounts', () => {
  it('is stopped after a hundred failures of any kind, and nobody elsewhere is', async () => {
    const verify = vi.spyOn(console.test.app.passwords, 'verify').mockResolvedValue(false);
    const codes: string[] = [];
    for (let n = 0; n < ADDRESS_ATTEMPTS_LIMIT + 20; n++)
      codes.push(await signIn(`user-${n}@test.example`, 'the same password', '192.0.2.9'));
    verify.mockRestore();
    expect(tally(codes)).toEqual({ INVALID_CREDENTIALS: 100, TOO_MANY_FAILED_EXCHANGES: 20 });
    expect(await signIn('support@test.example', PASSWORD, '192.0.2.9')).toBe('TOO_MANY_FAILED_EXCHANGES');
    expect(await signIn('support@test.example', PASSWORD, '192.0.2.10')).toBe('right');
  });

  it('is not stopped by sign-ins that succeed', async () => {
    for (let n = 0; n < 15; n++) expect(await signIn('support@test.example', PASSWORD, '192.0.2.11')).toBe('right');
    expect(
      await console.test.db.query(`select key from rate_limit where key like '%192.0.2.11' and points <> 0`),
    ).toEqual([]);
  });

  it('is not counted for what is not its fault', async () => {
    const verify = vi.spyOn(console.test.app.passwords, 'verify').mockRejectedValue(new AppError('OVERLOADED'));
    for (let n = 0; n < 12; n++)
      expect(await signIn('support@test.example', PASSWORD, '192.0.2.12')).toBe('OVERLOADED');
    verify.mockRestore();
    expect(await signIn('support@test.example', PASSWORD, '192.0.2.12')).toBe('right');
  });
});

describe('work on passwords', () => {
  it('beyond a short queue is refused with a time to come back', async () => {
    const passwords = new Passwords();
    const results = await Promise.allSettled(Array.from({ length: 60 }, () => passwords.verify(undefined, 'x')));
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as AppError] : []));
    expect(refused).toHaveLength(60 - PASSWORDS_AT_ONCE - 32);
    for (const { code, details } of refused) expect([code, details.retryAfterMs]).toEqual(['OVERLOADED', 2_000]);
    const hash = await passwords.hash('a long enough password');
    expect(await passwords.verify(hash, 'a long enough password')).toBe(true);
    expect(await passwords.verify(hash, 'another password')).toBe(false);
  });
});

describe('a failed attempt', () => {
  const SIGN_IN = 'mutation($input: SignInInput!) { signIn(input: $input) { token } }';
  const failedLines = () =>
    lines
      .split('\n')
      .filter((line) => line.includes('attempt failed'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  it('can be investigated: who was tried from where, why it failed, and in which request', async () => {
    const input = { email: 'support@test.example', password: 'wrong' };
    const answer = await console.call(undefined, SIGN_IN, { input });
    await console.call(undefined, SIGN_IN, { input: { ...input, email: 'nobody@test.example' } });
    expect(codesOf(answer)).toEqual(['INVALID_CREDENTIALS']);
    const [known, unknown] = failedLines();
    expect(known).toMatchObject({
      level: 40,
      attempt: 'sign-in',
      addressKey: '127.0.0.1',
      reason: 'wrong password',
      requestId: answer.headers.get('x-request-id'),
      identifierHash: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(unknown).toMatchObject({ attempt: 'sign-in', reason: 'unknown user' });
    expect(unknown!.identifierHash).not.toBe(known!.identifierHash);
    expect(lines).not.toContain('@test.example');
    const metrics = await console.test.app.metrics.text();
    expect(metrics).toMatch(/gateway_failed_attempts_total\{kind="sign-in",reason="wrong password"\} \d+/);
  });

  it('stands in the audit trail of a user who exists', async () => {
    const entries = () =>
      console.test.db.query<{ row: string; after: object }>(
        `select a::text as row, after from audit_entry a where action = 'user.attempt_failed'
          and subject = (select 'user:' || id from app_user where email = 'second@test.example')`,
      );
    await signIn('second@test.example', 'wrong', '192.0.2.20');
    await vi.waitFor(async () => expect(await entries()).toHaveLength(1), { timeout: 30_000, interval: 20 });
    const [entry] = await entries();
    expect(entry!.after).toEqual({ kind: 'sign-in', reason: 'wrong password' });
    expect(entry!.row).not.toContain('192.0.2.20');
  });
});
