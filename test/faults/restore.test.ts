import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type App, createApp } from '../../src/app.js';
import { loadConfig } from '../../src/config.js';
import { indianTime } from '../../src/core/clock.js';
import { createLogger } from '../../src/core/log.js';
import { RECHARGE, RECHARGE_STATUS, rechargeOf } from '../orders/order.fixture.js';
import { startTestApp, type TestApp, type TestDeveloper, testEnvironment } from '../support/app.js';
import { freePort } from '../support/ports.js';
import { runProgram } from '../support/program.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

let test: TestApp;
let developer: TestDeveloper;
let backup: string;
const running = new Set<App>();
beforeAll(async () => {
  test = await startTestApp();
  running.add(test.app);
  developer = await test.developer();
});
afterAll(async () => {
  for (const app of running) await app.close();
  await test.simulator.stop();
  await asAdmin(`drop database if exists ${nameOf(backup)} with (force)`);
  await test.db.drop();
});

const nameOf = (url: string): string => new URL(url).pathname.slice(1);
async function asAdmin(sql: string): Promise<void> {
  const client = new Client({ connectionString: new URL('/postgres', test.db.url).href });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

async function stop(...apps: App[]): Promise<void> {
  for (const app of apps) {
    running.delete(app);
    await app.close();
  }
}

/** A process on a database, the same providers and the same secrets; its calls go to ports of its own. */
async function serve(database: string, settings: Record<string, string> = {}) {
  const ports = [await freePort(), await freePort(), await freePort()];
  const app = await createApp(
    loadConfig({ ...testEnvironment(database, test.simulator.url, ports), ...settings }),
    createLogger('silent'),
  );
  await app.listen();
  running.add(app);
  const call = async (method: string, where: string, body?: object) => {
    const response = await fetch(`${app.config.publicUrls.production}${where}`, {
      method,
      headers: { authorization: `Bearer ${developer.tokens.production}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as any };
  };
  const recharge = (key: string, account: string) =>
    call('POST', RECHARGE, rechargeOf({ client_request_id: key, account_number: account }));
  return { app, call, recharge };
}

it('a restored backup is served on hold until it agrees with the provider, and performs nothing twice', async () => {
  const primary = await serve(test.db.url);
  const kept = await primary.recharge('kept', '9811100001');
  expect(kept.body.status).toBe('success');

  // the backup: a copy, which wants nobody connected
  await stop(test.app, primary.app);
  backup = new URL(`/${nameOf(test.db.url)}_backup`, test.db.url).href;
  await asAdmin(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${nameOf(test.db.url)}' and pid <> pg_backend_pid()`,
  );
  await asAdmin(`create database ${nameOf(backup)} template ${nameOf(test.db.url)}`);

  const later = await serve(test.db.url);
  const lost = await later.recharge('lost', '9811100002');
  expect(lost.body.status).toBe('success');
  await stop(later.app);

  const held = await serve(backup, { HOLD_ORDERS: 'true' });
  expect((await held.call('GET', '/readyz')).body).toEqual({
    status: 'ready',
    detail: 'Orders are held: questions are answered, nothing is placed.',
  });
  const refused = await held.recharge('lost', '9811100002');
  expect([refused.status, refused.body.status, refused.body.code]).toEqual([503, 'error', 'DEPENDENCY_DOWN']);
  expect(refused.headers.get('retry-after')).toBe('60');
  // what is known is answered
  const { api_request_id } = kept.body.data;
  expect((await held.recharge('kept', '9811100001')).body.data).toEqual(kept.body.data);
  const status = await held.call('GET', `${RECHARGE_STATUS}?api_request_id=${api_request_id}`);
  expect([status.status, status.body.data.api_request_id]).toEqual([200, api_request_id]);

  const statement = path.join(temporaryDirectory(), 'book.jsonl');
  const compare = async () => {
    const lines = (await test.simulator.book()).map((line) => JSON.stringify(line));
    writeFileSync(statement, lines.join('\n'));
    const today = indianTime(new Date()).slice(0, 10);
    const { code, stdout } = await runProgram(
      'cli/reconcile.js',
      testEnvironment(backup, test.simulator.url, [0, 0, 0]),
      ['--provider', 'ROUNDPAY', '--statement', statement, '--from', today, '--to', today, '--json'],
    );
    return [code, JSON.parse(stdout).differences.map(({ kind, theirs }: any) => [kind, theirs.reference])];
  };
  expect(await compare()).toEqual([1, [['missing_at_ours', lost.body.data.api_request_id]]]);
  await stop(held.app);

  const opened = await serve(backup);
  const repeated = await opened.recharge('lost', '9811100002');
  const { created_at: _first, ...answer } = lost.body.data;
  expect([repeated.status, repeated.body.data]).toEqual([200, expect.objectContaining(answer)]);
  expect(await test.simulator.book()).toHaveLength(2);
  expect(await compare()).toEqual([0, []]);
  expect(await opened.app.ledger.check()).toEqual([]);
});
