import type { Environment } from '../../src/core/environment.js';
import { parametersOf } from '../../src/rest/path.js';
import { exampleOf, type RestRoute, takesBody } from '../../src/rest/route.js';
import type { TestApp, TestDeveloper, TestResponse } from '../support/app.js';
import { filledPath } from '../support/paths.js';

export type Fields = Record<string, unknown>;

const FETCH = '/api/v1/bill-payment/credit-card/bill-fetch';

/** Sends the example requests of the API reference. */
export class Examples {
  readonly #test: TestApp;
  readonly #developer: TestDeveloper;
  readonly #environment: Environment;
  #requestCount = 0;

  constructor(test: TestApp, developer: TestDeveloper, environment: Environment) {
    this.#test = test;
    this.#developer = developer;
    this.#environment = environment;
  }

  /** @param changes fields that replace those of the example */
  async send(route: RestRoute, changes: Fields = {}): Promise<TestResponse> {
    const example = await this.#filled(route, { ...exampleOf(route, this.#environment), ...changes });
    const { path, rest } = addressed(route, example);
    const query = new URLSearchParams(Object.entries(rest).map(([name, value]) => [name, String(value)])).toString();
    const token = 'client_id' in example ? undefined : this.#developer.tokens[this.#environment];
    return takesBody(route)
      ? this.#test.rest(this.#environment, route.method, path, token, Object.keys(rest).length > 0 ? rest : undefined)
      : this.#test.rest(this.#environment, route.method, query ? `${path}?${query}` : path, token);
  }

  /** Replaces sample values with values of this developer. */
  async #filled({ path }: RestRoute, example: Fields): Promise<Fields> {
    const keys = this.#developer.keys[this.#environment];
    const filled = { ...example };
    if ('client_id' in example) Object.assign(filled, { client_id: keys.clientId, api_secret: keys.apiSecret });
    if ('fetch_id' in example) filled.fetch_id = await this.#fetchId(example);
    if (path === '/api/v1/leads/status' && this.#environment === 'production')
      filled.lead_code = await this.#leadCode();
    if ('id' in example) filled.id = await this.#webhookId(String(example.id));
    return filled;
  }

  /** ID of the first endpoint or of its last delivery. The order of routes guarantees that both exist when needed. */
  async #webhookId(sample: string): Promise<string> {
    const [endpoint] = await this.#listIds('/api/v1/webhooks');
    if (sample.startsWith('whe_')) return endpoint!;
    const [delivery] = await this.#listIds(`/api/v1/webhooks/${endpoint}/deliveries`);
    return delivery!;
  }

  async #listIds(path: string): Promise<string[]> {
    const token = this.#developer.tokens[this.#environment];
    const { body } = await this.#test.rest(this.#environment, 'GET', path, token);
    return body.data.map(({ id }: { id: string }) => id);
  }

  async #fetchId({ card, mobile, opcode }: Fields): Promise<string> {
    const { body } = await this.#post(FETCH, { card, mobile, opcode, orderid: `fetch-${++this.#requestCount}` });
    return body.data.fetch_id;
  }

  async #leadCode(): Promise<string> {
    const { body } = await this.#post('/api/v1/leads', { product_id: '4001' });
    return body.data.lead_code;
  }

  #post(path: string, body: Fields): Promise<TestResponse> {
    return this.#test.rest(this.#environment, 'POST', path, this.#developer.tokens[this.#environment], body);
  }
}

/** The path with its parameters filled in, and the remaining fields. */
function addressed({ path }: RestRoute, example: Fields): { path: string; rest: Fields } {
  const otherFields = Object.entries(example).filter(([name]) => !parametersOf(path).includes(name));
  return { path: filledPath(path, example), rest: Object.fromEntries(otherFields) };
}
