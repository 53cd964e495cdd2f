import { useSyncExternalStore } from 'react';
import { type Exchange, type Operation, stringifyDocument } from 'urql';
import { pipe, tap } from 'wonka';

/** One operation that a page has asked for. */
export interface LoggedCall {
  /** Equal for equal documents with equal variables. */
  key: number;
  kind: 'query' | 'mutation';
  name: string;
  document: string;
  variables: object;
  at: string;
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

function logged({ key, kind, query, variables }: Operation): LoggedCall {
  const document = stringifyDocument(query).replace(/^#.*\n/gm, '');
  const name = /^\s*(?:query|mutation)\s+(\w+)/.exec(document)?.[1] ?? '';
  return {
    key,
    kind: kind as 'query' | 'mutation',
    name,
    document,
    variables: withoutSecrets(variables) as object,
    at: new Date().toISOString(),
  };
}

/** Keeps what pages ask for, in memory alone. */
export const callLog: Exchange =
  ({ forward }) =>
  (operations) =>
    forward(
      pipe(
        operations,
        tap((operation) => {
          if (operation.kind !== 'query' && operation.kind !== 'mutation') return;
          const { key } = operation;
          keep([logged(operation), ...calls.filter((call) => call.key !== key)].slice(0, KEPT));
        }),
      ),
    );

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The same from a shell. The session is the shell's to have: none is shown. */
export const curlOf = ({ document, variables }: LoggedCall, origin: string): string =>
  [
    `curl ${origin}/graphql`,
    `-H "authorization: Bearer $SESSION"`,
    `-H 'content-type: application/json'`,
    `-d ${quoted(JSON.stringify({ query: document, variables }))}`,
  ].join(' \\\n  ');
