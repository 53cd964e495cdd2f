import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { randomToken } from '../../src/core/secret.js';
import { testEnvironment } from '../support/app.js';
import { freePort, isRefused } from '../support/ports.js';
import { runProgram } from '../support/program.js';
import { accessTokenRow } from '../support/row-keys.js';
import { startTestSimulator, type TestSimulator } from '../support/simulator.js';
import { until } from '../support/until.js';
import { type Account, createAccounts } from './support/accounts.js';
import { ApiProcess } from './support/api-process.js';
import { type OwnDatabase, type Postgres, postgresOfRun } from './support/own-postgres.js';
import { plainMobile, type Recharge, restRecharge, scriptedMobile } from './support/recharges.js';
import { retryIfPortTaken } from './support/station.js';

/** For an order whose provider does not respond. */
const IMPATIENT = { PROVIDER_TIMEOUT_MS: '1000', SYNC_WINDOW_MS: '1500', LEASE_MARGIN_MS: '500' };

let postgres: Postgres;
let db: OwnDatabase;
let simulator: TestSimulator;
let accounts: Account[];
beforeAll(async () => {
  postgres = postgresOfRun();
  [db, simulator] = await Promise.all([postgres.database(), startTestSimulator()]);
  accounts = await createAccounts(db, 2);
});
const running: ApiProcess[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((api) => api.kill()));
  await simulator.reset();
  expect(await db.query('select * from ledger_check()')).toEqual([]);
});
afterAll(async () => {
  await simulator?.stop();
  await postgres?.close();
});

interface Part {
  api: ApiProcess;
  ports: { uat: number; production: number; console: number; ops: number };
}

/** Starts a process that runs part of the service, with an ops listener. */
async function part(settings: Readonly<Record<string, string>>): Promise<Part> {
  return retryIfPortTaken(async () => {
    const [uat, production, console, ops] = [await freePort(), await freePort(), await freePort(), await freePort()];
    const url = postgres.urlThrough(postgres.port, db.name);
    const api = await ApiProcess.start({
      ...testEnvironment(url, simulator.url, [uat!, production!, console!]),
      HEALTH_ON_HOSTS: 'false',
      OPS_PORT: String(ops),
      ...settings,
    });
    running.push(api);
    return { api, ports: { uat, production, console, ops } };
  });
}

/** Names of its ports that accept connections. */
const openPorts = async ({ ports }: Part): Promise<string[]> => {
  const open = [];
  for (const [name, port] of Object.entries(ports)) if (!(await isRefused(port))) open.push(name);
  return open;
};

async function recharge(port: number, input: Recharge): Promise<{ status: number; body: any }> {
  const { path, token, body } = restRecharge(input);
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}
const stateOf = async (key: string): Promise<string | undefined> =>
  (await db.query<{ state: string }>('select state from orders where client_key = $1', [key]))[0]?.state;

