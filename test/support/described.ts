import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

type Json = Record<string, any>;

interface Answer {
  status: number;
  headers: Headers;
  body: unknown;
}

const METHODS_WITHOUT_A_BODY = ['HEAD'];

/** Whether the answers of a host are those that its OpenAPI document has. */
export class DescribedAnswers {
  readonly #document: Json;
  readonly #operations: readonly { method: string; path: RegExp; operation: Json }[];
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #validators = new Map<object, ValidateFunction>();

  constructor(document: Json) {
    this.#document = document;
    (addFormats as unknown as (instance: Ajv2020) => void)(this.#ajv);
    this.#ajv.addSchema({ $id: 'document', ...document });
    this.#operations = Object.entries<Json>(document.paths).flatMap(([path, operations]) =>
      Object.entries<Json>(operations).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path: new RegExp(`^${path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
        operation,
      })),
    );
  }

  /** What is wrong with an answer, each in a sentence; nothing of a path and method that the document does not have. */
  problems(method: string, url: string, { status, headers, body }: Answer): string[] {
    const path = url.split('?', 1)[0]!;
    const found = this.#operations.find((one) => one.method === method && one.path.test(path));
    if (!found || METHODS_WITHOUT_A_BODY.includes(method)) return [];
    const name = `${method} ${path} ${status}`;
    const response = this.#resolved(found.operation.responses[status]);
    if (!response) return [`${name} ${codeIn(body)} is not described.`];
    return [
      ...this.#bodyProblems(response, headers, body).map((problem) => `${name} ${codeIn(body)}: ${problem}`),
      ...this.#headerProblems(response, headers).map((problem) => `${name} ${codeIn(body)}: ${problem}`),
    ];
  }

  #bodyProblems(response: Json, headers: Headers, body: unknown): string[] {
    const type = headers.get('content-type')?.split(';', 1)[0] ?? '';
    const schema = response.content?.[type]?.schema;
    if (!schema) return response.content || body !== '' ? [`${type} is not described`] : [];
    let validate = this.#validators.get(schema);
    if (!validate) {
      validate = this.#ajv.compile(inDocument(schema));
      this.#validators.set(schema, validate);
    }
    validate(body);
    return (validate.errors ?? []).map(({ instancePath, message, params }) =>
      [instancePath || '/', message, JSON.stringify(params)].join(' '),
    );
  }

  /** Of what a client reads: other headers are those of HTTP. */
  #headerProblems(response: Json, headers: Headers): string[] {
    const described = new Map(
      Object.entries<Json>(response.headers ?? {}).map(([name, header]) => [
        name.toLowerCase(),
        this.#resolved(header),
      ]),
    );
    const missing = [...described].filter(([name, header]) => header?.required && !headers.has(name));
    const unknown = OURS.filter((name) => headers.has(name) && !described.has(name));
    return [
      ...missing.map(([name]) => `there is no header ${name}`),
      ...unknown.map((name) => `the header ${name} is not described`),
    ];
  }

  #resolved(part: Json | undefined): Json | undefined {
    const ref = part?.$ref as string | undefined;
    if (!ref) return part;
    const [, ...keys] = ref.split('/');
    return keys.reduce<Json>((inner, key) => inner[key], this.#document);
  }
}

const OURS: readonly string[] = [];

const codeIn = (body: unknown): string => String((body as Json | null)?.code ?? '');

/** A part of the document by itself: what it refers to is in the document. */
function inDocument(part: unknown): any {
  if (Array.isArray(part)) return part.map(inDocument);
  if (part === null || typeof part !== 'object') return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string' ? `document${value}` : inDocument(value),
    ]),
  );
}
