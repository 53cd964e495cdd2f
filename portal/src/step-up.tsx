import { type ReactNode, useState, useSyncExternalStore } from 'react';
import { useClient } from 'urql';
import { type Failure, failureOf } from './failure.js';
import { CallForm, TextField } from './form.js';
import { graphql } from './graphql.js';
import { Button, Window } from './parts.js';
import { getPasskeyAssertion, hasPasskeys } from './passkeys.js';
import { words } from './words.js';

const CONFIRM = graphql(`
  mutation ShowFactorAgain($input: ConfirmSecondFactorInput!) {
    confirmSecondFactor(input: $input) {
      confirmedUntil
    }
  }
`);
const OPTIONS = graphql(`
  mutation PasskeyToConfirm {
    startPasskeySignIn(input: { use: CONFIRM }) {
      options
    }
  }
`);

/** Resolver of the promise that requests rejected with STEP_UP_REQUIRED wait for. */
let pending: ((isVerified: boolean) => void) | undefined;
const listeners = new Set<() => void>();
function setPending(next: typeof pending): void {
  pending = next;
  for (const listener of listeners) listener();
}
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

let verification: Promise<boolean> | undefined;

/** Opens the step-up dialog. Returns false if the user closes it. Concurrent requests share the dialog. */
export function verifySecondFactor(): Promise<boolean> {
  if (verification) return verification;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  verification = promise.finally(() => (verification = undefined));
  setPending(resolve);
  return verification;
}

/** Whether a download was rejected with STEP_UP_REQUIRED. */
export const requiresStepUp = async (response: Response | undefined): Promise<boolean> =>
  response?.status === 403 && ((await response.json()) as { code?: string }).code === 'STEP_UP_REQUIRED';

export function StepUp(): ReactNode {
  const settle = useSyncExternalStore(subscribe, () => pending);
  return settle ? <StepUpDialog answer={settle} /> : null;
}

function StepUpDialog({ answer: onResult }: { answer: (isVerified: boolean) => void }): ReactNode {
  const client = useClient();
  const [failure, setFailure] = useState<Failure>();
  const [busy, setBusy] = useState(false);
  const end = (isVerified: boolean): void => {
    setPending(undefined);
    onResult(isVerified);
  };
  async function confirm(input: { code?: string; passkey?: string }): Promise<void> {
    setBusy(true);
    const { error } = await client.mutation(CONFIRM, { input }).toPromise();
    setBusy(false);
    if (error) setFailure(failureOf(error));
    else end(true);
  }
  async function usePasskey(): Promise<void> {
    const { data, error } = await client.mutation(OPTIONS, {}).toPromise();
    if (error) return setFailure(failureOf(error));
    const passkey = await getPasskeyAssertion(data!.startPasskeySignIn!.options);
    if (passkey) await confirm({ passkey });
  }
  return (
    <Window title={words.stepUp.title} text={words.stepUp.text} open onClose={() => end(false)}>
      <CallForm
        failure={failure}
        message={failure?.code === 'INVALID_CREDENTIALS' ? words.signIn.wrongCode : undefined}
        busy={busy}
        submit={words.stepUp.submit}
        send={({ code }) => void confirm({ code: code! })}
        extra={hasPasskeys() ? <Button onClick={() => void usePasskey()}>{words.stepUp.passkey}</Button> : undefined}
      >
        <TextField
          name="code"
          label={words.stepUp.code}
          hint={words.stepUp.hint}
          autoComplete="one-time-code"
          required
          autoFocus
          maxLength={20}
        />
      </CallForm>
    </Window>
  );
}
