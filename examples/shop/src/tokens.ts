export interface ClientToken {
  token: string;
  expiresAt: string;
}

export async function post<Answer>(path: string, body: object = {}): Promise<Answer> {
  const response = await fetch(path, { method: 'POST', body: JSON.stringify(body) });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

const RENEW_BEFORE_MS = 60_000;
let current: ClientToken | undefined;

/** A client token for lookups, renewed a minute before it expires. */
export async function lookupToken(): Promise<string> {
  if (!current || Date.parse(current.expiresAt) - RENEW_BEFORE_MS < Date.now())
    current = (await post<{ createClientToken: ClientToken }>('/lookup-token')).createClientToken;
  return current.token;
}
