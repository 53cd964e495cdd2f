import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSimulatorProcess } from '../../src/dev/simulator-process.js';
import { startTestSimulator, type TestSimulator } from '../support/simulator.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { until } from '../support/until.js';
import { killHard } from './local-postgres.fixture.js';

const HOST = '127.0.0.1';
const isUp = (url: string): Promise<boolean> =>
  fetch(`${url}/_/book`).then(
    (response) => response.ok,
    () => false,
  );

describe('the simulator of a test', () => {
  let simulator: TestSimulator;

  beforeAll(async () => {
    simulator = await startTestSimulator();
  });
  afterAll(() => simulator.stop());

  const recharge = (reference: string, account: string): Promise<Response> => {
    const query = {
      UserID: 'DEMO-RP-1001',
      Token: 'demo-roundpay-token',
      Account: account,
      Amount: '10',
      SPKey: '3',
      APIRequestID: reference,
      Format: '1',
    };
    return fetch(`${simulator.url}/roundpay/API/TransactionAPI?${new URLSearchParams(query)}`);
  };

  it('returns the payments and calls that it received, and clears them on reset', async () => {
    expect((await recharge('R1', '9000000001')).status).toBe(200);
    expect(await simulator.book()).toMatchObject([
      { provider: 'roundpay', reference: 'R1', account: '9000000001', amount: 1000, outcome: 'succeeded' },
    ]);
    expect(await simulator.calls()).toMatchObject([{ provider: 'roundpay', path: '/roundpay/API/TransactionAPI' }]);
    await simulator.reset();
    expect(await simulator.book()).toEqual([]);
    expect(await simulator.calls()).toEqual([]);
  });

  it('keeps its records, port and address after a crash', async () => {
    await recharge('R2', '9000000002');
    const book = await simulator.book();
    expect(book).toHaveLength(1);
    await simulator.crashAndRestart();
    expect(await simulator.book()).toEqual(book);
  });

  it('can be unavailable, slow, or return another outcome', async () => {
    await simulator.outage('roundpay', true);
    expect((await recharge('R3', '9000000003')).status).toBe(503);
    await simulator.outage('roundpay', false);

    await simulator.latency('roundpay', 120);
    const start = performance.now();
    await recharge('R4', '9000000004');
    expect(performance.now() - start).toBeGreaterThan(115);
    await simulator.latency('roundpay', 0);

    await simulator.outcome('7777', 'declined');
    expect(await (await recharge('R5', '9000547777')).json()).toMatchObject({ STATUS: '3' });
  });

  it('reports errors in a command', async () => {
    await expect(simulator.outcome('7777', 'explode')).rejects.toThrow(/returned 400 .*outcome must be one of/);
  });
});

describe('the simulator process', () => {
  it('ends on stop, also if stop is called twice', async () => {
    const simulator = await startSimulatorProcess({ host: HOST, port: 0, dataDir: temporaryDirectory() });
    expect(simulator.url).toBe(`http://${HOST}:${simulator.port}`);
    expect(await isUp(simulator.url)).toBe(true);
    await Promise.all([simulator.stop(), simulator.stop()]);
    expect(await isUp(simulator.url)).toBe(false);
  });

  it('passes on the message about a port in use', async () => {
    const simulator = await startSimulatorProcess({ host: HOST, port: 0, dataDir: temporaryDirectory() });
    const second = startSimulatorProcess({ host: HOST, port: simulator.port, dataDir: temporaryDirectory() });
    await expect(second).rejects.toThrow(
      new RegExp(
        `^Port ${simulator.port} on ${HOST} is in use by another program\\. Stop that program, or set SIMULATOR_PORT to a free port\\.$`,
      ),
    );
    await simulator.stop();
  });

  it('ends when its parent is killed', async () => {
    const program = fileURLToPath(new URL('start-simulator-and-wait.mjs', import.meta.url));
    const parent = fork(program, [JSON.stringify({ host: HOST, port: 0, dataDir: temporaryDirectory() })], {
      execArgv: [],
    });
    const [{ port }] = (await once(parent, 'message')) as [{ port: number }];
    const url = `http://${HOST}:${port}`;
    expect(await isUp(url)).toBe(true);
    await killHard(parent);
    await until('the simulator has exited', async () => !(await isUp(url)));
  });
});
