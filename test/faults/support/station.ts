import { setTimeout as sleep } from 'node:timers/promises';
import { testEnvironment } from '../../support/app.js';
import { freePort } from '../../support/ports.js';
import { ApiProcess, type Watch } from './api-process.js';
import { DatabaseLink } from './database-link.js';
import type { Postgres } from './own-postgres.js';
import { ProviderLink } from './provider-link.js';

/** Response of an API process, or the reason that there is none. */
export interface Reply {
  status: number;
  headers: Headers;
  body: any;
}
export interface Call {
  method: 'GET' | 'POST';
  path: string;
  token: string;
  body?: object;
}

const RESPONSE_LIMIT_MS = 120_000;

/** A free port can be taken by an outgoing connection of another process a moment later. */
export async function retryIfPortTaken<T>(start: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start();
    } catch (error) {
      if (attempt === 20 || !/EADDRINUSE|is in use by another/.test(String(error))) throw error;
      await sleep(100);
    }
  }
}

/** Ports and links of one API process. The process can be replaced. */
export class Station {
  readonly database: DatabaseLink;
  readonly provider: ProviderLink;
  readonly env: Record<string, string>;
  readonly baseUrl: string;
  api: ApiProcess;
  readonly #complaints: string[] = [];

  private constructor(parts: Pick<Station, 'database' | 'provider' | 'env' | 'baseUrl'>, api: ApiProcess) {
    this.database = parts.database;
    this.provider = parts.provider;
    this.env = parts.env;
    this.baseUrl = parts.baseUrl;
    this.api = api;
  }

  static async open(
    postgres: Postgres,
    databaseName: string,
    simulatorPort: number,
    settings: Readonly<Record<string, string>>,
  ): Promise<Station> {
    const database = await new DatabaseLink(() => postgres.port).open();
    const provider = await new ProviderLink(() => simulatorPort).open();
    const make = async (): Promise<Station> => {
      const ports = [await freePort(), await freePort(), await freePort()];
      const env = {
        ...testEnvironment(
          postgres.urlThrough(database.port, databaseName),
          `http://127.0.0.1:${provider.port}`,
          ports,
        ),
        SHARED_LIMITS: 'database',
        LOG_LEVEL: 'error',
        ...settings,
      };
      const baseUrl = `http://127.0.0.1:${ports[1]}`;
      return new Station({ database, provider, env, baseUrl }, await ApiProcess.start(env));
    };
    return retryIfPortTaken(make);
  }

  /** Starts a process after the last one has exited; `more` settings apply only to this process. */
  async restart(watch?: Watch, more: Readonly<Record<string, string>> = {}): Promise<void> {
    this.#complaints.push(...this.api.complaints);
    this.api = await retryIfPortTaken(() => ApiProcess.start({ ...this.env, ...more }, watch));
  }

  /** Forbidden output of its processes so far. */
  get complaints(): string[] {
    return [...this.#complaints, ...this.api.complaints];
  }

  /** Sends one request to the production host; undefined if the connection was lost before a response. */
  async call({ method, path, token, body }: Call): Promise<Reply | undefined> {
    try {
      const response = await fetch(`${this.baseUrl}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
        signal: AbortSignal.timeout(RESPONSE_LIMIT_MS),
      });
      return { status: response.status, headers: response.headers, body: await response.json() };
    } catch {
      return undefined;
    }
  }

  async close(): Promise<void> {
    if (this.api.isUp) await this.api.kill();
    await Promise.all([this.database.close(), this.provider.cut()]);
  }
}
