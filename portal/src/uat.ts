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

/** Kept here and nowhere else: whoever reloads the page or signs out has none. */
let kept: Promise<TestToken> | undefined;
/** What is written in the explorer, without the token, for whoever comes back to it. */
export const written = new Map<string, string>();
export function forgetUat(): void {
  kept = undefined;
  written.clear();
}

/** What it still lives when it is used. */
const MARGIN_MS = 30_000;

/** Why there is no token, or no answer. */
export class UatRefusal extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}

async function create(client: Client): Promise<TestToken> {
  const { data, error } = await client.mutation(CREATE, { input: {} }).toPromise();
  if (error) throw new UatRefusal(failureOf(error));
  return data!.createTestToken!;
}

function renew(client: Client): Promise<TestToken> {
  const made = create(client);
  kept = made;
  made.catch(() => {
    if (kept === made) kept = undefined;
  });
  return made;
}

async function tokenOf(client: Client): Promise<TestToken> {
  const token = await kept;
  return token && Date.parse(token.expiresAt) - Date.now() > MARGIN_MS ? token : renew(client);
}

/** The UAT host's graph, which is another one than the console's, asked with a test token of whoever is signed in. */
export interface Uat {
  /** Makes sure that there is a token; returns whose host it is of. Errors: UatRefusal. */
  open: () => Promise<string>;
  /** Posts a request. A token that has ended is renewed: nothing was done with it. Errors: UatRefusal. */
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
        const answer = await unlessUnreachable(send(await tokenOf(client)), signal);
        return answer.status === 401 ? unlessUnreachable(send(await renew(client)), signal) : answer;
      },
    }),
    [client],
  );
}

/** A browser says of a host that does not answer, or not to this page, that something failed. */
async function unlessUnreachable(sending: Promise<Response>, signal: AbortSignal | undefined): Promise<Response> {
  try {
    return await sending;
  } catch (error) {
    if (signal?.aborted) throw error;
    const { unreachable } = words.explorer;
    throw new UatRefusal({ code: 'UNREACHABLE', message: unreachable, requestId: undefined, fields: {} });
  }
}
