import { useMemo } from 'react';
import { type Client, useClient } from 'urql';
import { type Failure, failureOf } from './failure.js';
import type { CreateTestTokenMutation } from './generated/documents.js';
import { graphql } from './graphql.js';
import { words } from './words.js';

const CREATE = graphql(`
  mutation CreateTestToken($input: CreateTestTokenInput!) {
    createTestToken(input: $input) {
      token
      expiresAt
      baseUrl
    }
  }
`);

type TestToken = NonNullable<CreateTestTokenMutation['createTestToken']>;

/** Test token. It is stored only in memory, so that a reload or sign-out removes it. */
let cachedToken: Promise<TestToken> | undefined;
/** Contents of the explorer without the token, kept so that they are restored when the user returns to the page. */
export const editorStorage = new Map<string, string>();
export function clearUat(): void {
  cachedToken = undefined;
  editorStorage.clear();
}

/** Minimum remaining lifetime of a token that is reused. */
const MARGIN_MS = 30_000;

/** Error: the test token could not be created, or the UAT host did not respond. */
export class UatError extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}

async function create(client: Client): Promise<TestToken> {
  const { data, error } = await client.mutation(CREATE, { input: {} }).toPromise();
  if (error) throw new UatError(failureOf(error));
  return data!.createTestToken!;
}

function renew(client: Client): Promise<TestToken> {
  const token = create(client);
  cachedToken = token;
  token.catch(() => {
    if (cachedToken === token) cachedToken = undefined;
  });
  return token;
}

async function tokenOf(client: Client): Promise<TestToken> {
  const token = await cachedToken;
  return token && Date.parse(token.expiresAt) - Date.now() > MARGIN_MS ? token : renew(client);
}

/** GraphQL API of the UAT host, called with a test token of the signed-in user. */
export interface Uat {
  /** Creates a token if necessary. Returns the base URL of the UAT host. Errors: UatError. */
  open: () => Promise<string>;
  /** Posts a request. Retries once with a new token if the token has expired. Errors: UatError. */
  post: (body: string, headers: Record<string, string>, signal?: AbortSignal) => Promise<Response>;
}

export function useUat(): Uat {
  const client = useClient();
  return useMemo(
    () => ({
      open: async () => (await tokenOf(client)).baseUrl,
      async post(body, headers, signal) {
        const send = async ({ token, baseUrl }: TestToken): Promise<Response> => {
          const options = { method: 'POST', body, credentials: 'omit', ...(signal ? { signal } : {}) } as const;
          return fetch(`${baseUrl}/graphql`, { ...options, headers: { ...headers, authorization: `Bearer ${token}` } });
        };
        const response = await orUnreachableError(send(await tokenOf(client)), signal);
        return response.status === 401 ? orUnreachableError(send(await renew(client)), signal) : response;
      },
    }),
    [client],
  );
}

/** Replaces the generic network error of the browser. */
async function orUnreachableError(
  pendingResponse: Promise<Response>,
  signal: AbortSignal | undefined,
): Promise<Response> {
  try {
    return await pendingResponse;
  } catch (error) {
    if (signal?.aborted) throw error;
    const { unreachable } = words.explorer;
    throw new UatError({ code: 'UNREACHABLE', message: unreachable, requestId: undefined, fields: {} });
  }
}
