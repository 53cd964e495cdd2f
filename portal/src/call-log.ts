import { useSyncExternalStore } from 'react';
import { createRequest, type Exchange, gql, type Operation, stringifyDocument } from 'urql';
import { pipe, tap } from 'wonka';

/** One operation that a page has asked for. */
export interface LoggedCall {
  /** Equal for equal documents with equal variables. */
  key: number;
  kind: 'query' | 'mutation';
  name: string;
  document: string;
  variables: object;
  /** When; undefined for what was not sent yet. */
  at: string | undefined;
  /** Of the UAT host, where it was asked instead of the console. */
  origin?: string;
}

const KEPT = 50;
const HIDDEN = '•••';
const SECRET = /password|secret|token|passkey|^code$|^pan$/i;

/** Whether the value of a variable, or of a field of an input, is nobody's to read over somebody's shoulder. */
export const isSecret = (name: string): boolean => SECRET.test(name);

/** A copy without secrets: they are left out before anything is kept. */
export function withoutSecrets(value: unknown, name = ''): unknown {
  if (value === null || value === undefined) return value;
  if (isSecret(name)) return HIDDEN;
  if (Array.isArray(value)) return value.map((entry) => withoutSecrets(entry));
  if (typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withoutSecrets(one, key)]));
}

let calls: readonly LoggedCall[] = [];
const listeners = new Set<() => void>();
function keep(next: readonly LoggedCall[]): void {
  calls = next;
  // a page asks while it is rendered, when nothing else may be
  queueMicrotask(() => listeners.forEach((listener) => listener()));
}
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The last ones, newest first. */
export const useCalls = (): readonly LoggedCall[] => useSyncExternalStore(subscribe, () => calls);
export const forgetCalls = (): void => keep([]);

type Document = Operation['query'];
const operationOf = ({ definitions }: Document) => definitions.find((one) => 'operation' in one)!;
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
/** The newest first; what was only planned gives way to the call itself. */
const add = (call: LoggedCall): void =>
  keep(
    [call, ...calls.filter(({ key, name, at }) => key !== call.key && (at !== undefined || name !== call.name))].slice(
      0,
      KEPT,
    ),
  );

/** What a button would send, for whoever wants to see it before: its document, and the types of its variables. */
export function plan(query: Document): void {
  if (calls.some(({ name }) => name === nameOf(query))) return;
  const declared = stringifyDocument(query).matchAll(/\$(\w+): ([\w![\]]+)/g);
  add(logged(query, Object.fromEntries([...declared].map(([, name, type]) => [name, type]))));
}

/** What was asked of the UAT host. */
export const noteUat = (origin: string, text: string, variables: object): void =>
  add({ ...logged(gql(text), variables, new Date().toISOString()), origin });

/** Keeps what pages ask for, in memory alone. */
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

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The same from a shell. The session is the shell's to have: none is shown. */
export const curlOf = ({ document, variables, origin }: LoggedCall, ours: string): string =>
  [
    `curl ${origin ?? ours}/graphql`,
    `-H "authorization: Bearer ${origin === undefined ? '$SESSION' : '$TOKEN'}"`,
    `-H 'content-type: application/json'`,
    `-d ${quoted(JSON.stringify({ query: document, variables }))}`,
  ].join(' \\\n  ');
