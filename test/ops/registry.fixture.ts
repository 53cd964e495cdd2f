import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach } from 'vitest';
import { temporaryDirectory } from '../support/temporary-directory.js';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A registry on this machine. Returns its host and port. */
export async function registry(response: RequestListener): Promise<string> {
  const server = createServer(response);
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Runs a script of `ops` to its end. */
export function run(script: string, args: string[], env: NodeJS.ProcessEnv = {}) {
  return new Promise<{ code: number; output: string }>((resolve) => {
    execFile(process.execPath, [script, ...args], { env: { ...process.env, ...env } }, (error, stdout, stderr) =>
      resolve({ code: (error?.code as number | undefined) ?? 0, output: stdout + stderr }),
    );
  });
}

let directories = 0;
export function directory(): string {
  const created = path.join(temporaryDirectory(), `registry-${++directories}`);
  mkdirSync(created, { recursive: true });
  return created;
}
