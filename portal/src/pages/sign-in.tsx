import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useCall } from '../call.js';
import type { Failure } from '../failure.js';
import { CallForm, TextField } from '../form.js';
import type { SignInInput } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { Button } from '../parts.js';
import { getPasskeyAssertion, hasPasskeys } from '../passkeys.js';
import { resetSession } from '../session.js';
import { words } from '../words.js';
import { Outside } from './outside.js';

const SIGN_IN = graphql(`
  mutation SignIn($input: SignInInput!) {
    signIn(input: $input) {
      mustEnroll
    }
  }
`);
const OPTIONS = graphql(`
  mutation PasskeyToSignIn {
    startPasskeySignIn(input: { use: SIGN_IN }) {
      options
    }
  }
`);

const { signIn: said } = words;

/** What this page knows better than the console: which of the two forms was wrong. */
function messageOf(failure: Failure | undefined, wrong: string): string | undefined {
  return failure?.code === 'INVALID_CREDENTIALS' ? wrong : undefined;
}

export function SignIn(): ReactNode {
  const { to } = useSearch({ from: '/sign-in' });
  const navigate = useNavigate();
  const call = useCall(SIGN_IN);
  const options = useCall(OPTIONS);
  const [known, setKnown] = useState<{ email: string; password: string }>();

  async function send(input: SignInInput): Promise<void> {
    const { data, failure } = await call.run({ input });
    if (failure?.code === 'SECOND_FACTOR_REQUIRED') {
      call.reset();
      setKnown({ email: input.email!, password: input.password! });
    }
    if (!data?.signIn) return;
    resetSession();
    if (data.signIn.mustEnroll) await navigate({ to: '/second-factor', search: to ? { to } : {} });
    else await navigate({ href: to ?? '/' });
  }
  async function withPasskey(): Promise<void> {
    const { data } = await options.run({});
    const passkey = data?.startPasskeySignIn && (await getPasskeyAssertion(data.startPasskeySignIn.options));
    if (passkey) await send({ ...known, passkey });
  }
  const failure = call.failure ?? options.failure;
  const isBusy = call.isRunning || options.isRunning;
  const passkey = (name: string): ReactNode =>
    hasPasskeys() ? (
      <>
        <p className="or">{said.or}</p>
        <Button onClick={() => void withPasskey()} busy={isBusy}>
          {name}
        </Button>
      </>
    ) : null;

  if (known)
    return (
      <Outside title={said.codeTitle}>
        <CallForm
          key="code"
          failure={failure}
          message={messageOf(failure, said.wrongCode)}
          busy={isBusy}
          submit={said.codeSubmit}
          send={({ code }) => void send({ ...known, code: code! })}
        >
          <TextField
            name="code"
            label={said.code}
            hint={said.codeHint}
            autoComplete="one-time-code"
            maxLength={20}
            required
            autoFocus
          />
        </CallForm>
        {passkey(said.usePasskey)}
        <p className="links">
          <button
            type="button"
            className="link"
            onClick={() => {
              call.reset();
              setKnown(undefined);
            }}
          >
            {said.back}
          </button>
        </p>
      </Outside>
    );
  return (
    <Outside title={said.title}>
      <CallForm
        key="password"
        failure={failure}
        message={messageOf(failure, said.wrong)}
        busy={isBusy}
        submit={said.submit}
        send={({ email, password }) => void send({ email: email!, password: password! })}
      >
        <TextField
          name="email"
          label={words.common.email}
          type="email"
          autoComplete="username webauthn"
          required
          autoFocus
        />
        <TextField
          name="password"
          label={words.common.password}
          type="password"
          autoComplete="current-password"
          maxLength={200}
          required
        />
      </CallForm>
      {passkey(said.passkey)}
      <p className="links">
        <Link to="/forgot-password">{said.forgot}</Link>
        <Link to="/sign-up">{said.signUp}</Link>
      </p>
    </Outside>
  );
}
