import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.js';
import { services } from '../../src/core/services.js';
import type { DemoFile } from '../../src/dev/demo-file.js';
import { startLocalPostgres } from '../../src/dev/local-postgres.js';
import { reachableName } from '../../src/dev/preflight.js';
import { isDemoIntact } from '../../src/dev/seed.js';
import { MAX_ROWS } from '../../src/graphql/documents/cost.js';
import { guides } from '../../src/http/docs/guides.js';
import { codeBlocksOf, displayedBlocks } from '../support/guides.js';
import { freePort } from '../support/ports.js';
import { postgresDirectory } from '../support/postgres-directory.js';
import { runProgram } from '../support/program.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { type Demo, type DemoPorts, demoFileIn, freeDemoPorts, startDemo, stopDemo, tokenOf } from './demo.fixture.js';

const run = promisify(execFile);
const home = temporaryDirectory();
const dataDir = path.join(home, '.data');
let ports: DemoPorts;

const start = () => startDemo(home, ports);
const demoFile = () => demoFileIn(dataDir);
/** Runs the doctor like `npm run doctor` beside the demo. */
const doctor = () => runProgram('dev/alongside-demo.js', { DATA_DIR: dataDir }, [path.resolve('dist/cli/doctor.js')]);

/** Index of the example on the accounts page before which an admin approves the account. */
const WAITING_FROM = 3;

/** Processes whose command line names this data directory, for example a database that was not stopped. */
function remainingProcesses(): string[] {
  const directory = realpathSync(path.join(dataDir, 'postgres'));
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return processes.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(directory);
    } catch {
      return false; // it exited in the meantime
    }
  });
}

async function walletOf(keys: DemoFile['uat'], environment: string) {
  const response = await fetch(`${keys.baseUrl}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${await tokenOf(keys, environment)}` },
    body: JSON.stringify({ query: '{ me { permissions } wallet { balance } }' }),
  });
  return ((await response.json()) as { data: { me: { permissions: string[] }; wallet: { balance: number } } }).data;
}

/** Keys and types of the values in a response, without the values. */
const shapeOf = (value: unknown): unknown =>
  typeof value !== 'object' || value === null || Array.isArray(value)
    ? Array.isArray(value)
      ? 'array'
      : typeof value
    : Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)]));

beforeAll(async () => {
  mkdirSync(dataDir);
  postgresDirectory(dataDir);
  ports = await freeDemoPorts();
});

