import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useCall } from '../call.js';
import { CallForm, TextField } from '../form.js';
import { graphql } from '../graphql.js';
import { words } from '../words.js';
import { Outside } from './outside.js';

const SIGN_UP = graphql(`
  mutation SignUp($input: SignUpInput!) {
    signUp(input: $input) {
      accepted
    }
  }
`);
const FORGOT = graphql(`
  mutation Forgot($input: RequestPasswordResetInput!) {
    requestPasswordReset(input: $input) {
      accepted
    }
  }
`);

export function SignUp(): ReactNode {
  const said = words.signUp;
  const call = useCall(SIGN_UP);
  const [sentTo, setSentTo] = useState<string>();
  async function send({ name, email, mobile, password }: Record<string, string>): Promise<void> {
    const { data } = await call.run({ input: { name: name!, email: email!, mobile: mobile!, password: password! } });
    if (data?.signUp) setSentTo(email);
  }
  if (sentTo !== undefined)
    return (
      <Outside title={said.sent}>
        <p role="status">{said.sentText(sentTo)}</p>
        <p className="links">
          <Link to="/sign-in">{words.forgot.signIn}</Link>
        </p>
      </Outside>
    );
  return (
    <Outside title={said.title} lead={said.lead}>
      <CallForm failure={call.failure} busy={call.isRunning} submit={said.submit} send={(values) => void send(values)}>
        <TextField name="name" label={said.name} autoComplete="organization" maxLength={100} required autoFocus />
        <TextField name="email" label={words.common.email} type="email" autoComplete="username" required />
        <TextField
          name="mobile"
          label={said.mobile}
          hint={said.mobileHint}
          inputMode="numeric"
          autoComplete="tel-national"
          required
        />
        <TextField
          name="password"
          label={words.common.password}
          hint={said.passwordHint}
          type="password"
          autoComplete="new-password"
          minLength={12}
          maxLength={200}
          required
        />
      </CallForm>
      <p className="links">
        <Link to="/sign-in">{said.signIn}</Link>
      </p>
    </Outside>
  );
}

export function Forgot(): ReactNode {
  const said = words.forgot;
  const call = useCall(FORGOT);
  const [sentTo, setSentTo] = useState<string>();
  async function send({ email }: Record<string, string>): Promise<void> {
    const { data } = await call.run({ input: { email: email! } });
    if (data?.requestPasswordReset) setSentTo(email);
  }
  return (
    <Outside title={said.title} lead={said.lead}>
      {sentTo === undefined ? (
        <CallForm
          failure={call.failure}
          busy={call.isRunning}
          submit={said.submit}
          send={(values) => void send(values)}
        >
          <TextField name="email" label={words.common.email} type="email" autoComplete="username" required autoFocus />
        </CallForm>
      ) : (
        <p role="status">{said.sent(sentTo)}</p>
      )}
      <p className="links">
        <Link to="/sign-in">{said.signIn}</Link>
      </p>
    </Outside>
  );
}
