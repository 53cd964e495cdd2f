import { useSyncExternalStore } from 'react';
import { createRequest, type Exchange, gql, type Operation, stringifyDocument } from 'urql';
import { pipe, tap } from 'wonka';

/** Operation sent by a page. */
export interface LoggedCall {
  /** Key that is the same for calls with the same document and variables. */
  key: number;
  kind: 'query' | 'mutation';
  name: string;
  document: string;
  variables: object;
  /** Time the operation was sent. Undefined if it was not sent yet. */
  at: string | undefined;
  /** Origin of the UAT host. Undefined if the operation was sent to the console. */
  origin?: string;
}

const MAX_CALLS = 50;
const HIDDEN = '•••';
const SECRET = /password|secret|token|passkey|^code$|^pan$/i;

/** Whether a variable or input field contains a secret, by its name. */
export const isSecret = (name: string): boolean => SECRET.test(name);

/** Returns a copy without secrets, so that the log contains none. */
export function withoutSecrets(value: unknown, name = ''): unknown {
  if (value === null || value === undefined) return value;
  if (isSecret(name)) return HIDDEN;
  if (Array.isArray(value)) return value.map((entry) => withoutSecrets(entry));
  if (typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutSecrets(member, key)]));
}

let calls: readonly LoggedCall[] = [];
const listeners = new Set<() => void>();
function replaceCalls(next: readonly LoggedCall[]): void {
  calls = next;
  // Notifies the listeners later, because pages send queries during rendering, when other components must not be updated.
  queueMicrotask(() => listeners.forEach((listener) => listener()));
}
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useCalls = (): readonly LoggedCall[] => useSyncExternalStore(subscribe, () => calls);
export const clearCalls = (): void => replaceCalls([]);

type Document = Operation['query'];
const operationOf = ({ definitions }: Document) => definitions.find((definition) => 'operation' in definition)!;
export const nameOf = (document: Document): string => operationOf(document).name?.value ?? '';

function logged(query: Document, variables: object, at?: string): LoggedCall {
  return {
    key: createRequest(query, variables).key,
    kind: operationOf(query).operation as 'query' | 'mutation',
    name: nameOf(query),
    document: stringifyDocument(query).replace(/^#.*\n/gm, ''),
    variables: withoutSecrets(variables) as object,
    at,
  };
}
/** Adds a call at the start of the list, and removes its duplicate or its preview. */
const add = (call: LoggedCall): void =>
  replaceCalls(
    [call, ...calls.filter(({ key, name, at }) => key !== call.key && (at !== undefined || name !== call.name))].slice(
      0,
      MAX_CALLS,
    ),
  );

/** Adds a preview of an operation that has not been sent yet: its document and the types of its variables. */
export function logPlanned(query: Document): void {
  if (calls.some(({ name }) => name === nameOf(query))) return;
  const declared = stringifyDocument(query).matchAll(/\$(\w+): ([\w![\]]+)/g);
  add(logged(query, Object.fromEntries([...declared].map(([, name, type]) => [name, type]))));
}

/** Logs an operation sent to the UAT host. */
export const noteUat = (origin: string, text: string, variables: object): void =>
  add({ ...logged(gql(text), variables, new Date().toISOString()), origin });

/** Exchange that logs the operations of the pages, only in memory. */
export const callLog: Exchange =
  ({ forward }) =>
  (operations) =>
    forward(
      pipe(
        operations,
        tap((operation) => {
          if (operation.kind !== 'query' && operation.kind !== 'mutation') return;
          add(logged(operation.query, operation.variables as object, new Date().toISOString()));
        }),
      ),
    );

const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** cURL command for a call. The token is a shell variable, so that the command contains no secret. */
export const curlOf = ({ document, variables, origin }: LoggedCall, consoleOrigin: string): string =>
  [
    `curl ${origin ?? consoleOrigin}/graphql`,
    `-H "authorization: Bearer ${origin === undefined ? '$SESSION' : '$TOKEN'}"`,
    `-H 'content-type: application/json'`,
    `-d ${shellQuote(JSON.stringify({ query: document, variables }))}`,
  ].join(' \\\n  ');
