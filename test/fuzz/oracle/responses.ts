import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { errorCatalogue } from '../../../src/core/error-catalogue.js';
import { plainUrl } from '../../../src/http/requests/head.js';
import type { FuzzCase, FuzzResponse } from '../case.js';
import type { Leaks } from './canaries.js';

type Json = Record<string, unknown>;
interface OpenApi {
  paths: Record<
    string,
    Record<string, { responses: Record<string, { content?: Record<string, { schema: object }> }> }>
  >;
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Larger bodies are rejected before they are read, and their connection is closed. */
const MAY_BE_CUT_OFF = 60_000;

/**
 * Checks whether a response conforms to the interface. Each problem is one sentence that starts with its kind and contains
 * nothing that varies between cases, so that equal failures are counted together.
 */
export class ResponseOracle {
  readonly #leaks: Leaks;
  readonly #successes = new Map<string, ValidateFunction>();

  constructor(leaks: Leaks, openApi: OpenApi) {
    this.#leaks = leaks;
    const ajv = new Ajv2020({ strict: false, allErrors: false });
    (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
    ajv.addSchema({ $id: 'document', ...openApi });
    for (const [path, operations] of Object.entries(openApi.paths))
      for (const [method, { responses }] of Object.entries(operations)) {
        if (!responses['200']?.content?.['application/json']) continue;
        const response = `document#/paths/${path.replaceAll('/', '~1')}/${method}/responses/200`;
        const validate = ajv.compile({ $ref: `${response}/content/application~1json/schema` });
        this.#successes.set(`${method.toUpperCase()} ${path}`, validate);
      }
  }

  problems(fuzzCase: FuzzCase, response: FuzzResponse): string[] {
    const { status, headers, text } = response;
    if (status === 0) {
      const size = fuzzCase.body?.length ?? fuzzCase.bytes?.length ?? 0;
      return size > MAY_BE_CUT_OFF ? [] : [`no response: ${text.slice(0, 80)}`];
    }
    // the HTTP parser rejects the head before the service sees a request
    if (status === 431) return [];
    const path = plainUrl(fuzzCase.path).split('?', 1)[0]!;
    const problems: string[] = [];
    if (!headers['x-request-id']) problems.push('no X-Request-Id');
    if (status >= 500 && status !== 503) problems.push(`status ${status}`);
    if ((status === 503 || status === 429) && path !== '/readyz' && !(Number(headers['retry-after']) >= 1))
      problems.push(`status ${status} without Retry-After`);
    if (status === 405 && !headers.allow) problems.push('status 405 without Allow');
    const body = fuzzCase.method === 'HEAD' || text === '' ? undefined : parsed(text);
    problems.push(...this.#leaksIn(response, body));
    if (fuzzCase.method !== 'HEAD') problems.push(...this.#envelope(fuzzCase, path, response, body));
    return problems;
  }

  #envelope(fuzzCase: FuzzCase, path: string, response: FuzzResponse, body: unknown): string[] {
    const { status, headers } = response;
    const isJson = headers['content-type']?.includes('json') ?? false;
    if (status === 204) return response.text === '' ? [] : ['status 204 with a body'];
    if (path === '/graphql' && isJson) return graphqlProblems(body, status, headers['x-request-id'] ?? '');
    if (status >= 400) return path === '/readyz' ? [] : errorProblems(body);
    const success = this.#successes.get(`${fuzzCase.method} ${path}`);
    if (success && status === 200 && !success(body))
      return [`success of another shape: ${success.errors?.[0]?.instancePath} ${success.errors?.[0]?.message}`];
    return success && status !== 200 ? [`success with status ${status}`] : [];
  }

  #leaksIn({ status, text }: FuzzResponse, body: unknown): string[] {
    const isError = status >= 400 || (isObject(body) && Array.isArray(body.errors));
    // the response to a duplicate contains the key of the caller, as documented
    const errorResponse = isError ? this.#leaks.inErrorResponse(withoutEcho(text, body)) : undefined;
    if (errorResponse) return [`an error response contains ${masked(errorResponse)}`];
    const anywhere = this.#leaks.inResponse(text);
    return anywhere ? [`a response contains ${masked(anywhere)}`] : [];
  }
}

const masked = (text: string): string => (/^(at|sk|ses|whsec)_/.test(text) ? `${text.slice(0, 7)}…` : text);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The text without the data of a partial success and without the caller’s key in the response to a duplicate payment. */
function withoutEcho(text: string, body: unknown): string {
  if (!isObject(body)) return text;
  const { data: _data, order_id: _orderId, errors, ...rest } = body;
  if (!Array.isArray(errors)) return JSON.stringify({ ...rest, errors });
  const plain = (errors as Json[]).map((error) => {
    const { clientRequestId: _echo, ...extensions } = isObject(error.extensions) ? error.extensions : {};
    return { ...error, extensions };
  });
  return JSON.stringify({ ...rest, errors: plain });
}

function errorProblems(body: unknown): string[] {
  if (!isObject(body)) return ['an error response that is not a JSON object'];
  const problems: string[] = [];
  if (body.status !== 'failed' && body.status !== 'error') problems.push('an error response without its status');
  if (typeof body.message !== 'string' || body.message === '') problems.push('an error response without message');
  if (!isCode(body.code)) problems.push('an error response without a known code');
  else if (!leadsTo(body.doc_url, body.code)) problems.push('an error response without the page of its code');
  if (body.code === 'INTERNAL') problems.push('code INTERNAL');
  if ('data' in body) problems.push('an error response with data');
  return problems;
}

const leadsTo = (url: unknown, code: unknown): boolean => String(url).endsWith(`/docs/errors#${String(code)}`);

const isCode = (code: unknown): boolean => typeof code === 'string' && Object.hasOwn(errorCatalogue, code);

function graphqlProblems(body: unknown, status: number, requestId: string): string[] {
  if (!isObject(body)) return ['a GraphQL response that is not a JSON object'];
  const { data, errors } = body;
  if (errors === undefined)
    return data === undefined || status >= 400 ? ['a GraphQL response without data and errors'] : [];
  if (!Array.isArray(errors) || errors.length === 0) return ['errors is no list'];
  return errors.flatMap((error: unknown) => {
    if (!isObject(error) || typeof error.message !== 'string') return ['a GraphQL error without message'];
    const extensions = isObject(error.extensions) ? error.extensions : {};
    if (!isCode(extensions.code)) return ['a GraphQL error without a known code'];
    if (extensions.code === 'INTERNAL') return ['code INTERNAL'];
    if (!leadsTo(extensions.docUrl, extensions.code)) return ['a GraphQL error without the page of its code'];
    return extensions.requestId === requestId ? [] : ['a GraphQL error without the request ID'];
  });
}
