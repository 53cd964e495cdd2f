import type { Operation } from './postman-document.js';

/** Fields with the idempotency key of the caller. */
const KEYS: readonly string[] = ['client_request_id', 'orderid'];
/** Variables of the environment, because they differ by account. */
const CREDENTIALS: readonly string[] = ['client_id', 'api_secret', 'environment'];
/** Matches the names of IDs and codes. Other values that occur in a response and in a request are echoes. */
const IS_ID = /_(id|code)$/;

/** Field of `data`, or of its first entry if it is a list, and the variable that stores it for later requests. */
export interface Issued {
  variable: string;
  field: string;
}

/** Variables for the fields of requests: credentials, idempotency keys, and IDs from other responses. */
export class PostmanValues {
  constructor(private readonly operations: readonly Operation[]) {}

  /** Returns the field of the body with the idempotency key, which is created for each order. */
  keyField({ example }: Operation): string | undefined {
    return KEYS.find((name) => example?.[name] !== undefined);
  }

  keyVariable(operation: Operation): string | undefined {
    const field = this.keyField(operation);
    return field && `${operation.operationId}.${field}`;
  }

  /** Returns the variable for a field of the body or a parameter, or undefined if the example is used. */
  variableOf(operation: Operation, name: string, inPath: boolean): string | undefined {
    if (inPath) return idVariable(operation.path, name);
    if (KEYS.includes(name)) return this.keyVariable(this.#placing(operation, name)!);
    if (operation.isPublic && CREDENTIALS.includes(name)) return name;
    const isIssued = this.operations.some(
      (other) => issues(other, name) || this.#ofList(other, new Set([name])).some(({ variable }) => variable === name),
    );
    return IS_ID.test(name) && isIssued ? name : undefined;
  }

  /** Returns the values of a response that later requests use. */
  issuedBy(operation: Operation): Issued[] {
    const asked = new Set(this.operations.flatMap((other) => namesOf(other)));
    const named = operation.answer.dataKeys
      .filter((name) => !KEYS.includes(name) && IS_ID.test(name) && asked.has(name) && issues(operation, name))
      .map((name): Issued => ({ variable: name, field: name }));
    return [...named, ...this.#ofList(operation, asked), ...this.#ownId(operation)];
  }

  /**
   * Returns the values of the first entry of a list: fields such as `lead_id`, and its `id` under a name derived from the list.
   */
  #ofList({ path, answer: { entryKeys } }: Operation, asked: ReadonlySet<string>): Issued[] {
    const ownName = `${singular(path.split('/').at(-1)!)}_id`;
    return [
      ...entryKeys.filter((name) => listed(name) && asked.has(name)).map((name) => ({ variable: name, field: name })),
      ...(entryKeys.includes('id') && asked.has(ownName) ? [{ variable: ownName, field: 'id' }] : []),
    ];
  }

  /** Returns the `id` of a created or listed record, for paths that contain it. */
  #ownId({ method, path }: Operation): Issued[] {
    const segment = path.split('/').at(-1)!;
    const isNamed = this.operations.some(({ path: other }) => other.includes(`/${segment}/{id}`));
    const creates = this.operations.some((other) => other.path === path && other.method === 'POST');
    if (!isNamed || (creates && method !== 'POST')) return [];
    return [{ variable: `${segment}_id`, field: 'id' }];
  }

  /** Returns the operation whose idempotency key a request uses: its own, or the payment with the most similar path. */
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

/**
 * Returns whether a value of a list is stored. Excludes `api_request_id`: a list contains any order, and status requests use the
 * idempotency key.
 */
const listed = (name: string): boolean => IS_ID.test(name) && !KEYS.includes(name) && name !== 'api_request_id';

const singular = (name: string): string => name.replace(/ies$/, 'y').replace(/s$/, '');

/** Returns whether the operation returns a new value. A value that the request must contain is only echoed. */
const issues = ({ parameters, required, answer }: Operation, name: string): boolean =>
  answer.dataKeys.includes(name) &&
  !answer.isList &&
  !required.includes(name) &&
  !parameters.some((parameter) => parameter.name === name);

/** Returns the name of the variable: `/webhooks/{id}/rotate` → `webhooks_id`. */
function idVariable(path: string, name: string): string {
  const segments = path.split('/');
  return `${segments[segments.indexOf(`{${name}}`) - 1]}_${name}`;
}

function sharedLength(one: string, other: string): number {
  const [a, b] = [one.split('/'), other.split('/')];
  const parted = a.findIndex((segment, index) => segment !== b[index]);
  return parted === -1 ? a.length : parted;
}
