import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { Client } from 'pg';
import { afterAll, expect, it } from 'vitest';
import { providerSettings } from '../../src/simulator/credentials.js';
import { documentOf, formOf, kyc, SIGN_IN, SIGN_UP, SUBMIT, VERIFY } from '../onboarding/onboarding.fixture.js';
import { codeOf } from '../support/authenticator.js';
import { freePort } from '../support/ports.js';
import { startTestSimulator } from '../support/simulator.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { until } from '../support/until.js';
import { type Ports, Proxy, publicUrls } from './proxy.fixture.js';
import { print } from './support/books.js';
import { startSystemPostgres, systemPostgres } from './support/debian-postgres.js';
import { missingPrograms } from './tools.fixture.js';

/** The guide, without the indentation of steps. */
const GUIDE = readFileSync('docs/install.md', 'utf8').replaceAll(/^ {3}/gm, '');
const bin = systemPostgres();
const missing = missingPrograms("the newcomer's walk", 'haproxy', 'openssl');
if (!bin) print('Skipped: the walk through the guide. No PostgreSQL is installed on this machine.');

const START_TOTP = 'mutation($input: StartTotpInput!) { startTotp(input: $input) { secret } }';
const CONFIRM_TOTP = 'mutation($input: ConfirmTotpInput!) { confirmTotp(input: $input) { token } }';
const PASSWORD = 'a long enough password';
const ended: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const end of ended.toReversed()) await end();
});

/** Block of the guide that contains these words. */
const blockWith = (words: string): string =>
  [...GUIDE.matchAll(/```\w*\n([^]*?)\n```/g)].map(([, block]) => block!).find((block) => block.includes(words))!;