describe('a process that runs part of the service', () => {
  it('serves only its hosts; orders that it leaves open are completed by a process without hosts', async () => {
    const web = await part({ ...IMPATIENT, HOSTS: 'production', WORKERS: 'none' });
    expect(await openPorts(web)).toEqual(['production', 'ops']);
    const leftOpen = { account: accounts[0]!, mobile: scriptedMobile('0002', 1), key: 'left-open' };
    expect((await recharge(web.ports.production, leftOpen)).body.status).toBe('pending');
    // overdue, because no process checks the status
    await until('it is due', async () => {
      const rows = await db.query('select from order_due where provider = $1 and due_at < now()', ['ROUNDPAY']);
      return rows.length === 1;
    });
    expect(await stateOf(leftOpen.key)).toBe('open');

    const worker = await part({ ...IMPATIENT, HOSTS: 'none', WORKERS: 'sweeper' });
    expect(await openPorts(worker)).toEqual(['ops']);
    expect((await fetch(`http://127.0.0.1:${worker.ports.ops}/readyz`)).status).toBe(200);
    await until('it has a final status', async () => (await stateOf(leftOpen.key)) === 'success');
    expect((await recharge(web.ports.production, leftOpen)).body.status).toBe('success');
    expect(await worker.api.terminate()).toBe(0);
    expect([...web.api.complaints, ...worker.api.complaints]).toEqual([]);
  });

  it('can run only UAT without any provider settings: it serves test funds and nothing of Production', async () => {
    const withoutProviders = Object.fromEntries(
      Object.keys(testEnvironment('postgresql://db/x', simulator.url, [])).flatMap((name) =>
        name.startsWith('PROVIDER_') && name !== 'PROVIDER_TIMEOUT_MS' ? [[name, '']] : [],
      ),
    );
    const uat = await part({ ...withoutProviders, HOSTS: 'uat', WORKERS: 'none' });
    expect(await openPorts(uat)).toEqual(['uat', 'ops']);
    const calls = (await simulator.calls()).length;
    const { developerId } = accounts[0]!;
    const token = randomToken('at_uat_');
    const { hash, expiresAt, mac } = accessTokenRow(token, { developerId, environment: 'uat', clientId: 'cid_uat_x' });
    await db.query(
      `with made as (insert into credential (client_id, developer_id, environment, secret_hash, secret_last4)
         values ('cid_uat_x', $1, 'uat', sha256('none'), 'none') returning client_id),
       opened as (insert into wallet (developer_id, environment) values ($1, 'uat') on conflict do nothing)
       insert into access_token (token_hash, developer_id, environment, client_id, expires_at, latest_expiry, mac)
         select $2, $1, 'uat', client_id, $4::timestamptz, $4::timestamptz, $3 from made`,
      [developerId, hash, mac, expiresAt],
    );
    const wallet = await fetch(`http://127.0.0.1:${uat.ports.uat}/api/v1/wallet/balance`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(wallet.status).toBe(200);
    const { status, body } = await recharge(uat.ports.uat, {
      account: accounts[0]!,
      mobile: plainMobile(1),
      key: 'live-on-uat',
    });
    expect([status, body.code]).toEqual([401, 'WRONG_HOST']);
    expect(await stateOf('live-on-uat')).toBeUndefined();
    expect((await simulator.calls()).length).toBe(calls);
  });

  it('does not start if it sends orders and has no provider', async () => {
    const env = testEnvironment(postgres.urlThrough(postgres.port, db.name), simulator.url, [0, 0, 0]);
    for (const name of Object.keys(env)) if (/^PROVIDER_.*_URL$/.test(name)) env[name] = '';
    const { code, stderr } = await runProgram('main.js', { ...env, HOSTS: 'uat' }, ['--hosts', 'production']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('PROVIDER_BANKSATHI_URL: at least one is required')]);
  });

  it('does not start with an invalid flag, and prints the valid values', async () => {
    const { code, stderr } = await runProgram('main.js', {}, ['--workers', 'mails']);
    expect([code, stderr]).toEqual([
      1,
      '--workers: must be all, none, or of sweeper, webhooks, email, housekeeping, anchors, separated by commas\n',
    ]);
  });
});

describe('a provider with a limit of concurrent calls', () => {
  const LIMIT = 5;

  it('gets at most this number from all processes together, also when processes start and stop', async () => {
    const settings = {
      HOSTS: 'production',
      WORKERS: 'sweeper',
      PROVIDER_CONCURRENCY: `roundpay:${LIMIT}`,
      PROVIDER_TIMEOUT_MS: '20s',
      SYNC_WINDOW_MS: '21s',
      VISIBILITY_DELAY_MS: '40s',
      RATE_LIMIT_PER_MINUTE: '10000',
    };
    const first = await part(settings);
    await simulator.latency('roundpay', 100);
    let n = 0;
    const codes: string[] = [];
    const crowd = (port: number, size: number): Promise<unknown> =>
      Promise.all(
        Array.from({ length: size }, async () => {
          const key = `crowd-${++n}`;
          const input = { account: accounts[n % 2]!, mobile: plainMobile(100 + n), key };
          codes.push((await recharge(port, input)).body.status);
        }),
      );
    const most = async (): Promise<number> =>
      (await simulator.overlaps()).find(({ provider }) => provider === 'roundpay')!.most;
    await crowd(first.ports.production, 15);
    // a single process can use the whole limit
    expect(await most()).toBe(LIMIT);

    const [second] = await Promise.all([part(settings), crowd(first.ports.production, 20)]);
    await Promise.all([crowd(first.ports.production, 15), crowd(second.ports.production, 15)]);
    expect(await most()).toBe(LIMIT);
    expect(await second.api.terminate()).toBe(0);
    await crowd(first.ports.production, 10);
    expect(await most()).toBe(LIMIT);
    expect(new Set(codes)).toEqual(new Set(['success']));
  });
});