describe('npm start', () => {
  let demo: Demo;
  afterAll(async () => {
    if (demo.process.exitCode === null) await stopDemo(demo, 'SIGINT');
  });

  it('is ready, with accounts and commands that work when pasted', async () => {
    demo = await start();
    expect(demo.output()).toContain('Ready.');
    expect(demo.output()).toMatch(/\(CORS_ORIGINS_UAT\): http:.*, http:\/\/localhost:\*, http:\/\/127\.0\.0\.1:\*, /);
    // "warn" only as a word, because random keys and tokens in the output can contain it
    expect(demo.output()).not.toMatch(/\bwarn\b|warning|deprecat/i);
    const lines = demo
      .output()
      .split('\n')
      .filter((line) => /^(curl|TOKEN=|LIVE=)/.test(line));
    const { stdout } = await run('bash', ['-c', lines.join('\n')]);
    const responses = stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    expect(responses).toHaveLength(3);
    expect(responses[0]).toMatchObject({ status: 'success', data: { amount: 199 } });
    expect(responses[1]).toMatchObject({ data: { recharge: { order: { status: 'SUCCESS' } } } });
    expect(responses[2]).toMatchObject({ status: 'success', data: { amount: 10 } });
  });

  it('shows the error for a wrong secret or password, wherever an example reads a token from a response', async () => {
    const { uat, production, console: own } = demoFile();
    const page = await (await fetch(`${uat.baseUrl}/docs`)).text();
    const invalidCredentialsIn = async (lines: string, ...secrets: string[]): Promise<number> => {
      const script = secrets.reduce((text, secret) => text.replaceAll(secret, `${secret.slice(0, -1)}_`), lines);
      const { stderr } = await run('bash', ['-c', script], { cwd: home });
      return stderr.match(/"code":"INVALID_CREDENTIALS"/g)?.length ?? 0;
    };
    const printed = demo
      .output()
      .match(/^(TOKEN|LIVE)=.*/gm)!
      .join('\n');
    expect(await invalidCredentialsIn(printed, uat.apiSecret, production.apiSecret)).toBe(2);
    const [, readme] = codeBlocksOf('README.md').filter(({ language }) => language === 'sh');
    const [firstLines] = displayedBlocks(page).filter(({ language }) => language === 'sh');
    const [signIn] = codeBlocksOf('docs/administering.md').filter(({ language }) => language === 'sh');
    // none of these blocks contains the secret of the demo
    const wrong = readme!.code.replace(/API_SECRET=.*/, `API_SECRET='wrong'`);
    expect(await invalidCredentialsIn(wrong)).toBe(1);
    expect(await invalidCredentialsIn(firstLines!.code)).toBe(1);
    expect(await invalidCredentialsIn(signIn!.code.replace(/CONSOLE=.*/, `CONSOLE='${own.baseUrl}'`))).toBe(1);
  });

  it('has one order in review to practice with, which the provider has completed', async () => {
    const { console: own } = demoFile();
    const request = async (query: string, variables: object, session?: string) => {
      const response = await fetch(`${own.baseUrl}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(session && { authorization: `Bearer ${session}` }) },
        body: JSON.stringify({ query, variables }),
      });
      return ((await response.json()) as { data: any }).data;
    };
    const SIGN_IN = 'mutation($input: SignInInput!) { signIn(input: $input) { token } }';
    const { token } = (await request(SIGN_IN, { input: own.admin })).signIn;
    const QUEUE = `{ reviewOrders { edges { node { provider developerName requiresApproval
      order { amount status reviewAt timeline { summary } } } } } }`;
    const { edges } = (await request(QUEUE, {}, token)).reviewOrders;
    expect(edges).toEqual([
      {
        node: {
          provider: 'MOKSHIQ',
          developerName: 'Demo Mokshiq',
          requiresApproval: false,
          order: {
            amount: 199,
            status: 'PENDING',
            reviewAt: expect.any(String),
            timeline: [
              { summary: 'Amount held' },
              { summary: 'Sent to the provider' },
              { summary: 'Provider error (HTTP 500)' },
              { summary: 'Manual review started' },
            ],
          },
        },
      },
    ]);
  });

  it('seeds the balances and fees that the documentation describes', async () => {
    const file = demoFile();
    expect(await walletOf(file.uatOnly, 'uat')).toMatchObject({ wallet: { balance: 200_000 } });
    expect(await walletOf(file.mokshiq, 'production')).toMatchObject({ wallet: { balance: 10_000 - 199 } });
    expect((await walletOf(file.production, 'production')).me.permissions).toHaveLength(services.length);
  });

  it('runs every example of the documents', async () => {
    const { uat, console: own } = demoFile();
    const pages = await Promise.all(guides.map(async (guide) => (await fetch(uat.baseUrl + guide.path)).text()));
    const account = pages[guides.findIndex(({ path: page }) => page === '/docs/environments')]!;
    const firstSteps = displayedBlocks(pages[0]!)[0]!.code;
    writeFileSync(path.join(home, 'pan.pdf'), '%PDF-1.7\n%%EOF\n');
    const examples = [
      // all except the first block with its two commands
      ...codeBlocksOf('README.md').slice(1),
      ...pages.filter((page) => page !== account).flatMap(displayedBlocks),
      ...codeBlocksOf('docs/integrating.md'),
      // creates an account, which admins approve while its developer waits, and then uses its keys
      ...displayedBlocks(account).slice(0, WAITING_FROM),
      { language: 'sh', code: '(' },
      ...codeBlocksOf('docs/administering.md'),
      { language: 'sh', code: ')' },
      ...displayedBlocks(account).slice(WAITING_FROM),
      { language: 'sh', code: firstSteps.replaceAll(/^(CLIENT_ID|API_SECRET)=.*\n/gm, '') },
    ].filter(({ language }) => language === 'sh');
    const script = examples
      .map(({ code }) => code.replace(/^curl .*(?:\n {2}.*)*$/gm, '$&; echo'))
      .join('\n')
      .replace("CLIENT_ID='cid_uat_…'", `CLIENT_ID='${uat.clientId}'`)
      .replace("API_SECRET='sk_uat_…'", `API_SECRET='${uat.apiSecret}'`)
      .replace(
        /^LINK=.*/m,
        "until LINK=$(grep -rhoE 'token=[0-9a-f]{64}' .data/mailbox 2>/dev/null); do sleep 0.1; done",
      )
      .replace("CONSOLE='https://console.shop.example'", `CONSOLE='${own.baseUrl}'`)
      .replace(
        "\nEMAIL='you@shop.example'\nPASSWORD='…'",
        `\nEMAIL='${own.admin.email}'\nPASSWORD='${own.admin.password}'`,
      )
      .replaceAll('8080', String(await freePort()))
      .replace(
        "SECOND_EMAIL='other@shop.example'\nSECOND_PASSWORD='…'",
        `SECOND_EMAIL='${own.secondAdmin.email}'\nSECOND_PASSWORD='${own.secondAdmin.password}'`,
      );
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], { cwd: home });
    const responses = stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    const recharged = (key: string) =>
      expect.objectContaining({ status: 'success', data: expect.objectContaining({ client_request_id: key }) });
    const replayed = {
      data: {
        recharge: expect.objectContaining({ replayed: true, order: expect.objectContaining({ status: 'SUCCESS' }) }),
      },
      extensions: { replayed: true },
    };
    const success = (data: unknown) => expect.objectContaining({ status: 'success', data });
    const listed = (data: unknown) =>
      expect.objectContaining({ status: 'success', data, next_cursor: expect.toBeOneOf([expect.any(String), null]) });
    const administered = (data: unknown) => expect.objectContaining({ data });
    const withCost = (rows: number) => ({ extensions: { cost: { rows, limit: MAX_ROWS } } });
    const pending = (key: string) =>
      expect.objectContaining({
        status: expect.stringMatching(/pending|success/),
        data: expect.objectContaining({ client_request_id: key }),
      });
    const lookup = (data: object) => expect.objectContaining({ status: 'success', fee: 0, data });
    const guideRecharge = recharged('guide-1');
    expect(responses).toEqual([
      { data: { operatorFind: { operator: { name: 'Vi', spKey: 37 }, circle: { name: 'Rajasthan' } } } },
      recharged('readme-1'),
      replayed,
      expect.objectContaining({ status: 'pending' }),
      pending('readme-2'),
      // page "Five minutes"
      expect.objectContaining({ roles: ['developer'] }),
      guideRecharge,
      guideRecharge,
      expect.objectContaining({ status: 'failed', code: 'PROVIDER_DECLINED' }),
      expect.objectContaining({ status: 'pending' }),
      pending('guide-pending'),
      // page "Orders"
      guideRecharge,
      listed([expect.objectContaining({ client_request_id: 'guide-declined', reason: expect.any(String) })]),
      listed([expect.objectContaining({ client_request_id: 'guide-1', status: 'success' })]),
      // page "Services"
      expect.objectContaining({ status: 'success', data: expect.objectContaining({ card: 'xxxx3008', amount: 2344 }) }),
      lookup(expect.objectContaining({ circle_code: expect.any(String) })),
      lookup(expect.objectContaining({ plans: expect.objectContaining({ TOPUP: expect.any(Array) }) })),
      lookup(expect.arrayContaining([{ id: 4, title: 'Loans' }])),
      success(expect.arrayContaining([expect.objectContaining({ operator_sp_key: 116, opcode: 'J' })])),
      success(expect.arrayContaining([{ code: '06', name: 'Karnataka' }])),
      success(expect.arrayContaining([expect.objectContaining({ opcode: 'ICIC' })])),
      success({ balance: expect.any(Number), held: expect.any(Number), environment: 'uat' }),
      listed(expect.arrayContaining([expect.objectContaining({ kind: 'hold' })])),
      // page "Statements"
      { data: { wallet: { balance: expect.any(Number), held: expect.any(Number) } } },
      // page "Webhooks"
      success(expect.objectContaining({ id: expect.stringMatching(/^whe_/), secret: expect.any(String) })),
      success(expect.objectContaining({ type: 'test.sent', state: 'pending' })),
      recharged('guide-webhook'),
      listed(expect.arrayContaining([expect.objectContaining({ type: 'test.sent' })])),
      success(expect.objectContaining({ types: ['recharge.failed', 'recharge.reversed'] })),
      success({ id: expect.stringMatching(/^whe_/) }),
      // page "GraphQL"
      replayed,
      {
        data: {
          services: expect.any(Array),
          wallet: expect.anything(),
          operatorFind: expect.objectContaining({
            operator: expect.objectContaining({ available: true }),
            plans: expect.objectContaining({ groups: [expect.objectContaining({ name: 'TOPUP' })] }),
          }),
        },
      },
      {
        data: {
          productCategories: {
            categories: expect.arrayContaining([expect.objectContaining({ products: expect.any(Array) })]),
          },
        },
        ...withCost(2_310),
      },
      { data: { order: { status: 'SUCCESS', timeline: expect.any(Array) } }, ...withCost(10) },
      {
        data: {
          orders: expect.objectContaining({ nodes: expect.any(Array) }),
          found: expect.objectContaining({ nodes: expect.arrayContaining([expect.anything()]) }),
          ordersByKey: [
            { clientRequestId: 'guide-1', status: 'SUCCESS' },
            { clientRequestId: 'guide-pending', status: expect.stringMatching(/PENDING|SUCCESS/) },
          ],
        },
        ...withCost(25),
      },
      {
        data: {
          wallet: { balance: expect.any(Number), statement: expect.objectContaining({ nodes: expect.any(Array) }) },
        },
        ...withCost(6),
      },
      { data: { order: { status: 'SUCCESS', accountNumber: 'xxxxxx3210' } } },
      { data: { revokeClientToken: { clientToken: { revokedAt: expect.any(String) } } } },
      // page "Test numbers"
      recharged('guide-reversed'),
      success(expect.objectContaining({ outcome: 'decline', client_request_id: 'guide-scenario' })),
      expect.objectContaining({ status: 'failed', code: 'PROVIDER_DECLINED', reason: 'AMOUNT_NOT_OFFERED' }),
      success(expect.objectContaining({ amount: 50_000, refills_left: 4 })),
      // page "Accounts", first part
      { data: { signUp: { accepted: true } } },
      {
        data: {
          verifyEmail: { viewer: { developer: expect.objectContaining({ onboardingStatus: 'EMAIL_VERIFIED' }) } },
        },
      },
      { data: { submitKyc: { developer: { onboardingStatus: 'KYC_SUBMITTED' } } } },
      // page "Administration"
      administered({
        approveDeveloper: {
          developer: {
            name: 'Asha Verma',
            onboardingStatus: 'APPROVED',
            services: expect.arrayContaining([
              { service: 'OPERATOR_FETCH', enabled: true, fee: 0.1 },
              { service: 'OPERATOR_PLAN_FETCH', enabled: true, fee: 0.25 },
              { service: 'DTH_INFO', enabled: false, fee: 0 },
            ]),
          },
        },
      }),
      administered({ unlockProduction: { developer: { productionUnlocked: true } } }),
      administered({
        approvalRequests: {
          nodes: [
            expect.objectContaining({
              action: 'CREDIT',
              amount: 60_000,
              developer: { name: 'Asha Verma' },
              utr: 'HDFCR52026112400',
              walletEffect: { balanceAtRequest: 0, balance: 0, balanceAfter: 60_000 },
            }),
          ],
        },
      }),
      administered({
        approveApprovalRequest: {
          outcome: {
            approvalRequest: { state: 'APPROVED' },
            developer: { wallets: expect.arrayContaining([{ balance: 60_000 }]) },
          },
        },
      }),
      administered({
        reviewOrders: expect.objectContaining({
          nodes: [expect.objectContaining({ provider: 'MOKSHIQ', requiresApproval: false })],
        }),
      }),
      administered({ resolveOrder: { outcome: { order: { status: 'SUCCESS' } } } }),
      administered({
        developer: {
          lastRejectedCalls: [],
          services: expect.arrayContaining([{ service: 'DTH_INFO', enabled: false, lastRejectedCalls: [] }]),
        },
      }),
      // page "Accounts", second part
      administered({
        viewer: {
          developer: expect.objectContaining({
            onboardingStatus: 'APPROVED',
            productionUnlocked: true,
            services: expect.arrayContaining([{ service: 'OPERATOR_FETCH', enabled: true, fee: 0.1 }]),
          }),
        },
      }),
      administered({ createCredential: expect.objectContaining({ apiSecret: expect.stringMatching(/^sk_live_/) }) }),
      administered({
        viewer: {
          developer: { wallets: expect.arrayContaining([{ environment: 'PRODUCTION', balance: 60_000 }]) },
        },
      }),
      expect.objectContaining({
        email: 'asha@shop.example',
        permissions: ['operator_fetch', 'operator_plan_fetch'],
      }),
    ]);
    expect(readFileSync(path.join(home, 'statement.csv'), 'utf8')).toMatch(/^date,at,kind,reference,/);
    // in the other languages of the guide, each example gets the same order as the shell example
    const inLanguage = (language: string): string =>
      displayedBlocks(pages[0]!)
        .flatMap((block) => (block.language === language ? block.code : []))
        .join('\n')
        .replace("'cid_uat_…'", `'${uat.clientId}'`)
        .replace("'sk_uat_…'", `'${uat.apiSecret}'`);
    const { stdout: byNode } = await run(process.execPath, ['--input-type=module', '-e', inLanguage('js')]);
    expect(byNode.match(/roles: \[ 'developer' \]|client_request_id: 'guide-1'|status: 'success'/g)).toHaveLength(3);
    const php = await run('php', ['-r', `error_reporting(E_ALL); ${inLanguage('php')}`]).catch((error) => {
      if (error.code !== 'ENOENT') throw error; // PHP is not installed
    });
    if (php)
      expect(php.stdout.match(/0\] => developer|client_request_id\] => guide-1|\[status\] => success/g)).toHaveLength(
        3,
      );
    const overGraphql = await fetch(`${uat.baseUrl}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${await tokenOf(uat, 'uat')}` },
      body: JSON.stringify({ query: inLanguage('graphql') }),
    });
    expect(await overGraphql.json()).toMatchObject(replayed);
    // responses as shown in the guide
    const [me, recharge] = displayedBlocks(pages[0]!).filter(({ language }) => language === 'json');
    expect(shapeOf(JSON.parse(me!.code))).toEqual(shapeOf(responses[5]));
    expect(shapeOf(JSON.parse(recharge!.code))).toEqual(shapeOf(responses[6]));
  });

  it('writes the accounts for programs to a file that only their owner can read', async () => {
    const file = demoFile();
    expect(Object.keys(file).toSorted()).toEqual(['console', 'mokshiq', 'production', 'simulator', 'uat', 'uatOnly']);
    expect(file.uat.baseUrl).toBe(`http://127.0.0.1:${ports.UAT_PORT}`);
    for (const keys of [file.mokshiq, file.production]) expect(await tokenOf(keys, 'production')).toMatch(/^at_live_/);
    for (const keys of [file.uat, file.uatOnly]) expect(await tokenOf(keys, 'uat')).toMatch(/^at_uat_/);
    const { stdout } = await run('stat', ['-c', '%a', path.join(dataDir, 'demo.json')]);
    expect(stdout.trim()).toBe('600');
    for (const { email, password } of [file.console.admin, file.console.secondAdmin, file.console.developer])
      expect(demo.output()).toContain(`${email}  ${password}\n`);
  });

  it('the doctor can check the running database', async () => {
    expect(await doctor()).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/All 20 checks passed/),
    });
    expect(await walletOf(demoFile().uatOnly, 'uat')).toMatchObject({ wallet: { balance: 200_000 } });
  });

  it('starts again after kill -9 with the same accounts and balances', async () => {
    const fileBefore = demoFile();
    await stopDemo(demo, 'SIGKILL');
    demo = await start();
    expect(demo.output()).toContain('Ready.');
    expect(demoFile()).toEqual(fileBefore);
    expect(await tokenOf(fileBefore.production, 'production')).toMatch(/^at_live_/);
    // a file written before the second admin existed is replaced
    const { secondAdmin: _, ...older } = fileBefore.console;
    expect(await isDemoIntact({} as App, { ...fileBefore, console: older })).toBe(false);
  });

  it('stops everything on Ctrl-C, including the database', async () => {
    expect(await stopDemo(demo, 'SIGINT')).toEqual({ code: 0, signal: null });
    expect(remainingProcesses()).toEqual([]);
  });

  it('the doctor can check the database while the demo is stopped, and leaves no server running', async () => {
    expect(await doctor()).toMatchObject({ code: 0, stderr: '' });
    expect(remainingProcesses()).toEqual([]);
  });

  it('anchors the audit log where the doctor finds it', () => {
    expect(readFileSync(path.join(dataDir, 'audit-anchors.jsonl'), 'utf8')).toMatch(/^\{"auditAnchor":\{"id":"\d+"/);
  });

  it('reports a busy port in one sentence and leaves nothing running', async () => {
    const blocker = net.createServer().listen(Number(ports.UAT_PORT), '127.0.0.1');
    demo = await start();
    expect(await demo.ended).toEqual({ code: 1, signal: null });
    expect(demo.output().trim()).toBe(
      `Port ${ports.UAT_PORT} on 127.0.0.1 is in use by another program. Set UAT_PORT to a free port.`,
    );
    expect(remainingProcesses()).toEqual([]);
    blocker.close();
  });

  it('states in one sentence that the data is from an older version, and how to continue', async () => {
    const local = await startLocalPostgres({ dataDir: path.join(dataDir, 'postgres'), database: 'gateway' });
    const owner = new Client({ connectionString: local.url });
    await owner.connect();
    await owner.query(`update schema_fingerprint set fingerprint = 'older'`);
    await owner.end();
    await local.stop();
    demo = await start();
    expect(await demo.ended).toEqual({ code: 1, signal: null });
    expect(demo.output().trim()).toBe(
      'The data in .data was created by an incompatible older version of this product. Delete .data (or set DATA_DIR) and start again.',
    );
    expect(remainingProcesses()).toEqual([]);
  });
});

describe('npm start, before it creates anything', () => {
  const startFailing = async (settings: Record<string, string>): Promise<{ output: string; created: string[] }> => {
    const empty = temporaryDirectory();
    const demo = await startDemo(empty, settings);
    expect(await demo.ended).toEqual({ code: 1, signal: null });
    return { output: demo.output().trim(), created: readdirSync(empty) };
  };

  it.each(['UAT_PORT', 'PRODUCTION_PORT', 'CONSOLE_PORT', 'SIMULATOR_PORT'] as const)(
    'reports a busy %s',
    async (name) => {
      const own = await freeDemoPorts();
      const blocker = net.createServer().listen(Number(own[name]), '127.0.0.1');
      expect(await startFailing(own)).toEqual({
        output: `Port ${own[name]} on 127.0.0.1 is in use by another program. Set ${name} to a free port.`,
        created: [],
      });
      blocker.close();
    },
  );

  it('reports a port that is set twice, and an address of another machine', async () => {
    const own = await freeDemoPorts();
    expect((await startFailing({ ...own, CONSOLE_PORT: own.UAT_PORT })).output).toBe(
      `Port ${own.UAT_PORT} on 127.0.0.1 is in use by another program. Set CONSOLE_PORT to a free port.`,
    );
    expect(await startFailing({ ...own, HOST: '192.0.2.1' })).toEqual({
      output: '192.0.2.1 is not an address of this machine. Set HOST to an address of this machine.',
      created: [],
    });
  });

  it('reports a DATA_DIR that is a file', async () => {
    const file = path.join(temporaryDirectory(), 'file');
    writeFileSync(file, '');
    for (const directory of [file, path.join(file, 'below')])
      expect((await startFailing({ ...(await freeDemoPorts()), DATA_DIR: directory })).output).toBe(
        `${directory} is not a directory. Set DATA_DIR to a directory that this user can write to.`,
      );
  });
});

describe('npm start with HOST=0.0.0.0', () => {
  it('prints links that work on other machines, and keeps the simulator on the loopback interface', async () => {
    const [own, name] = [await freeDemoPorts(), reachableName('0.0.0.0')];
    const directory = temporaryDirectory();
    postgresDirectory(directory);
    const demo = await startDemo(home, { ...own, DATA_DIR: directory, HOST: '0.0.0.0' });
    try {
      const { uat, production, console: portal, simulator } = demoFileIn(directory);
      expect([uat.baseUrl, production.baseUrl, portal.baseUrl, simulator.baseUrl]).toEqual([
        `http://${name}:${own.UAT_PORT}`,
        `http://${name}:${own.PRODUCTION_PORT}`,
        `http://${name}:${own.CONSOLE_PORT}`,
        `http://127.0.0.1:${own.SIMULATOR_PORT}`,
      ]);
      expect(demo.output()).not.toContain('0.0.0.0');
      for (const url of [uat.baseUrl, portal.baseUrl]) expect((await fetch(`${url}/livez`)).status).toBe(200);
      expect(await tokenOf(production, 'production')).toMatch(/^at_live_/);
      // another address of this machine, which reaches servers that listen on all interfaces
      const status = (port: string): Promise<number | string> =>
        fetch(`http://127.0.0.2:${port}/_/book`).then(
          (reply) => reply.status,
          (error: Error) => String(error.cause),
        );
      expect(await status(own.UAT_PORT)).toBe(404);
      expect(await status(own.SIMULATOR_PORT)).toContain('ECONNREFUSED');
    } finally {
      await stopDemo(demo, 'SIGINT');
    }
  });
});
