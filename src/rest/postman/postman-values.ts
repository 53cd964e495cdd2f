import type { Operation } from './postman-document.js';

/** The caller's own ids of orders. */
const KEYS: readonly string[] = ['client_request_id', 'orderid'];
/** What stands in the environment, because it is the integrator's. */
const CREDENTIALS: readonly string[] = ['client_id', 'api_secret', 'environment'];
/** Names of ids and codes; other values that stand in an answer and in a request are echoes. */
const IS_ID = /_(id|code)$/;

/** A field of an answer's `data`, or of the first in that list, and the variable that keeps it for later requests. */
export interface Issued {
  variable: string;
  field: string;
}

/** Which variables the fields of requests are filled from: credentials, keys of orders, ids that other answers bring. */
export class PostmanValues {
  constructor(private readonly operations: readonly Operation[]) {}

  /** The field of the body that is the caller's key, made anew for each order. */
  keyField({ example }: Operation): string | undefined {
    return KEYS.find((name) => example?.[name] !== undefined);
  }

  keyVariable(operation: Operation): string | undefined {
    const field = this.keyField(operation);
    return field && `${operation.operationId}.${field}`;
  }

  /** What stands for a field of the body or a parameter; undefined: its example. */
  variableOf(operation: Operation, name: string, inPath: boolean): string | undefined {
    if (inPath) return idVariable(operation.path, name);
    if (KEYS.includes(name)) return this.keyVariable(this.#placing(operation, name)!);
    if (operation.isPublic && CREDENTIALS.includes(name)) return name;
    const isIssued = this.operations.some(
      (other) => issues(other, name) || this.#ofList(other, new Set([name])).some(({ variable }) => variable === name),
    );
    return IS_ID.test(name) && isIssued ? name : undefined;
  }

  /** What an answer brings. */
  issuedBy(operation: Operation): Issued[] {
    const asked = new Set(this.operations.flatMap((other) => namesOf(other)));
    const named = operation.answer.dataKeys
      .filter((name) => !KEYS.includes(name) && IS_ID.test(name) && asked.has(name) && issues(operation, name))
      .map((name): Issued => ({ variable: name, field: name }));
    return [...named, ...this.#ofList(operation, asked), ...this.#ownId(operation)];
  }

  /** What the first entry of a list brings: ids that have a name, or its own by the name of the list. */
  #ofList({ path, answer: { entryKeys } }: Operation, asked: ReadonlySet<string>): Issued[] {
    const ownName = `${singular(path.split('/').at(-1)!)}_id`;
    return [
      ...entryKeys.filter((name) => listed(name) && asked.has(name)).map((name) => ({ variable: name, field: name })),
      ...(entryKeys.includes('id') && asked.has(ownName) ? [{ variable: ownName, field: 'id' }] : []),
    ];
  }

  /** The id of what was created or listed, for paths that name one. */
  #ownId({ method, path }: Operation): Issued[] {
    const segment = path.split('/').at(-1)!;
    const isNamed = this.operations.some(({ path: other }) => other.includes(`/${segment}/{id}`));
    const creates = this.operations.some((other) => other.path === path && other.method === 'POST');
    if (!isNamed || (creates && method !== 'POST')) return [];
    return [{ variable: `${segment}_id`, field: 'id' }];
  }

  /** Whose key a request names: its own, or that of the payment whose path is nearest. */
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

/** `api_request_id` of a list of orders is of any of them: who asks about an order has its own key. */
const listed = (name: string): boolean => IS_ID.test(name) && !KEYS.includes(name) && name !== 'api_request_id';

const singular = (name: string): string => name.replace(/ies$/, 'y').replace(/s$/, '');

/** Who has to send an id only echoes it. */
const issues = ({ parameters, required, answer }: Operation, name: string): boolean =>
  answer.dataKeys.includes(name) &&
  !answer.isList &&
  !required.includes(name) &&
  !parameters.some((parameter) => parameter.name === name);

/** `/webhooks/{id}/rotate` → `webhooks_id` */
function idVariable(path: string, name: string): string {
  const segments = path.split('/');
  return `${segments[segments.indexOf(`{${name}}`) - 1]}_${name}`;
}

function sharedLength(one: string, other: string): number {
  const [a, b] = [one.split('/'), other.split('/')];
  const parted = a.findIndex((segment, index) => segment !== b[index]);
  return parted === -1 ? a.length : parted;
}
