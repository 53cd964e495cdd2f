import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { readBody } from './call.js';
import type { ProviderClock } from './provider-clock.js';
import { isProviderName, providerNames } from './provider-name.js';
import type { BookLine } from './records.js';
import { echoes, type Rejections, rejectableCalls, statusCheckProviders } from './rejections.js';
import { send } from './reply.js';
import { outcomeWords, type Scripts } from './scripts.js';
import type { Traffic } from './traffic.js';

export interface ControlTarget {
  scripts: Scripts;
  traffic: Traffic;
  rejections: Rejections;
  clock: ProviderClock;
  bookLines(): readonly BookLine[];
  /** Clears the book, the calls, all overrides and simulated error responses, and resets the clock. */
  reset(): Promise<void>;
}

/** Invalid field of a control request, reported with HTTP 400. */
class FieldProblem extends Error {
  constructor(
    readonly field: string,
    message: string,
  ) {
    super(message);
  }
}

type Input = Readonly<Record<string, unknown>>;

function providerIn(input: Input) {
  if (isProviderName(input.provider)) return input.provider;
  throw new FieldProblem('provider', `must be one of ${providerNames.join(', ')}`);
}

function wordIn<Word extends string>(input: Input, field: string, words: readonly Word[]): Word {
  const word = words.find((candidate) => candidate === input[field]);
  if (word !== undefined) return word;
  throw new FieldProblem(field, `must be one of ${words.join(', ')}`);
}

function suffixIn({ suffix }: Input): string {
  if (typeof suffix === 'string' && /^\d{4}$/.test(suffix)) return suffix;
  throw new FieldProblem('suffix', 'must be the four digits after 54, as text');
}

function integerIn(input: Input, field: string, min: number, max: number): number {
  const value = input[field];
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
  throw new FieldProblem(field, `must be an integer from ${min} to ${max}`);
}

/** Parses a simulated error response. Undefined removes the simulated error response. */
function rejectionIn(input: Input) {
  const { answer } = input;
  if (answer === null) return undefined;
  if (typeof answer !== 'object' || Array.isArray(answer))
    throw new FieldProblem('answer', 'must be a JSON object, or null');
  return { answer, httpStatus: integerIn(input, 'httpStatus', 200, 599), echo: wordIn(input, 'echo', echoes) };
}

const MAX_LATENCY_MS = 600_000;
const MAX_AHEAD_MS = 90 * 86_400_000;

function switchIn({ on }: Input): boolean {
  if (typeof on === 'boolean') return on;
  throw new FieldProblem('on', 'must be true or false');
}

const commands: Readonly<Record<string, (input: Input, target: ControlTarget) => void | Promise<void>>> = {
  '/_/outage': (input, { traffic }) => traffic.setOutage(providerIn(input), switchIn(input)),
  '/_/blind': (input, { traffic }) =>
    traffic.setBlind(wordIn(input, 'provider', statusCheckProviders), switchIn(input)),
  '/_/refusal': (input, { rejections }) =>
    rejections.set(
      wordIn(input, 'provider', statusCheckProviders),
      wordIn(input, 'call', rejectableCalls),
      suffixIn(input),
      rejectionIn(input),
    ),
  '/_/clock': (input, { clock }) => clock.set(integerIn(input, 'aheadMs', -MAX_AHEAD_MS, MAX_AHEAD_MS)),
  '/_/latency': (input, { traffic }) =>
    traffic.setLatency(providerIn(input), integerIn(input, 'ms', 0, MAX_LATENCY_MS)),
  '/_/outcome': (input, { scripts }) => {
    const { outcome } = input;
    const suffix = suffixIn(input);
    if (typeof outcome !== 'string' || !scripts.override(suffix, outcome)) {
      throw new FieldProblem('outcome', `must be one of ${outcomeWords.join(', ')}`);
    }
  },
  '/_/reset': (_input, target) => target.reset(),
};

const listings: Readonly<Record<string, (target: ControlTarget) => readonly object[]>> = {
  '/_/book': (target) => target.bookLines(),
  '/_/calls': ({ traffic }) => traffic.calls(),
  '/_/overlaps': ({ traffic }) => traffic.overlaps(),
};

/** Serves the control endpoints below /_/, for programs on this machine only. */
export async function control(
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
  target: ControlTarget,
): Promise<void> {
  const respond = (httpStatus: number, body: object): void =>
    send(response, httpStatus, 'application/json; charset=utf-8', JSON.stringify(body));
  if (!isLoopback(request.socket.remoteAddress) || request.headers.origin !== undefined) {
    // Requests of web pages have an Origin header. A web page must not be able to clear the book of the user who opens it.
    return respond(403, { error: 'Control endpoints can be used only by programs on this machine.' });
  }
  const listing = listings[path];
  if (listing) {
    return request.method === 'GET' ? list(response, listing(target)) : respond(405, { error: 'Use GET.' });
  }
  const command = commands[path];
  if (!command) return respond(404, { error: 'Unknown control endpoint.' });
  if (request.method !== 'POST') return respond(405, { error: 'Use POST.' });
  try {
    await command(inputOf(await readBody(request)), target);
    respond(200, { ok: true });
  } catch (error) {
    if (!(error instanceof FieldProblem)) throw error;
    respond(400, { error: `${error.field} ${error.message}`, field: error.field });
  }
}

function inputOf(body: Buffer | undefined): Input {
  if (!body || body.length === 0) return {};
  try {
    const input: unknown = JSON.parse(body.toString('utf8'));
    if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input as Input;
  } catch {
    // this is reported below, like any other body that is not an object
  }
  throw new FieldProblem('body', 'must be a JSON object');
}

/** Streams JSON lines, because a book can be long. */
async function list(response: ServerResponse, rows: readonly object[]): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/x-ndjson; charset=utf-8' });
  await pipeline(Readable.from(linesOf(rows)), response);
}

const ROWS_PER_CHUNK = 1_000;

function* linesOf(rows: readonly object[]): Iterable<string> {
  for (let start = 0; start < rows.length; start += ROWS_PER_CHUNK) {
    yield rows
      .slice(start, start + ROWS_PER_CHUNK)
      .map((row) => `${JSON.stringify(row)}\n`)
      .join('');
  }
}

const isLoopback = (address: string | undefined): boolean =>
  address !== undefined && /^(::ffff:)?127\.|^::1$/.test(address);
