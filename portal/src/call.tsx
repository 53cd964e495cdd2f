import { useRef, useState } from 'react';
import { type AnyVariables, type TypedDocumentNode, useClient } from 'urql';
import { type Failure, failureOf } from './failure.js';
import { readAllAgain } from './read.js';
import { askForFactor } from './step-up.js';
import { words } from './words.js';

export interface Called<Data> {
  data?: Data;
  failure?: Failure;
}

export interface Call<Data, Given> {
  /** Sends it; what came of it is in the answer and in `failure`. */
  run: (given: Given) => Promise<Called<Data>>;
  isRunning: boolean;
  failure: Failure | undefined;
  /** Forgets the failure. */
  reset: () => void;
}

/** Whoever sends the current password along is signed in: nothing else can be what is not valid. */
function atPassword(failure: Failure, given: AnyVariables): Failure {
  const { input } = (given ?? {}) as { input?: { currentPassword?: unknown } };
  if (failure.code !== 'INVALID_CREDENTIALS' || input?.currentPassword === undefined) return failure;
  return { ...failure, fields: { currentPassword: words.failure.notYourPassword } };
}

/**
 * A mutation. Where the console wants the second factor again, the person is asked for it and the same request is sent once more;
 * whoever closes that dialog gets the refusal.
 */
export function useCall<Data, Given extends AnyVariables>(document: TypedDocumentNode<Data, Given>): Call<Data, Given> {
  const client = useClient();
  const [failure, setFailure] = useState<Failure>();
  const [isRunning, setRunning] = useState(false);
  const running = useRef(false);

  async function send(given: Given): Promise<Called<Data>> {
    const { data, error } = await client.mutation(document, given).toPromise();
    return error ? { failure: atPassword(failureOf(error), given) } : { data: data! };
  }
  async function run(given: Given): Promise<Called<Data>> {
    // a second click while the first is under way
    if (running.current) return {};
    running.current = true;
    setRunning(true);
    setFailure(undefined);
    try {
      let called = await send(given);
      if (called.failure?.code === 'STEP_UP_REQUIRED' && (await askForFactor())) called = await send(given);
      setFailure(called.failure);
      if (called.failure?.code === 'CONFLICT') readAllAgain();
      return called;
    } finally {
      running.current = false;
      setRunning(false);
    }
  }
  return { run, isRunning, failure, reset: () => setFailure(undefined) };
}
