import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, createAccounts } from '../faults/support/accounts.js';
import { ApiProcess } from '../faults/support/api-process.js';
import { newRecharge, restRecharge } from '../faults/support/recharges.js';
import type { Call } from '../faults/support/station.js';
import { testEnvironment } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { freePort } from '../support/ports.js';
import { startTestSimulator, type TestSimulator } from '../support/simulator.js';
import { until } from '../support/until.js';
import { isSetting } from './deployment-files.fixture.js';
import { type Ports, Proxy, type ProxyResponse, publicUrls } from './proxy.fixture.js';
import { missingPrograms } from './tools.fixture.js';

/** Time for which a stopping process continues to serve. The proxy needs two seconds to notice it. */
const SHUTDOWN_DELAY_MS = 4_000;
const RECHARGES_PER_SECOND = 50;

describe.skipIf(missingPrograms('the proxy', 'haproxy', 'openssl').length > 0)(
  'two processes behind ops/haproxy.cfg',
  () => {
    let db: TestDatabase;
    let simulator: TestSimulator;
    let accounts: readonly Account[];
    let proxy: Proxy;
    const environments: Record<string, string>[] = [];
    const processes: ApiProcess[] = [];
    const complaints: string[] = [];

    beforeAll(async () => {
      [db, simulator] = await Promise.all([createTestDatabase(), startTestSimulator()]);
      accounts = await createAccounts(db, 4);
      const httpsPort = await freePort();
      const urls = publicUrls(httpsPort);
      const ports: Ports[] = [];
      for (let n = 0; n < 2; n++) {
        const own = {
          UAT: await freePort(),
          PRODUCTION: await freePort(),
          CONSOLE: await freePort(),
          OPS: await freePort(),
        };
        ports.push(own);
        environments.push({
          ...testEnvironment(db.url, simulator.url, [own.UAT, own.PRODUCTION, own.CONSOLE]),
          OPS_PORT: String(own.OPS),
          HEALTH_ON_HOSTS: 'false',
          TRUST_PROXY: '1',
          PUBLIC_URL_UAT: urls.uat,
          PUBLIC_URL_PRODUCTION: urls.production,
          PUBLIC_URL_CONSOLE: urls.console,
          SHUTDOWN_DELAY_MS: String(SHUTDOWN_DELAY_MS),
          LOG_LEVEL: 'info',
        });
      }
      processes.push(...(await Promise.all(environments.map((env) => ApiProcess.start(env)))));
      proxy = await Proxy.start(httpsPort, [ports[0]!, ports[1]!]);
      await until('the proxy has found both', async () => (await readyOf(ports)).every(Boolean));
    });
    afterAll(async () => {
      await proxy?.stop();
      for (const process of processes) complaints.push(...process.complaints);
      await Promise.all(processes.map((process) => process.kill()));
      await simulator?.stop();
      await db?.drop();
      expect(complaints).toEqual([]);
    });

    const readyOf = (ports: readonly Ports[]): Promise<boolean[]> =>
      Promise.all(ports.map(async ({ OPS }) => (await fetch(`http://127.0.0.1:${OPS}/readyz`)).ok));

    let sent = 0;
    const nextRecharge = (): Call => restRecharge(newRecharge(accounts[sent++ % accounts.length]!));
    const recharge = ({ path, token, body } = nextRecharge()): Promise<ProxyResponse> =>
      proxy.call('production', path, { body: body!, headers: { authorization: `Bearer ${token}` } });
    const outcomeOf = (call: Call): Promise<string> =>
      recharge(call).then(({ status, body }) => `${status} ${body.status ?? body}`, String);

    it('both process recharges over TLS', async () => {
      const responses = await Promise.all(Array.from({ length: 20 }, () => recharge()));
      expect(responses.map(({ status, body }) => [status, body.status])).toEqual(responses.map(() => [200, 'success']));
      await until('all are logged', () => proxy.requests.length === 20);
      expect(new Set(proxy.requests.map(({ server }) => server))).toEqual(new Set(['one', 'two']));
      expect(proxy.requests.map(({ request }) => request).toSorted()).toEqual(
        responses.map(({ headers }) => headers.get('x-request-id')).toSorted(),
      );
    });

    it('ignore an X-Forwarded-For of the client, so that guessing passwords ends with 429', async () => {
      const statuses = [];
      for (let n = 0; n < 14; n++) {
        const { status } = await proxy.call('uat', '/api/v1/auth/client-credentials', {
          body: { client_id: 'cid_uat_nobody', api_secret: 'wrong', environment: 'uat' },
          headers: { 'x-forwarded-for': `10.1.2.${n}`, forwarded: `for=10.1.3.${n}` },
        });
        statuses.push(status);
      }
      expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), ...Array.from({ length: 4 }, () => 429)]);
    });

    it('hide the ops listener and unknown hosts', async () => {
      for (const host of ['uat', 'production', 'console'] as const) {
        for (const path of ['/metrics', '/readyz', '/version'])
          expect([host, path, (await proxy.call(host, path)).status]).toEqual([host, path, 404]);
        expect((await proxy.call(host, '/livez')).status).toBe(200);
      }
      expect(await proxy.statusFor('other.test')).toBe(421);
    });

    it('keep the query of a callback, which may contain its secret, out of the log', async () => {
      await proxy.call('production', '/callbacks/roundpay?secret=a-secret-of-a-provider&agentid=nothing');
      await until('it is logged', () => proxy.requests.some(({ path }) => path === '/callbacks/roundpay'));
      expect(proxy.log).not.toContain('a-secret-of-a-provider');
    });

    it('reject clear text', async () => {
      const url = `http://127.0.0.1:${proxy.httpPort}/docs`;
      const page = await fetch(url, { redirect: 'manual', headers: { host: 'uat.test' } });
      expect([page.status, page.headers.get('location')?.startsWith('https://')]).toEqual([301, true]);
      expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(403);
    });

    it('serve all requests when one of them is killed', async () => {
      const processedBefore = (await simulator.book()).length;
      await processes[0]!.kill();
      complaints.push(...processes[0]!.complaints);
      const responses = await Promise.all(Array.from({ length: 20 }, () => recharge()));
      // no client received an error, because requests that could not connect went to the other process
      expect(responses.map(({ status, body }) => [status, body.status])).toEqual(responses.map(() => [200, 'success']));
      expect((await simulator.book()).length - processedBefore).toBe(20);
      processes[0] = await ApiProcess.start(environments[0]!);
    });

    it('lose no recharge when they are restarted one after the other', async () => {
      const booked = (await simulator.book()).length;
      const calls: Promise<{ call: Call; outcome: string }>[] = [];
      let isRolling = true;
      const load = (async () => {
        while (isRolling) {
          const call = nextRecharge();
          calls.push(outcomeOf(call).then((outcome) => ({ call, outcome })));
          await sleep(1_000 / RECHARGES_PER_SECOND);
        }
      })();
      for (const [n, env] of environments.entries()) {
        await sleep(2_000);
        expect(await processes[n]!.terminate(30_000)).toBe(0);
        complaints.push(...processes[n]!.complaints);
        processes[n] = await ApiProcess.start(env);
        const requestsBefore = proxy.requests.length;
        const name = ['one', 'two'][n];
        await until('it serves again', () =>
          proxy.requests.slice(requestsBefore).some(({ server }) => server === name),
        );
      }
      await sleep(2_000);
      isRolling = false;
      await load;
      const results = await Promise.all(calls);
      const lost = results.filter(({ outcome }) => outcome !== '200 success');
      console.log(`Rolling restart: ${results.length} recharges, ${lost.length} without an answer at first.`);
      // a process that continues to serve until the proxy notices its stop loses none
      if (isSetting('SHUTDOWN_DELAY_MS')) expect(lost.map(({ outcome }) => outcome)).toEqual([]);
      // a retry with the same idempotency key gets the outcome, and nothing is sent twice
      for (const { call } of lost) expect(await outcomeOf(call)).toBe('200 success');
      expect((await simulator.book()).length - booked).toBe(results.length);
    });
  },
);

