import type { ProviderHttpClient, ProviderRequest, ProviderResponse } from '../../src/providers/http-client.js';
import type { Evidence } from '../../src/providers/outcome.js';

/** Returns the given responses in order and records the requests. Replaces the HTTP client in tests of adapters. */
export class ScriptedClient implements ProviderHttpClient {
  readonly requests: ProviderRequest[] = [];
  readonly #responses: ProviderResponse[];
  available = true;

  constructor(...responses: ProviderResponse[]) {
    this.#responses = responses;
  }

  async send(request: ProviderRequest): Promise<ProviderResponse> {
    this.requests.push(request);
    const response = this.#responses.shift();
    if (!response) throw new Error('The client sent more requests than the test expects.');
    return response;
  }

  async close(): Promise<void> {}
}

export const responseOf = (body: unknown, httpStatus = 200): ProviderResponse => ({
  kind: 'response',
  httpStatus,
  body,
  elapsedMs: 12,
});

type NeverSent = Extract<ProviderResponse, { kind: 'never_sent' }>;
export const neverSent: NeverSent = { kind: 'never_sent', evidence: { reason: 'never_sent', elapsedMs: 1 } };
export const breakerOpen: NeverSent = { kind: 'never_sent', evidence: { reason: 'breaker_open' } };

/** Evidence of responses that the client could not read or did not receive. */
export const doubts: Record<string, Evidence> = {
  'an HTML page': { reason: 'not_json', httpStatus: 200, elapsedMs: 12 },
  'an HTML page with HTTP 500': { reason: 'http_error', httpStatus: 500, elapsedMs: 12 },
  'truncated JSON': { reason: 'not_json', httpStatus: 200, elapsedMs: 12 },
  'a timeout': { reason: 'timeout', elapsedMs: 24_000 },
  'a reset': { reason: 'connection_lost', elapsedMs: 3 },
};

/** JSON bodies that are not a valid response of any of these providers. */
export const alienBodies: Record<string, unknown> = {
  null: null,
  text: 'Success',
  number: 1,
  list: [],
  'empty object': {},
  'null status': { status: null },
  'blank status': { status: ' ' },
  'status as an object': { status: { code: 'Success' } },
  'an unlisted status word': { status: 'Accepted' },
  'an object property name as the status': { status: 'constructor' },
  'a success without other fields': { status: 'Success' },
  'two conflicting spellings': { status: 'Success', STATUS: 'Failure' },
};
