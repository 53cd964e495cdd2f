import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { DemoFile } from '../../src/dev/demo-file.js';
import { freePort } from '../support/ports.js';

export type DemoPorts = Record<'UAT_PORT' | 'PRODUCTION_PORT' | 'CONSOLE_PORT' | 'SIMULATOR_PORT', string>;

export interface Demo {
  process: ChildProcess;
  output: () => string;
  readyMs: number;
  ended: Promise<{ code: number | null; signal: string | null }>;
}

export async function freeDemoPorts(): Promise<DemoPorts> {
  const [uat, production, admin, simulator] = [await freePort(), await freePort(), await freePort(), await freePort()];
  return {
    UAT_PORT: String(uat),
    PRODUCTION_PORT: String(production),
    CONSOLE_PORT: String(admin),
    SIMULATOR_PORT: String(simulator),
  };
}

/** Runs in a directory what `npm start` runs after the build. Resolves when the demo is ready or has exited. */
export async function startDemo(home: string, settings: Record<string, string>, checkout = '.'): Promise<Demo> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['--enable-source-maps', path.resolve(checkout, 'dist/dev/start.js')], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...settings },
  });
  let output = '';
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.once('close', (code, signal) => resolve({ code, signal })),
  );
  await new Promise<void>((resolve) => {
    const collect = (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('Press Ctrl-C')) resolve();
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    void ended.then(() => resolve());
  });
  return { process: child, output: () => output, readyMs: performance.now() - startedAt, ended };
}

export const stopDemo = async (demo: Demo, signal: NodeJS.Signals) => {
  demo.process.kill(signal);
  return demo.ended;
};

/** Path of the file with the accounts of a demo. */
export const demoFileIn = (dataDir: string) =>
  JSON.parse(readFileSync(path.join(dataDir, 'demo.json'), 'utf8')) as DemoFile;

export async function tokenOf(
  keys: { baseUrl: string; clientId: string; apiSecret: string },
  environment: string,
): Promise<string> {
  const response = await fetch(`${keys.baseUrl}/api/v1/auth/client-credentials`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_id: keys.clientId, api_secret: keys.apiSecret, environment }),
  });
  return ((await response.json()) as { token: string }).token;
}
