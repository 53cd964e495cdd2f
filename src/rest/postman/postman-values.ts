import type { Operation } from './postman-document.js';

/** Fields with the idempotency key of the caller. */
const KEYS: readonly string[] = ['client_request_id', 'orderid'];
/** Values that the user enters in the environment. */
const CREDENTIALS: readonly string[] = ['client_id', 'api_secret', 'environment'];
/** Names of IDs and codes. Other values that occur in both a response and a request only repeat input. */
const IS_ID = /_(id|code)$/;

/** A field of `data` (or of the first list entry) in a response, and the variable that stores its value for later requests. */
export interface Issued {
  variable: string;
  field: string;
}

/** Maps request fields to variables: credentials, idempotency keys, and IDs from other responses. */
export class PostmanValues {
  constructor(private readonly operations: readonly Operation[]) {}

  /** Body field with the idempotency key, which is new for each order. */
  keyField({ example }: Operation): string | undefined {
    return KEYS.find((name) => example?.[name] !== undefined);
  }

  keyVariable(operation: Operation): string | undefined {
    const field = this.keyField(operation);
    return field && `${operation.operationId}.${field}`;
  }

  /** Variable for a body field or parameter; undefined if the example is used instead. */
  variableOf(operation: Operation, name: string, inPath: boolean): string | undefined {
    if (inPath) return idVariable(operation.path, name);
    if (KEYS.includes(name)) return this.keyVariable(this.#placing(operation, name)!);
    if (operation.isPublic && CREDENTIALS.includes(name)) return name;
    const isIssued = this.operations.some(
      (other) => issues(other, name) || this.#ofList(other, new Set([name])).some(({ variable }) => variable === name),
    );
    return IS_ID.test(name) && isIssued ? name : undefined;
  }

  /** Values of a response that later requests use. */
  issuedBy(operation: Operation): Issued[] {
    const asked = new Set(this.operations.flatMap((other) => namesOf(other)));
    const named = operation.answer.dataKeys
      .filter((name) => !KEYS.includes(name) && IS_ID.test(name) && asked.has(name) && issues(operation, name))
      .map((name): Issued => ({ variable: name, field: name }));
    return [...named, ...this.#ofList(operation, asked), ...this.#ownId(operation)];
  }

  /** Values in the first entry of a list: named IDs, and its own `id`, which is named after the list. */
  #ofList({ path, answer: { entryKeys } }: Operation, asked: ReadonlySet<string>): Issued[] {
    const ownName = `${singular(path.split('/').at(-1)!)}_id`;
    return [
      ...entryKeys.filter((name) => listed(name) && asked.has(name)).map((name) => ({ variable: name, field: name })),
      ...(entryKeys.includes('id') && asked.has(ownName) ? [{ variable: ownName, field: 'id' }] : []),
    ];
  }

  /** ID of the created or listed object, for paths that contain an ID. */
  #ownId({ method, path }: Operation): Issued[] {
    const segment = path.split('/').at(-1)!;
    const isNamed = this.operations.some(({ path: other }) => other.includes(`/${segment}/{id}`));
    const creates = this.operations.some((other) => other.path === path && other.method === 'POST');
    if (!isNamed || (creates && method !== 'POST')) return [];
    return [{ variable: `${segment}_id`, field: 'id' }];
  }

  /** Operation whose idempotency key a request uses: the request itself, or the payment with the most similar path. */
  #placing(operation: Operation, name: string): Operation | undefined {
    if (this.keyField(operation) === name) return operation;
    const near = ({ path, answer }: Operation): number => sharedLength(path, operation.path) * 2 + +answer.mayBePending;
    return this.operations.filter((other) => this.keyField(other) === name).toSorted((a, b) => near(b) - near(a))[0];
  }
}

const namesOf = ({ parameters, example }: Operation): string[] => [
  ...parameters.map(({ name }) => name),
  ...Object.keys(example ?? {}),
];

/** In a list of orders, `api_request_id` can belong to any of them. A caller that checks an order uses that order's own key. */
const listed = (name: string): boolean => IS_ID.test(name) && !KEYS.includes(name) && name !== 'api_request_id';

const singular = (name: string): string => name.replace(/ies$/, 'y').replace(/s$/, '');

/** An operation that requires an ID only repeats it in the response. */
const issues = ({ parameters, required, answer }: Operation, name: string): boolean =>
  answer.dataKeys.includes(name) &&
  !answer.isList &&
  !required.includes(name) &&
  !parameters.some((parameter) => parameter.name === name);

/** Name of the variable: `/webhooks/{id}/rotate` → `webhooks_id` */
function idVariable(path: string, name: string): string {
  const segments = path.split('/');
  return `${segments[segments.indexOf(`{${name}}`) - 1]}_${name}`;
}

function sharedLength(one: string, other: string): number {
  const [a, b] = [one.split('/'), other.split('/')];
  const parted = a.findIndex((segment, index) => segment !== b[index]);
  return parted === -1 ? a.length : parted;
}
