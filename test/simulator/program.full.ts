import { type ChildProcess, fork, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newReference, roundpayTransactionUrl, rowsOf, send } from './simulator.fixture.js';

const program = fileURLToPath(new URL('../../dist/simulator/main.js', import.meta.url));
if (!existsSync(program)) throw new Error('dist/simulator/main.js is missing: run "npm run build" first');

let dataDir: string;
const children: ChildProcess[] = [];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'simulator-program-'));
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await rm(dataDir, { recursive: true, force: true });
});

const environment = (settings: Record<string, string> = {}) => ({
  PATH: process.env.PATH,
  DATA_DIR: dataDir,
  SIMULATOR_PORT: '0',
  ...settings,
});

/** Runs the program with an IPC channel, like a parent process. */
async function forked() {
  const child = fork(program, { env: environment(), stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  children.push(child);
  const output = outputOf(child);
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return { child, port, url: `http://127.0.0.1:${port}`, output };
}

function plain(settings?: Record<string, string>) {
  const child = spawn(process.execPath, [program], { env: environment(settings), stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  return { child, output: outputOf(child) };
}

function outputOf(child: ChildProcess) {
  const output = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk) => (output.stdout += chunk));
  child.stderr?.on('data', (chunk) => (output.stderr += chunk));
  return output;
}

const once = (child: ChildProcess, event: 'message' | 'exit' | 'close'): Promise<unknown[]> =>
  new Promise((resolve) => child.once(event, (...values: unknown[]) => resolve(values)));

const isListening = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/_/calls`).then(
    () => true,
    () => false,
  );

describe('the simulator program', () => {
  it('keeps its book after kill -9, without output', async () => {
    const first = await forked();
    const reference = newReference();
    const url = (base: string) => roundpayTransactionUrl(base, { Account: '9876541801', APIRequestID: reference });
    const { body } = await send(url(first.url));
    first.child.kill('SIGKILL');
    await once(first.child, 'close');

    const second = await forked();
    expect((await rowsOf(`${second.url}/_/book`)).map((row) => row.reference)).toEqual([reference]);
    expect((await send(url(second.url))).body.RPID).toBe(body.RPID);
    second.child.kill('SIGTERM');
    expect(await once(second.child, 'close')).toEqual([0, null]);
    expect([first.output, second.output]).toEqual([
      { stdout: '', stderr: '' },
      { stdout: '', stderr: '' },
    ]);
  });

  it('ignores SIGINT under a parent process and exits when the IPC channel closes', async () => {
    const { child, port } = await forked();
    child.kill('SIGINT');
    expect(await isListening(port)).toBe(true);
    child.disconnect();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('leaves no orphan when its parent is killed', async () => {
    const script = `require('node:child_process').fork(${JSON.stringify(program)}).on('message', ({ port }) => console.log(port))`;
    const parent = spawn(process.execPath, ['-e', script], {
      env: environment(),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(parent);
    const port = Number(await new Promise<Buffer>((resolve) => parent.stdout.once('data', resolve)));
    expect(await isListening(port)).toBe(true);
    parent.kill('SIGKILL');
    await expect.poll(() => isListening(port)).toBe(false);
  });

  it('prints its URL and exits on SIGINT when run from a terminal, even with open sockets', async () => {
    const { child, output } = plain();
    await expect
      .poll(() => output.stdout, { timeout: 5_000 })
      .toMatch(/^Provider simulator on http:\/\/127\.0\.0\.1:\d+\n$/);
    const url = output.stdout.trim().split(' ').at(-1) ?? '';
    const held = send(roundpayTransactionUrl(url, { Account: '9876540002', APIRequestID: newReference() }));
    const cut = expect(held).rejects.toThrow('fetch failed');
    await expect.poll(() => rowsOf(`${url}/_/book`)).toHaveLength(1);
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([0, null]);
    await cut;
    expect(output.stderr).toBe('');
  });

  it('reports a port in use and an invalid setting in one sentence', async () => {
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
    const port = String((holder.address() as { port: number }).port);
    const busy = plain({ SIMULATOR_PORT: port });
    const wrong = plain({ SIMULATOR_PORT: 'four' });
    const codes = await Promise.all([once(busy.child, 'close'), once(wrong.child, 'close')]);
    holder.close();
    expect(codes).toEqual([
      [1, null],
      [1, null],
    ]);
    expect(busy.output.stderr).toBe(
      `Port ${port} on 127.0.0.1 is in use by another program. Stop that program, or set SIMULATOR_PORT to a free port.\n`,
    );
    expect(wrong.output.stderr).toBe('SIMULATOR_PORT must be a number from 0 to 65535, not "four".\n');
  });
});