/** Creates a secret with the command in the table of the guide. */
function secretOf(name: string): string {
  const row = GUIDE.split('\n').find((line) => line.startsWith('| `') && line.includes(`\`${name}\``))!;
  return execFileSync('bash', ['-c', /`([^`]+)` \|$/.exec(row)![1]!], { encoding: 'utf8' }).trim();
}

/** Runs a command of the guide in a shell; `typed` is its standard input. Errors: the exit code is not 0. */
async function run(command: string, env: Record<string, string>, typed = ''): Promise<string> {
  const child = spawn('bash', ['-c', command], { env });
  child.stdin.end(typed);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  if (code !== 0) throw new Error(`${command}: ${stdout}${stderr}`);
  return stdout;
}

it.runIf(bin && missing.length === 0)(
  'the guide is sufficient to get from an empty database to recharges through two processes behind a proxy',
  async () => {
    const startedAt = performance.now();
    const [server, simulator] = await Promise.all([startSystemPostgres(bin!), startTestSimulator()]);
    ended.push(server.stop, simulator.stop);
    const { PATH = '', HOME = '' } = process.env;
    const shell = { PATH, HOME };

    // the two logins, the database, the tables
    const passwords = { owner: 'owner-of-the-drill', service: 'service-of-the-drill' };
    const statements = blockWith('create role gateway_owner')
      .split(';')
      .map((part) => part.trim());
    const [owner, database, service] = statements as [string, string, string];
    const sql = async (user: string, password: string, name: string, ...texts: string[]): Promise<void> => {
      const client = new Client({ host: '127.0.0.1', port: server.port, user, password, database: name });
      await client.connect();
      for (const statement of texts) await client.query(statement);
      await client.end();
    };
    await sql('postgres', server.password, 'postgres', owner.replace('…', passwords.owner), database);
    const urlOf = (user: string, password: string): string =>
      `postgresql://${user}:${password}@127.0.0.1:${server.port}/gateway`;
    await run('npx gateway migrate', { ...shell, DATABASE_URL: urlOf('gateway_owner', passwords.owner) });
    await sql('gateway_owner', passwords.owner, 'gateway', service.replace('…', passwords.service));

    // the settings
    const httpsPort = await freePort();
    const urls = publicUrls(httpsPort);
    const directory = temporaryDirectory();
    const settings: Record<string, string> = {
      ...shell,
      ...providerSettings(simulator.url),
      DATABASE_URL: urlOf('gateway_service', passwords.service),
      PUBLIC_URL_UAT: urls.uat,
      PUBLIC_URL_PRODUCTION: urls.production,
      PUBLIC_URL_CONSOLE: urls.console,
      TRUST_PROXY: '1',
      DATA_DIR: directory,
    };
    for (const name of ['ENCRYPTION_KEYS', 'AUDIT_KEYS', 'SECRET_PEPPER', 'REFERENCE_SECRET', 'CALLBACK_SECRETS'])
      settings[name] = secretOf(name);

    // the first admin
    const create = blockWith('gateway user create').trim();
    expect(await run(`npx ${create}`, settings, `${PASSWORD}\n`)).toContain('can sign in now');

    // two processes, and the proxy in front
    const ports: [Ports, Ports] = [await freePorts(), await freePorts()];
    for (const own of ports) ended.push(await serve(settings, own));
    const proxy = await Proxy.start(httpsPort, ports);
    ended.push(() => proxy.stop());

    /** A console request; `session` is sent as an application does. */
    const request = async (session: string | undefined, query: string, variables: object = {}): Promise<any> => {
      const headers: Record<string, string> = session === undefined ? {} : { authorization: `Bearer ${session}` };
      const { body } = await proxy.call('console', '/graphql', { body: { query, variables }, headers });
      expect(body.errors).toBeUndefined();
      return body.data;
    };
    await until('the proxy has found a process', async () => (await proxy.call('console', '/livez')).status === 200);

    // a developer: account, documents, approval, Production access, money, keys
    const email = 'asha@shop.example';
    await request(undefined, SIGN_UP, {
      input: { name: 'Asha Verma', email, mobile: '9812345670', password: PASSWORD },
    });
    const token = await emailedToken(path.join(directory, 'mailbox'));
    const { viewer } = (await request(undefined, VERIFY, { input: { token, password: PASSWORD } })).verifyEmail;
    const { id } = viewer.developer;
    const sessionOf = async (address: string): Promise<string> =>
      (await request(undefined, SIGN_IN, { input: { email: address, password: PASSWORD } })).signIn.token;
    // staff must enroll a second factor before any action
    const enrollmentSession = await sessionOf('you@shop.example');
    const { secret } = (await request(enrollmentSession, START_TOTP, { input: { currentPassword: PASSWORD } }))
      .startTotp;
    const admin = (await request(enrollmentSession, CONFIRM_TOTP, { input: { code: codeOf(secret) } })).confirmTotp
      .token as string;
    const asha = await sessionOf(email);
    const documentIds: string[] = [];
    for (const kind of ['pan_card', 'address_proof', 'incorporation']) {
      const form = formOf({ ...documentOf(), kind });
      const headers = { authorization: `Bearer ${asha}` };
      documentIds.push((await proxy.call('console', '/kyc/documents', { form, headers })).body.documentId);
    }
    await request(asha, SUBMIT, { input: { ...kyc, documentIds } });
    await request(admin, 'mutation($id: ID!) { approveDeveloper(input: {developerId: $id}) { developer { id } } }', {
      id,
    });
    await request(admin, 'mutation($id: ID!) { unlockProduction(input: {developerId: $id}) { developer { id } } }', {
      id,
    });
    const credit = {
      developerId: id,
      environment: 'PRODUCTION',
      amount: 1000,
      reference: 'first deposit',
      utr: 'HDFC000000000001',
    };
    await request(admin, 'mutation($input: CreditWalletInput!) { creditWallet(input: $input) { __typename } }', {
      input: credit,
    });
    const created = await request(
      asha,
      'mutation { createCredential(input: {environment: PRODUCTION}) { credential { clientId } apiSecret } }',
    );
    const { credential, apiSecret } = created.createCredential;
    const tokenResponse = await proxy.call('production', '/api/v1/auth/client-credentials', {
      body: { client_id: credential.clientId, api_secret: apiSecret, environment: 'production' },
    });

    // recharges through both processes
    const countBefore = proxy.requests.length;
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        proxy.call('production', '/api/v1/recharge', {
          body: {
            account_number: `98765432${String(n).padStart(2, '0')}`,
            amount: 10,
            operator_sp_key: 116,
            operator_type: 'mobile',
            client_request_id: `walk-${n}`,
          },
          headers: { authorization: `Bearer ${tokenResponse.body.token}` },
        }),
      ),
    );
    expect(responses.map(({ status, body }) => [status, body.status])).toEqual(responses.map(() => [200, 'success']));
    await until('all are logged', () => proxy.requests.length >= countBefore + 10);
    expect(new Set(proxy.requests.slice(countBefore).map((line) => line.server))).toEqual(new Set(['one', 'two']));
    expect((await simulator.book()).length).toBe(10);
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    const report = await run('npx gateway doctor', settings);
    print(
      `walk through the guide on ${server.version}: first recharges after ${seconds} s; the doctor: ${report.trim().split('\n').at(-1)}`,
    );
  },
);

const freePorts = async (): Promise<Ports> => ({
  UAT: await freePort(),
  PRODUCTION: await freePort(),
  CONSOLE: await freePort(),
  OPS: await freePort(),
});

/** Runs `gateway serve` on these ports until the returned function is called. Resolves when it is ready. */
async function serve(settings: Record<string, string>, ports: Ports): Promise<() => Promise<unknown>> {
  const own = Object.fromEntries(Object.entries(ports).map(([host, port]) => [`${host}_PORT`, String(port)]));
  const child: ChildProcess = spawn('npm', ['run', '--silent', 'gateway', '--', 'serve'], {
    env: { ...settings, ...own },
    stdio: 'pipe',
  });
  const outputs = Promise.all([text(child.stdout!), text(child.stderr!)]);
  await until('the process is ready', async () => {
    if (child.exitCode !== null) throw new Error((await outputs).join(''));
    return fetch(`http://127.0.0.1:${ports.OPS}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  });
  return async () => {
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
  };
}

/** Token in the only email that has arrived. */
async function emailedToken(mailbox: string): Promise<string> {
  let message: string | undefined;
  await until('the email has arrived', () => {
    const names = readdirSync(mailbox, { withFileTypes: true }).filter(({ name }) => name.endsWith('.eml'));
    if (names[0]) message = readFileSync(path.join(mailbox, names[0].name), 'utf8');
    return message !== undefined;
  });
  return /\/verify#token=([0-9a-f]{64})/.exec(message!)![1]!;
}
