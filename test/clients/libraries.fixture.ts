import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import * as node from '../../clients/node/recharge-gateway.mjs';
import type { Environment } from '../../src/core/environment.js';

/** Whether PHP with curl is installed. */
export const hasPhp = spawnSync('php', ['-r', 'exit(extension_loaded("curl") ? 0 : 1);']).status === 0;

export interface LibrarySettings {
  baseUrl: string;
  clientId: string;
  apiSecret: string;
  environment: Environment;
  /** File that stores the token. */
  tokenFile?: string;
  timeoutS?: number;
  waitS?: number;
  /**
   * Called for each pause with its length in seconds; the pause ends when it resolves. By default, a second is shortened to
   * milliseconds.
   */
  onPause?: (seconds: number) => Promise<unknown>;
}

export interface Outcome {
  status: 'success' | 'failed' | 'pending';
  code: string | null;
  data: any;
  error: LibraryError | null;
}

export interface LibraryError {
  type: string;
  code: string;
  httpStatus: number;
  retryable: boolean;
  /** Seconds until the next retry. */
  retryAfter: number;
  body: any;
}

/** Result of a call: an outcome, a response body, or the thrown error. */
export type CallResult =
  | { returned: any; thrown?: undefined }
  | { returned?: undefined; thrown: Partial<LibraryError> };

/** A running client library with a common interface for Node and PHP. */
export interface RunningLibrary {
  call(name: string, ...args: unknown[]): Promise<CallResult>;
  /** Calls `recharge` or `payBill`, which never throw. */
  outcome(name: 'recharge' | 'payBill', order: object, waitS?: number, again?: boolean): Promise<Outcome>;
  /** Pauses in seconds, in order. */
  pauses: number[];
  close(): Promise<void>;
}

export interface ClientLibrary {
  name: string;
  start(settings: LibrarySettings): Promise<RunningLibrary>;
}

const MS_FOR_A_SECOND = 15;
const scaledSleep = (seconds: number): Promise<unknown> => sleep(seconds * MS_FOR_A_SECOND);

const withOutcome = (run: Pick<RunningLibrary, 'call' | 'pauses' | 'close'>): RunningLibrary => ({
  ...run,
  outcome: async (name, order, waitS, again = false) => {
    const { returned, thrown } = await run.call(name, order, waitS ?? null, again);
    if (thrown) throw new Error(`${name} threw an error: ${JSON.stringify(thrown)}`);
    return returned as Outcome;
  },
});

const nodeLibrary: ClientLibrary = {
  name: 'Node',
  start: async ({ tokenFile, timeoutS, waitS, onPause = scaledSleep, ...settings }) => {
    const pauses: number[] = [];
    const gateway = new node.RechargeGateway({
      ...settings,
      ...(tokenFile === undefined ? {} : { tokens: node.fileTokens(tokenFile) }),
      ...(timeoutS === undefined ? {} : { timeoutMs: timeoutS * 1_000 }),
      ...(waitS === undefined ? {} : { waitMs: waitS * 1_000 }),
      sleep: async (ms) => {
        pauses.push(ms / 1_000);
        await onPause(ms / 1_000);
      },
    });
    const errorOf = (error: node.GatewayError): LibraryError => ({
      ...error,
      type: error.name,
      retryAfter: error.retryAfterMs / 1_000,
    });
    const run = async (name: string, args: any[]): Promise<unknown> => {
      if (name === 'verifyWebhook') {
        const [body, headers, secrets, toleranceSeconds, now] = args;
        return node.verifyWebhook(body, headers, secrets, { toleranceSeconds, nowMs: now && now * 1_000 });
      }
      if (name === 'recharge' || name === 'payBill') {
        const [order, seconds, again] = args;
        const outcome = await gateway[name](order, { ...(seconds === null ? {} : { waitMs: seconds * 1_000 }), again });
        return { ...outcome, code: outcome.code ?? null, error: outcome.error ? errorOf(outcome.error) : null };
      }
      if (name === 'request') {
        const [method, address, fields, repeatable] = args;
        return gateway.request(method, address, fields, repeatable === undefined ? {} : { repeatable });
      }
      return (gateway as any)[name](...args);
    };
    return withOutcome({
      pauses,
      call: async (name, ...parameters) => {
        try {
          return { returned: await run(name, parameters) };
        } catch (error) {
          return {
            thrown: error instanceof node.GatewayError ? errorOf(error) : { type: (error as Error).constructor.name },
          };
        }
      },
      close: async () => {},
    });
  },
};

const phpLibrary: ClientLibrary = {
  name: 'PHP',
  start: async ({ baseUrl, clientId, apiSecret, environment, tokenFile, timeoutS, waitS, onPause = scaledSleep }) => {
    const pauses: number[] = [];
    const child = spawn('php', [path.resolve('test/clients/driver.php')], { stdio: ['pipe', 'pipe', 'inherit'] });
    const write = (message: object): void => void child.stdin.write(`${JSON.stringify(message)}\n`);
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    write({
      base_url: baseUrl,
      client_id: clientId,
      api_secret: apiSecret,
      environment,
      ...(tokenFile === undefined ? {} : { tokens: tokenFile }),
      ...(timeoutS === undefined ? {} : { timeout: timeoutS }),
      ...(waitS === undefined ? {} : { wait: waitS }),
    });
    return withOutcome({
      pauses,
      call: async (name, ...args) => {
        write({ name, arguments: args });
        for (;;) {
          const { value, done } = await lines.next();
          if (done) throw new Error('The PHP client library has exited.');
          const message = JSON.parse(value);
          if (message.pause === undefined) return message as CallResult;
          pauses.push(message.pause);
          await onPause(message.pause);
          write({ goOn: true });
        }
      },
      close: async () => {
        child.stdin.end();
        if (child.exitCode === null) await once(child, 'close');
      },
    });
  },
};

export const libraries: readonly [name: string, kit: ClientLibrary, isHere: boolean][] = [
  [nodeLibrary.name, nodeLibrary, true],
  [phpLibrary.name, phpLibrary, hasPhp],
];
