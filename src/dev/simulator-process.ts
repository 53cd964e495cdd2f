import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../core/package-root.js';

/** The simulator always runs compiled, also when this runs from the sources. */
const PROGRAM = fileURLToPath(new URL('dist/simulator/main.js', packageRoot));
const READY_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 5_000;

export interface SimulatorProcessOptions {
  host: string;
  /** 0 takes any free port. */
  port: number;
  /** The book lives below it and survives the process. */
  dataDir: string;
  /** The simulator's other settings. It is given nothing of our own environment: our secrets are not the providers'. */
  env?: Readonly<Record<string, string>>;
}

export interface SimulatorProcess {
  port: number;
  /** Base URL for programs on this machine, without a slash at its end. */
  url: string;
  /** Asks it to end and waits; by force after 5 s. Safe to repeat. */
  stop(): Promise<void>;
  /** Ends it as a power cut would (SIGKILL) and waits. */
  kill(): Promise<void>;
}

/**
 * Starts the provider simulator as a process of its own, which ends with this one. Resolves when it listens; rejects with the
 * sentence that it wrote to stderr when it cannot start, e.g. because its port is taken.
 */
export async function startSimulatorProcess(options: SimulatorProcessOptions): Promise<SimulatorProcess> {
  if (!existsSync(PROGRAM)) throw new Error('The simulator is not compiled: run "npm run build" first.');
  const { host, port: wanted, dataDir, env } = options;
  const child = fork(PROGRAM, [], {
    env: { ...env, HOST: host, SIMULATOR_PORT: String(wanted), DATA_DIR: dataDir },
    execArgv: ['--enable-source-maps'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.on('error', () => child.pid === undefined && resolve()); // it could not be started at all
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

/** The port that it listens on. */
function untilReady(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let complaint = '';
    const collect = (chunk: Buffer): void => {
      complaint += chunk.toString();
    };
    const limit = setTimeout(
      () => settle(() => reject(new Error('The simulator does not become ready.'))),
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
    // "close" and not "exit": only then everything that was written to stderr has arrived.
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
