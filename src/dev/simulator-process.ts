import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../core/package-root.js';

/** The simulator always runs compiled, even if this process runs from the sources. */
const PROGRAM = fileURLToPath(new URL('dist/simulator/main.js', packageRoot));
const READY_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 5_000;

export interface SimulatorProcessOptions {
  host: string;
  /** Port; 0 selects any free port. */
  port: number;
  /** Directory of the book, which persists after the process has ended. */
  dataDir: string;
  /** Other settings of the simulator. It does not inherit our environment, which contains secrets. */
  env?: Readonly<Record<string, string>>;
}

export interface SimulatorProcess {
  port: number;
  /** Base URL for programs on this machine, without a trailing slash. */
  url: string;
  /** Stops the process and waits; kills it after 5 s. It is safe to repeat. */
  stop(): Promise<void>;
  /** Kills the process (SIGKILL), like a power failure, and waits. */
  kill(): Promise<void>;
}

/**
 * Starts the provider simulator as a separate process, which ends with this one. Resolves when it listens. Rejects with its
 * message on stderr if it cannot start, for example because its port is in use.
 */
export async function startSimulatorProcess(options: SimulatorProcessOptions): Promise<SimulatorProcess> {
  if (!existsSync(PROGRAM)) throw new Error('The simulator is not compiled. Run "npm run build" first.');
  const { host, port: requestedPort, dataDir, env } = options;
  const child = fork(PROGRAM, [], {
    env: { ...env, HOST: host, SIMULATOR_PORT: String(requestedPort), DATA_DIR: dataDir },
    execArgv: ['--enable-source-maps'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.on('error', () => child.pid === undefined && resolve()); // the process could not be started
  });
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  const stop = async (): Promise<void> => {
    if (child.connected) child.disconnect();
    const limit = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
    await ended.finally(() => clearTimeout(limit));
  };
  try {
    const port = await untilReady(child);
    child.stderr?.on('data', (chunk: Buffer) => process.stderr.write(chunk));
    return { port, url: urlOf(host, port), stop, kill };
  } catch (error) {
    await kill();
    throw error;
  }
}

/** Waits until the simulator listens, and resolves to its port. */
function untilReady(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let complaint = '';
    const collect = (chunk: Buffer): void => {
      complaint += chunk.toString();
    };
    const limit = setTimeout(
      () => settle(() => reject(new Error('The simulator did not become ready in time.'))),
      READY_LIMIT_MS,
    );
    const settle = (outcome: () => void): void => {
      clearTimeout(limit);
      child.stderr?.off('data', collect);
      child.removeAllListeners('close').removeAllListeners('message');
      outcome();
    };
    child.stderr?.on('data', collect);
    child.once('message', (message: { port: number }) => settle(() => resolve(message.port)));
    // "close" instead of "exit", because all of stderr has been received only then.
    child.once('close', (code) =>
      settle(() =>
        reject(new Error(complaint.trim() || `The simulator ended with exit code ${code} before it was ready.`)),
      ),
    );
    child.once('error', (error) => settle(() => reject(error)));
  });
}

function urlOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`;
}
