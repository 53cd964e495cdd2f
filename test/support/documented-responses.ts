import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

type Json = Record<string, any>;

interface ReceivedResponse {
  status: number;
  headers: Headers;
  body: unknown;
}

/** Compares the responses of a host with its OpenAPI document. */
export class DocumentedResponses {
  readonly #document: Json;
  readonly #operations: readonly { method: string; path: RegExp; pointer: readonly string[]; operation: Json }[];
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(document: Json) {
    this.#document = document;
    (addFormats as unknown as (instance: Ajv2020) => void)(this.#ajv);
    this.#ajv.addSchema({ $id: 'document', ...closed(document) });
    this.#operations = Object.entries<Json>(document.paths).flatMap(([path, operations]) =>
      Object.entries<Json>(operations).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path: new RegExp(`^${path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
        pointer: ['paths', path, method],
        operation,
      })),
    );
  }

  /** Differences of a response, one sentence each; empty for a path and method that are not in the document. */
  problems(method: string, url: string, { status, headers, body }: ReceivedResponse): string[] {
    const path = url.split('?', 1)[0]!;
    const found = this.#operations.find((candidate) => candidate.method === method && candidate.path.test(path));
    if (!found) return [];
    const name = `${method} ${path} ${status}`;
    const { part: response, pointer } = this.#resolved(found.operation.responses[status], [
      ...found.pointer,
      'responses',
      String(status),
    ]);
    if (!response) return [`${name} ${codeIn(body)} is not described.`];
    return [
      ...exampleProblems(response, body).map((problem) => `${name} ${codeIn(body)}: ${problem}`),
      ...this.#bodyProblems(pointer, response, headers, body).map((problem) => `${name} ${codeIn(body)}: ${problem}`),
      ...this.#headerProblems(response, headers).map((problem) => `${name} ${codeIn(body)}: ${problem}`),
    ];
  }

  #bodyProblems(pointer: readonly string[], response: Json, headers: Headers, body: unknown): string[] {
    const type = headers.get('content-type')?.split(';', 1)[0] ?? '';
    if (!response.content?.[type]?.schema) return [`${type} is not described`];
    const validate = this.#validator([...pointer, 'content', type, 'schema']);
    validate(body);
    return (validate.errors ?? []).map(({ instancePath, message, params }) =>
      [instancePath || '/', message, JSON.stringify(params)].join(' '),
    );
  }

  #validator(pointer: readonly string[]): ValidateFunction {
    const $ref = `document#/${pointer.map((key) => key.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`;
    let validate = this.#validators.get($ref);
    if (!validate) this.#validators.set($ref, (validate = this.#ajv.compile({ $ref })));
    return validate;
  }

  /** Checks headers of the API; headers of HTTP itself are ignored. */
  #headerProblems(response: Json, headers: Headers): string[] {
    const documented = new Map(
      Object.entries<Json>(response.headers ?? {}).map(([name, header]) => [
        name.toLowerCase(),
        this.#resolved(header, []).part,
      ]),
    );
    const missing = [...documented].filter(([name, header]) => header?.required && !headers.has(name));
    const undocumented = [...headers.keys()].filter((name) => !OF_HTTP.has(name) && !documented.has(name));
    return [
      ...missing.map(([name]) => `there is no header ${name}`),
      ...undocumented.map((name) => `the header ${name} is not described`),
    ];
  }

  /** The schema part and its position, with references resolved. */
  #resolved(
    part: Json | undefined,
    pointer: readonly string[],
  ): { part: Json | undefined; pointer: readonly string[] } {
    const ref = part?.$ref as string | undefined;
    if (!ref) return { part, pointer };
    const [, ...keys] = ref.split('/');
    return { part: keys.reduce<Json>((inner, key) => inner[key], this.#document), pointer: keys };
  }
}

/** Headers that any HTTP response can have. All others must be described. */
const OF_HTTP: ReadonlySet<string> = new Set(
  `cache-control connection content-encoding content-length content-type cross-origin-opener-policy cross-origin-resource-policy
   date keep-alive permissions-policy referrer-policy transfer-encoding vary x-content-type-options`.split(/\s+/),
);

/** Keys of an error response that are missing in its example. A rate limit error only sometimes identifies an order. */
function exampleProblems(response: Json, body: unknown): string[] {
  const example = response.content?.['application/json']?.examples?.[codeIn(body)]?.value;
  if (!example || codeIn(body) === 'RATE_LIMITED') return [];
  return Object.keys(body as Json).flatMap((key) => (key in example ? [] : [`the example has no ${key}`]));
}

const codeIn = (body: unknown): string => String((body as Json | null)?.code ?? '');

/** The document without additional properties. Clients may ignore unknown keys, but the document must describe all of them. */
function closed(part: unknown): any {
  if (Array.isArray(part)) return part.map(closed);
  if (part === null || typeof part !== 'object') return part;
  const inner = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, closed(value)]));
  return inner.type === 'object' && inner.properties ? { additionalProperties: false, ...inner } : inner;
}
