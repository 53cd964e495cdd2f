export type HostName = 'uat' | 'production' | 'console';
export const hostNames: readonly HostName[] = ['uat', 'production', 'console'];

/**
 * One request, as JSON can keep it. `{{name}}` in path, headers and body stands for a value of the running stage: a token, a
 * client id, the id of an order.
 */
export interface FuzzCase {
  /** What made it; the rows of the table at the end. */
  kind: string;
  host: HostName;
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
  /** Instead of `body`: bytes in base64 that are not UTF-8. */
  bytes?: string;
}

export interface Answer {
  /** 0: the connection ended without an answer. */
  status: number;
  headers: Record<string, string>;
  text: string;
  elapsedMs: number;
}

const PLACEHOLDER = /\{\{([\w.-]+)\}\}/g;

/** Every placeholder replaced; a name that the stage does not know stays as it is and is one more junk value. */
export const filled = (text: string, values: ReadonlyMap<string, string>): string =>
  text.includes('{{') ? text.replace(PLACEHOLDER, (whole, name: string) => values.get(name) ?? whole) : text;

/** The principal of an exact `Bearer {{token.name}}`: only such a call can move money. */
export const principalOf = ({ headers }: FuzzCase): string | undefined =>
  /^bearer +\{\{token\.([\w-]+)\}\} *$/i.exec(headers.authorization ?? '')?.[1];
