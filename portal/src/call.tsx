import { useRef, useState } from 'react';
import { type AnyVariables, type TypedDocumentNode, useClient } from 'urql';
import { type Failure, failureOf } from './failure.js';
import { refetchAll } from './read.js';
import { verifySecondFactor } from './step-up.js';
import { words } from './words.js';

export interface CallResult<Data> {
  data?: Data;
  failure?: Failure;
}

export interface Call<Data, Variables> {
  /** Sends the mutation. The result is returned; an error is also stored in `failure`. */
  run: (variables: Variables) => Promise<CallResult<Data>>;
  isRunning: boolean;
  failure: Failure | undefined;
  reset: () => void;
}

/** Assigns INVALID_CREDENTIALS to the current password. The user is signed in, so no other input can be invalid. */
function withPasswordError(failure: Failure, variables: AnyVariables): Failure {
  const { input } = (variables ?? {}) as { input?: { currentPassword?: unknown } };
  if (failure.code !== 'INVALID_CREDENTIALS' || input?.currentPassword === undefined) return failure;
  return { ...failure, fields: { currentPassword: words.failure.notYourPassword } };
}

/**
 * Sends a mutation. If the console requires step-up verification, opens the dialog for the second factor and retries the
 * mutation. Returns the original error if the user closes the dialog.
 */
export function useCall<Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
): Call<Data, Variables> {
  const client = useClient();
  const [failure, setFailure] = useState<Failure>();
  const [isRunning, setRunning] = useState(false);
  const running = useRef(false);

  async function send(variables: Variables): Promise<CallResult<Data>> {
    const { data, error } = await client.mutation(document, variables).toPromise();
    return error ? { failure: withPasswordError(failureOf(error), variables) } : { data: data! };
  }
  async function run(variables: Variables): Promise<CallResult<Data>> {
    // Ignore a second click while the first request is in progress.
    if (running.current) return {};
    running.current = true;
    setRunning(true);
    setFailure(undefined);
    try {
      let result = await send(variables);
      if (result.failure?.code === 'STEP_UP_REQUIRED' && (await verifySecondFactor())) result = await send(variables);
      setFailure(result.failure);
      if (result.failure?.code === 'CONFLICT') refetchAll();
      return result;
    } finally {
      running.current = false;
      setRunning(false);
    }
  }
  return { run, isRunning, failure, reset: () => setFailure(undefined) };
}
