import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { indianTime } from '../../src/core/clock.js';
import { demoCredentials } from '../../src/simulator/credentials.js';
import { type Simulator, type SimulatorOptions, startSimulator } from '../../src/simulator/server.js';

export type Json = Record<string, unknown>;

export interface SimulatorResponse {
  status: number;
  text: string;
  body: Json;
}

/** A simulator with its own directory; `close` removes both. */
export async function freshSimulator(options: Partial<SimulatorOptions> = {}) {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'simulator-')));
  const start = (): Promise<Simulator> => startSimulator({ host: '127.0.0.1', port: 0, ...options, dataDir });
  let running = await start();
  return {
    dataDir,
    get url(): string {
      return running.url;
    },
    restart: async (): Promise<void> => {
      await running.close();
      running = await start();
    },
    close: async (): Promise<void> => {
      await running.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export async function send(url: string, init?: RequestInit): Promise<SimulatorResponse> {
  const response = await fetch(url, init);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return { status: response.status, text, body: isJson ? parsed(text) : {} };
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return {}; // truncated on purpose, or JSON Lines; tests check the text
  }
}

/** How a request without a response ended: no response before the timeout, or connection reset by the simulator. */
export async function silenceOf(url: string, init: RequestInit = {}, patienceMs = 400): Promise<'held' | 'reset'> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(patienceMs) });
    throw new Error(`unexpected response: HTTP ${response.status}`);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError') return 'held';
    if (error instanceof TypeError && codeOf(error.cause) === 'ECONNRESET') return 'reset';
    throw error;
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

export const query = (fields: Record<string, string>): string => new URLSearchParams(fields).toString();

export const postJson = (body: object, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

export async function rowsOf(url: string): Promise<Json[]> {
  const { text } = await send(url);
  return text.split('\n').flatMap((line) => (line ? [JSON.parse(line) as Json] : []));
}

const { userId, token } = demoCredentials.roundpay;

export const roundpayTransactionUrl = (base: string, fields: Record<string, string>): string =>
  `${base}/roundpay/API/TransactionAPI?${query({ UserID: userId, Token: token, Amount: '199', SPKey: '3', Format: '1', ...fields })}`;

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
/** Current date in IST in RoundPay's format, or a number of days later. */
export function fileDay(daysLater = 0): string {
  const [year, month, day] = indianTime(new Date(Date.now() + daysLater * 86_400_000))
    .slice(0, 10)
    .split('-');
  return `${day} ${months[Number(month) - 1]} ${year}`;
}

export const roundpayStatusUrl = (base: string, fields: Record<string, string>): string =>
  `${base}/roundpay/API/StatusCheck?${query({ UserID: userId, Token: token, RPID: '', Optional1: fileDay(), Format: '1', ...fields })}`;

let references = 0;
/** A new, unique reference. */
export const newReference = (): string => `T${Date.now().toString(36)}${(++references).toString(36)}`.toUpperCase();
