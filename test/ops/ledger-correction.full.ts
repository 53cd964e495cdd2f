import { execFile } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { PASSWORD } from '../console/console.fixture.js';
import { ServiceProcess } from '../fuzz/support/service-process.js';
import { FROM_TEST, seed, testEnvironment } from '../support/app.js';
import { freePort } from '../support/ports.js';
import { COMPILE_CACHE, type Ended } from '../support/program.js';
import { RECHARGE, rechargeBody } from '../support/recharges.js';
import { asService } from '../support/service-login.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { until } from '../support/until.js';
import { useOwnApp } from '../support/use-app.js';

const test = useOwnApp();

/** Commands in a section of the runbook, in order. */
function commandsOf(alert: string): string[] {
  const page = readFileSync('docs/runbooks.md', 'utf8');
  const section = page.split(/^### /m).find((text) => text.startsWith(`${alert}\n`))!;
  return [...section.matchAll(/^ *```sh\n([^`]*)```/gm)].flatMap(([, block]) =>
    block!
      .trim()
      .replaceAll(/ \\\n */g, ' ')
      .split('\n')
      .map((line) => line.trim()),
  );
}

/** A directory with the command `gateway`. */
function binaries(): string {
  const directory = temporaryDirectory();
  const file = path.join(directory, 'gateway');
  writeFileSync(file, `#!/bin/sh\nexec "${process.execPath}" "${path.resolve('dist/cli/gateway.js')}" "$@"\n`);
  chmodSync(file, 0o755);
  return directory;
}

async function inShell(command: string, env: Record<string, string>): Promise<Ended> {
  try {
    return { code: 0, ...(await promisify(execFile)('sh', ['-c', command], { env })) };
  } catch (error) {
    return error as Ended;
  }
}

it('the commands in the runbook of GatewayLedgerViolation lead from the alert to a check that passes', async () => {
  const { users, sessions } = test.app;
  for (const name of ['first', 'second'])
    await users.create({ email: `${name}@test.example`, name, password: PASSWORD, role: 'admin' }, seed);
  const developer = await test.developer({ liveRupees: 1_000 });
  const [uat, production, consolePort, ops] = [await freePort(), await freePort(), await freePort(), await freePort()];
  const owner = {
    ...testEnvironment(test.db.url, test.simulator.url, [uat, production, consolePort]),
    OPS_PORT: String(ops),
  };

  /** Runs a process as shipped, while `work` runs. */
  async function withServer(work: () => Promise<void>): Promise<void> {
    const service = await ServiceProcess.start(owner, { program: 'dist/main.js', execArgv: [], env: COMPILE_CACHE });
    try {
      await work();
    } finally {
      await service.stop();
    }
  }
  const violations = async (): Promise<Record<string, string>> => {
    const text = await (await fetch(`http://127.0.0.1:${ops}/metrics`)).text();
    return Object.fromEntries(
      [...text.matchAll(/^gateway_ledger_violations\{check="(\w+)"\} (.+)$/gm)].map(([, check, n]) => [check, n!]),
    );
  };
  const alerting = (expected: object) =>
    until('the books are checked', async () => JSON.stringify(await violations()) === JSON.stringify(expected));
  const post = async (port: number, file: string, token: string, body: object): Promise<any> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(`http://127.0.0.1:${port}${file}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    return response.json();
  };
  let created = 0;
  const recharges = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n++) {
      const body = rechargeBody({ client_request_id: `order ${++created}` });
      expect(await post(production, RECHARGE, developer.tokens.production, body)).toMatchObject({
        status: 'success',
      });
    }
  };
  const inDatabase = (sql: string) => test.db.query(sql, [developer.id]);

  const env: Record<string, string> = {
    ...COMPILE_CACHE,
    ...asService(owner),
    PATH: `${binaries()}:${process.env.PATH}`,
    DEVELOPER: `dev_${developer.id}`,
    EMAIL: 'first@test.example',
    REASON: "update wallet on 3 March, operator's mistake",
    OWNER_URL: test.db.url,
  };
  const commands = commandsOf('GatewayLedgerViolation');
  expect(commands).toHaveLength(5);
  const [examine, show, requestApproval, correct, examineAgain] = commands as [string, string, string, string, string];

  await withServer(async () => {
    await recharges(2);
    await alerting({ new: '0', full: '0' });
    await inDatabase(
      `update wallet set balance_paise = balance_paise + 10000 where developer_id = $1 and environment = 'production'`,
    );
    await recharges(3);
  });
  await test.db.query('update ledger_full_check set next_step_at = now()');
  await withServer(async () => {
    // the check of new postings, and the weekly check
    await alerting({ new: '1', full: '1' });

    const page = await inShell(examine, env);
    expect(page.code).toBe(1);
    const detail = `developer ${developer.id}: production: wrong from version 4 on by 10000 paise, 3 entries; balance 105000, sum of transfers 95000`;
    expect(page.stdout).toContain(`FAIL  ledger`);
    // once from the check of new postings, once from the weekly check
    expect(page.stdout.split('\n').filter((line) => line.includes(detail))).toHaveLength(2);

    const listing = await inShell(show, env);
    expect([listing.code, listing.stdout.split('\n').slice(0, 4)]).toEqual([
      0,
      [
        `Wallet of dev_${developer.id}, production: wrong from version 4 on, 3 entries`,
        '  stored balance    1050.00',
        '  computed balance  950.00',
        '  correction        -100.00',
      ],
    ]);
    expect(await test.db.query('select from approval_request')).toEqual([]);

    const requested = await inShell(requestApproval, env);
    expect([requested.code, requested.stderr]).toEqual([0, '']);
    const [, approvalRequestId] = /^ {2}gateway ledger post --approval-request (apr_\S+)$/m.exec(requested.stdout)!;
    env.APPROVAL_REQUEST = approvalRequestId!;
    // before approval, and with the login of the application
    expect(await inShell(correct, env)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('This request is not approved.'),
    });
    expect(await inShell('gateway ledger post --approval-request "$APPROVAL_REQUEST"', env)).toMatchObject({
      code: 1,
      stderr: 'Set DATABASE_URL to the owner of the tables: only the owner can post a correction.\n',
    });

    const { token } = await sessions.signIn({ email: 'second@test.example', password: PASSWORD }, FROM_TEST);
    const requestReply = await post(consolePort, '/graphql', token, {
      query: `{ approvalRequests { edges { node { id action reason correction { fromVersion storedBalance computedBalance difference } } } } }`,
    });
    expect(requestReply.data.approvalRequests.edges.map(({ node }: { node: object }) => node)).toEqual([
      {
        id: approvalRequestId,
        action: 'CORRECT_WALLET',
        reason: env.REASON,
        correction: { fromVersion: 4, storedBalance: 1_050, computedBalance: 950, difference: -100 },
      },
    ]);
    const approved = await post(consolePort, '/graphql', token, {
      query: `mutation($input: ApproveApprovalRequestInput!) { approveApprovalRequest(input: $input) { outcome { ... on ApprovalRequestApproved { approvalRequest { state } } } } }`,
      variables: { input: { approvalRequestId } },
    });
    expect(approved.data.approveApprovalRequest.outcome).toEqual({ approvalRequest: { state: 'APPROVED' } });

    // calls continue
    await recharges(1);
    const posted = await inShell(correct, env);
    expect([posted.stdout, posted.stderr, posted.code]).toEqual([
      `Posted: -100.00 at version 8, the balance is 940.00.
No longer a violation: 4 entries with a wrong balance from version 4 on.
The ledger check passes.
`,
      '',
      0,
    ]);
    const examined = await inShell(examineAgain, env);
    expect(examined.stdout).toMatch(/^ok {4}ledger /m);
    expect(examined.stdout).toMatch(/^ok {4}full check /m);
    expect(examined.stdout.match(/known: developer/g)).toHaveLength(1);
    expect(examined.stdout).toContain(
      `known: developer ${developer.id}, production: 4 entries with a wrong balance from version 4 on, corrected`,
    );
  });

  await withServer(async () => {
    await alerting({ new: '0', full: '0' });
    await recharges(1);
    const response = await fetch(`http://127.0.0.1:${production}/api/v1/wallet/statement?kinds=correction`, {
      headers: { authorization: `Bearer ${developer.tokens.production}` },
    });
    const { data } = (await response.json()) as { data: object[] };
    expect(data).toEqual([
      expect.objectContaining({
        kind: 'correction',
        amount: -100,
        balance_after: 940,
        reference: env.APPROVAL_REQUEST,
      }),
    ]);
  });
  expect(await inShell('gateway serve --check', env)).toMatchObject({ code: 0 });
});