describe.skipIf(missingPrograms('nginx in front', 'nginx', 'openssl').length > 0)(
  'two processes behind ops/nginx.conf',
  () => {
    it('are restarted one after the other: a retry gets its outcome, and nothing is processed twice', async () => {
      const [db, simulator] = await Promise.all([createTestDatabase(), startTestSimulator()]);
      const accounts = await createAccounts(db, 4);
      const httpsPort = await freePort();
      const urls = publicUrls(httpsPort);
      const ports: Ports[] = [];
      const environments: Record<string, string>[] = [];
      for (let n = 0; n < 2; n++) {
        const [UAT, PRODUCTION, CONSOLE, OPS] = [
          await freePort(),
          await freePort(),
          await freePort(),
          await freePort(),
        ];
        ports.push({ UAT, PRODUCTION, CONSOLE, OPS });
        environments.push({
          ...testEnvironment(db.url, simulator.url, [UAT, PRODUCTION, CONSOLE]),
          TRUST_PROXY: '1',
          PUBLIC_URL_UAT: urls.uat,
          PUBLIC_URL_PRODUCTION: urls.production,
          PUBLIC_URL_CONSOLE: urls.console,
          SHUTDOWN_DELAY_MS: '1000',
        });
      }
      const processes = await Promise.all(environments.map((env) => ApiProcess.start(env)));
      const proxy = await Proxy.startNginx(httpsPort, [ports[0]!, ports[1]!]);
      try {
        const place = ({ path, token, body }: Call): Promise<string> =>
          proxy
            .call('production', path, { body: body!, headers: { authorization: `Bearer ${token}` } })
            .then(({ status, body: response }) => `${status} ${response.status}`, String);
        const calls: Promise<{ call: Call; outcome: string }>[] = [];
        let isRolling = true;
        const load = (async () => {
          while (isRolling) {
            const call = restRecharge(newRecharge(accounts[calls.length % accounts.length]!));
            calls.push(place(call).then((outcome) => ({ call, outcome })));
            await sleep(1_000 / RECHARGES_PER_SECOND);
          }
        })();
        for (const [n, env] of environments.entries()) {
          await sleep(1_000);
          expect(await processes[n]!.terminate(30_000)).toBe(0);
          await sleep(1_000);
          processes[n] = await ApiProcess.start(env);
        }
        isRolling = false;
        await load;
        const results = await Promise.all(calls);
        const lost = results.filter(({ outcome }) => outcome !== '200 success');
        console.log(`nginx, rolling restart: ${results.length} recharges, ${lost.length} without an answer at first.`);
        for (const { call } of lost) expect(await place(call)).toBe('200 success');
        expect((await simulator.book()).length).toBe(results.length);
      } finally {
        await proxy.stop();
        await Promise.all(processes.map((process) => process.kill()));
        await simulator.stop();
        await db.drop();
      }
    });
  },
);
