export type HostName = 'uat' | 'production' | 'console';
export const hostNames: readonly HostName[] = ['uat', 'production', 'console'];

/**
 * One request in a form that JSON can hold. `{{name}}` in path, headers and body stands for a value of the running stage: a
 * token, a client ID, the ID of an order.
 */
export interface FuzzCase {
  /** Generator of the case; the rows of the final table. */
  kind: string;
  host: HostName;
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
  /** Replaces `body`: bytes in base64 that are not UTF-8. */
  bytes?: string;
}

export interface FuzzResponse {
  /** 0: the connection ended without a response. */
  status: number;
  headers: Record<string, string>;
  text: string;
  elapsedMs: number;
}

const PLACEHOLDER = /\{\{([\w.-]+)\}\}/g;

/** Replaces every placeholder. A name that the stage does not know stays unchanged, as one more invalid value. */
export const filled = (text: string, values: ReadonlyMap<string, string>): string =>
  text.includes('{{')
    ? text.replace(PLACEHOLDER, (placeholder, name: string) => values.get(name) ?? placeholder)
    : text;

/** The principal of an exact `Bearer {{token.name}}`. Only such a call can move money. */
export const principalOf = ({ headers }: FuzzCase): string | undefined =>
  /^bearer +\{\{token\.([\w-]+)\}\} *$/i.exec(headers.authorization ?? '')?.[1];
