import { accessSync, constants, mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { listenProblem } from '../core/listen-problem.js';

/** Creates the directory of DATA_DIR. If this fails, the error is one sentence with the setting. */
export function makeDataDir(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true });
    accessSync(directory, constants.W_OK);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const problem = ['EEXIST', 'ENOTDIR'].includes(code!) ? 'is not a directory' : `cannot be written to (${code})`;
    throw new Error(`${directory} ${problem}. Set DATA_DIR to a directory that this user can write to.`, { cause });
  }
}

export interface PortSetting {
  setting: string;
  host: string;
  port: number;
}

/**
 * Checks that the ports are free. The error is one sentence with the setting of the first port that cannot be opened or is used
 * twice.
 */
export async function requireFreePorts(ports: readonly PortSetting[]): Promise<void> {
  const servers = ports.map(() => createServer());
  try {
    for (const [index, { setting, host, port }] of ports.entries())
      await new Promise<void>((resolve, reject) => {
        servers[index]!.once('error', (error) => reject(listenProblem(error, host, port, setting)));
        servers[index]!.listen({ host, port, exclusive: true }, resolve);
      });
  } finally {
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }
}

const EVERY_ADDRESS = new Set(['0.0.0.0', '::', '[::]']);

/**
 * Returns the host name for links to a server on `host`. If it listens on all addresses, this is the first network address,
 * which other machines can use.
 */
export function reachableName(host: string): string {
  if (!EVERY_ADDRESS.has(host)) return host;
  const addresses = Object.values(networkInterfaces()).flat();
  return addresses.find((candidate) => candidate?.family === 'IPv4' && !candidate.internal)?.address ?? 'localhost';
}
