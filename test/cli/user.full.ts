import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { developerOf } from '../../src/cli/developer-commands.js';
import { runUserCommand, userOptions } from '../../src/cli/user-commands.js';
import { CommandExit } from '../../src/core/command-line.js';
import { PASSWORD } from '../console/console.fixture.js';
import { FROM_TEST, startTestApp, type TestApp, testEnvironment } from '../support/app.js';
import { auditProblems, unexplainedRows } from '../support/audit.js';
import { COMPILE_CACHE } from '../support/program.js';

let test: TestApp;
beforeAll(async () => {
  test = await startTestApp();
});
afterAll(async () => {
  try {
    expect(await unexplainedRows(test.app.pool)).toEqual([]);
  } finally {
    await test.close();
  }
});

/** Runs a command in this process. */
async function user(args: readonly string[], typed = '') {
  let stdout = '';
  const parts = {
    users: test.app.users,
    invitations: test.app.invitations,
    developerOf: (name: string) => developerOf(name, test.app.pool),
    identifierHash: (email: string) => `hash of ${email}`,
    readPassword: async () => typed,
    print: (line: string) => void (stdout += `${line}\n`),
  };
  const error = await Promise.resolve()
    .then(() => runUserCommand(userOptions([...args]), parts))
    .then(
      () => undefined,
      (problem: Error) => problem,
    );
  return error
    ? { code: error instanceof CommandExit ? error.exitCode : 1, stdout, stderr: `${error.message}\n` }
    : { code: 0, stdout, stderr: '' };
}

/** Runs the command as an administrator calls it; `typed` is piped into it. */
async function program(args: readonly string[], typed = '') {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, ['dist/cli/user.js', ...args], {
    env: { PATH, ...COMPILE_CACHE, ...testEnvironment(test.db.url, 'http://127.0.0.1:9', [1, 2, 3]) },
  });
  child.stdin.on('error', () => {}); // the command may exit without reading its input
  child.stdin.end(typed);
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => child.on('close', resolve)),
  ]);
  return { code, stdout, stderr };
}
const signsIn = (email: string, password: string) =>
  test.app.sessions.signIn({ email, password }, FROM_TEST).then(
    () => true,
    () => false,
  );
const ROOT = ['--email', 'Root@cli.example'];
const NEW = 'another long password';

it('creates the first admin of an empty database, resets, disables and enables users, and writes audit entries without secrets', async () => {
  const created = await program(['create', '--role', 'admin', ...ROOT, '--name', 'Root'], `${PASSWORD}\n`);
  expect(created).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringMatching(/^User [0-9a-f-]{36} can sign in now\.\n$/),
  });
  expect(await signsIn('root@cli.example', PASSWORD)).toBe(true);

  const second = await user(['create', '--role', 'admin', '--email', 'b@cli.example', '--name', 'B', '--generate']);
  const generated = /^Password \(shown only once\): (\S{24})\n/.exec(second.stdout)![1]!;
  expect(await signsIn('b@cli.example', generated)).toBe(true);

  const { token } = await test.app.sessions.signIn({ email: 'root@cli.example', password: PASSWORD }, FROM_TEST);
  expect(await user(['reset', ...ROOT], NEW)).toMatchObject({ code: 0, stderr: '' });
  expect([await signsIn('root@cli.example', PASSWORD), await signsIn('root@cli.example', NEW)]).toEqual([false, true]);
  expect((await test.graphql('console', token, '{ viewer { user { id } } }')).status).toBe(401);

  expect((await user(['suspend', ...ROOT, '--reason', 'lost laptop'])).code).toBe(0);
  expect(await signsIn('root@cli.example', NEW)).toBe(false);
  const last = await user(['suspend', '--email', 'b@cli.example']);
  expect(last).toMatchObject({ code: 1, stderr: 'This is the last administrator. Create another one first.\n' });
  const listed = await user(['list']);
  expect(listed.stdout).toMatch(/^[0-9a-f-]{36}\tadmin\tsuspended\troot@cli\.example\tRoot\thash of \S+$/m);
  expect(listed.stdout).toMatch(/^[0-9a-f-]{36}\tadmin\tactive\tb@cli\.example\tB\thash of \S+$/m);
  expect((await user(['list', ...ROOT])).stdout.split('\n')).toHaveLength(3);
  expect((await user(['reinstate', ...ROOT])).code).toBe(0);
  expect(await signsIn('root@cli.example', NEW)).toBe(true);

  await test.db.query(
    `insert into second_factor (user_id, kind, name, confirmed_at, credential_id, public_key, sign_count, mac)
     select id, 'passkey', 'a key', now(), 'key', '\\x00', 0, sha256('none') from app_user where email = 'root@cli.example'`,
  );
  expect(await signsIn('root@cli.example', NEW)).toBe(false);
  expect(await user(['reset-factor', ...ROOT, '--reason', 'lost key'])).toMatchObject({ code: 0, stderr: '' });
  expect(await signsIn('root@cli.example', NEW)).toBe(true);
  expect(await user(['reset-factor', ...ROOT])).toMatchObject({ code: 1 });

  const auditLog = await test.db.query<{ action: string; reason: string; row: string }>(
    `select action, reason, a::text as row from audit_entry a where actor = 'system:cli' order by a.id`,
  );
  expect(auditLog.map(({ action }) => action)).toEqual([
    'user.create',
    'user.create',
    'user.set_password',
    'user.suspend',
    'user.reinstate',
    'user.reset_factors',
  ]);
  expect(auditLog[3]!.reason).toBe('lost laptop');
  for (const { row } of auditLog)
    for (const secret of [PASSWORD, NEW, generated, 'argon2', 'cli.example']) expect(row).not.toContain(secret);
  expect(await auditProblems(test.app.pool)).toEqual([]);
});

it('reports each error in one sentence and changes nothing', async () => {
  const create = ['create', '--role', 'support', '--email', 'c@cli.example', '--name', 'C'];
  const countBefore = await test.db.query('select count(*) from app_user');
  const wrong: [string[], string, RegExp, number][] = [
    [
      ['create', '--role', 'developer', ...create.slice(3)],
      PASSWORD,
      /^--role must be one of admin, finance, reviewer, support;/,
      2,
    ],
    [['create', '--role', 'support', '--name', 'C'], PASSWORD, /^--email is required\./, 2],
    [[...create.slice(0, 4), 'nobody', '--name', 'C'], PASSWORD, /^email: Must be an email address\.\n$/, 1],
    [create, 'short', /^password: Must be 12 to 200 characters/, 1],
    [create, 'password1234', /^password: (?!.*password1234)/, 1],
    [create, 'aaaaaaaaaaaa', /^password: /, 1],
    [[...create, '--password', PASSWORD], '', /^Unknown option --password\. See "gateway user --help"\.\n$/, 2],
    [['reset', '--email', 'nobody@cli.example'], PASSWORD, /^Unknown user\.\n$/, 1],
    [
      ['remove'],
      '',
      /^Enter a subcommand: create, set-role, invite, reset, reset-factor, suspend, reinstate, list\./,
      2,
    ],
  ];
  const results = await Promise.all(wrong.map(([args, typed]) => user(args, typed)));
  expect(await program(create)).toMatchObject({ code: 1, stderr: expect.stringMatching(/^No password on/) });
  for (const [index, [args, , message, code]] of wrong.entries()) {
    expect([args.join(' '), results[index]!.code]).toEqual([args.join(' '), code]);
    expect(results[index]!.stderr).toMatch(message);
  }
  expect(await test.db.query('select count(*) from app_user')).toEqual(countBefore);
});
