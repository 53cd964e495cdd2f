import { useRef, useState } from 'react';
import { type AnyVariables, type TypedDocumentNode, useClient } from 'urql';
import { type Failure, failureOf } from './failure.js';
import { readAllAgain } from './read.js';
import { askForFactor } from './step-up.js';

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
    return error ? { failure: failureOf(error) } : { data: data! };
  }
  async function run(given: Given): Promise<Called<Data>> {
    // a second click while the first is under way
    if (running.current) return {};
    running.current = true;
    setRunning(true);
    setFailure(undefined);
    try {
      let called = await send(given);
      if (called.failure?.code === 'STEP_UP_NEEDED' && (await askForFactor())) called = await send(given);
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
