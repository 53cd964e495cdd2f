import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Agent } from 'undici';
import { type FuzzCase, type FuzzResponse, filled, type HostName } from '../case.js';

/** Characters that undici does not send. */
const UNSENDABLE_PATH = /[^\x21-\x7e]/g;
const UNSENDABLE_HEADER = /[^\t\x20-\x7e\x80-\xff]/g;
/** On a busy machine, expensive documents wait for a long time. */
const NO_RESPONSE_MS = 60_000;
/** Some cases accept compressed responses. */
const UNPACK: Readonly<Record<string, (bytes: Buffer) => Buffer>> = { br: brotliDecompressSync, gzip: gunzipSync };

/** Sends cases over keep-alive connections. */
export class Sender {
  readonly #agent: Agent;
  readonly #urls: Readonly<Record<HostName, string>>;
  readonly #values: ReadonlyMap<string, string>;

  constructor(urls: Readonly<Record<HostName, string>>, values: ReadonlyMap<string, string>, inFlight: number) {
    this.#agent = new Agent({ connections: inFlight, headersTimeout: NO_RESPONSE_MS, bodyTimeout: NO_RESPONSE_MS });
    this.#urls = urls;
    this.#values = values;
  }

  async send(fuzzCase: FuzzCase): Promise<FuzzResponse> {
    const startedMs = performance.now();
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(fuzzCase.headers))
      headers[name] = filled(value, this.#values).replace(UNSENDABLE_HEADER, '?');
    try {
      const response = await this.#agent.request({
        origin: this.#urls[fuzzCase.host],
        path: filled(fuzzCase.path, this.#values).replace(UNSENDABLE_PATH, '?'),
        method: fuzzCase.method as 'GET',
        headers,
        body: this.#bodyOf(fuzzCase),
      });
      const bytes = Buffer.from(await response.body.arrayBuffer());
      const unpack = UNPACK[String(response.headers['content-encoding'])];
      return {
        status: response.statusCode,
        headers: flat(response.headers),
        text: (unpack ? unpack(bytes) : bytes).toString(),
        elapsedMs: performance.now() - startedMs,
      };
    } catch (error) {
      return { status: 0, headers: {}, text: String(error), elapsedMs: performance.now() - startedMs };
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  #bodyOf({ body, bytes }: FuzzCase): Buffer | string | null {
    if (bytes !== undefined)
      return Buffer.from(filled(Buffer.from(bytes, 'base64').toString('latin1'), this.#values), 'latin1');
    return body === undefined ? null : filled(body, this.#values);
  }
}

const flat = (headers: Record<string, string | string[] | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
